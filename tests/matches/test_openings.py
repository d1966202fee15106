"""Openings: drawn by a seed in any game, and the drawn ones of Kalah."""

from itertools import islice
from random import Random

import numpy as np
import pytest

from kalahlab.data import data_rows
from kalahlab.games.betsy import Betsy
from kalahlab.games.cards import Cards
from kalahlab.games.kalah import SOUTH, Kalah, stones_in_play, stores
from kalahlab.games.notation import format_board
from kalahlab.games.supported import STORED
from kalahlab.judging.solved_positions import load_positions
from kalahlab.matches import openings as drawn
from kalahlab.matches.openings import (
    even_openings,
    fair_openings,
    fairkalah_starts,
    random_openings,
    random_starts,
)
from kalahlab.players.game_loop import random_opening
from kalahlab.solver.exact_solver import open_solver

QUICKLY_PROVED = {"standard": 318, "empty-capture": 66}  # a start that takes a few seconds
GAMES = [Kalah(3, 3), Betsy(3, 40), Cards(6)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [0, 3, 200])
def test_a_random_line_consists_of_legal_moves(game, plies):
    for seed in range(20):
        line, reached = random_opening(game, Random(seed), plies)
        assert len(line) == plies or (game.is_over(reached) and len(line) < plies)
        state = game.start()
        for move in line:
            assert move in game.moves(state)
            state = game.play(state, move)
        assert state == reached
        assert (line, reached) == random_opening(game, Random(seed), plies)


@pytest.mark.parametrize("game", GAMES)
def test_openings_are_different_not_over_and_filtered(game):
    openings = list(random_openings(game, 40, plies=4, seed=2))
    assert len(set(openings)) == 40
    assert not any(game.is_over(state) for state in openings)
    assert openings[:10] == list(random_openings(game, 10, plies=4, seed=2))
    assert openings != list(random_openings(game, 40, plies=4, seed=3))
    expected = [state for state in openings if len(game.moves(state)) % 2]
    filtered = random_openings(
        game, len(expected), 4, seed=2, accepts=lambda state: len(game.moves(state)) % 2 == 1
    )
    assert [*filtered] == expected


def test_the_moves_of_each_row_lead_to_its_opening():
    rows = data_rows("openings.csv")
    assert [row["rules"] for row in rows] == [*np.repeat([*STORED], drawn.NUMBER)]
    assert len({(row["rules"], row["board"]) for row in rows}) == len(rows)
    for row in rows:
        game = Kalah(6, 4, STORED[row["rules"]])
        state = game.start()
        for pit in row["moves"].split():
            state = game.play(state, int(pit) - 1)
        assert format_board(state) == row["board"]
        assert drawn.PLIES[0] <= len(row["moves"].split()) <= drawn.PLIES[1]


@pytest.mark.parametrize(("rules", "number"), [("fairkalah", 254), ("standard", 323)])
def test_the_starts_of_fairkalah_are_its_start_with_one_or_two_stones_moved(rules, number):
    starts = fairkalah_starts(rules)
    assert len(set(starts)) == number
    for state in starts:
        assert sum(state.board) == 48
        assert state.player == SOUTH
        pairs = zip(state.board, Kalah(6, 4).start().board, strict=True)
        assert sum(abs(count - usual) for count, usual in pairs) in (2, 4)
    few = fairkalah_starts(rules, 3)
    assert few == [starts[0], starts[number // 3], starts[2 * number // 3]]
    with pytest.raises(ValueError, match=f"use 1 to {number}"):
        fairkalah_starts(rules, number + 1)
    with pytest.raises(ValueError, match="fair by standard and empty-capture rules, not by ludii"):
        fairkalah_starts("ludii")


@pytest.mark.parametrize("rules", STORED)
def test_the_starts_of_fairkalah_are_worth_0(rules):
    """Prove it for one that takes no long search; the best move of each is worth 0."""
    positions = [row for row in load_positions("fairkalah.csv") if row.rules == rules]
    assert [row.state for row in positions] == fairkalah_starts(rules)
    assert {row.value for row in positions} == {0}
    state = fairkalah_starts(rules)[QUICKLY_PROVED[rules]]
    with open_solver(6, STORED[rules], database_stones=18, workers=1) as solver:
        assert solver.is_at_least(state, 0)
        assert not solver.is_at_least(state, 2)


def test_random_starts_differ_and_have_all_stones_in_pits_drawn_evenly():
    starts = random_starts("kgp", 200, seed=5)
    assert len(set(starts)) == 200
    assert random_starts("ludii", 20, seed=5) == starts[:20]
    assert random_starts("kgp", 20, seed=6) != starts[:20]
    for state in starts:
        assert (stones_in_play(state.board), stores(state.board)) == (48, (0, 0))
    totals = np.array([state.board for state in starts]).sum(axis=0)[[*range(6), *range(7, 13)]]
    # The number of stones in a pit is binomial: 800 on average, with a standard deviation of 27.
    assert np.all(np.abs(totals - 800) < 4 * 27)


@pytest.mark.parametrize("rules", STORED)
def test_fair_openings_are_the_seeds_candidates_in_their_order(rules):
    game = Kalah(6, 4, STORED[rules])
    tried = drawn.iter_candidates(game, seed=0)
    for state in fair_openings(rules):
        assert any(
            format_board(candidate) == format_board(state) for _, candidate in islice(tried, 2000)
        )
        assert drawn.is_nearly_even(game, state)


@pytest.mark.parametrize("rules", STORED)
def test_a_fair_opening_is_a_draw_under_perfect_play(rules, tmp_path):
    """Solve again the one with the fewest stones in play; the others take long."""
    with open_solver(6, STORED[rules], database_stones=10, folder=tmp_path) as judge:
        state = min(fair_openings(rules), key=lambda state: stones_in_play(state.board))
        assert judge.value(state) == 0


def test_even_openings_begin_with_the_fair_ones_and_differ():
    openings = even_openings("standard", 80)
    assert openings[:64] == fair_openings("standard", 64)
    assert len(set(openings)) == 80
    assert even_openings("standard", 10) == openings[:10]
