"""The compiled twin of the textbook searches.

    from kalahlab import engine
    result = engine.alpha_beta(game, game.start(), store_difference, Depth(14))

The same arguments, tree and `Result` as in `kalahlab.search`, some thousand times faster; boards
of more than 7 pits a side, or 127 stones in them, are left to the textbook. Games other than Kalah,
among them those that derive from it, rules that `supported` does not list, depths that are no
`Depth`, orders of one's own and observers but a `Transcript` are refused with a `ValueError`. numba
is imported at the first search; an evaluator that it cannot compile is left to the textbook, too,
with a note.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

from kalahlab.games import Game
from kalahlab.search.arguments import called
from kalahlab.search.model import Result
from kalahlab.search.tree import Searcher


@dataclass(frozen=True, slots=True)
class Twin:
    """The compiled search of this name in `kalahlab.search`: minimax, and what makes it faster.

    prune: windows that narrow, and cutoffs. null_windows: for all children but the first, as in
    scout. table: a transposition table. passes: null windows at the root, as in MTD(f).
    """

    name: str
    prune: bool = True
    null_windows: bool = False
    table: bool = False
    passes: bool = False

    def __call__(self, *given: Any, **named: Any) -> Result:
        from kalahlab.engine.twin.search import run

        return called(f"{self.name}(", partial(run, self), given, named)


def perft(game: Game, state: Any, depth: int) -> list[int]:
    from kalahlab.engine.twin import search

    return search.perft(game, state, depth)


minimax, alpha_beta = Twin("minimax", prune=False), Twin("alpha_beta")

ALGORITHMS: dict[str, Searcher] = {
    twin.name: twin
    for twin in (
        Twin("greedy", prune=False),  # one ply deep
        minimax,
        alpha_beta,
        # differs from alpha-beta in what a node answers outside its window, which no root has
        Twin("minimax_a_b"),
        Twin("scout", null_windows=True),
        Twin("alpha_beta_table", table=True),
        Twin("scout_table", null_windows=True, table=True),
        Twin("mtdf", table=True, passes=True),
        Twin("mtdf_no_table", passes=True),
    )
}
