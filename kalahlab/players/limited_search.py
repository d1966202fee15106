"""Searches within a limit of depth, nodes or time."""

import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from kalahlab.games.registry import game_type
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search.deep_enough import Depth
from kalahlab.search.deepening import deepening
from kalahlab.search.limits import Clock, Limit, Nodes, Seconds, check_kind
from kalahlab.search.model import INF, Node, Result
from kalahlab.search.observer import Observer, Stopped
from kalahlab.search.tree import Counter

SEARCH_SHARE = 0.9  # the share of the time for a move that a search may use
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
    calls = 0
    depth = Depth(1)
    counters = list[Counter]()
    most_nodes = MAX_TRIAL_NODES
    if isinstance(limit, Nodes):
        most_nodes = min(limit.n, MAX_TRIAL_NODES)

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
    # A search without counters, or one that reports more nodes than they have, cannot be limited.
    if not visited or counts.visited > visited:
        advice = "walk the tree that @searcher gives it, or give it a depth"
        raise ValueError(f"{prefix} visits nodes that are not counted; {advice}")
    # Each visited node needs a call of `deep_enough`, unless it is recalled from a table.
    if isinstance(limit, Seconds) and calls + counts.recalled < visited:
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

    With a depth there is one result. With nodes or time there is one result for each depth, from 1
    on, that the limit allows. A limit of nodes is for the nodes visited at all depths together. The
    search that exceeds it has no result, so that both backends yield the same results. At a time
    limit the textbook stops in the middle of a search. The engine cannot stop, so it begins no
    search that might end too late.
    """
    if isinstance(limit, Depth):
        yield spec.search(game, state, limit.limit, observer)
        return
    now = clock()
    end = max_nodes = INF
    if isinstance(limit, Seconds):
        end = now + SEARCH_SHARE * limit.s
    if isinstance(limit, Nodes):
        max_nodes = limit.n
    if not spec.is_compiled_for(game, state):
        evaluator, leaf_rule, order = spec.search_args(game, 1)
        search = spec.searcher_for(game, state)
        limits: Any = {"unit": leaf_rule.unit, "clock": clock, "max_nodes": max_nodes}
        yield from deepening(search, game, state, evaluator, end, order, observer, **limits)
        return
    nodes = 0
    previous_counts = None
    for depth in count(1):
        result = spec.search(game, state, depth)
        nodes += result.counts.visited
        if nodes > max_nodes:
            return
        yield result
        search_start = now
        now = clock()
        # A search that is one sow deeper takes at most `game.pits` times as long.
        next_search_time = game.pits * (now - search_start)
        # If a deeper search has the same counts, every line has reached the end of the game.
        if now + next_search_time >= end or result.counts == previous_counts:
            return
        previous_counts = result.counts
