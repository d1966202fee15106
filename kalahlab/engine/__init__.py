"""The compiled twin of the textbook searches.

    from kalahlab import engine
    result = engine.alpha_beta(game, game.start(), store_difference, Depth(14))

The same arguments, the same tree, the same `Result` as in `kalahlab.search`, some thousand
times faster. Games other than Kalah, depths that are no `Depth`, orders of one's own and
observers are for the textbook; a `ValueError` says so. Evaluators may be anything that
numba can compile. Numba is imported at the first search.
"""

from dataclasses import dataclass
from typing import Any

from kalahlab.engine.twin import algorithms
from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, Searcher, pit_order


@dataclass(frozen=True, slots=True)
class Twin:
    """The compiled search that does what the one of this name in `kalahlab.search` does."""

    name: str

    def __call__(
        self,
        game: Game,
        state: Any,
        evaluator: Evaluator,
        deep_enough: DeepEnough,
        order: Order = pit_order,
        observer: Observer | None = None,
    ) -> Result:
        """Search; `ValueError` says what only the textbook can do."""
        from kalahlab.engine.twin.search import run

        if observer is not None:
            raise ValueError("the engine has no observers; use kalahlab.search to watch a search")
        return run(game, state, evaluator, deep_enough, order, self.name)


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """The leaves at depths 1 to `depth`; a finished game is one leaf of every greater depth.

    Raises `ValueError` for a negative depth.
    """
    from kalahlab.engine.twin.perft import count

    return count(game, state, depth)


ALGORITHMS: dict[str, Searcher] = {name: Twin(name) for name in algorithms.ALGORITHMS}

minimax, alpha_beta = Twin("minimax"), Twin("alpha_beta")
