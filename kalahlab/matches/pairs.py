"""Two players from the same openings, each once on either side: a pair of games an opening."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, isfinite, nan
from statistics import fmean
from typing import Any

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, State
from kalahlab.grid import Row
from kalahlab.matches.rating import Interval, points_of, score
from kalahlab.play import (
    AnyPlayer,
    Clock,
    OutOfTime,
    Player,
    on_clock,
    play_game,
    play_out,
    search_player,
)
from kalahlab.search import Depth

Pair = tuple[float, float]
"""One player's margins, as player 0 and as player 1; infinite if won or lost on time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Games as the first player sees them.

    score: the mean of 1 for a win, a half for a draw and 0 for a loss, with its interval, see
    `rating.score`. margin: in stones, the mean of the games that ended on the board, NaN if none
    did; timed_out: how many did not, because a player lost on time.
    """

    wins: int
    draws: int
    losses: int
    score: Interval
    margin: float
    timed_out: int = 0

    @property
    def better(self) -> bool:
        """Whether the whole interval is above an even score."""
        return self.score.low > 0.5


def both_games(game: Game, one: AnyPlayer, other: AnyPlayer, opening: Any) -> Pair:
    """The margins of `one` in the two games from an opening, as player 0 and as player 1."""
    return _margin(game, (one, other), opening, 0), _margin(game, (other, one), opening, 1)


def play_pairs(
    game: Game,
    one: AnyPlayer,
    other: AnyPlayer,
    openings: Iterable[Any],
    seconds: float = inf,
    clock: Clock = time.process_time,
) -> list[Pair]:
    """Both games of each opening; who takes longer for a move than `seconds` loses.

    By default the clock is the processor's: what else the machine does costs nobody a game.
    """
    one, other = (on_clock(player, seconds, clock) for player in (one, other))
    return [both_games(game, one, other, opening) for opening in openings]


def _margin(game: Game, players: Sequence[AnyPlayer], opening: Any, player: int) -> float:
    try:
        return game.margin(play_out(game, players, opening)[-1], player)
    except OutOfTime as late:
        return -inf if late.args[0] == player else inf


def outcome(pairs: Sequence[Pair]) -> Outcome:
    """What the pairs come to. `ValueError` if there is none."""
    margins = [margin for pair in pairs for margin in pair]
    wins, draws = sum(margin > 0 for margin in margins), margins.count(0)
    finished = [margin for margin in margins if isfinite(margin)]
    return Outcome(
        wins,
        draws,
        len(margins) - wins - draws,
        score([fmean(map(points_of, pair)) for pair in pairs]),
        fmean(finished) if finished else nan,
        len(margins) - len(finished),
    )


def rivals(
    game: Kalah,
    evaluator: Evaluator,
    others: Mapping[str, Evaluator],
    depths: Iterable[int],
    openings: Sequence[State],
    seconds: float = inf,
) -> dict[tuple[int, str], Outcome]:
    """An evaluator against others at equal depths, in sows, by depth and by the other's name.

    Moves by the engine's alpha-beta, with `seconds` for each; see `play_pairs`.
    """

    def player(looks: Evaluator, depth: int) -> Player:
        found = search_player(engine.alpha_beta, looks, Depth(depth))
        found(game, game.start())  # what is compiled now is not compiled on the clock
        return found

    return {
        (depth, name): outcome(
            play_pairs(
                game, player(evaluator, depth), player(others[name], depth), openings, seconds
            )
        )
        for depth, name in product(depths, others)
    }


def move_costs(game: Kalah, one: Evaluator, other: Evaluator, depth: int) -> list[Row]:
    """What each move of `one` costs in a game from the start, `one` first, at equal depth.

    Rows: depth; move, counted from 1 among its own; nodes, entered by the search; seconds,
    of wall time.
    """
    rows: list[Row] = []

    def timed(game: Kalah, state: State) -> int:
        began = time.perf_counter()
        found = engine.alpha_beta(game, state, one, Depth(depth))
        seconds = time.perf_counter() - began
        nodes = found.counts.visited
        rows.append({"depth": depth, "move": len(rows) + 1, "nodes": nodes, "seconds": seconds})
        assert found.move is not None  # the game is not over
        return int(found.move)

    engine.alpha_beta(game, game.start(), one, Depth(1))  # compiles what there is to compile
    play_game(game, timed, search_player(engine.alpha_beta, other, Depth(depth)))
    return rows
