"""A recorded search as the explorer reads it: columns back to back, compressed.

Visited nodes are numbered in the order in which they were entered, so the shape of the tree
is the ply of each node alone. Every number of the search is an index into one sorted table, so
that the view compares indices and shows the text that Python wrote, in full or in brief; this
holds evaluators with fractions as well as stones. What the columns are:

    ply         per node: how many nodes are above it
    move        per node: its place in `moves`, a table of [name, place, whether it is a probe]
    flag        per node: MIN, EXTRA, FINISHED, TABLE, LOWER, UPPER, CUT, DRIVER, LEFT, which says
                that moves were never tried though the search made no cut
    alpha, beta per node: places in `numbers`, `texts` and `brief`
    value       per node: its place, less the parent's
    owner       per node with children: the level of the node that set the bound which cuts it
    holds       the same: which of that node's children gave it the bound, from 1; 0 for none
    count       per node with CUT or LEFT: how many moves were never tried
    ghost       per move never tried: its place in `moves`
    again       per move never tried, as bits: whether the same player moves after it
    cost        per move never tried: the nodes minimax would visit there; 0 if unknown, or no cut

The positions, which are most of the bytes, are compressed apart, so that a view can draw the tree
before it unpacks them:

    cells       per node and cell: the difference from the parent's position, which is Kalah's
                board, or the characters of the text in which another game is drawn
"""

import gzip
import math
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import sub
from typing import Any

from kalahlab.formatting import to_json
from kalahlab.games import kalah
from kalahlab.search.model import Node
from kalahlab.trace import Cut, Trace, Visit, number
from kalahlab.trace.explain import HOLD, WHY

MIN, EXTRA, FINISHED, TABLE, LOWER, UPPER, CUT, DRIVER, LEFT = (1 << bit for bit in range(9))
LARGEST = 160  # nodes of a tree that the explorer shows whole
# How hard a trace is compressed: what nobody keeps a twelfth larger, in a tenth of the time.
QUICK, SMALLEST = 6, 9
# What `array` calls whole numbers of each type.
CODES = {"u1": "B", "u2": "H", "u4": "I", "i1": "b", "i2": "h", "i4": "i"}
Column = tuple[str, int, bytes]
"""Numbers of one type (`u1`, `i4`, `f8`: its kind and its bytes), how many, and little-endian."""


def pack(
    trace: Trace, title: str, sizes: Callable[[Node], int] | None = None, level: int = SMALLEST
) -> dict[str, Any]:
    """The trace for the view. `sizes` says what a branch never visited would have cost."""
    visits = list(trace.visited())
    found = (each for visit in visits for each in (visit.alpha, visit.beta, visit.found))
    numbers = sorted({-math.inf, math.inf, *found})
    places = {value: place for place, value in enumerate(numbers)}
    left = [visit for visit in visits if visit.kind == "cut" or trace.untried(visit)]
    ghosts = [ghost for visit in left for ghost in trace.untried(visit)]
    costs = [_cost(trace, ghost, sizes) for ghost in ghosts]
    moves, width = Moves(), Counter(levels := trace.levels)
    columns: dict[str, Column] = {
        "ply": _narrow(levels[: len(visits)]),
        "move": _narrow(_add_move(moves, trace, visit) for visit in visits),
        "flag": _narrow(_flag(trace, visit) for visit in visits),
        "alpha": _narrow(places[visit.alpha] for visit in visits),
        "beta": _narrow(places[visit.beta] for visit in visits),
        "value": _differences(visits, [(places[visit.found],) for visit in visits]),
        **_bounds(trace, visits, levels),
        "count": _narrow(len(trace.untried(visit)) for visit in left),
        "ghost": _narrow(_add_move(moves, trace, ghost) for ghost in ghosts),
        "again": _bits("".join("01"[ghost.extra_turn] for ghost in ghosts)),
        "cost": _narrow(costs),
    }
    return {
        "title": title,
        "nodes": len(visits),
        "visited": sum(visit.kind != "driver" for visit in visits),  # as the search counts them
        "full": sizes(visits[0].node) if sizes else 0,
        "spared": sum(costs),
        # how many nodes each ply has, and the most that one node has, visited or not
        "width": [width[ply] for ply in range(2 + max(levels[: len(visits)]))],
        "widest": max(Counter(each.parent for each in trace.nodes[1:]).values(), default=0),
        **_window_facts(trace, visits),
        "numbers": [value if math.isfinite(value) else None for value in numbers],
        "texts": [number(value) for value in numbers],
        "brief": [brief(value) for value in numbers],
        # what null windows ask of a value, by their ends
        "asks": {f"{places[v.alpha]} {places[v.beta]}": v.question for v in visits if v.question},
        "moves": [list(move) for move in moves],
        "root": str((*visits[0].node.state.board, visits[0].node.state.player)),
        "board": _board(trace),
        "byHand": trace.game == "tree",
        # said: the reasons, by node, that are not of the form `WHY`
        "words": {"why": WHY, "hold": HOLD, "said": _odd_reasons(trace)},
        "positions": _compressed({"cells": _differences(visits, _cells(trace, visits))}, level),
        **_compressed(columns, level),
    }


