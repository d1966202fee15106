"""The compiled twin of the textbook searches.

    from kalahlab import engine
    result = engine.alpha_beta(game, game.start(), store_difference, Depth(14))

The searches take the same arguments, visit the same tree and return the same `Result` as the
textbook searches in `kalahlab.search`, but are some thousand times faster. The textbook searches
take over for boards of more than 7 pits a side or with more than 127 stones in the pits. After a
warning, they also take over for evaluators that numba cannot compile.

`GROWING` has the twins of UCT, PUCT and implicit minimax: with the same seed they grow the
textbook's tree. `df_pn` visits the textbook's nodes.

The searches raise `ValueError` for games other than Kalah (also for classes derived from `Kalah`),
for rules that `kalahlab.games.supported` does not list, for leaf rules other than a limit, for
user-defined move orders, and for observers other than a `Transcript`. numba is imported at the
first search.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kalahlab.engine.deepening import deepening_within
from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.supported import unknown_part
from kalahlab.search.arguments import check_arguments, explaining_errors
from kalahlab.search.deep_enough import Depth
from kalahlab.search.deepening import combine_results
from kalahlab.search.growing import Growth, Playout
from kalahlab.search.growing.model import GrowthObserver
from kalahlab.search.limits import Clock, Limit, Nodes, Seconds
from kalahlab.search.model import INF, DeepEnough, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, Searcher, pit_order


@dataclass(frozen=True, slots=True)
class Twin:
    """The compiled version of the search in `kalahlab.search` that has this name.

    Attributes:
        name: The name of the search.
        prune: Narrow the window at each node, and cut off.
        null_windows: Search all children but the first with a null window, like scout.
        table: Use a transposition table.
        passes: Search the root several times, each time with a null window, like MTD(f).
        first_guess: The first guess of the value, for the first of the passes.
    """

    name: str
    prune: bool = True
    null_windows: bool = False
    table: bool = False
    passes: bool = False
    first_guess: float = 0.0

    def __call__(
        self,
        game: Game,
        state: Any,  # not `State`: `run` raises a readable error for states of other games
        evaluator: Evaluator,
        deep_enough: DeepEnough | Nodes | Seconds,
        order: Order = pit_order,
        observer: Observer | None = None,
    ) -> Result:
        from kalahlab.engine.twin.search import run  # here, because it imports numba

        check_arguments(f"{self.name}(", game, state, evaluator, deep_enough, order)
        if isinstance(deep_enough, Nodes | Seconds):

            def search(depth: int) -> Result:
                return self(game, state, evaluator, Depth(depth), order, observer)

            pits = len(state.board) // 2 - 1
            return combine_results([*deepening_within(search, deep_enough, pits)])
        with explaining_errors(f"{self.name}(", game, state, evaluator):
            return run(self, game, state, evaluator, deep_enough, order, observer)


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """Count the leaves at depths 1 to `depth`, like `kalahlab.search.perft`."""
    from kalahlab.engine.twin import search  # here, because it imports numba

    return search.perft(game, state, depth)


def df_pn(
    game: Game,
    state: Any,
    limit: Nodes | Seconds,
    at_least: float = 1,
    clock: Clock = time.monotonic,
) -> Result:
    """Prove or disprove that MAX reaches a margin, like `kalahlab.search.df_pn.df_pn`."""
    from kalahlab.engine.twin import df_pn as twin  # here, because it imports numba

    return twin.df_pn(game, state, limit, at_least, clock)


class RootMove(NamedTuple):
    """The value of a position for the player to move, a move with it, and the nodes visited.

    The move is None if the game is over.
    """

    value: float
    move: Any
    visited: int


def search_each(
    game: Kalah,
    states: Sequence[State],
    evaluator: Evaluator,
    depth: int,
    order: Order = pit_order,
) -> list[RootMove]:
    """Search each position with alpha-beta, to a depth in sows.

    The results are those of `alpha_beta`. For thousands of small searches this takes a fraction of
    the time, as compiled code is called once.
    """
    from kalahlab.engine.twin import each  # here, because it imports numba

    if each.can_search_each(game, states, evaluator, depth, order):
        return each.search_each(game, states, evaluator, depth, order)
    results = [alpha_beta(game, state, evaluator, Depth(depth), order) for state in states]
    return [RootMove(result.value, result.move, result.counts.visited) for result in results]


@dataclass(frozen=True, slots=True)
class GrowingTwin:
    """The compiled version of the search in `kalahlab.search.growing` that has this name.

    It is called like that search, and grows the same tree with the same seed.
    """

    name: str

    def __call__(
        self,
        game: Game,
        state: Any,
        evaluator: Evaluator | Playout,
        limit: Limit,
        observer: GrowthObserver | None = None,
        seed: int = 0,
        clock: Clock = time.monotonic,
        **options: Any,
    ) -> Growth:
        from kalahlab.engine.twin.growing import grow  # here, because it imports numba

        if observer is not None:
            raise ValueError("the engine has no observers; use kalahlab.search to watch a search")
        return grow(self.name, game, state, evaluator, limit, seed, clock, **options)

    def can_grow(self, game: Game, state: Any, leaf: Evaluator | Playout) -> bool:
        """Return whether the engine can grow a tree of this position by such leaf values."""
        if unknown_part(game, state):
            return False
        from kalahlab.engine.twin.growing import is_packed  # here, because it imports numba

        return is_packed(game, state, leaf)


uct, puct = GrowingTwin("uct"), GrowingTwin("puct")
implicit_minimax = GrowingTwin("implicit_minimax")
GROWING = {twin.name: twin for twin in (uct, puct, implicit_minimax)}

minimax = Twin("minimax", prune=False)
alpha_beta = Twin("alpha_beta")

ALGORITHMS: dict[str, Searcher] = {
    twin.name: twin
    for twin in (
        Twin("greedy", prune=False),  # `run` searches one ply, whatever the depth
        minimax,
        alpha_beta,
        # minimax_a_b differs from alpha_beta only in values outside of the window. The window of a
        # root is infinite, so both are compiled in the same way.
        Twin("minimax_a_b"),
        Twin("scout", null_windows=True),
        Twin("alpha_beta_table", table=True),
        Twin("scout_table", null_windows=True, table=True),
        Twin("mtdf", table=True, passes=True),
        Twin("mtdf_no_table", passes=True),
        Twin("sss_star", table=True, passes=True, first_guess=INF),
        Twin("dual_star", table=True, passes=True, first_guess=-INF),
    )
}
