"""Measure the coverage of the intervals of scores and of Elo: pairs × draws × opening effects.

    python benchmarks/intervals.py [--matches 2000] [--tournaments 300]

A match: each opening gives one side an advantage, normal in log odds with a given deviation, so
that 8 means that the opening decides the game, and each of its two games is then won, drawn or
lost independently. The share of draws is the given one, or as large as the expected score allows.
The strength is set so that the true score has a given value. Coverage is shown for the true score,
of .50 to .97, at which it is the lowest; lower true scores are symmetric. An interval's width is
the mean over all true scores.

A tournament: every two players meet once from each opening, and each player is better or worse in
an opening, in all of its matches, by a normal deviate in log odds. The truth is what a tournament
of very many openings gives. Coverage is that of the player for whom it is the lowest.
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, ndtri

from kalahlab.matches.rating import elo, score_interval

POINTS = np.array([0, 0.25, 0.5, 0.75, 1])
TRUTHS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97)
PAIRS = (4, 8, 16, 32, 64)
DRAWS = (0.0, 0.3, 0.7)
EFFECTS = (0.0, 1.0, 3.0, 8.0)
FIELDS = {"equal": [0.0] * 3, "spread": [1.5, 0.5, -0.3, -1.7], "wide": [3.0, 0.0, 0.0, -3.0]}

Floats = NDArray[np.float64]
NORMAL: Floats = ndtri((np.arange(201) + 0.5) / 201)


def outcomes(share: Floats, draws: float) -> Floats:
    """Return the probabilities of a loss, a draw and a win, by the expected score."""
    draw = np.minimum(draws, 2 * np.minimum(share, 1 - share))
    return np.stack([1 - share - draw / 2, draw, share - draw / 2])


def pair_outcomes(strength: float, effect: float, draws: float) -> Floats:
    """Return the probabilities of a pair's `POINTS`, over all openings."""
    first, second = (outcomes(expit(strength + sign * effect * NORMAL), draws) for sign in (1, -1))
    probabilities = np.zeros(len(POINTS))
    for one, other in product(range(3), repeat=2):
        probabilities[one + other] += (first[one] * second[other]).mean()
    return probabilities / probabilities.sum()


def pairs_at(truth: float, effect: float, draws: float) -> Floats:
    """Return the probabilities of a pair's `POINTS` whose expected score is the truth."""

    def error(strength: float) -> float:
        return float(pair_outcomes(strength, effect, draws) @ POINTS) - truth

    return pair_outcomes(brentq(error, -60, 60), effect, draws)


def interval_of_score(points: list[float]) -> tuple[float, float]:
    return score_interval(points)[1:]


def interval_of_elo(points: list[float]) -> tuple[float, float]:
    """Return the interval of the first of two players' Elo, as an expected score."""
    rating = elo(("a", "b", share, None) for share in points)["a"]
    low, high = (1 / (1 + 10 ** (-2 * end / 400)) for end in rating[1:])
    return low, high


def measure_matches(
    interval: Callable[[list[float]], tuple[float, float]], number: int, rng: Any
) -> Iterator[dict[str, Any]]:
    """Yield the table of matches, a row for each number of pairs, share of draws and effect."""
    for pairs, draws, effect in product(PAIRS, DRAWS, EFFECTS):
        coverages, widths = [], []
        for truth in TRUTHS:
            counts = rng.multinomial(pairs, pairs_at(truth, effect, draws), number)
            covered, width = 0, 0.0
            for result, times in zip(*np.unique(counts, axis=0, return_counts=True), strict=True):
                low, high = interval(np.repeat(POINTS, result).tolist())
                if low - 1e-9 <= truth <= high + 1e-9:
                    covered += times
                width += times * (high - low)
            coverages.append(covered / number)
            widths.append(width / number)
        worst = min(coverages)
        yield {
            "pairs": pairs,
            "draws": draws,
            "effect": effect,
            "lowest": worst,
            "at": TRUTHS[coverages.index(worst)],
            "mean": np.mean(coverages),
            "width": np.mean(widths),
        }


def play_pairs_at_random(
    strengths: list[float], openings: int, deviation: float, draws: float, rng: Any
) -> list[tuple[str, str, float, int]]:
    """Draw the results of the pairs of a tournament."""
    skills = np.array(strengths) + rng.normal(0, deviation, (openings, len(strengths)))
    advantage = rng.normal(0, 1, openings)
    results = []
    for one, other in combinations(range(len(strengths)), 2):
        points = np.zeros(openings)
        for sign in (1, -1):
            difference = skills[:, one] - skills[:, other] + sign * advantage
            loss, draw, _ = outcomes(expit(difference), draws)
            numbers = rng.random(openings)
            points += np.where(numbers >= loss + draw, 1.0, np.where(numbers >= loss, 0.5, 0.0))
        results += [(f"{one}", f"{other}", share / 2, n) for n, share in enumerate(points)]
    return results


def measure_tournaments(number: int, rng: Any) -> Iterator[dict[str, Any]]:
    """Yield the table of tournaments, a row for each field, number of openings and deviation."""
    for (field, strengths), openings, deviation in product(FIELDS.items(), (8, 32), (0.0, 1.0)):
        names = [f"{player}" for player in range(len(strengths))]
        truth = elo(play_pairs_at_random(strengths, 20000, deviation, 0.2, rng))
        covered = np.zeros(len(names))
        for _ in range(number):
            ratings = elo(play_pairs_at_random(strengths, openings, deviation, 0.2, rng))
            covered += [
                ratings[name].low <= truth[name].mean <= ratings[name].high for name in names
            ]
        yield {
            "field": field,
            "openings": openings,
            "deviation": deviation,
            "lowest": covered.min() / number,
            "mean": covered.mean() / number,
        }


def show(title: str, rows: Iterator[dict[str, Any]]) -> None:
    """Print the rows of a table as soon as they are computed."""
    print(title)
    for number, row in enumerate(rows):
        if number == 0:
            print("".join(f"{name:>10}" for name in row))
        cells = [f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row.values()]
        print("".join(f"{cell:>10}" for cell in cells), flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=2000, help="a cell")
    parser.add_argument("--tournaments", type=int, default=300, help="a row")
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    show("score", measure_matches(interval_of_score, args.matches, rng))
    show("Elo of two players", measure_matches(interval_of_elo, args.matches, rng))
    show("Elo in a tournament", measure_tournaments(args.tournaments, rng))


if __name__ == "__main__":
    main()
