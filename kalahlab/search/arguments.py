"""What is wrong with a call of a search, said in one sentence before it fails somewhere inside."""

from collections.abc import Callable, Sequence
from functools import wraps
from numbers import Real
from typing import Any

from kalahlab.evaluators import Evaluator


def check_state(state: Any) -> None:
    if not hasattr(state, "player"):
        name = type(state).__name__
        example = f"{name}(...)" if hasattr(state, "start") else "Kalah(3, 2)"
        raise TypeError(f"give a state, as {example}.start(), not a {name}")


def check_arguments(state: Any, evaluator: Any, deep_enough: Any) -> None:
    check_state(state)
    if not callable(evaluator):
        raise TypeError(f"evaluator is a function, such as store_difference, not {evaluator!r}")
    if not callable(deep_enough) or isinstance(deep_enough, type):
        depth = deep_enough if isinstance(deep_enough, int) else 6
        raise TypeError(f"write Depth({depth}) for the depth, not {deep_enough!r}")


class BadEvaluator(ValueError):
    """What it gives is no number, or it takes other arguments than a board and a player."""


def checked_value(evaluator: Evaluator, name: str, board: Any, player: int, where: str) -> Any:
    """What an evaluator gives, else `BadEvaluator`; what it raises itself is passed on."""
    try:
        value: Any = evaluator(board, player)
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        said = f"evaluator {name} cannot be called with a board and a player: {error}"
        raise BadEvaluator(said) from None
    if not isinstance(value, Real) or value != value:  # as NaN is
        raise BadEvaluator(f"evaluator {name} gives {value!r} for {where}; it must give a number")
    return value


def refuse_evaluator(evaluator: Evaluator, again: Callable[[Evaluator], Any]) -> None:
    """After a `TypeError`, search `again`: `BadEvaluator` if that is what it came from."""
    name = getattr(evaluator, "__name__", "given")

    @wraps(evaluator)
    def checked(board: Sequence[float], player: int) -> Any:
        return checked_value(evaluator, name, board, player, f"the board {tuple(board)}")

    try:
        again(checked)
    except BadEvaluator as error:
        raise error.with_traceback(None) from None
    except Exception:
        return
