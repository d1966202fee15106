"""Measure the error rate of the sequential test of a match, and the pairs that it takes.

    python benchmarks/sequential.py [data/sequential.csv] [--matches 2000] [--seed 1]

Each match is simulated from independent pairs whose five outcomes have fixed probabilities: those
of two equal games with a share of draws, shifted until the normalized Elo has a given value. At the
test's lower bound the verdict `high` is an error, at the upper one `low`.
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
    """Return the probabilities of a pair's outcomes at a normalized Elo."""

    def pair(wins: float) -> np.ndarray:
        game = np.array([1 - draws - wins, draws, wins])
        return np.convolve(game, game)

    def error(wins: float) -> float:
        shares = pair(wins)
        mean = shares @ POINTS
        deviation = np.sqrt(shares @ (np.array(POINTS) - mean) ** 2)
        return float((mean - 0.5) / deviation - np.sqrt(2) * elo / NORMALIZED)

    return pair(brentq(error, 1e-9, 1 - draws - 1e-9))


def decide(
    rng: np.random.Generator, shares: np.ndarray, low: float, high: float, matches: int
) -> np.ndarray:
    """Simulate matches until each is decided; return the counts of their outcomes."""
    decided, counts = [], np.zeros((matches, len(POINTS)), int)
    while len(counts):
        counts = counts + rng.multinomial(BATCH, shares, size=len(counts))
        done = np.abs(log_likelihood_ratio(counts, low, high)) >= Sequential(low, high).bound
        decided.append(counts[done])
        counts = counts[~done]
    return np.concatenate(decided)


def simulate(number: int, matches: int, seed: int) -> Row:
    """Simulate the matches of a cell.

    Returns:
        The errors, with their interval by Clopper and Pearson, and the mean number of pairs.
    """
    low, high, draws, truth = CELLS[number]
    rng = np.random.default_rng([seed, number])
    counts = decide(rng, outcomes(truth, draws), low, high, matches)
    is_high = log_likelihood_ratio(counts, low, high) > 0
    wrong = int((is_high != (truth == high)).sum())
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
    """Simulate all cells, and print the row of each."""
    for number in range(len(CELLS)):
        row = simulate(number, matches, seed)
        yield row
        print(*row.values(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", help="a CSV file")
    parser.add_argument("--matches", type=int, default=2000, help="a cell")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    table = list(rows(args.matches, args.seed))
    if args.out:
        with args.out.open("w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, list(table[0]), lineterminator="\n")
            out.writeheader()
            out.writerows(table)


if __name__ == "__main__":
    main()
