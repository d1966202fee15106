"""How often the intervals of scores and of Elo hold the truth: pairs × draws × opening effects.

    python benchmarks/intervals.py [--matches 2000] [--tournaments 300]

A match: each opening gives one side an advantage, normal in log odds with the deviation given, so
that 8 means that the opening decides the game, and each of its two games is then won, drawn or
lost independently. Draws are at most the share given, and as many as the expected score leaves
space for. The strength is set so that the true score is what it is said to be. Coverage is
shown for the true score at which it is the lowest, of .50 to .97; from the other side all is the
same. An interval's width is the mean over all true scores.

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
    """Lost, drawn, won: the probabilities of a game, by the expected score."""
    drawn = np.minimum(draws, 2 * np.minimum(share, 1 - share))
    return np.stack([1 - share - drawn / 2, drawn, share - drawn / 2])


def pair_outcomes(strength: float, effect: float, draws: float) -> Floats:
    """The probabilities of a pair's `POINTS`, over all openings."""
    sides = [outcomes(expit(strength + sign * effect * NORMAL), draws) for sign in (1, -1)]
    found = np.zeros(len(POINTS))
    for one, other in product(range(3), repeat=2):
        found[one + other] += (sides[0][one] * sides[1][other]).mean()
    return found / found.sum()


def pairs_at(truth: float, effect: float, draws: float) -> Floats:
    """Those at which the expected score is the truth."""

    def off(strength: float) -> float:
        return float(pair_outcomes(strength, effect, draws) @ POINTS) - truth

    return pair_outcomes(brentq(off, -60, 60), effect, draws)


def of_score(points: list[float]) -> tuple[float, float]:
    return score_interval(points)[1:]


def of_elo(points: list[float]) -> tuple[float, float]:
    """The interval of the first of two players, as an expected score."""
    found = elo(("a", "b", each, None) for each in points)["a"]
    return tuple(1 / (1 + 10 ** (-2 * end / 400)) for end in found[1:])  # type: ignore[return-value]


def matches(
    interval: Callable[[list[float]], tuple[float, float]], number: int, chance: Any
) -> Iterator[dict[str, Any]]:
    """The table of matches, a row for each number of pairs, share of draws and effect."""
    for pairs, draws, effect in product(PAIRS, DRAWS, EFFECTS):
        coverages, widths = [], []
        for truth in TRUTHS:
            counts = chance.multinomial(pairs, pairs_at(truth, effect, draws), number)
            held, width = 0, 0.0
            for found, times in zip(*np.unique(counts, axis=0, return_counts=True), strict=True):
                low, high = interval(np.repeat(POINTS, found).tolist())
                held += times * (low - 1e-9 <= truth <= high + 1e-9)
                width += times * (high - low)
            coverages.append(held / number)
            widths.append(width / number)
        worst = min(coverages)
        at = TRUTHS[coverages.index(worst)]
        yield {"pairs": pairs, "draws": draws, "effect": effect, "lowest": worst, "at": at,
               "mean": np.mean(coverages), "width": np.mean(widths)}  # fmt: skip


def play_pairs_at_random(
    strengths: list[float], openings: int, deviation: float, draws: float, chance: Any
) -> list[tuple[str, str, float, int]]:
    """The pairs of a tournament."""
    now = np.array(strengths) + chance.normal(0, deviation, (openings, len(strengths)))
    favour = chance.normal(0, 1, openings)
    results = []
    for one, other in combinations(range(len(strengths)), 2):
        points = np.zeros(openings)
        for sign in (1, -1):
            odds = outcomes(expit(now[:, one] - now[:, other] + sign * favour), draws)
            thrown = chance.random(openings)
            points += (thrown >= odds[0]) / 2 + (thrown >= odds[0] + odds[1]) / 2
        results += [(f"{one}", f"{other}", each / 2, n) for n, each in enumerate(points)]
    return results


def tournaments(number: int, chance: Any) -> Iterator[dict[str, Any]]:
    """The table of tournaments, a row for each field, number of openings and deviation."""
    for (field, strengths), openings, deviation in product(FIELDS.items(), (8, 32), (0.0, 1.0)):
        names = [f"{player}" for player in range(len(strengths))]
        truth = elo(play_pairs_at_random(strengths, 20000, deviation, 0.2, chance))
        held = np.zeros(len(names))
        for _ in range(number):
            found = elo(play_pairs_at_random(strengths, openings, deviation, 0.2, chance))
            held += [found[name].low <= truth[name].mean <= found[name].high for name in names]
        yield {"field": field, "openings": openings, "deviation": deviation,
               "lowest": held.min() / number, "mean": held.mean() / number}  # fmt: skip


def show(title: str, rows: Iterator[dict[str, Any]]) -> None:
    """Print a table as its rows come."""
    print(title)
    for number, row in enumerate(rows):
        if number == 0:
            print("".join(f"{name:>10}" for name in row))
        cells = (f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row.values())
        print("".join(f"{cell:>10}" for cell in cells), flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=2000, help="a cell")
    parser.add_argument("--tournaments", type=int, default=300, help="a row")
    given = parser.parse_args()
    chance = np.random.default_rng(1)
    show("score", matches(of_score, given.matches, chance))
    show("Elo of two players", matches(of_elo, given.matches, chance))
    show("Elo in a tournament", tournaments(given.tournaments, chance))


if __name__ == "__main__":
    main()
