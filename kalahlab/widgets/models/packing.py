"""The format in which the explorer reads a recorded search: columns back to back, compressed.

Visited nodes are numbered in the order in which they were entered, so that the shape of the tree
follows from the ply of each node. Every number of the search is stored as an index into one sorted
table. The view compares the indices, and shows the texts that Python wrote for the numbers: so it
need not know whether an evaluator returns whole numbers or fractions. A ghost is a move that was
never tried. The columns are:

    ply         per node: the number of nodes above it
    move        per node: the index of its move in `moves`, a table of [name, place, is a probe]
    flag        per node: the sum of MIN, EXTRA, FINISHED, TABLE, LOWER, UPPER, CUT, DRIVER,
                LEFT and CHANCE; LEFT marks moves that were never tried although the search made no
                cut, CHANCE nodes where chance moves
    alpha, beta per node: the index of this end of its window in `numbers`, `texts` and `brief`
    value       per node: the index of its value, less that of the parent's value
    owner       per node with children: the ply of its owner, the node above it, or it itself, that
                set the bound at which it is cut
    holds       per node with children: which child of the owner gave the owner that bound, counted
                from 1; 0 for none
    count       per node with CUT or LEFT: the number of its ghosts
    ghost       per ghost: its index in `moves`
    extra       per ghost, as bits: 1 if the same player moves after it
    cost        per ghost: the nodes that minimax would visit below it; 0 if that is unknown, or if
                no cut skipped the move

The positions, which are most of the bytes, are compressed separately, so that a view can draw the
tree before it unpacks them:

    cells       per node and cell: the difference from the parent's position. The cells are the
                places of a Kalah board, or the characters of the text that shows another game

`pack` returns a dict with these keys:

    title: The title.
    nodes: The number of visits.
    visited: The number of visits as the search counts them, without a driver.
    full: The number of nodes of the full tree; 0 if it is not known.
    spared: The sum of the column `cost`.
    width: By ply, the number of nodes, up to one ply below the deepest visit.
    widest: The greatest number of children of a node.
    windows: Whether any window has a finite end.
    line: The ids along the principal variation; only if the view cannot find it by the values.
    numbers, texts, brief: The sorted table of numbers, and both texts of each; see
        `_format_numbers`.
    asks: By the indices of alpha and beta, the question of each null window.
    moves: The table of moves.
    root: The root, as a text by which the view knows whether two searches have the same root.
    board: The pits and the players of a Kalah board; None for another game.
    byHand: Whether the game is a tree written by hand.
    words: The template of the reasons for cuts, its words, and by node all other reasons.
    unit: What the values are: `value`, or `probability` that MAX wins.
    reasons: Gzipped JSON, for each node the sentence on how its value follows; None if values
        follow by minimax.
    positions: The packed column of positions.
    columns, data: All other columns; see `compress_columns`.
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

from kalahlab.formatting import format_brief, format_chance, format_number, to_json
from kalahlab.games import kalah
from kalahlab.search.model import Node
from kalahlab.trace import Cut, Trace, Visit
from kalahlab.trace.explain import HOLD, WHY

MIN, EXTRA, FINISHED, TABLE, LOWER, UPPER, CUT, DRIVER, LEFT, CHANCE = (
    1 << bit for bit in range(10)
)
KIND_FLAGS = {"finished": FINISHED, "table": TABLE, "cut": CUT, "driver": DRIVER}
BOUND_FLAGS = {"≥": LOWER, "≤": UPPER}
MAX_WHOLE_NODES = 160  # the most nodes of a tree that the explorer shows whole
# Compression levels. QUICK is for a search that is not saved: it takes a tenth of the time of
# SMALLEST and makes a twelfth more bytes.
QUICK, SMALLEST = 6, 9
# The code of `array` for each type of numbers. A type is u (unsigned), i (signed) or f (float), and
# the number of bytes.
INTEGER_CODES = {"u1": "B", "u2": "H", "u4": "I", "i1": "b", "i2": "h", "i4": "i"}
TYPE_CODES = INTEGER_CODES | {"f4": "f", "f8": "d"}
Column = tuple[str, int, bytes]
"""Numbers of one type: the name of the type, their count, and their little-endian data.

The name of a type is a key of `TYPE_CODES`.
"""


Moves = dict[tuple[str, int, bool], int]
"""The index of each move in the table; a move is (name, place, is a probe).

