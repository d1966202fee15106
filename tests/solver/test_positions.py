"""Positions in bulk: their values and those of their moves, against single calls and minimax."""

from functools import cache
from math import isnan, nan
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import plain_minimax
from strategies import boards

from kalahlab.games.kalah import Kalah, State, swap_sides
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD
from kalahlab.solver.endgame.database import build
from kalahlab.solver.endgame.positions import TEXT_LENGTH, parse_rows
from kalahlab.solver.ledger import normalize_position

BOTH = pytest.mark.parametrize("rules", [STANDARD, EMPTY_CAPTURE], ids=["standard", "empty"])
SIZES = pytest.mark.parametrize(
    ("pits", "most"), [(1, 8), (2, 7), (3, 6), (4, 5), (5, 5), (6, 4), (7, 4)]
)


def random_states(pits, most, number=200):
    """Return states with up to `most` stones in play, some finished, some with North to move."""
    rng, states = Random(pits), []
    for _ in range(number):
        counts = [0] * (2 * pits)
        sides = rng.choice((range(2 * pits), range(2 * pits), range(pits), range(pits, 2 * pits)))
        for _ in range(rng.randint(0, most)):
            counts[rng.choice(sides)] += 1
        board = (*counts[:pits], rng.randrange(40), *counts[pits:], rng.randrange(40))
        states.append(State(board, rng.randrange(2)))
    return states


@SIZES
@BOTH
def test_values_are_those_of_single_calls_and_of_minimax(pits, most, rules):
    game, database = Kalah(pits, 0, rules), build(pits, most, rules, workers=1)
    move_margins = plain_minimax(game)
    states = random_states(pits, most + 2)
    values, move_values = database.probe(states), database.probe_moves(states)
    assert values.dtype == move_values.dtype == np.float64
    number_known = 0
    for state, value, row in zip(states, values.tolist(), move_values.tolist(), strict=True):
        assert as_single(value) == database.probe(state)
        singles = {}
        for pit in game.moves(state):
            after = game.play(state, pit)
            singles[pit] = database.probe(after)
            if singles[pit] is not None and after.player != state.player:
                singles[pit] *= -1
        if None in singles.values():
            singles = {}
        assert {pit: value for pit, value in enumerate(row) if not isnan(value)} == singles
        if singles:
            position, missing = normalize_position(state)
            margins = move_margins(position)
            assert singles == {pit: margin - missing for pit, margin in margins.items()}
            assert isnan(value) or value == max(singles.values())
            number_known += 1
    assert 20 < number_known < np.isfinite(values).sum() < len(states)


def as_single(value):
    return None if isnan(value) else value


