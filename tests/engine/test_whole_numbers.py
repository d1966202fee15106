"""Whole numbers in users' evaluators are exact in the engine, or the textbook searches."""

import math
import warnings
from random import Random

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalahlab import engine
from kalahlab.engine.whole_numbers import MAX_EXACT, STAND_INS, CheckingCompiler
from kalahlab.evaluators import BadEvaluator
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.notes import Note
from kalahlab.players.game_loop import random_position
from kalahlab.search import ALGORITHMS, Depth

SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "lshift": "<<"}


def apply(operation):
    """Make a function that applies an operator, or assigns by it."""
    name, namespace = operation.__name__, {}
    if name in SIGNS:
        body = f"return left {SIGNS[name]} right"
    else:
        body = f"left {SIGNS[name[1:]]}= right\n    return left"
    exec(f"def f(left, right):\n    {body}\n", namespace)
    return namespace["f"]


PYTHON = {operation.__name__: apply(operation) for operation in STAND_INS}
COMPILED = {name: numba.njit(pipeline_class=CheckingCompiler)(f) for name, f in PYTHON.items()}
EDGES = [0, 1, -1, 2, -2, 62, 63, MAX_EXACT, MAX_EXACT + 1, -MAX_EXACT - 1]
EDGES += [2**62, 2**63 - 1, -(2**63)]
WHOLE = st.sampled_from(EDGES) | st.integers(-(2**63), 2**63 - 1) | st.integers(-70, 70)


def outcome(call, *args):
    try:
        return call(*args)
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        return type(error)


@given(WHOLE, WHOLE, st.sampled_from([*PYTHON]))
def test_an_operator_returns_pythons_result_or_raises_an_error(left, right, name):
    if "pow" in name or "shift" in name:
        right %= 131
    result = outcome(COMPILED[name], left, right)
    if result is not OverflowError:
        assert result == outcome(PYTHON[name], left, right)
    elif "div" in name:
        assert max(abs(left), abs(right)) > MAX_EXACT
    elif "shift" not in name:
        assert not -(2**63) <= PYTHON[name](left, right) < 2**63


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.sampled_from(["add", "imul", "sub"]))
def test_operators_on_floats_are_not_changed(left, right, name):
    assert COMPILED[name](left, right) == PYTHON[name](left, right)


def ahead(board):
    return board[len(board) // 2 - 1] - board[len(board) - 1]


def powers(board, player):
    value = ahead(board) ** 21
    return value if player == 0 else -value


def hash_board(board, player):
    value = 0
    for count in board:
        value = (value * 1_000_003 + count + 5) % 998_244_353_998_244_353
    return value % 1000


def shift_lead(board, player):
    return (abs(ahead(board)) << (62 - board[0])) % 1009


def close_together(board, player):
    value = ahead(board) * 2**53 + board[0]
    return value if player == 0 else -value


def divide_large(board, player):
    value = (2**53 + 1 + board[0]) / (3 + board[1])
    return value if player == 0 else -value


def accumulate(board, player):
    value = 3
    for count in board:
        value *= count + 1
        value <<= 6
    return value % 4001


def modest(board, player):
    value = 0
    for pit, count in enumerate(board):
        value += (pit + 1) * count**2
    value -= 3
    return value / 2 if player == 0 else -value / 2


LARGE = [powers, hash_board, shift_lead, close_together, divide_large, accumulate]


@pytest.mark.parametrize("evaluator", [*LARGE, modest], ids=lambda evaluator: evaluator.__name__)
@pytest.mark.filterwarnings("ignore:evaluator")
def test_values_of_any_size_are_searched_as_the_textbook_does(evaluator):
    rng, names = Random(evaluator.__name__), ("alpha_beta", "scout", "minimax")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Note)
        for name in names * 4:
            game = Kalah(4, 6)
            state = random_position(game, rng, plies=rng.randint(2, 5))
            result = engine.ALGORITHMS[name](game, state, evaluator, Depth(4))
            assert result == ALGORITHMS[name](game, state, evaluator, Depth(4))
    messages = [f"{warning.message}" for warning in caught]
    start = f"evaluator {__name__}.{evaluator.__name__} has whole numbers that are too large"
    expected = 1 if evaluator in LARGE else 0
    assert len([text for text in messages if text.startswith(start)]) == expected, messages


def halve_often(board, player):
    value = 2 ** -board[0]
    return value if player == 0 else -value


def test_a_negative_power_is_left_to_the_textbook_by_its_own_message():
    game = Kalah(4, 3)
    message = "has a negative power of a whole number; use a float as the base"
    with pytest.warns(Note, match=message):
        result = engine.alpha_beta(game, game.start(), halve_often, Depth(3))
    assert result == ALGORITHMS["alpha_beta"](game, game.start(), halve_often, Depth(3))


def seldom_nan(board, player):
    return math.nan if board[0] > 7 else store_difference(board, player)


def test_nan_is_refused_anywhere_in_the_tree():
    game = Kalah(4, 5)
    for search in (engine.alpha_beta, ALGORITHMS["alpha_beta"]):
        with pytest.raises(
            BadEvaluator, match=r"^evaluator seldom_nan returns nan.* return a number$"
        ):
            search(game, game.start(), seldom_nan, Depth(6))


@pytest.mark.parametrize("kind", ["int8", "int32", "uint8", "uint64", "float32", "float16"])
@pytest.mark.filterwarnings("ignore:evaluator", "ignore:overflow")
def test_the_textbook_searches_if_an_evaluator_uses_numbers_of_fewer_bits(kind):
    weights = np.array([3, 7, 11, 50], kind)

    def evaluate(board, player):
        return weights[3] * weights[1] + weights[board[0] % 4] / weights[0]

    game = Kalah(4, 3)
    with pytest.warns(Note, match="evaluate cannot be compiled: ") as warned:
        result = engine.alpha_beta(game, game.start(), evaluate, Depth(3))
    assert result == ALGORITHMS["alpha_beta"](game, game.start(), evaluate, Depth(3))
    if kind not in ("uint64", "float16"):
        messages = [f"{warning.message}" for warning in warned]
        assert any(f"{kind}; use int64 or float64" in message for message in messages)
