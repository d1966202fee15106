"""Betsy's heuristics beside one another, and rivals for the weights of its program."""

from collections.abc import Iterable, Sequence
from itertools import islice
from math import inf
from random import Random
from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.betsy import (
    EVALUATORS,
    HEURISTICS,
    PUBLISHED_WEIGHTS,
    Weighted,
    leaf_value,
    leaf_value_in_words,
)
from kalahlab.games.betsy import Betsy, State
from kalahlab.search import alpha_beta, deepening

CHOICES = (-1, 0, 0, 1, 2)
"""What a weight drawn at random may be."""

RATIOS = ((3, 1), (2, 1), (1, 1), (1, 2), (1, 3))
"""Weights of the distance to a row and of the distance to a column, tried without the others."""


def values(board: Sequence[float], player: int) -> list[dict[str, Any]]:
    """Each heuristic on a board: its weight, its value in the program and in the text."""
    return [
        {
            "heuristic": name,
            "weight": weight,
            "in the program": heuristic(board, player),
            "in the text": EVALUATORS.get(f"{name}_in_words", heuristic)(board, player),
        }
        for (name, heuristic), weight in zip(HEURISTICS.items(), PUBLISHED_WEIGHTS, strict=True)
    ]


def weighing(**weights: float) -> Weighted:
    """The heuristics named, with their weights, and no others."""
    return Weighted(tuple((dict.fromkeys(HEURISTICS, 0.0) | weights).values()))


def published(**changed: float) -> Weighted:
    """The program's combination with some weights changed."""
    return weighing(**(dict(zip(HEURISTICS, PUBLISHED_WEIGHTS, strict=True)) | changed))


def rivals() -> dict[str, Evaluator]:
    """What to try against the program's combination.

    Each heuristic alone; the two distances, which the report thinks best, in several ratios;
    all seven alike; the program's four without one of them; and the text's reading of the four.
    """
    alone = {f"{name} alone": weighing(**{name: 1}) for name in HEURISTICS}
    used = [name for name, weight in zip(HEURISTICS, PUBLISHED_WEIGHTS, strict=True) if weight]
    return {
        **alone,
        **{
            f"distances {row}:{column}": weighing(distance_to_row=row, distance_to_column=column)
            for row, column in RATIOS
        },
        "all seven alike": weighing(**dict.fromkeys(HEURISTICS, 1)),
        **{f"without {name}": published(**{name: 0}) for name in used},
        "the text's reading": leaf_value_in_words,
    }


def by_lot(number: int, seed: int) -> dict[str, Weighted]:
    """So many different weights drawn at random from `CHOICES`, each named by its weights."""
    chance, found = Random(seed), dict[str, Weighted]()
    while len(found) < number:
        weights = tuple(chance.choices(CHOICES, k=len(HEURISTICS)))
        if any(weights):
            found[" ".join(map(str, weights))] = Weighted(weights)
    return found


def largest(states: Iterable[State]) -> float:
    """The leaf value farthest from 0, of either side, in these positions."""
    return max(abs(leaf_value(state.board, side)) for state in states for side in (0, 1))


def answers(game: Betsy, state: State, depth: int) -> list[dict[str, Any]]:
    """What the report's program answers at each depth: alpha-beta with the printed leaf value."""
    found = islice(deepening(alpha_beta, game, state, leaf_value, inf), depth)
    return [
        {"depth": at, "move": each.move, "value": each.value, "nodes visited": each.counts.visited}
        for at, each in enumerate(found, start=1)
    ]
