"""Iterative deepening: a search to depth 1, then 2, then 3, until the time is up.

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
    """Yield what the search finds at depth 1, 2, 3, ..., each as soon as it is found.

    until: what the clock reads when the time is up. It is read at every node, and a search that it
    ends is given up, so nothing is yielded if there is no time for depth 1. The last depth is the
    one that cuts nothing off: a deeper search would find the same. max_nodes: that all searches
    together may visit; the one that would visit more is given up, too.
    """
    depth, cut_off, visited = Depth(0, unit), False, 0

    def on_visit(counter: Counter) -> None:
        if visited + counter.spent > max_nodes:
            raise _TimeIsUp

    def deep_enough(node: Node) -> bool:
        """At a depth, as long as there is time; notes whether it cut anything off."""
        nonlocal cut_off
        if clock() >= until:
            raise _TimeIsUp
        deep = depth(node)
        cut_off = cut_off or (deep and not game.over(node.state))
        return deep

    deep_enough.on_visit = on_visit  # type: ignore[attr-defined]  # see `Counter`
    for limit in count(1):
        depth, cut_off = Depth(limit, unit), False
        try:
            result = search(game, state, evaluator, deep_enough, order, observer)
        except _TimeIsUp:
            return
        visited += result.counts.visited
        if visited > max_nodes:
            return
        yield result
        if not cut_off:
            return


class _TimeIsUp(Exception): ...
