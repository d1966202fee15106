"""Static evaluators: plain functions (board, player) -> number.

`board` is the state's numbers and the answer is how good they look for `player`. An evaluator of
Kalah loops, indexes and sums, nothing more, so that the same function object can be compiled.

As a rule an evaluator does not know who is to move: a search asks it for MAX. One marked with
`for_mover` is asked for the player to move, and negated if that is not MAX (`static_value`).
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from math import isnan
from numbers import Integral, Real
from reprlib import repr as short
from sys import float_info
from typing import Any

from kalahlab.user_code import ENDS, exit_error

Evaluator = Callable[[Sequence[float], int], float]
LARGEST = int(float_info.max)  # the largest int that a float reaches


class BadEvaluator(ValueError):
    """Raised when an evaluator returns no number or does not take `(board, player)`."""


def to_number(value: Any) -> int | float | None:
    """Return a number of any library as an `int` or a `float`; None if the value is no number.

    A bool, a numpy scalar, an array without dimensions, a `Fraction` and a `Decimal` are numbers:
    an integer type becomes an `int`, all others the nearest `float`. Infinity is a number. NaN, a
    complex number, a text and an int beyond the range of a float are none.
    """
    if type(value) is int or type(value) is float:
        number: Any = value
    else:
        item = value.item() if getattr(value, "shape", None) == () else value
        if not isinstance(item, Real | Decimal):
            return None
        number = int(item) if isinstance(item, Integral) else item
    try:
        nearest = float(number)
    except (OverflowError, ValueError):  # too large an int; a signalling NaN
        return None
    if isnan(nearest):
        return None
    return number if type(number) is int else nearest


def evaluate(evaluator: Evaluator, board: Any, player: int, name: str = "") -> int | float:
    """Return what an evaluator says of a board for a player, as a Python number.

    All searches ask evaluators here. What the evaluator raises is passed on; only `sys.exit()`
    becomes an error. Raises `BadEvaluator` if it returns no number or cannot be called.
    """
    try:
        value: Any = evaluator(board, player)
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        name = name or getattr(evaluator, "__name__", "given")
        message = f"evaluator {name} cannot be called with a board and a player: {error}"
        raise BadEvaluator(message) from None
    except ENDS as error:
        name = name or getattr(evaluator, "__name__", "given")
        raise exit_error(f"evaluator {name}", error) from None
    if type(value) is int and -LARGEST <= value <= LARGEST:
        return value
    number = to_number(value)
    if number is None:
        name = name or getattr(evaluator, "__name__", "given")
        message = f"evaluator {name} gives {short(value)} for the board {tuple(board)}"
        raise BadEvaluator(f"{message}; it must give a number") from None
    return number


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
    """Return the value of a board for `player`, when `mover` is to move."""
    if mover == player or not is_for_mover(evaluator):
        return evaluate(evaluator, board, player)
    return -evaluate(evaluator, board, mover)
