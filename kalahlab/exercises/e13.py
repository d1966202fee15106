"""The exercises of notebook 13: measures of a player, clustered intervals, when to stop."""

from math import log, log10, sqrt
from statistics import fmean, stdev

from kalahlab.exercises.model import exercises
from kalahlab.games.kalah import SOUTH, State
from kalahlab.judging.clusters import clustered_mean, student
from kalahlab.judging.judged import Judged
from kalahlab.judging.player import cost

BEST, PLAYED = (3, 0, -2, 5), (-1, 0, -4, 5)
"""What four positions are worth to the mover, and what the moves are worth that were played."""

REGRETS, GAMES = (0, 0, 2, 2, 4, 4), "aabbcc"
"""The regrets of six moves, and the games that they are from."""


def costs() -> list[dict[str, int]]:
    """What each of the four moves costs."""
    return [
        cost(Judged("standard", State((1, 1, 0, 0, 0, 0), SOUTH), (best, played)), 1)
        for best, played in zip(BEST, PLAYED, strict=True)
    ]


def measures() -> list[float]:
    """The share of best moves, the share that keeps the outcome, and the mean regret."""
    return [fmean(each[name] for each in costs()) for name in ("optimal", "kept", "regret")]


def error() -> float:
    """The standard error of the mean of `REGRETS`, clustered by game."""
    mean, _, high = clustered_mean(REGRETS, GAMES)
    return (high - mean) / student(2)


EXERCISES = exercises(
    {
        "13.1": lambda: [
            measures(),
            [measures()[0], 0.5, measures()[2]],
            [*measures()[:2], float(sum(each["regret"] for each in costs()))],
        ],
        "13.2": lambda: [
            error(),
            stdev(REGRETS) / sqrt(len(REGRETS)),
            error() * sqrt(2 / 3),
            error() ** 2,
        ],
        "13.3": lambda: [log(99), log10(99), log(19), 99.0],
    }
)