def _window_facts(trace: Trace, visits: Sequence[Visit]) -> dict[str, Any]:
    """Return whether there are windows; and the best line, where values need not say it."""
    if any(math.isfinite(v.alpha) or math.isfinite(v.beta) for v in visits):
        return {"windows": True}
    selective = any(visit.kind != "cut" and trace.untried(visit) for visit in visits)
    return {"windows": False} | ({"line": trace.principal} if selective else {})


def _cost(trace: Trace, ghost: Visit, sizes: Callable[[Node], int] | None) -> int:
    """Return how many nodes a cut spared at a move never tried, as far as that is known."""
    cut = trace.nodes[ghost.parent or 0].kind == "cut"
    return sizes(ghost.node) if sizes is not None and cut else 0


def _odd_reasons(trace: Trace) -> dict[int, Any]:
    """Return the reasons, by node, of cuts that are not of the form `WHY`."""

    def is_usual(cut: Cut) -> bool:
        node, by = trace.nodes[cut.node], trace.nodes[cut.by]
        last = trace.tried(node)[-1]
        said = cut.holds is not None and by.kind != "table" and trace.allows(cut)
        return said and by is last and cut.value == node.found

    return {cut.node: trace.reason(cut) for cut in trace.cuts if not is_usual(cut)}


def cross_out(trace: Trace, full: Trace) -> dict[str, Any]:
    """What a reader crosses out: the whole tree, packed, and its `branches`; nothing if the two
    searches order moves differently. trace: by alpha-beta; full: by minimax. branches: gzipped
    JSON, per node of `full` [the highest node of its branch that is cut, or -1; the reason]."""
    twins = {0: 0}  # the node of `trace` that each of `full` is, as far as `trace` made them
    for visit in full.visited():
        if visit.id not in twins or not (made := trace.nodes[twins[visit.id]].children):
            continue
        if [full.nodes[id].node.move for id in visit.children] != [
            trace.nodes[id].node.move for id in made
        ]:
            return {}
        twins.update(zip(visit.children, made, strict=True))
    cuts = {cut.node: cut for cut in trace.cuts}
    branches: list[tuple[int, str]] = []
    for visit in full.visited():
        twin = twins.get(visit.id)
        if twin is None:
            branches.append((branches[visit.parent or 0][0], ""))
        elif trace.nodes[twin].kind == "unvisited":
            here = replace(cuts[trace.nodes[twin].parent or 0], untried=(twin,))  # no other one
            branches.append((visit.id, trace.why(here)))
        else:
            branches.append((-1, trace.why_visited(twin)))
    return {
        "trace": pack(full, "Which branches will alpha-beta not visit?"),
        "branches": gzip.compress(to_json(branches, ensure_ascii=False).encode(), mtime=0),
    }


