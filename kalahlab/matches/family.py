"""Verdicts on many matches at once.

Of twenty matches between equals one has an interval that misses a half. Who draws verdicts from
a family of matches corrects for that: here by Holm's method (Scandinavian Journal of Statistics
6, 1979), which needs no independence of the matches.
"""

from collections.abc import Sequence

from kalahlab.matches.rating import CERTAINTY, VERDICTS


def chance(points: Sequence[float]) -> float:
    """How often a match of equals is at least as lopsided, by Student's t of its pairs' points.

    Pairs that all came out alike have no spread: then as often as so many coins fall alike.
    """
    from scipy.stats import ttest_1samp

    if len(set(points)) == 1:
        return 1.0 if points[0] == 0.5 else 2 * 0.5 ** len(points)
    return float(ttest_1samp(points, 0.5).pvalue)


def verdicts(family: Sequence[Sequence[float]]) -> list[tuple[float, str]]:
    """Each match's `chance`, corrected for the family, and its verdict, of `VERDICTS`.

    family: the points of the pairs of each match. If all are between equals, a verdict other
    than "not told apart" comes up in one of twenty families.
    """
    from statsmodels.stats.multitest import multipletests

    tests = [chance(points) for points in family]
    shown, corrected, *_ = multipletests(tests, 1 - CERTAINTY, "holm")
    signs = [(2 * sum(points) > len(points)) * 2 - 1 for points in family]
    return [
        (float(p), VERDICTS[1 + sign * bool(found)])
        for p, sign, found in zip(corrected, signs, shown, strict=True)
    ]
