"""Static evaluators: plain functions (board, player) -> number.

`board` is the state's numbers and the answer is how good they look for `player`. An evaluator of
Kalah loops, indexes and sums, nothing more, so that the same function object can be compiled.

As a rule an evaluator does not know who is to move: a search asks it for MAX. One marked with
`for_mover` is asked for the player to move, and negated if that is not MAX (`static_value`).
"""

from collections.abc import Callable, Sequence

Evaluator = Callable[[Sequence[float], int], float]


def for_mover(evaluator: Evaluator) -> Evaluator:
    """Mark an evaluator whose `player` is the player to move; the same function object."""
    evaluator.of_mover = True  # type: ignore[attr-defined]
    return evaluator


def is_for_mover(evaluator: Evaluator) -> bool:
    return bool(getattr(evaluator, "of_mover", False))


def inexact(evaluator: Evaluator) -> Evaluator:
    """Mark an evaluator that need be neither antisymmetric nor right about finished games."""
    evaluator.rough = True  # type: ignore[attr-defined]
    return evaluator


def is_inexact(evaluator: Evaluator) -> bool:
    return bool(getattr(evaluator, "rough", False))


def by_name(*evaluators: Evaluator) -> dict[str, Evaluator]:
    return {each.__name__: each for each in evaluators}


def static_value(evaluator: Evaluator, board: Sequence[float], mover: int, player: int) -> float:
    if mover == player or not is_for_mover(evaluator):
        return evaluator(board, player)
    return -evaluator(board, mover)
