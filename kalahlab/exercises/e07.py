"""The exercises of notebook 07: what a move gives up, and how sure a difference is."""

from functools import cache
from statistics import fmean

from kalahlab.evaluators.fitted import FIT, fitted
from kalahlab.exercises.model import exercises
from kalahlab.games.kalah import SOUTH, Kalah, State
from kalahlab.judging.judged import Judged, read
from kalahlab.judging.regret import chance
from kalahlab.matches.rating import mean_of

ONE, OTHER = (0.0, 10.0, 20.0, 31.0), (1.0, 11.0, 21.0, 32.5)
"""The regrets of two evaluators in the same four positions."""

BEFORE = State((0, 0, 2, 0, 0, 1, 10, 1, 1, 1, 1, 1, 1, 10), SOUTH)
"""A position in which a sow of the last pit changes no capture."""


@cache
def shown() -> Judged:
    """The position that the page shows: the first judged one under the standard rules."""
    return next(row for row in read() if row.rules == "standard")


def worths() -> list[int]:
    """What its moves are worth, from the left."""
    return [worth for worth in shown().moves if worth is not None]


def regrets() -> list[int]:
    """What they give up."""
    return [shown().regret(pit) for pit, worth in enumerate(shown().moves) if worth is not None]


def differences() -> list[float]:
    """How much more the other evaluator gives up, position by position."""
    return [other - one for one, other in zip(ONE, OTHER, strict=True)]


def gained() -> float:
    """How `fitted` changes for South when it plays the last pit of `BEFORE`."""
    after = Kalah(6, 6).play(BEFORE, 5)
    return float(fitted(after.board, SOUTH) - fitted(BEFORE.board, SOUTH))


EXERCISES = exercises(
    {
        "7.1": lambda: [regrets(), worths(), [regret for regret in regrets() if regret]],
        "7.2": lambda: [
            chance([shown()])[0],
            fmean(regret for regret in regrets() if regret),
            sum(regrets()),
            sum(regrets()) / 6,
        ],
        "7.3": lambda: [
            mean_of(differences()).low,
            mean_of(differences()).mean,
            mean_of(differences()).high,
            mean_of(OTHER).low - mean_of(ONE).low,
        ],
        "7.4": lambda: [
            gained(),
            1,
            1 - FIT["weights"]["stones_1"],
            1 - FIT["weights"]["stones_1"] - FIT["weights"]["mobility"],
        ],
    }
)
