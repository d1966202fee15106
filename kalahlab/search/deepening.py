"""Iterative deepening: search to depth 1, 2, 3, ... until time runs out.

Rich & Knight, *Artificial Intelligence*, section 12.5.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from operator import attrgetter

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.search.deep_enough import Depth, Unit
from kalahlab.search.limits import Clock, Nodes, Seconds
from kalahlab.search.model import INF, Counts, Node, Result
from kalahlab.search.observer import Observer
from kalahlab.search.table import Table
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

    The last depth is the one at which every leaf visited is a finished game: a deeper search would
    find the same. A search that exceeds a limit, of time or of nodes, is abandoned. So nothing is
    yielded if the search to depth 1 exceeds a limit.

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
    nodes_left, last_pass = max_nodes, LastPass()
    for limit in count(1):
        leaf_rule = _LimitedDepth(Depth(limit, unit), game, until, clock, nodes_left, last_pass)
        try:
            result = search(game, state, evaluator, leaf_rule, order, observer)
        except _LimitExceeded:
            return
        nodes_left -= result.counts.visited
        if nodes_left < 0:  # `_LimitedDepth` misses the node that `Counter.spent` leaves out
            return
        yield result
        if not leaf_rule.has_cut_off:
            return


def deepening_within(
    search: Searcher,
    game: Game,
    state: State,
    evaluator: Evaluator,
    limit: Nodes | Seconds,
    order: Order = pit_order,
    observer: Observer | None = None,
    clock: Clock = time.monotonic,
) -> Iterator[Result]:
    """Yield the results of `deepening` with a limit of nodes or of time from now on."""
    until, max_nodes = INF, INF
    if isinstance(limit, Seconds):
        until = clock() + limit.s
    else:
        max_nodes = limit.n
    return deepening(
        search, game, state, evaluator, until, order, observer, clock=clock, max_nodes=max_nodes
    )


# `astuple` makes a deep copy of each number, which takes as long as a small compiled search.
_read_counts = attrgetter(*(each.name for each in fields(Counts)))


def combine_results(results: Sequence[Result]) -> Result:
    """Return the result of the last depth, with the counts of all depths together.

    Without results, the value is 0, there is no line, and the claim is `unknown`.
    """
    if not results:
        return Result(0, (), Counts(), "unknown")
    if len(results) == 1:  # as for a depth; adding up takes as long as a small compiled search
        return results[0]
    columns = zip(*(_read_counts(result.counts) for result in results), strict=True)
    return replace(results[-1], counts=Counts(*map(sum, columns)))


@dataclass(slots=True)
class LastPass:
    """What a pass of iterative deepening leaves to the next one.

    Attributes:
        value: The value of the root; at first 0.
        table: The table, with the best moves.
    """

    value: float = 0
    table: Table = field(default_factory=Table)


@dataclass(slots=True)
class _LimitedDepth:
    """A leaf rule that ends the search at a limit of time or nodes.

    Attributes:
        last_pass: What the search to the depth before has left; see `iterative_deepening`.
        has_cut_off: True once the depth made a leaf of a position where the game is not over.
    """

    depth: Depth
    game: Game
    until: float
    clock: Callable[[], float] = field(repr=False)
    max_nodes: float
    last_pass: LastPass
    has_cut_off: bool = False

    def __call__(self, node: Node) -> bool:
        if self.clock() >= self.until:
            raise _LimitExceeded
        if not self.depth(node):
            return False
        self.has_cut_off = self.has_cut_off or not self.game.is_over(node.state)
        return True

    def on_visit(self, counter: Counter) -> None:
        """Raise `_LimitExceeded` if the search has visited too many nodes; see `Counter`."""
        if counter.spent > self.max_nodes:
            raise _LimitExceeded

    def is_spent(self, counter: Counter, more: int) -> bool:
        """Return whether time is up, or fewer than `more` nodes may still be visited."""
        visited = max(counter.answers, counter.entered)
        return visited + more > self.max_nodes or self.clock() >= self.until


class _LimitExceeded(Exception): ...
