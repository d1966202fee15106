"""Iterative deepening: search to depth 1, 2, 3, ... until time runs out.

Rich & Knight, *Artificial Intelligence*, section 12.5.
"""

import time
from collections.abc import Callable, Iterator
from itertools import count

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.search.deep_enough import Depth, Unit
from kalahlab.search.model import INF, Node, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Counter, Order, Searcher, pit_order


def deepening(
    search: Searcher,
    game: Game,
    state: State,
    evaluator: Evaluator,
    until: float,
    order: Order = pit_order,
    observer: Observer | None = None,
    *,
    unit: Unit = "sow",
    clock: Callable[[], float] = time.monotonic,
    max_nodes: float = INF,
) -> Iterator[Result]:
    """Yield the results of searches to depth 1, 2, 3, ..., each as soon as it is complete.

    The last depth is the one at which no node is cut off by the depth: a deeper search would find
    the same. A search that exceeds a limit is abandoned, so nothing is yielded if depth 1 exceeds
    one.

    Args:
        search: The search to repeat.
        game: The game.
        state: The root.
        evaluator: The static evaluator.
        until: The reading of `clock` at which time is up. The clock is read at every node.
        order: The move order.
        observer: Called at each node of each search.
        unit: The unit of the depths.
        clock: Returns the time, in any unit.
        max_nodes: The number of nodes that all searches together may visit.
    """
    depth = Depth(0, unit)
    is_cut_off = False
    visited = 0

    def on_visit(counter: Counter) -> None:
        if visited + counter.spent > max_nodes:
            raise _TimeIsUp

    def deep_enough(node: Node) -> bool:
        """Return whether a node is at the depth; note whether one is there that is not over."""
        nonlocal is_cut_off
        if clock() >= until:
            raise _TimeIsUp
        if not depth(node):
            return False
        is_cut_off = is_cut_off or not game.is_over(node.state)
        return True

    deep_enough.on_visit = on_visit  # type: ignore[attr-defined]  # see `Counter`
    for limit in count(1):
        depth = Depth(limit, unit)
        is_cut_off = False
        try:
            result = search(game, state, evaluator, deep_enough, order, observer)
        except _TimeIsUp:
            return
        visited += result.counts.visited
        if visited > max_nodes:
            return
        yield result
        if not is_cut_off:
            return


class _TimeIsUp(Exception): ...