def _compressed(columns: Mapping[str, Column], level: int) -> dict[str, Any]:
    """Columns as one gzip file. Each begins a new block, so that it has a code of its own."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    blocks = (
        packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH) for _, _, data in columns.values()
    )
    return {
        "columns": [[name, kind, length] for name, (kind, length, _) in columns.items()],
        "data": b"".join(blocks) + packer.flush(),
    }


def brief(value: float) -> str:
    """A number for a node: three figures if it is long, two and the power of ten if huge."""
    text = number(value)
    if len(text) <= 5:
        return text
    figures, tens = f"{value:.1e}".split("e")
    if -5 < int(tens) < 6:
        return number(float(f"{value:.3g}"))
    return f"{number(float(figures))}e{number(int(tens))}"


Moves = dict[tuple[str, int, bool], int]
"""The moves by name and place, probes apart, with their place in the table. The place of a move
is what it is to the game: on a Kalah board the cell that is sown, in a tree the branch's index."""


def _add_move(moves: Moves, trace: Trace, visit: Visit) -> int:
    place = visit.node.move if isinstance(visit.node.move, int) else -1
    if visit.parent is not None and trace.game == "kalah":
        pit = int(visit.name) - 1 if visit.name.isdigit() else place
        board, mover = trace.nodes[visit.parent].node.state[:2]
        place = int(mover) * (kalah.pits_of(board) + 1) + pit if pit >= 0 else -1
    return moves.setdefault((visit.name, place, visit.label != visit.name), len(moves))


def _flag(trace: Trace, visit: Visit) -> int:
    return (
        MIN * (not visit.node.maximizing)
        | EXTRA * visit.again
        | FINISHED * (visit.kind == "finished")
        | TABLE * (visit.kind == "table")
        | LOWER * (visit.bound == "≥")
        | UPPER * (visit.bound == "≤")
        | CUT * (visit.kind == "cut")
        | DRIVER * (visit.kind == "driver")
        | (LEFT if visit.kind != "cut" and trace.untried(visit) else 0)
    )


def _cells(trace: Trace, visits: Sequence[Visit]) -> Sequence[Sequence[int]]:
    states = [visit.node.state for visit in visits]
    if trace.game == "kalah":
        return [state.board for state in states]
    texts = [trace.drawn(visit) for visit in visits]
    width = max(map(len, texts))
    return [[*map(ord, text.ljust(width))] for text in texts]


def _board(trace: Trace) -> dict[str, Any] | None:
    if trace.game != "kalah":
        return None
    board, player = trace.nodes[0].node.state[:2]
    south, north = ("MAX", "MIN") if player == kalah.SOUTH else ("MIN", "MAX")
    return {"pits": kalah.pits_of(board), "south": south, "north": north}


def _differences(visits: Sequence[Visit], rows: Sequence[Sequence[int]]) -> Column:
    """A row of numbers per node, less the parent's; the root's own come first."""
    found = [*rows[0]]
    for visit, row in zip(visits[1:], rows[1:], strict=True):
        assert visit.parent is not None, "only the root has no parent"
        found += map(sub, row, rows[visit.parent])
    return _narrow(found, "i")


def _bounds(trace: Trace, visits: Sequence[Visit], levels: Sequence[int]) -> dict[str, Column]:
    inner = [visit for visit in visits if trace.tried(visit)]
    found = [trace.bound_owner(visit) for visit in inner]
    places = [
        0 if holds is None else 1 + trace.nodes[owner].children.index(holds)
        for owner, holds in found
    ]
    return {"owner": _narrow(levels[owner] for owner, _ in found), "holds": _narrow(places)}


def _bits(text: str) -> Column:
    """A text of 0 and 1 as bits, the first one the lowest of the first byte."""
    count = -(-len(text) // 8)
    return "u1", count, int(text[::-1] or "0", 2).to_bytes(count, "little")


def _narrow(numbers: Iterable[int], sign: str = "u") -> Column:
    """The numbers in the narrowest type that holds them; exact up to 2^53 in the last, `f8`."""
    found = [*numbers]
    high = max(found, default=0)
    if sign == "i":
        high = 2 * max(high, -1 - min(found, default=0))
    fits = (each for each in CODES if each[0] == sign and high < 1 << 8 * int(each[1]))
    kind = next(fits, "f8")
    column = array(CODES.get(kind, "d"), found)
    if sys.byteorder == "big":
        column.byteswap()
    return kind, len(found), column.tobytes()
