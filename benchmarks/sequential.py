"""How often the sequential test of a match errs, and how many pairs it takes.

    python benchmarks/sequential.py [data/sequential.csv] [--matches 2000] [--seed 1]

Each match is simulated from independent pairs whose five outcomes have fixed probabilities: those
of two equal games of which a share is drawn, moved until the normalized Elo is the one wanted. At
the test's lower bound `high` is an error, at the upper one `low` is.
"""

import argparse
import csv
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binomtest

from kalahlab.matches.sequential import (
    BATCH,
    NORMALIZED,
    POINTS,
    Sequential,
    log_likelihood_ratio,
)
from kalahlab.parallel import Row

BOUNDS = ((0, 20), (0, 50), (0, 100), (-50, 50))
DRAWS = (0.0, 0.1, 0.5, 0.9)
CELLS = [
    (low, high, draws, truth)
    for (low, high), draws in product(BOUNDS, DRAWS)
    for truth in (low, high)
]


def outcomes(elo: float, draws: float) -> np.ndarray:
    """The probabilities of a pair's outcomes at a normalized Elo."""

    def pair(won: float) -> np.ndarray:
        game = np.array([1 - draws - won, draws, won])
        return np.convolve(game, game)

    def off(won: float) -> float:
        shares = pair(won)
        mean = shares @ POINTS
        deviation = np.sqrt(shares @ (np.array(POINTS) - mean) ** 2)
        return float((mean - 0.5) / deviation - np.sqrt(2) * elo / NORMALIZED)

    return pair(brentq(off, 1e-9, 1 - draws - 1e-9))


def decide(
    rng: np.random.Generator, shares: np.ndarray, low: float, high: float, matches: int
) -> np.ndarray:
    """The counts of the outcomes with which each simulated match is decided."""
    ended, counts = [], np.zeros((matches, len(POINTS)), int)
    while len(counts):
        counts = counts + rng.multinomial(BATCH, shares, size=len(counts))
        done = np.abs(log_likelihood_ratio(counts, low, high)) >= Sequential(low, high).bound
        ended.append(counts[done])
        counts = counts[~done]
    return np.concatenate(ended)


def simulate(number: int, matches: int, seed: int) -> Row:
    """The errors of a cell, with their interval by Clopper and Pearson, and the pairs it takes."""
    low, high, draws, truth = CELLS[number]
    rng = np.random.default_rng([seed, number])
    counts = decide(rng, outcomes(truth, draws), low, high, matches)
    wrong = int(((log_likelihood_ratio(counts, low, high) > 0) != (truth == high)).sum())
    within = binomtest(wrong, matches).proportion_ci(method="exact")
    return {
        "low": low,
        "high": high,
        "draws": draws,
        "truth": truth,
        "matches": matches,
        "errors": wrong,
        "error": f"{wrong / matches:.4f}",
        "error_low": f"{within.low:.4f}",
        "error_high": f"{within.high:.4f}",
        "pairs": f"{counts.sum() / matches:.1f}",
    }


def rows(matches: int, seed: int) -> Iterator[Row]:
    """Each cell, printed as it comes."""
    for number in range(len(CELLS)):
        yield (row := simulate(number, matches, seed))
        print(*row.values(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", help="a CSV file")
    parser.add_argument("--matches", type=int, default=2000, help="a cell")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = list(rows(given.matches, given.seed))
    if given.out:
        with given.out.open("w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, list(found[0]), lineterminator="\n")
            out.writeheader()
            out.writerows(found)


if __name__ == "__main__":
    main()