The place of a move is the index of the cell that is sown on a Kalah board, or of the branch in a
tree; -1 in other games.
"""


def pack(
    trace: Trace, title: str, sizes: Callable[[Node], int] | None = None, level: int = SMALLEST
) -> dict[str, Any]:
    """Pack a trace for the view; the beginning of this file describes the keys of the result.

    Args:
        trace: The recorded search.
        title: The heading of the pane that shows the search.
        sizes: A function that returns the number of nodes of the full tree from a node down, which
            is the cost of a branch that was never visited. None if the sizes are not known.
        level: The level of compression, `QUICK` or `SMALLEST`.
    """
    visits, levels = [*trace.visits()], trace.levels  # the levels of visits, then of ghosts
    depth = max(levels[: len(visits)])  # the greatest level of a visited node
    width = Counter(levels)
    numbers = _collect_numbers(visits)
    indices = {value: index for index, value in enumerate(numbers)}
    incomplete = [
        visit for visit in visits if visit.kind == "cut" or trace.unvisited_children(visit)
    ]
    ghosts: list[Visit] = []
    for visit in incomplete:
        ghosts += trace.unvisited_children(visit)
    costs = [_cost(trace, ghost, sizes) for ghost in ghosts]
    moves: Moves = {}
    columns = {
        **_pack_visits(trace, visits, indices, moves),
        **_bounds(trace, visits, levels),
        **_pack_ghosts(trace, incomplete, ghosts, moves),
        "cost": narrow(costs),
    }
    return {
        "title": title,
        "nodes": len(visits),
        "visited": sum(visit.kind != "driver" for visit in visits),
        "full": sizes(visits[0].node) if sizes else 0,
        "spared": sum(costs),
        "width": [width[ply] for ply in range(depth + 2)],
        "widest": max(Counter(visit.parent for visit in trace.nodes[1:]).values(), default=0),
        **_window_facts(trace, visits),
        **_format_numbers(numbers, trace),
        "asks": {f"{indices[v.alpha]} {indices[v.beta]}": v.question for v in visits if v.question},
        "moves": [list(move) for move in moves],
        "root": str((*visits[0].node.state.board, visits[0].node.state.player)),
        "board": describe_board(trace.game, visits[0].node.state),
        "byHand": trace.game == "tree",
        **_pack_sentences(trace, visits),
        "positions": _pack_positions(trace, visits, level),
        **compress_columns(columns, level),
    }


def _pack_sentences(trace: Trace, visits: Sequence[Visit]) -> dict[str, Any]:
    """Return `words`, `unit` and `reasons`."""
    reasons = None
    if trace.has_own_backup:
        reasons = compress_json([visit.reason for visit in visits])
    words = {"why": WHY, "hold": HOLD, "special": _special_reasons(trace)}
    return {"words": words, "unit": trace.unit, "reasons": reasons}


def compress_json(data: Any) -> bytes:
    """Return gzipped JSON, the same bytes for the same data."""
    return gzip.compress(to_json(data, ensure_ascii=False).encode(), mtime=0)


def _format_numbers(numbers: Sequence[float], trace: Trace) -> dict[str, Any]:
    """Return the numbers, with None for an infinity, and the full and the brief text of each.

    Where values do not follow by minimax they have many digits, and the full text is rounded, too.
    """
    texts = [format_number(value) for value in numbers]
    brief = [format_brief(value) for value in numbers]
    if trace.unit == "probability":
        texts = brief = [format_chance(value) for value in numbers]
    elif trace.has_own_backup:
        texts = [format_number(round(value, 2)) for value in numbers]
    return {
        "numbers": [value if math.isfinite(value) else None for value in numbers],
        "texts": texts,
        "brief": brief,
    }


def _pack_visits(
    trace: Trace, visits: Sequence[Visit], indices: Mapping[float, int], moves: Moves
) -> dict[str, Column]:
    """Return columns with a row for each visit; `indices` has the index of each number."""
    return {
        "ply": narrow(trace.levels[: len(visits)]),
        "move": narrow(_add_move(moves, trace, visit) for visit in visits),
        "flag": narrow(_flag(trace, visit) for visit in visits),
        "alpha": narrow(indices[visit.alpha] for visit in visits),
        "beta": narrow(indices[visit.beta] for visit in visits),
        "value": differences(
            [visit.parent for visit in visits],
            [(indices[visit.final_value],) for visit in visits],
        ),
    }


def _pack_ghosts(
    trace: Trace, incomplete: Sequence[Visit], ghosts: Sequence[Visit], moves: Moves
) -> dict[str, Column]:
    """Return columns with a row for each incomplete visit, or for each ghost.

    An incomplete visit has the flag CUT or LEFT. A ghost is a move that was never tried there.
    """
    return {
        "count": narrow(len(trace.unvisited_children(visit)) for visit in incomplete),
        "ghost": narrow(_add_move(moves, trace, ghost) for ghost in ghosts),
        "extra": _bits([ghost.extra_turn for ghost in ghosts]),
    }


def _collect_numbers(visits: Sequence[Visit]) -> list[float]:
    """Return all ends of windows, all values and both infinities, each once, in ascending order."""
    numbers = {-math.inf, math.inf}
    for visit in visits:
        numbers.update((visit.alpha, visit.beta, visit.final_value))
    return sorted(numbers)


def _window_facts(trace: Trace, visits: Sequence[Visit]) -> dict[str, Any]:
    """Return `windows` and, if the view cannot find the principal variation by values, `line`.

    A search without windows that leaves out moves at will can have a line that the values of its
    nodes do not show.
    """
    if any(math.isfinite(visit.alpha) or math.isfinite(visit.beta) for visit in visits):
        return {"windows": True}
    if any(visit.kind != "cut" and trace.unvisited_children(visit) for visit in visits):
        return {"windows": False, "line": trace.principal}
    return {"windows": False}


def _cost(trace: Trace, ghost: Visit, sizes: Callable[[Node], int] | None) -> int:
    """Return the number of nodes below a move that a cut skipped; 0 if unknown or without a cut."""
    parent = trace.nodes[ghost.parent or 0]
    if sizes is None or parent.kind != "cut":
        return 0
    return sizes(ghost.node)


def _special_reasons(trace: Trace) -> dict[int, Any]:
    """Return by node the reasons of the cuts that the template `WHY` does not explain."""

    def is_usual(cut: Cut) -> bool:
        node, by = trace.nodes[cut.node], trace.nodes[cut.by]
        last = trace.visited_children(node)[-1]
        is_explained = cut.holds is not None and by.kind != "table" and trace.is_sound_cut(cut)
        is_explained = is_explained and not node.is_chance
        return is_explained and by is last and cut.value == node.final_value

    return {cut.node: trace.reason(cut) for cut in trace.cuts if not is_usual(cut)}


def cross_out(trace: Trace, full: Trace) -> dict[str, Any]:
    """Prepare the exercise in which a reader crosses out the branches that are not visited.

    Args:
        trace: The search by alpha-beta.
        full: The search by minimax.

    Returns:
        An empty dict if the two searches order moves differently. Else the packed search by minimax
        as `trace`, and gzipped JSON as `branches`. The JSON has a pair for each node: the id of the
        highest node on the path to this node that alpha-beta does not visit, -1 if alpha-beta
        visits the node, and the reason.
    """
    twins = _match_nodes(trace, full)
    if not twins:
        return {}
    cuts = {cut.node: cut for cut in trace.cuts}
    branches: list[tuple[int, str]] = []
    for visit in full.visits():
        twin = twins.get(visit.id)
        if twin is None:  # below an unvisited node: the highest one is that of the parent
            highest_unvisited, _ = branches[visit.parent or 0]
            branches.append((highest_unvisited, ""))
        elif trace.nodes[twin].kind == "unvisited":
            cut = cuts[trace.nodes[twin].parent or 0]
            # The sentence names all untried moves of a cut; here it is to name this move alone.
            only_this = replace(cut, untried=(twin,))
            branches.append((visit.id, trace.why(only_this)))
        else:
            branches.append((-1, trace.explain_visit(twin)))
    return {
        "trace": pack(full, "Which branches will alpha-beta not visit?"),
        "branches": compress_json(branches),
    }


def _match_nodes(trace: Trace, full: Trace) -> dict[int, int]:
    """Map the id of each node of `full` that `trace` has, too, to its id in `trace`.

    Return an empty mapping if the two searches order moves differently.
    """
    twins = {0: 0}
    for visit in full.visits():
        if visit.id not in twins:
            continue
        generated = trace.nodes[twins[visit.id]].children
        if not generated:
            continue
        moves = [trace.nodes[id].node.move for id in generated]
        if [full.nodes[id].node.move for id in visit.children] != moves:
            return {}
        twins.update(zip(visit.children, generated, strict=True))
    return twins


def compress_columns(columns: Mapping[str, Column], level: int) -> dict[str, Any]:
    """Compress columns into one gzip file: `data`, and in `columns` name, type and count of each.

    Each column begins a block of the file, so that it is compressed with its own code.
    """
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)  # 31: the format of gzip
    compressed = b""
    for _, _, data in columns.values():
        compressed += packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)  # ends a block
    return {
        "columns": [[name, kind, length] for name, (kind, length, _) in columns.items()],
        "data": compressed + packer.flush(),
    }


def _add_move(moves: Moves, trace: Trace, visit: Visit) -> int:
    """Return the index of a visit's move in `moves`; add the move if it is new."""
    is_probe = visit.label != visit.name  # the label of a probe has a question mark
    return moves.setdefault((visit.name, _move_place(trace, visit), is_probe), len(moves))


