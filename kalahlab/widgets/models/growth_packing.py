"""The format in which the explorer reads a recorded search that grew a tree.

Like `packing`, it has columns back to back, compressed. Nodes are in the order of their creation.
A path is stored as its last node. The columns are:

    parent      per node: the id of its parent; 0 for the root
    move        per node: the index of its move in `moves`, a table of [name, place, False]
    flag        per node: the sum of MIN, EXTRA and FINISHED
    born        per node: the step at which it was made; 0 for the root
    leaf        per iteration: the last node of its path
    expanded    per iteration: 1 + the id of the node whose children were made; 0 for none
    valued      per iteration: the number of nodes that got a value
    value_id    per value: the id of the node
    value_how   per value: the index in `hows`
    value       per value: the value for MAX; not a number if it is unknown
    changes     per node: the number of entries of its history
    step        per entry: the step of the change
    number_I    per entry: the number with index I in `fields`
    term_I      per node with children, per step from its expansion on at which it is on the path,
                and per child: term I of the child's appeal after this step; 0 if there is no such
                term

The positions are compressed separately, as in `packing`.

`pack_growth` returns a dict with these keys:

    title: The title.
    nodes, steps: How many nodes and iterations there are.
    fields: The names of the numbers of a node.
    terms: The number of columns `term_I`.
    evaluatesChildren: Whether an expansion gives each child a value; else one node gets one.
    hows: How a value was found; see `trace.iterations.How`.
    result: The result of the search in words.
    moves, board, byHand, positions, columns, data: As in `packing`.
    explained: The number of iterations whose reasons are in `reasons`.
    reasons: For each of these iterations, the sentences of each part, as gzipped JSON.
"""

import gzip
import math
import sys
from array import array
from collections.abc import Sequence
from typing import Any, get_args

from kalahlab.formatting import format_number, to_json
from kalahlab.games import kalah
from kalahlab.search.growing.model import TreeNode
from kalahlab.trace.growth import GrowthTrace
from kalahlab.trace.iterations import How
from kalahlab.widgets.models import packing
from kalahlab.widgets.models.packing import Column, Moves, narrow

HOWS: tuple[str, ...] = get_args(How)
MAX_EXPLAINED = 2000  # the most iterations whose reasons a page has; they take 0.1 kB each


def pack_growth(trace: GrowthTrace, title: str, level: int = packing.SMALLEST) -> dict[str, Any]:
    """Pack a trace for the view; the beginning of this file describes the keys of the result.

    Args:
        trace: The recorded search.
        title: The heading of the view.
        level: The level of compression, `packing.QUICK` or `packing.SMALLEST`.
    """
    game = _name_game(trace)
    moves: Moves = {}
    explained = min(trace.steps, MAX_EXPLAINED)
    numbers = trace.history[0][0][1]
    terms = _pack_terms(trace)
    columns = {
        **_pack_nodes(trace, game, moves),
        **_pack_iterations(trace),
        **_pack_history(trace, len(numbers._fields)),
        **terms,
    }
    return {
        "title": title,
        "nodes": len(trace.nodes),
        "steps": trace.steps,
        "fields": list(numbers._fields),
        "terms": len(terms),
        "evaluatesChildren": trace.policy.evaluates_children,
        "hows": HOWS,
        "result": f"{trace.result.claim} {format_number(trace.result.value)}",
        "moves": [list(move) for move in moves],
        "board": packing.describe_board(game, trace.nodes[0].state),
        "byHand": game == "tree",
        "positions": _pack_positions(trace, game, level),
        "explained": explained,
        "reasons": _pack_reasons(trace, explained),
        **packing.compress_columns(columns, level),
    }


def explain_iteration(trace: GrowthTrace, step: int) -> list[list[str]]:
    """Return the sentences of each part of an iteration."""
    return [*trace.reasons_by_part(step).values()]


def _name_game(trace: GrowthTrace) -> str:
    """Return the name of the game; `kalah` if its states are those of Kalah."""
    if isinstance(trace.nodes[0].state, kalah.State):
        return "kalah"
    return trace.game


def _pack_nodes(trace: GrowthTrace, game: str, moves: Moves) -> dict[str, Column]:
    """Return the columns with a row for each node; add the moves to `moves`."""
    indices = list[int]()
    for node, name in zip(trace.nodes, trace.names, strict=True):
        move = (name, _find_place(game, node), False)
        indices.append(moves.setdefault(move, len(moves)))
    return {
        "parent": narrow(node.parent.id if node.parent else 0 for node in trace.nodes),
        "move": narrow(indices),
        "flag": narrow(map(_flag, trace.nodes)),
        "born": narrow(history[0][0] for history in trace.history),
    }


