"""The exercises of notebook 05: what an interval says, and how many games it takes."""

from math import ceil, exp, log, log10, sqrt
from typing import Any

from kalahlab.exercises.model import exercises
from kalahlab.matches.rating import ELO, Interval, mean_of

SCORES = (Interval(0.55, 0.48, 0.62), Interval(0.60, 0.52, 0.68), Interval(0.41, 0.35, 0.49))
RATIOS = (2.0, 8.0)
"""Nodes of minimax to those of alpha-beta, from two openings."""

SHARE = 0.75
DEVIATION, REACH, NORMAL = 0.25, 0.05, 1.96


def openings(reach: float = REACH, deviation: float = DEVIATION) -> int:
    """So many are needed for an interval of so much to either side."""
    number = 1
    while NORMAL * deviation / sqrt(number) > reach:
        number += 1
    return number


def about(given: Any, right: Any) -> bool:
    """Whether a number of openings is right but for how it was rounded."""
    return isinstance(given, (int, float)) and abs(given - right) <= 1


EXERCISES = exercises(
    {
        "5.1": lambda: [
            [score.verdict() for score in SCORES],
            ["better" if score.mean > 0.5 else "worse" for score in SCORES],
            ["not told apart"] * len(SCORES),
        ],
        "5.2": lambda: [
            exp(mean_of([*map(log, RATIOS)]).mean),
            mean_of(RATIOS).mean,
            mean_of([*map(log, RATIOS)]).mean,
        ],
        "5.3": lambda: [
            openings(),
            2 * openings(),
            openings(reach=2 * REACH),
            ceil(NORMAL * DEVIATION / REACH),
        ],
        "5.4": lambda: [
            ELO * log(SHARE / (1 - SHARE)),
            400 * log(SHARE / (1 - SHARE)),
            400 * log10(1 / SHARE),
            400 * SHARE,
        ],
    },
    same={"5.3": about},
)