def _move_place(trace: Trace, visit: Visit) -> int:
    """Return the place of a visit's move; see `Moves`."""
    move = visit.node.move
    if not isinstance(move, int):
        move = -1
    if visit.parent is None or trace.game != "kalah":
        return move
    # A pass over a node has a name but no move. In Kalah a name is the number of a pit, from 1.
    pit = int(visit.name) - 1 if visit.name.isdigit() else move
    if pit < 0:
        return -1
    board, mover = trace.nodes[visit.parent].node.state[:2]
    return int(mover) * (kalah.pits_of(board) + 1) + pit


def _flag(trace: Trace, visit: Visit) -> int:
    """Return the sum of the flags of a visit."""
    flag = KIND_FLAGS.get(visit.kind, 0) | BOUND_FLAGS.get(visit.inequality, 0)
    if not visit.node.maximizing:
        flag |= MIN
    if visit.is_chance:
        flag |= CHANCE
    if visit.is_extra_turn:
        flag |= EXTRA
    if visit.kind != "cut" and trace.unvisited_children(visit):
        flag |= LEFT
    return flag


def _pack_positions(trace: Trace, visits: Sequence[Visit], level: int) -> dict[str, Any]:
    """Return the packed column `cells`."""
    states = [visit.node.state for visit in visits]
    drawings = [trace.draw_position(visit) for visit in visits]
    rows = list_cells(trace.game, states, drawings)
    parents = [visit.parent for visit in visits]
    return compress_columns({"cells": differences(parents, rows)}, level)


