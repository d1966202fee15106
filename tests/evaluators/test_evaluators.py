"""Properties of all evaluators, and the staged heuristic as its document prints it."""

from itertools import pairwise, product
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import final_positions, positions

from kalahlab.evaluators import (
    for_finished_games,
    for_mover,
    is_for_mover,
    is_not_antisymmetric,
    kalah,
    static_value,
)
from kalahlab.evaluators.kalah import EVALUATORS, e3, staged, sum_stage_terms
from kalahlab.games.kalah import NORTH, SOUTH, side, sow, stores, swap_sides
from kalahlab.games.rules import STANDARD
from kalahlab.published.staged import listing
from kalahlab.search import Depth, alpha_beta, minimax

EXACT_AT_THE_END = {name: e for name, e in EVALUATORS.items() if not is_not_antisymmetric(e)}


@settings(max_examples=150)
@given(final_positions())
def test_the_value_of_a_finished_game_is_its_margin(position):
    """Check Rich & Knight's first criterion, for both players; draw positions once for all."""
    game, state = position
    assert game.is_over(state)
    for (name, evaluator), player in product(EXACT_AT_THE_END.items(), (SOUTH, NORTH)):
        assert evaluator(state.board, player) == game.margin(state, player), name


@given(positions())
def test_an_evaluator_for_the_mover_is_called_for_the_mover_only(position):
    _, (board, mover) = position

    @for_mover
    def to_move(board, player):
        assert player == mover
        return 2.5

    assert static_value(to_move, board, mover, mover) == 2.5
    assert static_value(to_move, board, mover, 1 - mover) == -2.5
    for player in (SOUTH, NORTH):
        assert static_value(staged, board, mover, player) == staged(board, player)


@given(final_positions())
def test_a_marked_evaluator_is_asked_about_finished_games(position):
    game, state = position

    @for_finished_games
    def always(board, player):
        return 99.5

    def never(board, player):
        raise AssertionError

    for algorithm in (minimax, alpha_beta):
        assert algorithm(game, state, always, Depth(2)).value == 99.5
        assert algorithm(game, state, never, Depth(2)).value == game.margin(state, state.player)


@settings(max_examples=150)
@given(positions(stones=100))
def test_every_board_has_a_finite_value_that_is_symmetric(position):
    """Draw positions once for all evaluators, as drawing them takes longest."""
    _, state = position
    for name, evaluator in EVALUATORS.items():
        if not (is_not_antisymmetric(evaluator) or is_for_mover(evaluator)):
            assert evaluator(state.board, SOUTH) == -evaluator(state.board, NORTH), name
        for player in (SOUTH, NORTH):
            value = evaluator(state.board, player)
            assert isfinite(value), name
            assert evaluator(list(state.board), player) == value, name
            assert evaluator(swap_sides(state).board, 1 - player) == value, name


@given(positions())
def test_e1_is_the_store_difference_if_and_only_if_nothing_can_overturn_it(position):
    """Compare the lead with the number of stones that are left."""
    _, state = position
    south, north = stores(state.board)
    rest = sum(state.board) - south - north
    decided = abs(south - north) > rest or rest == 0
    assert kalah.store_difference(state.board, SOUTH) == south - north
    assert kalah.e1(state.board, SOUTH) == (south - north if decided else 0)


def test_e3_and_e4_computed_by_hand():
    """Compare E3 and E4 with values computed by hand.

    E3: stores of 6 and 2 among 40 stones are (6 - 2) / (6 + 2) of 40. E4, with three pits: South's
    3, 0, 1 are exact, empty, exact; North's 1, 2, 2 are short, exact, past.
    """
    assert e3((8, 8, 6, 8, 8, 2), SOUTH) == 20
    assert e3((0, 0, 0, 8, 8, 0), NORTH) == 0
    assert e3((1, 0, 3, 0, 0, 0), NORTH) == -4
    board = (3, 0, 1, 9, 1, 2, 2, 0)
    assert kalah.e4(board, SOUTH) == pytest.approx(((15 + 0 + 15) - (8 + 15 + 5)) / 3)


@given(positions())
def test_the_capture_term_is_the_stones_that_sows_capture(position):
    """Add up the opposite stones of all sows that stay on their side, own minus opponent's."""
    _, (board, player) = position
    term = 0
    for mover, sign in ((player, 1), (1 - player, -1)):
        pits = side(board, mover)
        for pit, count in enumerate(pits):
            if 0 < count < len(pits) - pit:
                term += sign * max(0, sow(board, mover, pit, STANDARD).captured - 1)
    assert kalah.staged_capture(board, player) == pytest.approx(staged(board, player) + term)


@given(st.lists(st.integers(0, 72) | st.sampled_from([0, 36, 72]), min_size=13, max_size=13))
def test_the_staged_heuristic_is_the_printed_one(marks):
    """Compare on any six-pit board of 72 stones; the two cancelling loops are left out."""
    counts = [after - before for before, after in pairwise([0, *sorted(marks), 72])]
    for player in (SOUTH, NORTH):
        assert staged(counts, player) == pytest.approx(listing(counts, player), abs=1e-9)


@given(positions(stones=20))
def test_a_term_that_is_switched_off_is_missing_from_the_sum(position):
    _, (board, player) = position
    pits, other_pits = side(board, player), side(board, 1 - player)
    m = len(pits)
    mine, theirs = stores(board)
    if player == NORTH:
        mine, theirs = theirs, mine
    terms = {
        "stages": -0.25 * mine if 6 * theirs < sum(board) else 0.4 * theirs,
        "extra_turns": 2 * (exact_pits(pits) - exact_pits(other_pits)),
        "own_empty": -10 if pits.count(0) >= m - 1 else 0,
        "opp_empty": 10 if other_pits.count(0) == m else 0,
    }
    assert tuple(terms) == kalah.STAGED_TERMS
    for off, (term, expected) in enumerate(terms.items()):
        difference = staged(board, player) - sum_stage_terms(board, player, off)
        assert difference == pytest.approx(expected, abs=1e-9), term


def exact_pits(pits):
    """Count the pits whose last stone falls into the store."""
    return len([pit for pit, count in enumerate(pits) if count == len(pits) - pit])
