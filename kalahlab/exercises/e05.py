"""The exercises of notebook 05: what an interval says, and how many games it takes."""

from math import ceil, exp, log, log10, sqrt
from typing import Any

from kalahlab.exercises.model import Exercise, Mistake
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


EXERCISES = (
    Exercise(
        "5.1",
        answer=lambda: [score.verdict() for score in SCORES],
        hint="Look at the two ends of each interval. On which side of 1/2 are they?",
        solution="The first interval holds 1/2. The second lies above it, the third below: "
        "**{answer}**.",
        mistakes=(
            Mistake(
                lambda: ["better" if score.mean > 0.5 else "worse" for score in SCORES],
                "You looked at the scores only. The first interval holds 1/2.",
            ),
            Mistake(
                lambda: ["not told apart"] * len(SCORES),
                "An interval that lies wholly on one side of 1/2 does tell two players apart.",
            ),
        ),
    ),
    Exercise(
        "5.2",
        answer=lambda: exp(mean_of([*map(log, RATIOS)]).mean),
        hint="Take the mean of the logarithms, then the exponential of that mean.",
        solution="The geometric mean is √(2 · 8) = **{answer:.0f}**: one factor is half of it, the "
        "other is twice as much.",
        mistakes=(
            Mistake(
                lambda: mean_of(RATIOS).mean,
                "That is the arithmetic mean. Costs differ by factors, so their logarithms are "
                "averaged.",
            ),
            Mistake(
                lambda: mean_of([*map(log, RATIOS)]).mean,
                "That is the mean of the logarithms. Take its exponential.",
            ),
        ),
    ),
    Exercise(
        "5.3",
        answer=openings,
        hint="Solve 1.96 · s / √n = 0.05 for n, with s = 0.25. Then round up.",
        solution="n = (1.96 · 0.25 / 0.05)² = 96.04, so **{answer}** openings are needed. That is "
        "twice as many games. For half the error it takes four times as many.",
        mistakes=(
            Mistake(
                lambda: 2 * openings(),
                "Each opening is played twice. The question is how many openings there are.",
            ),
            Mistake(
                lambda: openings(reach=2 * REACH),
                "0.05 is the distance from the score to one end, not from end to end.",
            ),
            Mistake(
                lambda: ceil(NORMAL * DEVIATION / REACH),
                "The error falls with the square root of n.",
            ),
        ),
        same=about,
    ),
    Exercise(
        "5.4",
        answer=lambda: ELO * log(SHARE / (1 - SHARE)),
        hint="On Elo's scale the difference is 400 · log₁₀(p / (1 − p)), where p is the score.",
        solution="The odds are 0.75 / 0.25 = 3, and 400 · log₁₀(3) = **{answer:.0f}** points.",
        mistakes=(
            Mistake(
                lambda: 400 * log(SHARE / (1 - SHARE)),
                "That is the natural logarithm. Elo's scale has the logarithm to base 10.",
            ),
            Mistake(
                lambda: 400 * log10(1 / SHARE),
                "Take the odds p / (1 − p), not 1 / p.",
            ),
            Mistake(lambda: 400 * SHARE, "The scale is not linear in the score."),
        ),
    ),
)
