"""Searches within a limit of depth, nodes or time."""

import time
from collections.abc import Iterator
from typing import Any

from kalahlab.engine.deepening import deepening_within as deepen_compiled
from kalahlab.games.registry import game_type
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search.deep_enough import Depth
from kalahlab.search.deepening import deepening
from kalahlab.search.limits import Clock, Limit, Nodes, Playouts, Seconds, check_kind
from kalahlab.search.model import INF, Node, Result
from kalahlab.search.observer import Observer, Stopped
from kalahlab.search.tree import Counter

SEARCH_SHARE = 0.9  # the share of the time for a move that a search may use
TRIAL_LOOP_NODES = 100  # the most nodes in a trial of a loop that asks `tree.spent`
MAX_TRIAL_NODES = 100_000  # the most nodes that a search with a time limit may visit at depth 1


def check_limit(spec: SearchSpec, limit: Limit) -> None:
    """Raise `ValueError` if a search cannot keep a limit.

    No search with a window keeps playouts. A user's search may not keep nodes or time: it is run to
    depth 1 from the start of its game. It must visit no more nodes than the limit, and count all
    nodes. For a time limit it must also call `deep_enough` at each node, as this call reads the
    clock.
    """
    check_kind(f"algorithm {spec.algorithm}", limit, (Depth, Nodes, Seconds))
    if isinstance(limit, Depth) or not spec.has_user_algorithm:
        return
    most_nodes = MAX_TRIAL_NODES
    if isinstance(limit, Nodes):
        most_nodes = min(limit.n, MAX_TRIAL_NODES)
    trial = _TrialDepth(most_nodes)
    game = game_type(spec.game).new()
    evaluator, _, order = spec.search_args(game, 1)
    prefix = f"algorithm {spec.algorithm} cannot keep the limit {limit}: it"
    try:
        counts = spec.searcher(game, game.start(), evaluator, trial, order).counts
    except Stopped:
        problem = f"visits more than {most_nodes:,} nodes to look one ply ahead"
        raise ValueError(f"{prefix} {problem}; give it a depth") from None
    visited = sum(counter.counts().visited for counter in trial.counters)
    # A search without counters, or one that reports more nodes than they have, cannot be limited.
    if not visited or counts.visited > visited:
        advice = "walk the tree that @searcher gives it, or give it a depth"
        raise ValueError(f"{prefix} visits nodes that are not counted; {advice}")
    # Each visited node needs a call of `deep_enough`, unless it is recalled from a table, or the
    # search is a loop that asks `tree.spent`.
    if isinstance(limit, Seconds) and not trial.polls and trial.calls + counts.recalled < visited:
        problem = f"calls tree.deep_enough {trial.calls} times at {visited} nodes"
        raise ValueError(f"{prefix} {problem}; call it at each node, or give it a depth")


class _TrialDepth:
    """The leaf rule of a trial: depth 1, until the search visits too many nodes.

    Attributes:
        most_nodes: The most nodes that the search may visit.
        calls: The number of calls of the leaf rule.
        polls: The number of calls of `Tree.spent`.
        counters: The counters of the search; it has one for each tree that it walks.
    """

    def __init__(self, most_nodes: int) -> None:
        self.most_nodes = most_nodes
        self.calls = self.polls = 0
        self.counters = list[Counter]()
        self._depth = Depth(1)

    def __call__(self, node: Node) -> bool:
        self.calls += 1
        return self._depth(node)

    def on_visit(self, visiting: Counter) -> None:
        """Raise `Stopped` if the search has visited too many nodes; see `Counter`."""
        if all(counter is not visiting for counter in self.counters):
            self.counters.append(visiting)
        if sum(counter.spent for counter in self.counters) > self.most_nodes:
            raise Stopped

    def is_spent(self, counter: Counter, more: int) -> bool:
        """Answer `Tree.spent`."""
        self.polls += 1
        visited = max(counter.answers, counter.entered)
        return visited + more > min(self.most_nodes, TRIAL_LOOP_NODES)


def search_within(
    spec: SearchSpec,
    limit: Limit,
    game: Any,
    state: Any,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Iterator[Result]:
    """Yield the results of a search within a limit; the last one is the best.

    With a depth there is one result. With nodes or time there is one result for each depth, from 1
    on, that the limit allows. A limit of nodes is for the nodes visited at all depths together. The
    search that exceeds it has no result, so that both backends yield the same results. At a time
    limit the textbook stops in the middle of a search. The engine cannot stop, so it begins no
    search that might end too late.
    """
    if isinstance(limit, Depth):
        yield spec.search(game, state, limit.limit, observer)
        return
    assert not isinstance(limit, Playouts), "`check_limit` refuses playouts"
    if spec.is_compiled_for(game, state):

        def search(depth: int) -> Result:
            return spec.search(game, state, depth)

        yield from deepen_compiled(search, limit, game.pits, SEARCH_SHARE, clock)
        return
    end, max_nodes = INF, INF
    if isinstance(limit, Seconds):
        end = clock() + SEARCH_SHARE * limit.s
    else:
        max_nodes = limit.n
    evaluator, leaf_rule, order = spec.search_args(game, 1)
    textbook = spec.searcher_for(game, state)
    limits: Any = {"unit": leaf_rule.unit, "clock": clock, "max_nodes": max_nodes}
    yield from deepening(textbook, game, state, evaluator, end, order, observer, **limits)
