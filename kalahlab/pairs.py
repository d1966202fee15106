"""Two players from the same openings, each once on either side: a pair of games an opening."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from kalahlab.games.kalah import Kalah, State
from kalahlab.play import Player, after_chance, play_game

Z = 1.96
"""Standard deviations of a normal distribution that 95 % of it lie within."""

Pair = tuple[int, int]
"""The first player's margins, playing South and playing North."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Games as the first player sees them.

    score: the mean of 1 for a win, a half for a draw and 0 for a loss; margin: in stones, the
    mean. within: half the width of the score's 95 % interval, from pairs of games, since two
    games from one opening are not independent.
    """

    wins: int
    draws: int
    losses: int
    score: float
    within: float
    margin: float

    @property
    def better(self) -> bool:
        """Whether the whole interval is above an even score."""
        return self.score - self.within > 0.5


def play_pairs(game: Kalah, one: Player, other: Player, openings: Iterable[State]) -> list[Pair]:
    """Both games of each opening."""
    return [
        (
            play_game(game, one, other, opening).margin,
            -play_game(game, other, one, opening).margin,
        )
        for opening in openings
    ]


def outcome(pairs: Sequence[Pair]) -> Outcome:
    """What two pairs or more come to."""
    margins = [margin for pair in pairs for margin in pair]
    wins, draws = sum(margin > 0 for margin in margins), margins.count(0)
    points = [fmean((margin > 0) + (margin == 0) / 2 for margin in pair) for pair in pairs]
    return Outcome(
        wins,
        draws,
        len(margins) - wins - draws,
        fmean(points),
        Z * stdev(points) / sqrt(len(pairs)),
        fmean(margins),
    )


def random_openings(game: Kalah, number: int, plies: int, seed: int = 0) -> Iterator[State]:
    """Different positions some random sows from the start, none of them a finished game."""
    chance, seen = Random(seed), set[State]()
    while len(seen) < number:
        state = after_chance(game, chance, plies)
        if state not in seen and not game.over(state):
            seen.add(state)
            yield state
