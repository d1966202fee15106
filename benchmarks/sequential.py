"""How often the sequential test of a match errs, and how many pairs it takes.

    python benchmarks/sequential.py [--matches 2000] [--seed 1]

Each match is simulated from independent pairs whose five outcomes have fixed probabilities: those
of two equal games of which a share is drawn, moved until the normalized Elo is the one wanted. At
the test's lower bound `high` is an error, at the upper one `low` is.
"""

import argparse

import numpy as np
from scipy.optimize import brentq

from kalahlab.matches.sequential import BATCH, ERRORS, NORMALIZED, POINTS, Sequential

BOUNDS = ((0.0, 20.0), (0.0, 50.0), (0.0, 100.0), (-50.0, 50.0))
DRAWS = (0.0, 0.1, 0.5, 0.9)


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


def decided(
    rng: np.random.Generator, shares: np.ndarray, low: float, high: float
) -> tuple[bool, int]:
    """Whether a simulated match ends with `high`, and after how many pairs."""
    test = Sequential(low, high)
    while test.verdict == "undecided":
        for outcome, count in enumerate(rng.multinomial(BATCH, shares)):
            test.counts[outcome] += int(count)
    return test.verdict == "high", sum(test.counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=2000, help="a cell")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    print(f"errors allowed: {ERRORS:.3f}; {given.matches} matches a cell")
    for low, high in BOUNDS:
        for draws in DRAWS:
            for truth in (low, high):
                found = [
                    decided(rng, outcomes(truth, draws), low, high) for _ in range(given.matches)
                ]
                wrong = np.mean([ends_high != (truth == high) for ends_high, _ in found])
                pairs = np.mean([pairs for _, pairs in found])
                print(
                    f"bounds {low:4.0f},{high:4.0f}  draws {draws:.1f}  true {truth:4.0f}: "
                    f"errors {wrong:.3f}, {pairs:8.0f} pairs on average",
                    flush=True,
                )


if __name__ == "__main__":
    main()
