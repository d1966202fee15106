"""How sure a score is, and ratings on Elo's scale.

The unit is an opening: all games from it share what it is like, and openings are independent. A
pair is two games from one opening with sides exchanged; its points are the share won of its two
games, a draw being half a win.

Intervals are Wilson's (1927): all true scores from which the score found is no more than
Student's t standard errors away, the errors being those of the true score. How far openings spread
is estimated as if half an opening more had been won and half a one lost (Agresti and Coull, 1998,
add whole ones), so no interval collapses. `benchmarks/intervals.py` says how often they are right.
"""

from collections.abc import Iterable, Sequence
from math import log, sqrt
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import expit, stdtr, stdtrit

Floats = NDArray[np.float64]

CERTAINTY = 0.95  # how often an interval holds the truth
ELO = 400 / log(10)  # points to a unit of log odds: 400 more win ten times as often as they lose
VERDICTS = ("worse", "not told apart", "better")  # what an interval says of a score beside 1/2
SPREAD = 0.5  # the weight of the won and of the lost opening that are added to estimate the spread
ADDED = 0.1  # the weight of the drawn pair that is added between two players for their ratings
LOG_ODDS_LIMIT = 100.0  # beyond any player's: there a share is rounded to 0 or 1


class Interval(NamedTuple):
    """An estimate and its `CERTAINTY` interval."""

    mean: float
    low: float
    high: float


class ClusterSample(NamedTuple):
    """Independent parts of a score: how many, their mean, and their spread.

    spread: their variance as a share of the largest that their mean allows, which is that of
    units each won or lost whole.
    """

    number: int
    mean: float
    spread: float

    @property
    def freedom(self) -> int:
        return max(1, self.number - 1)

    def interval(self, added: float = 0) -> tuple[float, float]:
        """Wilson's interval; `added`: the weight of a drawn unit that is added to them."""
        number = self.number + added
        mean = (self.number * self.mean + added / 2) / number
        t = float(stdtrit(self.freedom, (1 + CERTAINTY) / 2))
        squared = t**2 * self.spread / number
        middle = (mean + squared / 2) / (1 + squared)
        reach = sqrt(squared * mean * (1 - mean) + squared**2 / 4) / (1 + squared)
        return max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))

    def p_value(self, value: float = 0.5) -> float:
        """How likely it is, if the true score is the value, that one is as far from it as this."""
        error = sqrt(self.spread * value * (1 - value) / self.number)
        return float(2 * stdtr(self.freedom, -abs(self.mean - value) / error))


def units(pairs: Sequence[float], openings: Sequence[Any] = ()) -> ClusterSample:
    """The openings of pairs of games; each pair has one of its own if no openings are given. An
    opening counts as often as it has pairs. `ValueError` if there is no pair."""
    if not pairs:
        raise ValueError("0 pairs; a score needs at least 1")
    mean = fmean(pairs)
    excess: dict[Any, float] = {}
    for opening, points in zip(openings or range(len(pairs)), pairs, strict=True):
        excess[opening] = excess.get(opening, 0) + points - mean
    number = len(excess)
    middle = (number * mean + SPREAD) / (number + 2 * SPREAD)
    found = [mean + number / len(pairs) * each for each in excess.values()]
    squares = sum((each - middle) ** 2 for each in found)
    squares += SPREAD * (middle**2 + (1 - middle) ** 2)
    return ClusterSample(number, mean, squares / (number + 2 * SPREAD) / (middle * (1 - middle)))


def score(pairs: Sequence[float], openings: Sequence[Any] = ()) -> Interval:
    """The mean points of pairs of games, of 0 to 1 each; arguments as those of `units`.

    In simulation the interval holds the truth .94 of the time or more, from 4 openings on, and
    more than .95 with few openings or many draws.
    """
    found = units(pairs, openings)
    return Interval(found.mean, *found.interval())


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value corrected for all of them: those below 5 % may be believed.

    The chance that any true hypothesis of the family is rejected is then 5 % at the most, also if
    they depend on each other (Holm, Scandinavian Journal of Statistics 6, 1979).
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.asarray(p_values)[order] * np.arange(len(order), 0, -1)
    corrected = np.maximum.accumulate(np.minimum(1.0, steps))[np.argsort(order)]
    return [float(each) for each in corrected]


def elo(pairs: Iterable[tuple[str, str, float, Any]]) -> dict[str, Interval]:
    """Each player's Elo, the mean of all being 0.

    pairs: (one, other, one's points, opening), None for an opening of its own. The model of
    Bradley and Terry (1952): the odds of winning are the ratio of two strengths. Between any two
    players a tenth of a drawn pair is added, without which a player who wins all has no rating. A
    rating's interval goes as far as the player's score does: to where the player, all others left
    as they are, would be expected to score the ends of its interval.
    """
    results = [(*pair[:3], n if pair[3] is None else pair[3]) for n, pair in enumerate(pairs)]
    sides = [*results, *((other, one, 1 - won, opening) for one, other, won, opening in results)]
    index = {name: place for place, name in enumerate(dict.fromkeys(side[0] for side in sides))}
    points, met = (np.full((len(index), len(index)), weight) for weight in (ADDED / 2, ADDED))
    for one, other, won, _ in sides:
        points[index[one], index[other]] += won
        met[index[one], index[other]] += 1
    ratings = strengths(points, met)
    return {
        name: _rating(
            ratings[place],
            np.delete(ratings, place),
            np.delete(met[place], place),
            units(*zip(*(side[2:] for side in sides if side[0] == name), strict=True)),
        )
        for name, place in index.items()
    }


def _rating(rating: float, others: Floats, met: Floats, found: ClusterSample) -> Interval:
    """A player's Elo from all ratings, in log odds; met: the weight of its pairs with others."""

    def off(shift: float, share: float) -> float:
        return float(np.average(expit(rating - others + shift), weights=met)) - share

    added = found.number * ADDED * len(met) / (met.sum() - ADDED * len(met))
    # to be better than all others by a shift is to be better than the mean of all by less
    above_mean = len(met) / (len(met) + 1)
    limits = -LOG_ODDS_LIMIT, LOG_ODDS_LIMIT
    ends = (brentq(off, *limits, (share,)) * above_mean for share in found.interval(added))
    return Interval(*(ELO * float(rating + shift) for shift in (0, *ends)))


def strengths(points: ArrayLike, met: ArrayLike) -> Floats:
    """The log strengths, 0 in the mean, at which all are expected to score what they did.

    points: of each player against each, in `met` pairs, but for the diagonals. Newton's method.
    """
    apart = 1 - np.eye(len(np.asarray(met)))
    scored, weights = np.asarray(points) * apart, np.asarray(met) * apart
    found = np.zeros(len(apart))
    while True:
        share = expit(found[:, None] - found)
        curvature = weights * share * (1 - share)
        hessian = np.diag(curvature.sum(axis=1)) - curvature + 1 / len(apart)
        step = np.linalg.solve(hessian, (scored - weights * share).sum(axis=1))
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            return np.asarray(found - found.mean())
