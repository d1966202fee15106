"""Iterative deepening by the engine, which cannot stop in the middle of a search."""

import time
from collections.abc import Callable, Iterator
from itertools import count

from kalahlab.search.limits import Clock, Nodes, Seconds
from kalahlab.search.model import INF, Result


def deepening_within(
    search: Callable[[int], Result],
    limit: Nodes | Seconds,
    pits: int,
    share: float = 1.0,
    clock: Clock = time.monotonic,
) -> Iterator[Result]:
    """Yield the results of searches to depth 1, 2, 3, ... that are complete within a limit.

    A limit of nodes is for the nodes visited at all depths together; the search that exceeds it
    has no result. With a limit of time, no search begins that might end too late.

    Args:
        search: The search to a depth.
        limit: The limit.
        pits: The pits of a side: a search that is one sow deeper takes at most so many times as
            long.
        share: The share of a limit of time that may be used.
        clock: Returns the time in seconds.
    """
    now = clock()
    end, max_nodes, nodes = INF, INF, 0
    if isinstance(limit, Seconds):
        end = now + share * limit.s
    else:
        max_nodes = limit.n
    previous = None
    for depth in count(1):
        result = search(depth)
        nodes += result.counts.visited
        # If a deeper search has the same result and counts, every line has reached the end of the
        # game. The textbook has seen that at the depth before.
        if nodes > max_nodes or result == previous:
            return
        yield result
        search_start = now
        now = clock()
        if now + pits * (now - search_start) >= end:
            return
        previous = result
