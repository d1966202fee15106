"""Matches between evaluators of any game: fair openings, sides swapped, and how sure it is.

    starts = openings(Betsy(3), 40, moves=6, seed=1)
    rows = against(Betsy(3), {"rows": check_rows}, leaf_value, 2, starts)

All is played by alpha-beta at a fixed depth, so nothing depends on the clock, nor on the
number of workers.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.grid import Row, run_all
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pair, tally
from kalahlab.play import Player, search_player
from kalahlab.search import Depth, alpha_beta


def openings(game: Game, number: int, moves: int, seed: int) -> list[Any]:
    """Random openings, see `random_openings`, in which nobody can force a win in two moves."""

    def undecided(state: Any) -> bool:
        return alpha_beta(game, state, nothing, Depth(2)).value == 0

    return [*random_openings(game, number, moves, seed, undecided)]


def nothing(board: Sequence[float], player: int) -> float:
    """The evaluator that knows nothing: its player sees as far as the search does."""
    return 0


def against(
    game: Game,
    rivals: Mapping[str, Evaluator],
    champion: Evaluator,
    depth: int,
    starts: Sequence[Any],
    workers: int = 1,
) -> list[Row]:
    """Each rival's match with the champion from the same openings, a row a rival.

    share, low, high: the rival's points, see `rating.score`. draws: the share of drawn games.
    """

    def player(evaluator: Evaluator) -> Player:
        return search_player(alpha_beta, evaluator, Depth(depth))

    pairs = [
        Pair(player(rival), player(champion), start, game)
        for rival in rivals.values()
        for start in starts
    ]
    played = iter(run_all(play_pair, pairs, workers))
    return [_row(name, depth, tally(islice(played, len(starts)))) for name in rivals]


def _row(name: str, depth: int, found: Row) -> Row:
    return {
        "rival": name,
        "depth": depth,
        "share": found["score"],
        "low": found["low"],
        "high": found["high"],
        "draws": found["draws"] / (2 * found["pairs"]),
        "pairs": found["pairs"],
    }
