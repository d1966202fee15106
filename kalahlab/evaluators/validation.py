"""Checks of user evaluators: their parameters, their numbers and their antisymmetry."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from kalahlab.evaluators import (
    BadEvaluator,
    Evaluator,
    evaluate,
    is_for_finished_games,
    is_for_mover,
    is_not_antisymmetric,
    static_value,
)
from kalahlab.games import Game
from kalahlab.games.registry import GameType, game_type_of_game
from kalahlab.notes import warn_about

# The code of each evaluator that `antisymmetry_note` has checked, as each gets its note only once.
CHECKED_CODE = set[object]()


def is_evaluator(function: Any) -> bool:
    """Return whether the parameters of a function have the names of an evaluator's."""
    code: Any = getattr(function, "__code__", None)
    return bool(code) and code.co_varnames[: code.co_argcount] == ("board", "player")


def evaluate_line_end(evaluator: Evaluator, game: Game, state: Any, line: Sequence[Any]) -> float:
    """Return the value at the end of a line for the player who moves first on it."""
    player = state.player
    for move in line:
        state = game.play(state, move)
    if game.is_over(state) and not is_for_finished_games(evaluator):
        return game.margin(state, player)
    return static_value(evaluator, state.board, state.player, player)


def validate_on_random_games(evaluator: Evaluator, game: Game, state: Any) -> None:
    """Evaluate all positions of 100 random games, for the errors that `evaluate` raises."""
    rng = Random(1)
    for _ in range(100):
        list(evaluate_along_game(evaluator, game, state, rng))  # plays the game to its end


def evaluate_along_game(
    evaluator: Evaluator, game: Game, state: Any, rng: Random, name: str = ""
) -> Iterator[tuple[Any, float, float]]:
    """Yield each state of a random game with its values for players 0 and 1.

    If numba compiled the evaluator, its Python function is called instead.
    """
    function: Any = getattr(evaluator, "py_func", evaluator)
    while not game.is_over(state):
        first = evaluate(function, state.board, 0, name)
        second = evaluate(function, state.board, 1, name)
        yield state, first, second
        state = game.play(state, rng.choice(game.moves(state)))


def check_evaluator(name: str, evaluator: Evaluator, game: Game, state: Any) -> None:
    """Call an evaluator before a search does, and warn with its `antisymmetry_note`, if any.

    Raises:
        BadEvaluator: See `evaluate`. Other exceptions of the evaluator are left to the search.
    """
    note = antisymmetry_note(name, evaluator, game, state)
    if note:
        warn_about(evaluator, note)


def antisymmetry_note(name: str, evaluator: Evaluator, game: Game, state: Any) -> str:
    """Return a note if the values for the two players are not each other's negative, else "".

    The evaluator is called on the first 40 positions of five random games. An evaluator gets its
    note only once, and never in a worker process. Exceptions that the evaluator raises are left to
    the search, which reports the board.

    Raises:
        BadEvaluator: See `evaluate`.
    """
    from multiprocessing import parent_process  # here, because few searches need it

    kind = game_type_of_game(game)
    code = getattr(evaluator, "__code__", type(evaluator))
    is_exempt = is_for_mover(evaluator) or is_not_antisymmetric(evaluator)
    is_worker = parent_process() is not None
    needs_no_note = code in CHECKED_CODE or is_exempt or is_worker
    CHECKED_CODE.add(code)
    # Call the evaluator even if it needs no note: the call may raise a `BadEvaluator`.
    try:
        note = _describe_asymmetry(name, evaluator, game, state, kind)
    except BadEvaluator:
        raise
    except Exception:  # the search will raise it again, and report the board
        return ""
    return "" if needs_no_note else note


def _describe_asymmetry(
    name: str, evaluator: Evaluator, game: Game, state: Any, kind: GameType
) -> str:
    """Return a message with a position whose values do not add up to 0, or ""."""
    for seed in range(4, 9):  # any five seeds
        values = evaluate_along_game(evaluator, game, state, Random(seed), name)
        for position, first, second in islice(values, 40):
            # The message has the position as text. In the texts of Kalah the player to move is
            # written as South, so that only a position with South to move is easy to recognize.
            if position.player != 0:
                continue
            tolerance = max(1, abs(first)) / 10**6  # floats are rounded
            if abs(first + second) > tolerance:
                south, north = kind.players
                return (
                    f"evaluator {name} returns {first} for {south} and {second} for {north} on "
                    f"{kind.format(position)}; usually one is the negative of the other. "
                    "See docs/extending.md, An evaluator"
                )
    return ""
