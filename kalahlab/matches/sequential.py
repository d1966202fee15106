"""Sequential tests on pairs of games: a match that stops when it is decided.

Two hypotheses are compared: the first player is `low`, or `high`, points of normalized Elo
stronger. Normalized Elo is the mean score less 1/2, in standard deviations of the score of a game,
times 800 / ln 10; between near equals who draw seldom it is about Elo. The generalized
log-likelihood ratio (LLR) of the hypotheses is computed from the five outcomes of a pair: each
hypothesis is judged at the distribution over them that fits best under it. The bounds are Wald's
(1945) for errors of 5 % on either side. `benchmarks/sequential.py` simulates how often the test
errs; its results are in `data/sequential.csv`.

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
POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, for the first player: a share of the two games
ERRORS = 0.05  # how often each of the hypotheses may be rejected though it is true
BATCH = 16  # pairs between two looks at the ratio
ABSENT = 1e-3  # the count of an outcome that has not occurred, so that it stays possible

Floats = NDArray[np.float64]


@dataclass
class Sequential:
    """The test of `low` against `high`, in points of normalized Elo.

    Attributes:
        low: The lower hypothesis.
        high: The higher hypothesis; `ValueError` unless low < high.
        counts: The numbers of the five outcomes of a pair, from both games lost to both won.
        bound: The LLR that accepts `high`; its negative accepts `low`.
    """

    low: float
    high: float
    counts: list[int] = field(default_factory=lambda: [0] * len(POINTS))
    bound: ClassVar[float] = log((1 - ERRORS) / ERRORS)

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"bounds {self.low:g},{self.high:g}; the first must be the lower one")

    def add(self, points: Iterable[float]) -> None:
        """Count the points of pairs, each one of `POINTS`."""
        for share in points:
            self.counts[POINTS.index(share)] += 1

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
        """Return the test and its result as columns, the verdict in words."""
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
        The ratios, of shape (...); positive ones speak for `high`.
    """
    counts = np.asarray(counts, float)
    counts = np.where(counts == 0, ABSENT, counts)
    shares = counts / counts.sum(-1, keepdims=True)
    # the score of a pair, the mean of two games, spreads less than that of a game by sqrt(2)
    fit_of_low, fit_of_high = (_best_fit(shares, sqrt(2) * elo / NORMALIZED) for elo in (low, high))
    ratios: Floats = (counts * np.log(fit_of_high / fit_of_low)).sum(-1)
    return ratios


def _best_fit(shares: Floats, distance: float) -> Floats:
    """Return the most likely distributions with means this many standard deviations above 1/2.

    The condition is not linear: it is replaced by its tangent at the last fit, repeatedly.
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

    They are shares / (1 + factor * tangent). The factor is found by Newton's method; a step that
    leads out of the bounds is replaced by their middle.
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
