"""The cost of a search: its nodes, and the memory that it holds."""

import gc
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from itertools import product
from typing import Any

from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, State
from kalahlab.parallel import Row
from kalahlab.players.search_spec import SearchSpec


@cache  # to count the frozen objects takes as long as to look at all of them
def has_frozen_objects() -> bool:
    """Return whether objects were frozen before the first measurement in this process."""
    return gc.get_freeze_count() > 0


def measure_peak_kib(call: Callable[[], object]) -> float:
    """Return the most memory that a call holds at a time, in KiB of Python's allocations.

    The call is made twice. The first call, which fills the caches, is not measured.
    """
    call()
    is_frozen = has_frozen_objects()
    gc.freeze()  # the collection skips all objects made so far, which takes less time
    # Python reuses memory from its free lists, which `tracemalloc` does not see. A full collection
    # empties them.
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1024
    finally:
        tracemalloc.stop()
        if not is_frozen:
            gc.unfreeze()


def measure_searches(
    state: State,
    algorithms: Sequence[str],
    depths: Sequence[int],
    orders: Sequence[str] = ("pit",),
    evaluator: str = "store_difference",
    backend: str = "textbook",
) -> list[Row]:
    """Return a row of `measure_search` for each algorithm, each order and each depth.

    The depths, which are in sows, vary fastest, and the algorithms slowest. The rules are the
    standard rules.
    """
    return [
        measure_search(Kalah(), state, SearchSpec(name, evaluator, "sow", order, backend), depth)
        for name, order, depth in product(algorithms, orders, depths)
    ]


def measure_search(game: Game, state: Any, spec: SearchSpec, depth: int) -> Row:
    """Search a position and return the result and its counts as a row.

    `move` is a pit, from 1, or None if the search finds no move. `line` is a text of such pits. The
    `Counts` are columns, too.
    """
    result = spec.search(game, state, depth)
    line = [move + 1 for move in result.line]
    return {
        "algorithm": spec.algorithm,
        "order": spec.order,
        "depth": depth,
        "value": result.value,
        "move": line[0] if line else None,
        "line": " ".join(map(str, line)),
        **asdict(result.counts),
    }
