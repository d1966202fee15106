"""Confidence intervals of scores, and ratings on Elo's scale.

A pair is two games of the same players from one opening, after which the players exchange sides.
The points of a pair are the mean of its two games: 1 for a win, 1/2 for a draw, 0 for a loss. The
statistical unit is not the game but the opening: games from the same opening are alike, and
openings are independent.

Intervals are Wilson's (1927). An interval contains all true scores from which the observed score
is at most t standard errors away: t is Student's, and the standard error is that of the true score.
The spread of openings is estimated as if half an opening more had been won and half an opening more
lost, so that no interval has the width zero. (Agresti and Coull, 1998, add whole units.)
`benchmarks/intervals.py` measures how often intervals hold the truth.
"""

from collections.abc import Iterable, Sequence
from math import log, sqrt
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, stdtr, stdtrit

Floats = NDArray[np.float64]

CERTAINTY = 0.95  # the probability that an interval holds the truth
# The Elo of one unit of log odds. A player with 400 more wins ten times as often as it loses.
ELO = 400 / log(10)
# Results of a comparison with 1/2: the interval of the score is below it, contains it, or is above.
VERDICTS = ("worse", "not told apart", "better")
SPREAD = 0.5  # the weight of the won and of the lost opening that are added to estimate the spread
ADDED = 0.1  # the weight of the drawn pair that is added between two players for their ratings
LOG_ODDS_LIMIT = 100.0  # beyond any player's rating: the expected score is 0 or 1 in float64


class Interval(NamedTuple):
    """An estimate and its `CERTAINTY` interval."""

    mean: float
    low: float
    high: float


class ClusterSample(NamedTuple):
    """The independent units of a score.

    Attributes:
        number: The number of units.
        mean: The mean of the units.
        spread: The variance of the units, as a share of the largest variance with this mean, which
            is that of units won or lost as a whole.
    """

    number: int
    mean: float
    spread: float

    @property
    def freedom(self) -> int:
        """The degrees of freedom, at least 1."""
        return max(1, self.number - 1)

    def interval(self, added: float = 0) -> tuple[float, float]:
        """Return Wilson's interval with a drawn unit of weight `added` among the units."""
        number = self.number + added
        mean = (self.number * self.mean + added / 2) / number
        t = float(stdtrit(self.freedom, (1 + CERTAINTY) / 2))
        squared = t**2 * self.spread / number
        middle = (mean + squared / 2) / (1 + squared)
        half_width = sqrt(squared * mean * (1 - mean) + squared**2 / 4) / (1 + squared)
        return max(0.0, min(mean, middle - half_width)), min(1.0, max(mean, middle + half_width))

    def p_value(self, value: float = 0.5) -> float:
        """Return the probability of a mean at least as far from `value`, if `value` is true."""
        error = sqrt(self.spread * value * (1 - value) / self.number)
        return float(2 * stdtr(self.freedom, -abs(self.mean - value) / error))


def cluster_by_opening(pairs: Sequence[float], openings: Sequence[Any] = ()) -> ClusterSample:
    """Cluster pairs of games by opening; the weight of an opening is its number of pairs.

    Args:
        pairs: The points of each pair, from 0 to 1.
        openings: The opening of each pair; by default they are all different.

    Raises:
        ValueError: There is no pair.
    """
    if not pairs:
        raise ValueError("0 pairs; a score needs at least 1")
    mean = fmean(pairs)
    excess: dict[Any, float] = {}
    for opening, points in zip(openings or range(len(pairs)), pairs, strict=True):
        excess[opening] = excess.get(opening, 0) + points - mean
    number = len(excess)
    middle = (number * mean + SPREAD) / (number + 2 * SPREAD)
    # The points of units as if all had the same weight: a unit with more pairs is further from the
    # mean.
    means = [mean + number / len(pairs) * unit_excess for unit_excess in excess.values()]
    squares = sum((mean_of_unit - middle) ** 2 for mean_of_unit in means)
    squares += SPREAD * (middle**2 + (1 - middle) ** 2)
    return ClusterSample(number, mean, squares / (number + 2 * SPREAD) / (middle * (1 - middle)))


