"""The tree on the front page: every position of a small search, and what each search visits."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.search.ordering import ORDERS
from kalahlab.trace import record
from kalahlab.trace.explain import Trace

DEPTH = 4  # sows from the start of Kalah(6,4)
SEARCHES: dict[
    str, tuple[Callable[..., Any], str]
] = {  # the words of the choice -> algorithm and order
    "Minimax: everything": (minimax, "pit"),
    "Alpha-beta, pits from left to right": (alpha_beta, "pit"),
    "Alpha-beta, pit nearest the store first": (alpha_beta, "store_first"),
}


@dataclass(frozen=True)
class Box:
    """A position of the tree as a box of an icicle.

    Attributes:
        depth: The sows before it.
        left: The leaves that are left of it.
        width: The leaves below it; 1 for a leaf.
        kind: "max" or "min" for the player who moves, "leaf" for a position at the full depth.
    """

    depth: int
    left: int
    width: int
    kind: str


@dataclass(frozen=True)
class FrontSearch:
    """A search of the tree.

    Attributes:
        name: The words of the choice.
        visited: The number of positions that it visits.
        value: The value of the start, in stones.
        move: The pit that it sows, from 1.
        steps: For each box the step at which it is visited, from 1. For a box that is never
            visited, minus the step after which the search cannot return to it.
    """

    name: str
    visited: int
    value: int
    move: int
    steps: list[int]


@cache
def front_tree() -> tuple[list[Box], list[FrontSearch]]:
    """Return the boxes of the whole tree, and the searches."""
    traces = {name: _record(*how) for name, how in SEARCHES.items()}
    whole = next(iter(traces.values()))
    searches = [_to_search(name, whole, trace) for name, trace in traces.items()]
    return _make_boxes(whole), searches


def _record(algorithm: Callable[..., Any], order: str) -> Trace:
    game = Kalah(6, 4)
    return record(algorithm, game, game.start(), store_difference, Depth(DEPTH), ORDERS[order])


def _make_boxes(whole: Trace) -> list[Box]:
    """Return a box for each visit of minimax, which visits all positions in order."""
    widths = [0 if visit.children else 1 for visit in whole.nodes]
    for visit in reversed(whole.nodes):
        if visit.parent is not None:
            widths[visit.parent] += widths[visit.id]
    lefts = [0] * len(whole.nodes)
    boxes = []
    for visit in whole.nodes:
        place = lefts[visit.id]
        for child in visit.children:
            lefts[child] = place
            place += widths[child]
        kind = "max" if visit.node.maximizing else "min"
        if not visit.children:
            kind = "leaf"
        depth = len(whole.path_ids(visit.id)) - 1
        boxes.append(Box(depth, lefts[visit.id], widths[visit.id], kind))
    return boxes


def _to_search(name: str, whole: Trace, trace: Trace) -> FrontSearch:
    """Return a search; its trace has only the positions that it visits, the other one has all."""
    visited = [*trace.visits()]
    steps = {tuple(trace.path(visit.id)): step for step, visit in enumerate(visited, 1)}
    last = dict(steps)  # the last step at or below a position
    for path in [*steps][:0:-1]:
        above = path[:-1]
        last[above] = max(last[above], last[path])
    of_boxes = []
    for visit in whole.nodes:
        path = tuple(whole.path(visit.id))
        if path in steps:
            of_boxes.append(steps[path])
            continue
        while path not in steps:
            path = path[:-1]
        of_boxes.append(-last[path])
    result = trace.result
    return FrontSearch(name, len(visited), int(result.value), result.move + 1, of_boxes)
