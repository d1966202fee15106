"""Iterative deepening: a search to depth 1, then 2, then 3, until the time is up.

Rich & Knight, *Artificial Intelligence*, section 12.5.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.search.deep_enough import Depth, Unit
from kalahlab.search.model import Node, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, Searcher, pit_order


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
) -> Iterator[Result]:
    """Yield what the search finds at depth 1, 2, 3, ..., each as soon as it is found.

    until: what the clock reads when the time is up. It is read at every node, and a search that it
    ends is given up, so nothing is yielded if there is no time for depth 1. The last depth is the
    one that cuts nothing off: a deeper search would find the same.
    """
    for limit in count(1):
        deep_enough = _InTime(game, Depth(limit, unit), until, clock)
        try:
            result = search(game, state, evaluator, deep_enough, order, observer)
        except _TimeIsUp:
            return
        yield result
        if not deep_enough.cut_off:
            return


class _TimeIsUp(Exception): ...


@dataclass(slots=True)
class _InTime:
    """DEEP-ENOUGH at a depth, as long as there is time; notes whether it cut anything off."""

    game: Game
    depth: Depth
    until: float
    clock: Callable[[], float]
    cut_off: bool = False

    def __call__(self, node: Node) -> bool:
        if self.clock() >= self.until:
            raise _TimeIsUp
        deep = self.depth(node)
        self.cut_off = self.cut_off or (deep and not self.game.over(node.state))
        return deep
