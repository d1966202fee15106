"""Static evaluators: plain functions (board, player) -> number.

`board` is the board of a state; the number estimates its value for `player`. Evaluators of Kalah
only loop, index and sum, so that the same function object can be compiled.

As a rule an evaluator does not know who is to move, and a search calls it for MAX. An evaluator
marked with `for_mover` is called for the player to move. Its value is negated if that player is not
MAX; see `static_value`.

A search never asks an evaluator about a finished game, which is worth its outcome. It only asks one
that is marked with `for_finished_games`, as some programs have no other value for such a game.
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
LARGEST = int(float_info.max)  # the largest int that can be converted to a float


class BadEvaluator(ValueError):
    """Raised when an evaluator returns no number or does not take `(board, player)`."""


def to_number(value: Any) -> int | float | None:
    """Convert a number of any library to an `int` or a `float`; return None for other values.

    A bool, a numpy scalar, an array without dimensions, a `Fraction` and a `Decimal` are numbers:
    an integer type becomes an `int`, all others the nearest `float`. Infinity is a number. NaN, a
    complex number, a text and an int beyond the range of a float are not numbers.
    """
    if type(value) is float and not isnan(value):  # the usual case of a window
        return value
    if type(value) is int or type(value) is float:
        number: Any = value
    else:
        is_scalar_of_numpy = getattr(value, "shape", None) == ()
        item = value.item() if is_scalar_of_numpy else value
        if not isinstance(item, Real | Decimal):
            return None
        number = int(item) if isinstance(item, Integral) else item
    try:
        nearest = float(number)
    except (OverflowError, ValueError):  # an int that is too large; a signalling NaN of `Decimal`
        return None
    if isnan(nearest):
        return None
    if type(number) is int:
        return number
    return nearest


def evaluate(evaluator: Evaluator, board: Any, player: int, name: str = "") -> int | float:
    """Call an evaluator and return its value as a Python number.

    All searches call evaluators here. Exceptions that the evaluator raises are passed on; only
    `sys.exit()` becomes an error.

    Args:
        evaluator: The evaluator.
        board: The board.
        player: The player for whom to evaluate it.
        name: The name of the evaluator in messages; by default that of the function.

    Raises:
        BadEvaluator: The evaluator returns no number, or takes other arguments.
    """
    try:
        value: Any = evaluator(board, player)
    except TypeError as error:
        # If the arguments are wrong, the traceback ends in this function. Otherwise it goes on
        # into the evaluator, which has raised the error.
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        name = name or getattr(evaluator, "__name__", "given")
        message = f"evaluator {name} cannot be called with a board and a player: {error}"
        raise BadEvaluator(message) from None
    except ENDS as error:
        name = name or getattr(evaluator, "__name__", "given")
        raise exit_error(f"evaluator {name}", error) from None
    if type(value) is int and -LARGEST <= value <= LARGEST:  # the usual case, without a call
        return value
    number = to_number(value)
    if number is None:
        name = name or getattr(evaluator, "__name__", "given")
        message = f"evaluator {name} returns {short(value)} for the board {tuple(board)}"
        raise BadEvaluator(f"{message}; it must return a number") from None
    return number


def for_mover(evaluator: Evaluator) -> Evaluator:
    """Mark an evaluator whose `player` is the player to move; return the same function object."""
    evaluator.is_for_mover = True  # type: ignore[attr-defined]
    return evaluator


def is_for_mover(evaluator: Evaluator) -> bool:
    return bool(getattr(evaluator, "is_for_mover", False))


def for_finished_games(evaluator: Evaluator) -> Evaluator:
    """Mark an evaluator that a search to a depth also asks about finished games; return it.

    Other searches, such as UCT, still value a finished game by its outcome.
    """
    evaluator.is_for_finished_games = True  # type: ignore[attr-defined]
    return evaluator


def is_for_finished_games(evaluator: Evaluator) -> bool:
    return bool(getattr(evaluator, "is_for_finished_games", False))


def not_antisymmetric(evaluator: Evaluator) -> Evaluator:
    """Mark an evaluator that is not antisymmetric, or not exact for finished games."""
    evaluator.is_not_antisymmetric = True  # type: ignore[attr-defined]
    return evaluator


def is_not_antisymmetric(evaluator: Evaluator) -> bool:
    return bool(getattr(evaluator, "is_not_antisymmetric", False))


def by_name(*evaluators: Evaluator) -> dict[str, Evaluator]:
    """Return the evaluators by the names of their functions."""
    return {evaluator.__name__: evaluator for evaluator in evaluators}


def static_value(evaluator: Evaluator, board: Sequence[float], mover: int, player: int) -> float:
    """Return the value of a board for `player` if `mover` is to move."""
    if mover == player or not is_for_mover(evaluator):
        return evaluate(evaluator, board, player)
    return -evaluate(evaluator, board, mover)
