"""How sure a score is, and ratings on Elo's scale.

The unit is a pair: two games from one opening with sides exchanged. Games of a pair are not
independent (who is helped by the opening in one is harmed in the other), pairs are. A pair's
points are the share won of its two games, a draw being half a win: 0, 1/4, 1/2, 3/4 or 1.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

CERTAINTY = 0.95
"""How often an interval holds the truth."""

ELO = 400 / log(10)
"""Elo points to a unit of log odds: 400 more win ten times as often as they lose."""

VERDICTS = ("worse", "not told apart", "better")
"""What an interval says of a score beside a value."""

ADDED = 0.1
"""The weight of the drawn pair that is added between two players."""


class Interval(NamedTuple):
    """An estimate and the interval in which the truth lies, `CERTAINTY` of the time.

    A format is that of its numbers: `f"{interval:.2f}"` is `0.65 (0.61 to 0.69)`.
    """

    mean: float
    low: float
    high: float

    @classmethod
    def of(
        cls, row: Mapping[Any, Any], name: str = "score", ends: tuple[str, str] = ("low", "high")
    ) -> "Interval":
        """The interval that a table's row has in three of its columns."""
        return cls(*(row[column] for column in (name, *ends)))

    def columns(self, name: str, ends: tuple[str, str] = ("low", "high")) -> dict[str, float]:
        """The three columns that `of` reads."""
        return dict(zip((name, *ends), self, strict=True))

    def __format__(self, form: str) -> str:
        return f"{self.mean:{form}} ({self.low:{form}} to {self.high:{form}})"

    def verdict(self, value: float = 0.5) -> str:
        """Where the interval lies, of `VERDICTS`: below the value, around it, or above it."""
        return VERDICTS[1 + (self.low > value) - (self.high < value)]


def student(freedom: int) -> float:
    """Standard errors to either side, by Student's t with so many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CERTAINTY) / 2))


def points_of(margin: float) -> float:
    """What a game's margin is worth: 1 for a win, 1/2 for a draw, 0 for a loss."""
    return (margin > 0) + (margin == 0) / 2


def mean_of(numbers: Sequence[float]) -> Interval:
    """The mean of independent numbers, with Student's interval; of one number, no bounds."""
    mean = fmean(numbers)
    if len(numbers) == 1:
        return Interval(mean, float("-inf"), float("inf"))
    reach = student(len(numbers) - 1) * stdev(numbers) / sqrt(len(numbers))
    return Interval(mean, mean - reach, mean + reach)


def score(pairs: Sequence[float]) -> Interval:
    """The mean points of the pairs, with an interval within 0 and 1.

    Student's, for the quantity is a mean, and a pair has few values and no long tail:
    at 30 pairs it holds what it says. Pairs that all came out alike show nothing of their
    spread; then it is taken as if one more had been won and one more lost (Agresti and Coull,
    1998). `ValueError` if there is no pair.
    """
    if not pairs:
        raise ValueError("0 pairs; a score needs at least 1")
    alike = len(set(pairs)) == 1
    _, low, high = mean_of([*pairs, 0, 1] if alike else pairs)
    mean, reach = fmean(pairs), (high - low) / 2
    return Interval(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def elo(players: Sequence[str], pairs: Iterable[tuple[str, str, float]]) -> dict[str, Interval]:
    """Each player's Elo, the mean of all being 0.

    pairs: (one, other, one's points). The model of Bradley and Terry (1952): the odds of
    winning are the ratio of two strengths. Fitted as a binomial regression on pairs, whose
    errors are taken from how pairs differ, not from the model, because two games of a pair
    and draws vary less than coin tosses do (the sandwich of Huber and White). Between any two
    players a tenth of a drawn pair is added, without which a player who wins all has no rating.
    `ValueError` if there are not two players, or no pair.
    """
    results = list(pairs)
    if len(players) < 2 or not results:
        raise ValueError("a rating needs two players and a pair of games")
    import numpy as np

    column = {name: number for number, name in enumerate(players)}
    added = [(one, other, 0.5) for one, other in combinations(players, 2)]
    weights = np.array([1.0] * len(results) + [ADDED] * len(added))
    # deviations from the mean; the last player's is what makes them add up to 0
    deviations = np.vstack([np.eye(len(players) - 1), -np.ones(len(players) - 1)])
    sides = np.array([(column[one], column[other]) for one, other, _ in results + added])
    points = np.array([share for *_, share in results + added])
    fit = _fit(points, deviations[sides[:, 0]] - deviations[sides[:, 1]], weights)
    ratings = ELO * deviations @ fit.params
    errors = ELO * np.sqrt(np.diag(deviations @ fit.cov_params() @ deviations.T))
    reach = student(max(1, len(results) - len(fit.params))) * errors
    return {
        name: Interval(float(rating), float(rating - each), float(rating + each))
        for name, rating, each in zip(players, ratings, reach, strict=True)
    }


def _fit(points: Any, design: Any, weights: Any) -> Any:
    """The regression, with errors that hold whatever the spread is."""
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    with warnings.catch_warnings():
        # of pairs that all came out as the model says, which is no harm
        warnings.simplefilter("ignore")
        return GLM(points, design, family=Binomial(), var_weights=weights).fit(cov_type="HC1")
