"""Matches between evaluators of any game: fair openings, sides swapped, and how sure it is.

    starts = openings(Betsy(3), 40, moves=6, seed=1)
    rows = against(Betsy(3), {"rows": check_rows}, leaf_value, 2, starts)

All is played by alpha-beta at a fixed depth, so nothing depends on the clock, nor on the
number of workers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.grid import Row, work_through
from kalahlab.matches.openings import random_openings
from kalahlab.matches.rating import score
from kalahlab.play import play_out
from kalahlab.search import Depth, alpha_beta


def openings(game: Game, number: int, moves: int, seed: int) -> list[Any]:
    """Random openings, see `random_openings`, in which nobody can force a win in two moves."""

    def undecided(state: Any) -> bool:
        return alpha_beta(game, state, nothing, Depth(2)).value == 0

    return [*random_openings(game, number, moves, seed, undecided)]


def nothing(board: Sequence[float], player: int) -> float:
    """The evaluator that knows nothing: its player sees as far as the search does."""
    return 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening, in which two evaluators change sides; depth in sows."""

    game: Game
    opening: Any
    one: Evaluator
    other: Evaluator
    depth: int


def play_pair(pair: Pair) -> tuple[float, float]:
    """The points of `one` as player 0 and as player 1: 1 for a win, 1/2 for a draw."""
    as_first = _points(pair, (pair.one, pair.other))
    return as_first, 1 - _points(pair, (pair.other, pair.one))


def _points(pair: Pair, sides: tuple[Evaluator, Evaluator]) -> float:
    """Player 0's points."""

    def move(game: Game, state: Any) -> Any:
        return alpha_beta(game, state, sides[state.player], Depth(pair.depth)).move

    final = play_out(pair.game, (move, move), pair.opening)[-1]
    margin = pair.game.margin(final, 0)
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))


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
    pairs = [
        Pair(game, start, rival, champion, depth) for rival in rivals.values() for start in starts
    ]
    points = iter(work_through(play_pair, pairs, workers))
    return [_row(name, depth, [next(points) for _ in starts]) for name in rivals]


def _row(name: str, depth: int, pairs: Sequence[tuple[float, float]]) -> Row:
    mean, low, high = score([fmean(pair) for pair in pairs])
    draws = fmean(point == 0.5 for pair in pairs for point in pair)
    return {
        "rival": name,
        "depth": depth,
        "share": mean,
        "low": low,
        "high": high,
        "draws": draws,
        "pairs": len(pairs),
    }