@given(st.integers(1, 7).flatmap(lambda pits: boards(pits, 30)))
def test_any_board_has_the_value_of_a_single_call(state):
    database = small_database(len(state.board) // 2 - 1)
    [value] = database.probe([state])
    assert as_single(value) == database.probe(state)


@cache
def small_database(pits):
    return build(pits, 4, workers=1)


def test_arrays_and_frames_have_the_values_of_their_states():
    """Test also arrays whose rows are not next to each other in memory."""
    database, states = build(4, 8), random_states(4, 9)
    values, move_values = database.probe(states), database.probe_moves(states)
    board_of = [state.board if state.player == 0 else swap_sides(state).board for state in states]
    frame = pd.DataFrame({"board": map(format_board, states)}, index=range(200, 0, -1))
    counts = np.array(board_of)
    wide = np.zeros((2 * len(states), 20), np.int32)
    wide[::2, 5:15] = counts
    arrays = (counts, counts.astype(np.int8), counts.astype(np.uint16), wide[::2, 5:15])
    for positions in (*arrays, frame, frame.astype(object), tuple(states)):
        assert np.array_equal(database.probe(positions), values, equal_nan=True)
        assert np.array_equal(database.probe_moves(positions), move_values, equal_nan=True)
    # A frame may have spaces in a board, as `parse_board` allows.
    frame["board"] = frame["board"].str.replace(",", " , ")
    assert np.array_equal(database.probe(frame), values, equal_nan=True)


@pytest.mark.parametrize(
    "positions", [[], np.empty((0, 10), int), pd.DataFrame({"board": []}, dtype=str)]
)
def test_no_positions_have_no_values(positions):
    database = build(4, 2)
    assert database.probe(positions).shape == (0,)
    assert database.probe_moves(positions).shape == (0, 4)


def test_many_stones_have_a_value_only_if_the_game_is_over():
    rows = np.array(
        [
            [99_000, 1, 5, 0, 0, 2],  # North has no stones
            [0, 0, 5, 60, 60, 7],
            [60, 4, 0, 60, 4, 0],  # 128 stones: more than any database can have
            [60, 4, 0, 60, 3, 0],
        ]
    )
    database = build(2, 6)
    assert np.array_equal(database.probe(rows), [99_004, -122, nan, nan], equal_nan=True)
    assert np.isnan(database.probe_moves(rows)).all()


RIGHT = [0, 1, 0, 2, 0, 1]
WRONG = {
    "negative": (np.array([RIGHT, [0, 1, 0, -2, 0, 1]]), "row 1 is no position, but .* 0 to 100"),
    "immense": (np.array([RIGHT, RIGHT, [0, 1 << 62, 0, 1 << 62, 0, 1]]), "row 2 is no position"),
    "unsigned": (np.array([[0, 1, 0, (1 << 64) - 1, 0, 1]], np.uint64), "row 0 is no position"),
    "too narrow": (np.array([RIGHT[1:]]), r"the shape \(n, 6\), not \(1, 5\)"),
    "one row": (np.array(RIGHT), r"the shape \(n, 6\), not \(6,\)"),
    "fractions": (np.array([RIGHT], float), "whole numbers, not float64"),
    "truth values": (np.array([RIGHT], bool), "whole numbers, not bool"),
    "another board": ([State((1, 0, 1, 0), 0)], "row 0 has 1 pits a side, not 2"),
    "text": (["<2,0,0,1,0,1,0>"], "row 0 of the positions is not a state but a str"),
    "a number": (7, "'board', or states: no int"),
    "another frame": (pd.DataFrame({"state": ["<2,0,0,1,0,1,0>"]}), "column 'board'"),
}
TEXTS = {
    "<1,0,0,1,0>": "row 1 has 1 pits a side, not 2",
    "<2,0,0,1,0,1>": "row 1: board '<2,0,0,1,0,1>' lists 3 pits",
    "<2,0,0,1,0,1,0,0>": "row 1: board .* lists 5 pits",
    "<2,0,0,1,-3,1,0>": "row 1: board .* holds -3 stones",
    "<2,0,0,1,0,1,0": "row 1: board .* is not of the form",
    "<2,0,0,1,0,1,0>>": "row 1: board .* is not of the form",
    "<2,0,0,1,,1,0>": "row 1: board .* is not of the form",
    "<2,0,0,1,x,1,0>": "row 1: board .* is not of the form",
    "<2,0,0,99999,99999,1,0>": "row 1: .* too many",
    "<2,0,0,999999999999999999999,0,1,0>": "row 1: .* too many",
    "²": "row 1: board '²' is not of the form",
    "": "row 1: board '' is not of the form",
    None: "row 1: give a board as text",
}
FRAMES = {
    text: (pd.DataFrame({"board": ["<2,0,0,1,0,1,0>", text]}), message)
    for text, message in TEXTS.items()
}


@pytest.mark.parametrize("case", [*WRONG, *FRAMES])
def test_rows_that_are_no_positions_are_named(case):
    positions, message = (WRONG | FRAMES)[case]
    for probe in (build(2, 2).probe, build(2, 2).probe_moves):
        with pytest.raises((ValueError, TypeError), match=f"^(?=.*{message})[^\n]*$"):
            probe(positions)


def test_a_text_is_parsed_like_by_parse_board():
    """Change a character of many texts: what compiled code parses, `parse_board` parses so, too."""
    rng, texts = Random(1), [*map(format_board, random_states(3, 30, 1000))]
    for row in range(100, len(texts)):
        text, place = texts[row], rng.randint(0, 24)
        other = rng.choice(("", " ", "<", ">", ",", "00", "99999", "-", "\t", "²", ">" + " " * 60))
        texts[row] = text[:place] + other + text[place + rng.randint(0, 2) :]
    letters = np.array(texts, f"U{TEXT_LENGTH}").view(np.uint32).reshape(-1, TEXT_LENGTH)
    counts = np.zeros((len(texts), 8), np.int32)
    is_parsed = parse_rows(letters, counts)
    assert is_parsed[:100].all()
    assert 150 < is_parsed.sum() < 900
    for row in np.flatnonzero(is_parsed):
        assert parse_board(texts[row]).board == tuple(counts[row].tolist())
