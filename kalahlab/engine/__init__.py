"""The compiled twin of the textbook searches.

    from kalahlab import engine
    result = engine.alpha_beta(game, game.start(), store_difference, Depth(14))

The same arguments, the same tree, the same `Result` as in `kalahlab.search`, some thousand
times faster. Games other than Kalah, depths that are no `Depth`, orders of one's own and
observers are for the textbook half; a `ValueError` says so. Evaluators may be anything that
numba can compile. Numba is imported at the first search.
"""

from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, Searcher, pit_order


def minimax(
    game: Game,
    state: Any,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    observer: Observer | None = None,
) -> Result:
    """Plain minimax, as `kalahlab.search.minimax`."""
    return _search(game, state, evaluator, deep_enough, order, observer, prune=False)


def alpha_beta(
    game: Game,
    state: Any,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    observer: Observer | None = None,
) -> Result:
    """Alpha-beta pruning, as `kalahlab.search.alpha_beta`."""
    return _search(game, state, evaluator, deep_enough, order, observer, prune=True)


def minimax_a_b(
    game: Game,
    state: Any,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    observer: Observer | None = None,
) -> Result:
    """MINIMAX-A-B, as `kalahlab.search.minimax_a_b`: the same nodes as `alpha_beta`.

    The two differ in what a node answers outside its window, which is never asked for at a
    root: so one kernel is both.
    """
    return _search(game, state, evaluator, deep_enough, order, observer, prune=True)


def greedy(
    game: Game,
    state: Any,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    observer: Observer | None = None,
) -> Result:
    """Minimax one ply deep in the unit of the given depth, as `kalahlab.search.greedy`."""
    if isinstance(deep_enough, Depth):
        deep_enough = Depth(min(1, deep_enough.limit), deep_enough.unit)
    return minimax(game, state, evaluator, deep_enough, order, observer)


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """The leaves at depths 1 to `depth`; a finished game is one leaf of every greater depth.

    Raises `ValueError` for a negative depth.
    """
    from kalahlab.engine.twin.perft import count

    return count(game, state, depth)


def _search(
    game: Game,
    state: Any,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order,
    observer: Observer | None,
    prune: bool,
) -> Result:
    from kalahlab.engine.twin.search import run, task

    if observer is not None:
        raise ValueError("the engine tells no observer; use kalahlab.search to watch a search")
    return run(task(game, state, evaluator, deep_enough, order, prune))


ALGORITHMS: dict[str, Searcher] = {
    "greedy": greedy,
    "minimax": minimax,
    "alpha_beta": alpha_beta,
    "minimax_a_b": minimax_a_b,
}
