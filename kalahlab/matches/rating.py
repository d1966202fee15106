"""How sure a score is, and ratings on Elo's scale.

The unit is an opening. All games from it share what it is like, so they are not independent: who
is helped by it in one game of a pair is harmed in the other, and a player who is at home in it
gains in each of its matches. Openings are independent. A pair is two games from one opening with
sides exchanged; its points are the share won of its two games, a draw being half a win.

Intervals are Wilson's (1927): all true scores from which the score found is no more than
Student's t standard errors away, the errors being those of the true score. So they end within 0
and 1 without being cut. How far openings spread is estimated as if half an opening more had been
won and half a one lost (Agresti and Coull, 1998, add whole ones), so no interval collapses.
`benchmarks/intervals.py` simulates how often they hold the truth.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CERTAINTY = 0.95
"""How often an interval holds the truth."""

ELO = 400 / log(10)
"""Elo points to a unit of log odds: 400 more win ten times as often as they lose."""

VERDICTS = ("worse", "not told apart", "better")
"""What an interval says of a score beside a value."""

SPREAD = 0.5
"""The weight of the won opening, and of the lost one, that are added to estimate the spread."""

ADDED = 0.1
"""The weight of the drawn pair that is added between two players for their ratings."""

FAR = 100.0
"""Further, in log odds, than any player is from the others: there a share is rounded to 0 or 1."""


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


class Units(NamedTuple):
    """Independent parts of a score: how many, their mean, and their spread.

    spread: their variance as a share of the largest that their mean allows, which is that of
    units each won or lost whole.
    """

    number: int
    mean: float
    spread: float

    @property
    def freedom(self) -> int:
        """Degrees of freedom; of a single unit, whose spread is all assumed, 1."""
        return max(1, self.number - 1)

    def interval(self, added: float = 0) -> tuple[float, float]:
        """Wilson's interval; `added`: the weight of a drawn unit that is added to them."""
        number = self.number + added
        mean = (self.number * self.mean + added / 2) / number
        squared = student(self.freedom) ** 2 * self.spread / number
        middle = (mean + squared / 2) / (1 + squared)
        reach = sqrt(squared * mean * (1 - mean) + squared**2 / 4) / (1 + squared)
        return max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))

    def p_value(self, value: float = 0.5) -> float:
        """How likely it is, if the true score is the value, that one is as far from it as this."""
        from scipy.special import stdtr

        error = sqrt(self.spread * value * (1 - value) / self.number)
        return float(2 * stdtr(self.freedom, -abs(self.mean - value) / error))


def units(pairs: Sequence[float], openings: Sequence[Any] = ()) -> Units:
    """The openings of so many pairs; each pair is one of its own if no openings are given.

    An opening counts as often as it has pairs. `ValueError` if there is no pair.
    """
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
    return Units(number, mean, squares / (number + 2 * SPREAD) / (middle * (1 - middle)))


def score(pairs: Sequence[float], openings: Sequence[Any] = ()) -> Interval:
    """The mean points of pairs of games, with an interval; see the module.

    pairs: a number of 0 to 1 each. openings: of each pair, if several have one. In
    simulation the interval holds the truth .94 of the time or more, from 4 openings on, and
    more than .95 with few openings or many draws. `ValueError` if there is no pair.
    """
    found = units(pairs, openings)
    return Interval(found.mean, *found.interval())


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value corrected for all of them: those below 5 % may be believed.

    The chance that any true hypothesis of the family is rejected is then 5 % at the most, also if
    they depend on each other (Holm, Scandinavian Journal of Statistics 6, 1979).
    """
    corrected, greatest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        greatest = max(greatest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = greatest
    return corrected


def verdicts(family: Sequence[Sequence[float]]) -> list[tuple[float, str]]:
    """Each match's p-value, by `holm` for the whole family, and its verdict, of `VERDICTS`.

    family: the points of the pairs of each match. Of twenty matches between equals one has an
    interval that misses a half; so if all are between equals, a verdict other than "not told apart"
    comes up in one of twenty families.
    """
    corrected = holm([units(points).p_value() for points in family])
    signs = [(2 * sum(points) > len(points)) * 2 - 1 for points in family]
    return [
        (p, VERDICTS[1 + sign * (p < 1 - CERTAINTY)])
        for p, sign in zip(corrected, signs, strict=True)
    ]


def elo(
    players: Sequence[str], pairs: Iterable[tuple[str, str, float, Any]]
) -> dict[str, Interval]:
    """Each player's Elo, the mean of all being 0.

    pairs: (one, other, one's points, opening), None for an opening of its own. The model of
    Bradley and Terry (1952): the odds of winning are the ratio of two strengths. Between any two
    players a tenth of a drawn pair is added, without which a player who wins all has no rating. A
    rating's interval goes as far as the player's score does: to where the player, all others left
    as they are, would be expected to score the ends of its interval. `ValueError` if there are
    not two players, or no pair.
    """
    results = list(pairs)
    if len(players) < 2 or not results:
        raise ValueError("a rating needs two players and a pair of games")
    index = {name: number for number, name in enumerate(players)}
    points, met = ([[weight] * len(players) for _ in players] for weight in (ADDED / 2, ADDED))
    sides: list[list[tuple[float, Any]]] = [[] for _ in players]
    for number, (one, other, share, opening) in enumerate(results):
        unit = number if opening is None else opening
        for a, b, won in ((one, other, share), (other, one, 1 - share)):
            points[index[a]][index[b]] += won
            met[index[a]][index[b]] += 1
            sides[index[a]].append((won, unit))
    ratings = strengths(points, met)
    return {
        name: _rating(number, ratings, met[number], sides[number]) for name, number in index.items()
    }


def _rating(
    player: int, ratings: "Floats", met: Sequence[float], pairs: Sequence[tuple[float, Any]]
) -> Interval:
    """A player's Elo. met: the weight of its pairs with each; pairs: their points and openings."""
    import numpy as np
    from scipy.optimize import brentq
    from scipy.special import expit

    others = np.arange(len(ratings)) != player
    weights = np.asarray(met)[others]
    if not pairs:
        return Interval(ELO * float(ratings[player]), float("-inf"), float("inf"))

    def off(shift: float, share: float) -> float:
        ahead = ratings[player] - ratings[others] + shift
        return float(np.average(expit(ahead), weights=weights)) - share

    found = units(*map(list, zip(*pairs, strict=True)))
    added = found.number * ADDED * len(weights) / len(pairs)
    # to be so much better than all others is to be so much better than the mean of all
    above_mean = len(weights) / len(ratings)
    ends = (brentq(off, -FAR, FAR, (share,)) * above_mean for share in found.interval(added))
    return Interval(*(ELO * float(ratings[player] + shift) for shift in (0, *ends)))


def strengths(points: Sequence[Sequence[float]], met: Sequence[Sequence[float]]) -> "Floats":
    """The log strengths, 0 in the mean, at which all are expected to score what they did.

    points: of each player against each, in `met` pairs; what is on the diagonals is not read.
    By Newton's method.
    """
    import numpy as np
    from scipy.special import expit

    apart = 1 - np.eye(len(met))
    scored, weights = np.asarray(points) * apart, np.asarray(met) * apart
    found = np.zeros(len(met))
    while True:
        share = expit(found[:, None] - found)
        curvature = weights * share * (1 - share)
        hessian = np.diag(curvature.sum(axis=1)) - curvature + 1 / len(met)
        step = np.linalg.solve(hessian, (scored - weights * share).sum(axis=1))
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            centred: Floats = found - found.mean()
            return centred
