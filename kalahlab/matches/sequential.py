"""Sequential tests on pairs of games: a match that stops when it is decided.

Two hypotheses are compared: the first player is stronger by `low` points of normalized Elo, or by
`high` points. Normalized Elo is the mean score less 1/2, in standard deviations of the score of a
game, times 800 / ln 10; for players of nearly equal strength who seldom draw it is about Elo. The
generalized log-likelihood ratio (LLR) of the hypotheses is computed from the counts of the five
outcomes of a pair of games. The likelihood of a hypothesis is that of the best-fitting distribution
of outcomes for which the hypothesis is true. The bounds are Wald's (1945) for errors of 5 % on
either side. `benchmarks/sequential.py` simulates how often the test errs; its results are in
`data/sequential.csv`.

Sources: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics
16 (1945), 117-186; M. Van den Bergh, "Normalized Elo" (2020), for the ratio.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

NORMALIZED = 800 / log(10)  # points of normalized Elo to a standard deviation of a game's score
# The outcomes of a pair of games: the points of the first player, see `play_pair`.
POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
ERRORS = 0.05  # the probability with which each hypothesis may be rejected although it is true
BATCH = 16  # the number of pairs that are played before the ratio is computed again
ABSENT = 1e-3  # the count of an outcome that has not occurred, so that it stays possible

Floats = NDArray[np.float64]


@dataclass
class Sequential:
    """The test of `low` against `high`, in points of normalized Elo.

    Attributes:
        low: The lower hypothesis.
        high: The higher hypothesis; `ValueError` unless low < high.
        counts: The number of pairs with each outcome of `POINTS`.
        bound: The LLR that accepts `high`; its negative accepts `low`.
    """

    low: float
    high: float
    counts: list[int] = field(default_factory=lambda: [0] * len(POINTS))
    bound: ClassVar[float] = log((1 - ERRORS) / ERRORS)

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"bounds {self.low:g},{self.high:g} must have the lower one first")

    def add(self, points: Iterable[float]) -> None:
        """Count the points of pairs, each one of `POINTS`."""
        for points_of_pair in points:
            self.counts[POINTS.index(points_of_pair)] += 1

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the counts."""
        return float(log_likelihood_ratio(self.counts, self.low, self.high))

    @property
    def verdict(self) -> str:
        """The accepted hypothesis, `low` or `high`, or `undecided`."""
        ratio = self.llr
        if abs(ratio) < self.bound:
            return "undecided"
        return "high" if ratio > 0 else "low"

    def row(self) -> dict[str, Any]:
        """Return the test and its result for the JSON of a match.

        Columns:
            sprt: The two hypotheses.
            outcomes: The number of pairs with each outcome of `POINTS`.
            llr: The log-likelihood ratio.
            llr_bound: The ratio that accepts `high`; its negative accepts `low`.
            verdict: The verdict in words.
        """
        low, high = _format_elo(self.low), _format_elo(self.high)
        verdicts = {
            "low": f"decided for {low} against {high}: a difference of {high} or more is rejected; "
            f"that it is {low} or less is not shown",
            "high": f"decided for {high} against {low}: a difference of {low} or less is rejected; "
            f"that it is {high} or more is not shown",
            "undecided": f"undecided between {low} and {high}",
        }
        test = {"sprt": [self.low, self.high], "outcomes": self.counts}
        return test | {"llr": self.llr, "llr_bound": self.bound, "verdict": verdicts[self.verdict]}


def _format_elo(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"


def log_likelihood_ratio(counts: ArrayLike, low: float, high: float) -> Floats:
    """Return the log-likelihood ratio of `high` against `low`.

    Args:
        counts: The numbers of a pair's five outcomes in one match, or in many: of shape (..., 5).
        low: The lower hypothesis, in points of normalized Elo.
        high: The higher hypothesis.

    Returns:
        The ratios, of shape (...); a positive ratio supports `high`.
    """
    counts = np.asarray(counts, float)
    counts = np.where(counts == 0, ABSENT, counts)
    shares = counts / counts.sum(-1, keepdims=True)
    # Normalized Elo is in standard deviations of a game. The score of a pair is the mean of two
    # games: its standard deviation is smaller by the factor sqrt(2).
    fit_of_low, fit_of_high = (_best_fit(shares, sqrt(2) * elo / NORMALIZED) for elo in (low, high))
    ratios: Floats = (counts * np.log(fit_of_high / fit_of_low)).sum(-1)
    return ratios


def _best_fit(shares: Floats, distance: float) -> Floats:
    """Return the most likely distributions of outcomes under the condition on their means.

    The condition: the mean is `distance` standard deviations above 1/2. It is not linear, so each
    step replaces it by its tangent at the fit of the step before.
    """
    points = np.array(POINTS)
    fit = np.full_like(shares, 1 / len(POINTS))
    for _ in range(50):
        centered = points - (fit @ points)[..., None]
        deviation = np.sqrt((fit * centered**2).sum(-1, keepdims=True))
        spread = (1 + (centered / deviation) ** 2) / 2
        last = fit
        fit = _fit_on_line(shares, points - 0.5 - distance * deviation * spread)
        if np.abs(last - fit).max() < 1e-9:
            break
    return fit


def _fit_on_line(shares: Floats, tangent: Floats) -> Floats:
    """Return the most likely distributions under which the mean of `tangent` is 0, by Lagrange.

    The distributions are shares / (1 + factor * tangent). Newton's method finds the factor, which
    is kept between two bounds: a step that leads out of them is replaced by their middle.
    """
    # Between these factors all probabilities are positive.
    low = -1 / tangent.max(-1, keepdims=True)
    high = -1 / tangent.min(-1, keepdims=True)
    tolerance = 1e-13 * (high - low)
    factor = np.zeros_like(low)
    for _ in range(200):
        fit = shares / (1 + factor * tangent)
        mean = (fit * tangent).sum(-1, keepdims=True)  # it falls as the factor grows
        low = np.where(mean > 0, factor, low)
        high = np.where(mean > 0, high, factor)
        step = factor + mean / (fit**2 / shares * tangent**2).sum(-1, keepdims=True)
        last = factor
        factor = np.where((low < step) & (step < high), step, (low + high) / 2)
        if np.all(np.abs(last - factor) < tolerance):
            break
    return np.asarray(shares / (1 + factor * tangent))


def play_until_decided(
    test: Sequential, pairs: Sequence[Any], play: Callable[[Sequence[Any]], pd.DataFrame]
) -> pd.DataFrame:
    """Play pairs up to the batch that decides the test, add them to it, and return the games.

    Args:
        test: The test.
        pairs: The pairs, in the order of playing.
        play: Plays a batch of pairs, in their order. Batches have the same size in every run, so
            that the games do not depend on the number of pairs played at once.
    """
    batches = []
    for start in range(0, len(pairs), BATCH):
        games = play(pairs[start : start + BATCH])
        batches.append(games)
        test.add(games["points"])
        if test.verdict != "undecided":
            break
    return pd.concat(batches, ignore_index=True)
