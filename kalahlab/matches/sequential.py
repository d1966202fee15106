"""A match that stops when it is decided: a sequential test on pairs of games.

Two hypotheses are compared: the first player is `low`, or `high`, points of normalized Elo
stronger. Normalized Elo is the mean score less 1/2, in standard deviations of the score of a game,
times 800 / ln 10; between near equals who draw seldom it is about Elo. The generalized
log-likelihood ratio (LLR) of the hypotheses is computed from the five outcomes of a pair: each
hypothesis is judged at the distribution over them that fits best under it. The bounds are Wald's
(1945) for errors of 5 % on either side. `benchmarks/sequential.py` simulates how often it errs, and
`data/sequential.csv` keeps that.

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
    """The test of `low` against `high`; `ValueError` unless low < high. counts: of the five
    outcomes of a pair, from both games lost to both won. bound: the LLR that accepts `high`."""

    low: float
    high: float
    counts: list[int] = field(default_factory=lambda: [0] * len(POINTS))
    bound: ClassVar[float] = log((1 - ERRORS) / ERRORS)

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"bounds {self.low:g},{self.high:g}; the first must be the lower one")

    def add(self, points: Iterable[float]) -> None:
        for each in points:
            self.counts[POINTS.index(each)] += 1

    @property
    def llr(self) -> float:
        return float(log_likelihood_ratio(self.counts, self.low, self.high))

    @property
    def verdict(self) -> str:
        ratio = self.llr
        return "undecided" if abs(ratio) < self.bound else "high" if ratio > 0 else "low"

    def row(self) -> dict[str, Any]:
        low, high = (f"{each:+g}" if each else "0" for each in (self.low, self.high))
        words = {
            "low": f"decided for {low} against {high}: a difference of {high} or more is rejected; "
            f"that it is {low} or less is not shown",
            "high": f"decided for {high} against {low}: a difference of {low} or less is rejected; "
            f"that it is {high} or more is not shown",
            "undecided": f"undecided between {low} and {high}",
        }
        test = {"sprt": [self.low, self.high], "outcomes": self.counts}
        return test | {"llr": self.llr, "llr_bound": self.bound, "verdict": words[self.verdict]}


def log_likelihood_ratio(counts: ArrayLike, low: float, high: float) -> Floats:
    """By how much the counts of a pair's five outcomes speak for `high` against `low`.

    counts: of one match, or of many, of shape (..., 5); the ratios are of shape (...).
    """
    found = np.asarray(counts, float)
    kept = np.where(found == 0, ABSENT, found)
    shares = kept / kept.sum(-1, keepdims=True)
    # the score of a pair, the mean of two games, spreads less than that of a game by sqrt(2)
    less, more = (_best_fit(shares, sqrt(2) * elo / NORMALIZED) for elo in (low, high))
    ratios: Floats = (kept * np.log(more / less)).sum(-1)
    return ratios


def _best_fit(shares: Floats, wanted: float) -> Floats:
    """The most likely distributions whose means are `wanted` standard deviations above 1/2. The
    condition is not linear: it is replaced by its tangent at the last fit, again and again."""
    points = np.array(POINTS)
    fit = np.full_like(shares, 1 / len(POINTS))
    for _ in range(50):
        off = points - (fit @ points)[..., None]
        deviation = np.sqrt((fit * off**2).sum(-1, keepdims=True))
        spread = (1 + (off / deviation) ** 2) / 2
        last, fit = fit, _fit_on_line(shares, points - 0.5 - wanted * deviation * spread)
        if np.abs(last - fit).max() < 1e-9:
            break
    return fit


def _fit_on_line(shares: Floats, tangent: Floats) -> Floats:
    """The most likely distributions under which the mean of `tangent` is 0, by Lagrange.

    They are shares / (1 + factor * tangent). The factor is found by Newton's method; where a step
    leads out of the bounds that are known, they are halved instead.
    """
    least, most = -1 / tangent.max(-1, keepdims=True), -1 / tangent.min(-1, keepdims=True)
    near, factor = 1e-13 * (most - least), np.zeros_like(least)
    for _ in range(200):
        fit = shares / (1 + factor * tangent)
        mean = (fit * tangent).sum(-1, keepdims=True)  # it falls as the factor grows
        least, most = np.where(mean > 0, factor, least), np.where(mean > 0, most, factor)
        step = factor + mean / (fit**2 / shares * tangent**2).sum(-1, keepdims=True)
        last, factor = factor, np.where((least < step) & (step < most), step, (least + most) / 2)
        if np.all(np.abs(last - factor) < near):
            break
    return np.asarray(shares / (1 + factor * tangent))


def play_until_decided(
    test: Sequential, pairs: Sequence[Any], play: Callable[[Sequence[Any]], pd.DataFrame]
) -> pd.DataFrame:
    """The games of the pairs up to the batch that decides the test, which is fed with them.

    play: plays some pairs, in their order. It gets a batch at a time, so that the games do not
    depend on how many are played at once.
    """
    batches = []
    for start in range(0, len(pairs), BATCH):
        batches.append(play(pairs[start : start + BATCH]))
        test.add(batches[-1]["points"])
        if test.verdict != "undecided":
            break
    return pd.concat(batches, ignore_index=True)