def list_cells(
    game: str, states: Sequence[Any], drawings: Sequence[str]
) -> Sequence[Sequence[int]]:
    """Return a row of cells for each state: the stones of a board, or the codes of characters."""
    if game == "kalah":
        return [state.board for state in states]
    width = max(map(len, drawings))  # rows of one length, so that they can be subtracted
    return [[*map(ord, drawing.ljust(width))] for drawing in drawings]


def describe_board(game: str, root: Any) -> dict[str, Any] | None:
    """Return the pits a side and the names of the players at the root; None for another game."""
    if game != "kalah":
        return None
    board, player = root[:2]
    south, north = ("MAX", "MIN") if player == kalah.SOUTH else ("MIN", "MAX")
    return {"pits": kalah.pits_of(board), "south": south, "north": north}


def differences(parents: Sequence[int | None], rows: Sequence[Sequence[int]]) -> Column:
    """Return the differences of each node's row from the parent's row, after the root's own row."""
    numbers = [*rows[0]]
    for parent, row in zip(parents[1:], rows[1:], strict=True):
        assert parent is not None, "only the root has no parent"
        numbers += map(sub, row, rows[parent])
    return narrow(numbers, "i")


def _bounds(trace: Trace, visits: Sequence[Visit], levels: Sequence[int]) -> dict[str, Column]:
    """Return the columns `owner` and `holds`, with a row for each visit that has children."""
    owner_levels, holders = [], []
    for visit in visits:
        if trace.visited_children(visit):
            owner, child = trace.find_bound_owner(visit)
            owner_levels.append(levels[owner])
            holders.append(0 if child is None else 1 + trace.nodes[owner].children.index(child))
    return {"owner": narrow(owner_levels), "holds": narrow(holders)}


def _bits(flags: Sequence[bool]) -> Column:
    """Pack flags as bits, the first one into the lowest bit of the first byte."""
    packed = bytearray(math.ceil(len(flags) / 8))
    for index, flag in enumerate(flags):
        if flag:
            packed[index // 8] |= 1 << (index % 8)
    return "u1", len(packed), bytes(packed)


def narrow(numbers: Iterable[int], sign: str = "u") -> Column:
    """Store numbers in the narrowest type that can hold all of them.

    `sign` is "u" or "i", as in `TYPE_CODES`. Numbers that are too large for four bytes are stored
    as `f8`, in which whole numbers are exact up to 2^53.
    """
    values = [*numbers]
    for kind in (f"{sign}1", f"{sign}2", f"{sign}4", "f8"):
        try:
            column = array(TYPE_CODES[kind], values)
            break
        except OverflowError:  # a number does not fit: try a wider type
            continue
    if sys.byteorder == "big":  # a column is little-endian
        column.byteswap()
    return kind, len(values), column.tobytes()