def _find_place(game: str, node: TreeNode) -> int:
    """Return the place of the move that leads to a node; see `packing.Moves`."""
    if node.parent is None or not isinstance(node.move, int):
        return -1
    if game != "kalah":
        return node.move
    board, mover = node.parent.state[:2]
    return int(mover) * (kalah.pits_of(board) + 1) + node.move


def _flag(node: TreeNode) -> int:
    """Return the sum of the flags of a node."""
    flag = 0
    if not node.maximizing:
        flag |= packing.MIN
    if node.is_over:
        flag |= packing.FINISHED
    if node.parent is not None and node.parent.state.player == node.state.player:
        flag |= packing.EXTRA
    return flag


def _pack_iterations(trace: GrowthTrace) -> dict[str, Column]:
    """Return the columns with a row for each iteration, or for each of its values."""
    iterations = [trace.iteration(step) for step in range(1, trace.steps + 1)]
    expanded = [0 if row.expanded is None else 1 + row.expanded for row in iterations]
    values = [value for row in iterations for value in row.values]
    return {
        "leaf": narrow(row.path[-1] for row in iterations),
        "expanded": narrow(expanded),
        "valued": narrow(len(row.values) for row in iterations),
        "value_id": narrow(id for id, _, _ in values),
        "value_how": narrow(HOWS.index(how) for _, how, _ in values),
        "value": _pack_numbers([_to_float(value) for _, _, value in values]),
    }


def _to_float(value: Any) -> float:
    return math.nan if value is None else float(value)


def _pack_history(trace: GrowthTrace, width: int) -> dict[str, Column]:
    """Return the columns with a row for each entry of a history; `width` numbers per entry."""
    entries = [entry for history in trace.history for entry in history]
    columns = {
        "changes": narrow(map(len, trace.history)),
        "step": narrow(step for step, _ in entries),
    }
    for index in range(width):
        columns[f"number_{index}"] = _pack_numbers([numbers[index] for _, numbers in entries])
    return columns


def _pack_terms(trace: GrowthTrace) -> dict[str, Column]:
    """Return the columns of terms."""
    rows = list[tuple[float, ...]]()
    for node, steps in zip(trace.nodes, _list_visits(trace), strict=True):
        if node.children:
            born = trace.history[node.children[0].id][0][0]
            for step in steps:
                if step >= born:
                    rows += [row.terms for row in trace.candidates(node.id, step)]
    width = max(map(len, rows), default=0)
    columns = dict[str, Column]()
    for index in range(width):
        numbers = [row[index] if index < len(row) else 0 for row in rows]
        columns[f"term_{index}"] = _pack_numbers(numbers, "f4")
    return columns


def _list_visits(trace: GrowthTrace) -> list[list[int]]:
    """Return for each node the steps at which it is on the path."""
    visits: list[list[int]] = [[] for _ in trace.nodes]
    for step in range(1, trace.steps + 1):
        for id in trace.iteration(step).path:
            visits[id].append(step)
    return visits


def _pack_numbers(numbers: Sequence[float], kind: str = "f8") -> Column:
    """Store numbers as whole numbers if all of them are, else as `kind`."""
    if all(math.isfinite(number) and float(number).is_integer() for number in numbers):
        return narrow((int(number) for number in numbers), "i")
    column = array(packing.TYPE_CODES[kind], numbers)
    if sys.byteorder == "big":  # a column is little-endian
        column.byteswap()
    return kind, len(numbers), column.tobytes()


def _pack_positions(trace: GrowthTrace, game: str, level: int) -> dict[str, Any]:
    """Return the packed column `cells`."""
    states = [node.state for node in trace.nodes]
    rows = packing.list_cells(game, states, [*map(trace.draw_position, trace.nodes)])
    parents = [node.parent.id if node.parent else None for node in trace.nodes]
    return packing.compress_columns({"cells": packing.differences(parents, rows)}, level)


def _pack_reasons(trace: GrowthTrace, explained: int) -> bytes:
    """Return the reasons of the first iterations."""
    reasons = [explain_iteration(trace, step) for step in range(1, explained + 1)]
    return gzip.compress(to_json(reasons, ensure_ascii=False).encode(), mtime=0)
