"""Verdicts on many matches at once.

Of twenty matches between equals one has an interval that misses a half. Who draws verdicts from
a family of matches corrects for that: here by Holm's method (Scandinavian Journal of Statistics
6, 1979), which needs no independence of the matches.
"""

from collections.abc import Sequence

from kalahlab.matches.rating import CERTAINTY, VERDICTS, holm, units


def chance(points: Sequence[float]) -> float:
    """How often a match of equals is at least as lopsided: `Units.p_value` of its pairs' points."""
    return units(points).p_value()


def verdicts(family: Sequence[Sequence[float]]) -> list[tuple[float, str]]:
    """Each match's `chance`, corrected for the family, and its verdict, of `VERDICTS`.

    family: the points of the pairs of each match. If all are between equals, a verdict other
    than "not told apart" comes up in one of twenty families.
    """
    corrected = holm([chance(points) for points in family])
    signs = [(2 * sum(points) > len(points)) * 2 - 1 for points in family]
    return [
        (p, VERDICTS[1 + sign * (p < 1 - CERTAINTY)])
        for p, sign in zip(corrected, signs, strict=True)
    ]