def score_interval(pairs: Sequence[float], openings: Sequence[Any] = ()) -> Interval:
    """Return the mean points of pairs of games with their interval.

    The arguments are those of `cluster_by_opening`.

    In simulations with 4 or more openings, at least .94 of the intervals contain the true score.
    With few openings or many draws, more than .95 do.
    """
    sample = cluster_by_opening(pairs, openings)
    return Interval(sample.mean, *sample.interval())


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number: a hypothesis below 5 % may be rejected.

    The probability that any true hypothesis is rejected is then 5 % at most, even if the hypotheses
    depend on each other (Holm, Scandinavian Journal of Statistics 6, 1979).
    """
    order = np.argsort(p_values, kind="stable")
    # the smallest p-value times the number of all, the next one times one less, and so on
    steps = np.asarray(p_values)[order] * np.arange(len(order), 0, -1)
    # no corrected value is below that of a smaller p-value; `argsort(order)` restores the order
    corrected = np.maximum.accumulate(np.minimum(1.0, steps))[np.argsort(order)]
    return [float(p_value) for p_value in corrected]


def elo(pairs: Iterable[tuple[str, str, float, Any]]) -> dict[str, Interval]:
    """Return each player's Elo; the mean of all players is 0.

    The model is that of Bradley and Terry (1952): the odds of winning are the ratio of two
    strengths. A tenth of a drawn pair is added between any two players, because a player who wins
    all games would have no rating. The ends of a rating's interval are the ratings at which the
    player's expected score is an end of the score's interval, while the ratings of the others stay.

    Args:
        pairs: Tuples of the two players, the points of the first, and the opening, None if no other
            pair has the same opening.
    """
    results = list[tuple[str, str, float, Any]]()
    for number, (one, other, points, opening) in enumerate(pairs):
        results.append((one, other, points, number if opening is None else opening))
    # Each pair once more as a result of the other player.
    results += [(other, one, 1 - points, opening) for one, other, points, opening in results]
    names = list(dict.fromkeys(one for one, *_ in results))
    index = {name: i for i, name in enumerate(names)}
    shape = len(names), len(names)
    scored, pair_counts = np.full(shape, ADDED / 2), np.full(shape, ADDED)
    for one, other, points, _ in results:
        scored[index[one], index[other]] += points
        pair_counts[index[one], index[other]] += 1
    ratings = strengths(scored, pair_counts)
    intervals: dict[str, Interval] = {}
    for i, name in enumerate(names):
        player_results = [result for result in results if result[0] == name]
        player_points = [points for _, _, points, _ in player_results]
        player_openings = [opening for *_, opening in player_results]
        sample = cluster_by_opening(player_points, player_openings)
        others, weights = np.delete(ratings, i), np.delete(pair_counts[i], i)
        intervals[name] = _rating_interval(ratings[i], others, weights, sample)
    return intervals


def _rating_interval(
    rating: float, others: Floats, weights: Floats, sample: ClusterSample
) -> Interval:
    """Return a player's Elo with its interval.

    Args:
        rating: The player's rating, in log odds.
        others: The ratings of the other players.
        weights: The number of the player's pairs with each other player, with the added ones.
        sample: The player's score.
    """
    from scipy.optimize import brentq  # here, because scipy.optimize takes long to load

    def excess(shift: float, score: float) -> float:
        """Return how far the expected score, with the rating raised by `shift`, exceeds a score."""
        return float(np.average(expit(rating - others + shift), weights=weights)) - score

    count = len(weights)
    # The weight of this player's added pairs, converted to units of the sample: a unit has as many
    # added pairs as it has real ones.
    added = sample.number * ADDED * count / (weights.sum() - ADDED * count)
    # A shift is relative to the other players. The mean of all ratings stays 0, so the player's own
    # rating rises by less.
    above_mean = count / (count + 1)
    limits = -LOG_ODDS_LIMIT, LOG_ODDS_LIMIT
    low, high = (brentq(excess, *limits, (score,)) for score in sample.interval(added))
    shifts = (0, low * above_mean, high * above_mean)
    return Interval(*(ELO * float(rating + shift) for shift in shifts))


def strengths(points: ArrayLike, pair_counts: ArrayLike) -> Floats:
    """Return the log strengths, with mean 0, at which each player's expected score is its score.

    Newton's method finds the log strengths.

    Args:
        points: The points of each player (row) against each other player (column). The diagonal is
            ignored.
        pair_counts: The number of pairs of each two players, as a matrix of the same shape.
    """
    off_diagonal = 1 - np.eye(len(np.asarray(pair_counts)))
    scored, weights = np.asarray(points) * off_diagonal, np.asarray(pair_counts) * off_diagonal
    ratings = np.zeros(len(off_diagonal))
    while True:
        share = expit(ratings[:, None] - ratings)
        curvature = weights * share * (1 - share)
        # 1 / len fixes the mean, without which the matrix is singular
        hessian = np.diag(curvature.sum(axis=1)) - curvature + 1 / len(ratings)
        step = np.linalg.solve(hessian, (scored - weights * share).sum(axis=1))
        ratings += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            return np.asarray(ratings - ratings.mean())
