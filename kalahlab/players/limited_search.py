"""Searches within a limit of depth, nodes or time."""

import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from kalahlab.games.registry import game_type
from kalahlab.players.limits import Clock, Limit
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import ALGORITHMS
from kalahlab.search.deep_enough import Depth
from kalahlab.search.deepening import deepening
from kalahlab.search.model import Node, Result
from kalahlab.search.observer import Observer, Stopped
from kalahlab.search.tree import Counter

SEARCH_SHARE = 0.9  # the share of the time for a move that a search may use
MAX_TRIAL_NODES = 100_000  # the most nodes that a search with a time limit may visit at depth 1


def check_limit(spec: SearchSpec, limit: Limit) -> None:
    """Raise `ValueError` if a user's search cannot keep a limit of nodes or time.

    The search is run to depth 1 from the start of its game. It must visit no more nodes than the
    limit and count them all. For a time limit it must call `deep_enough` at each node, as the clock
    is read there.
    """
    if not limit.unit or spec.algorithm.replace("-", "_") in ALGORITHMS:
        return
    calls = 0
    depth = Depth(1)
    counters = list[Counter]()
    most_nodes = min(limit.nodes, MAX_TRIAL_NODES)

    def is_deep_enough(node: Node) -> bool:
        nonlocal calls
        calls += 1
        return depth(node)

    def on_visit(visiting: Counter) -> None:
        # A search may have several counters, one for each tree that it walks.
        if all(counter is not visiting for counter in counters):
            counters.append(visiting)
        if sum(counter.spent for counter in counters) > most_nodes:
            raise Stopped

    is_deep_enough.on_visit = on_visit  # type: ignore[attr-defined]  # see `Counter`
    game = game_type(spec.game).new()
    evaluator, _, order = spec.search_args(game, 1)
    prefix = f"algorithm {spec.algorithm} cannot keep the limit {limit}: it"
    try:
        counts = spec.searcher(game, game.start(), evaluator, is_deep_enough, order).counts
    except Stopped:
        problem = f"visits more than {most_nodes:,} nodes to look one ply ahead"
        raise ValueError(f"{prefix} {problem}; give it a depth") from None
    visited = sum(counter.counts().visited for counter in counters)
    # `counts` are those that the search reports, `visited` those that its counters have.
    if counts.visited > visited or not visited:
        advice = "walk the tree that @searcher gives it, or give it a depth"
        raise ValueError(f"{prefix} visits nodes that are not counted; {advice}")
    # A node that is recalled from a table needs no call.
    if limit.unit == "ms" and calls + counts.recalled < visited:
        problem = f"calls tree.deep_enough {calls} times at {visited} nodes"
        raise ValueError(f"{prefix} {problem}; call it at each node, or give it a depth")


def search_within(
    spec: SearchSpec,
    limit: Limit,
    game: Any,
    state: Any,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Iterator[Result]:
    """Yield the results of a search within a limit; the last one is the best.

    With a depth there is one result. With nodes or time there is one result for each depth from 1
    that the limit allows. Nodes are the entered ones of all depths together. A search that needs
    more nodes has no result, so that both backends yield the same results. With a time limit the
    textbook stops in the middle of a search. The engine cannot stop, and begins no search that
    might end too late.
    """
    if limit.unit == "":
        yield spec.search(game, state, limit.number, observer)
        return
    now = clock()
    end = now + SEARCH_SHARE * limit.seconds
    if not spec.is_compiled_for(game, state):
        evaluator, leaf_rule, order = spec.search_args(game, 1)
        args = (game, state, evaluator, end, order, observer)
        spending: Any = {"unit": leaf_rule.unit, "clock": clock, "max_nodes": limit.nodes}
        yield from deepening(spec.searcher_for(game, state), *args, **spending)
        return
    nodes = 0
    previous_counts = None
    for depth in count(1):
        result = spec.search(game, state, depth)
        nodes += result.counts.visited
        if limit.unit == "n" and nodes > limit.number:
            return
        yield result
        search_start = now
        now = clock()
        # a search that is one sow deeper takes at most `game.pits` times as long
        is_out_of_time = now + game.pits * (now - search_start) >= end
        # with equal counts, every line has reached the end of the game
        if is_out_of_time or result.counts == previous_counts:
            return
        previous_counts = result.counts
