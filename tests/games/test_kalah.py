"""The rules of Kalah against oracles, and properties of all rules."""

import hashlib
from pathlib import Path
from random import Random

import pytest
from conftest import jsonl
from hypothesis import given
from oracle import plain_minimax
from strategies import positions

from kalahlab.data import data_rows
from kalahlab.games import kalah
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, swap_sides
from kalahlab.games.rules import EMPTY_CAPTURE, PRESETS, STANDARD, Rules


def test_random_games_agree_with_open_spiel():
    """Compare each board, turn, set of moves and result of 1,000 games of its `mancala`.

    Its board is a ring that starts at North's store, its action is the index of the pit on that
    ring, and it leaves the last stones on the board but adds them to the return of their owner.
    """
    import pyspiel

    game, mancala, rng = Kalah(6, 4), pyspiel.load_game("mancala"), Random(5329)
    results = set()
    for _ in range(1000):
        state, other = game.start(), mancala.new_initial_state()
        while not other.is_terminal():
            assert _board_of(other) == state.board
            assert other.current_player() == state.player
            first = 1 + 7 * state.player
            assert [action - first for action in other.legal_actions()] == list(game.moves(state))
            move = rng.choice(game.moves(state))
            state = game.play(state, move)
            other.apply_action(first + move)
        assert game.is_over(state)
        board = _board_of(other)
        assert kalah.stores(state.board) == (sum(board[:7]), sum(board[7:]))
        margin = game.margin(state, SOUTH)
        sign = (margin > 0) - (margin < 0)
        assert other.returns() == [sign, -sign]
        results.add(sign)
    assert results == {-1, 0, 1}, "the sample has wins of both players and draws"


def _board_of(other):
    north_store, *rest = (int(count) for count in other.observation_tensor(0)[:14])
    return (*rest, north_store)


SMALL = {1: 6, 2: 6, 3: 3, 4: 1, 5: 1}
"""The most stones, by pits, for which all lines can be searched to the end."""


def test_values_of_small_games_are_as_published():
    """Compare winners (Irving et al., the CS5329 report) and margins under empty capture."""
    for row in data_rows("solved_published.csv", pits=int, stones=int):
        if row["stones"] <= SMALL.get(row["pits"], 0):
            game = Kalah(row["pits"], row["stones"], PRESETS["empty-capture"])
            value = max(plain_minimax(game)(game.start()).values())
            outcome = "W" if value > 0 else "L" if value < 0 else "D"
            assert outcome == row["irving"] == row["cs5329"], row
            assert row["irving_margin"] in ("", str(value)), row


@given(positions())
def test_swapping_sides_commutes_with_everything(position):
    game, state = position
    swapped = swap_sides(state)
    assert swap_sides(swapped) == state
    assert game.moves(swapped) == game.moves(state)
    assert game.is_over(swapped) == game.is_over(state)
    assert game.margin(swapped, NORTH) == game.margin(state, SOUTH) == -game.margin(state, NORTH)
    for move in game.moves(state):
        assert game.play(swapped, move) == swap_sides(game.play(state, move))


MARGINS = jsonl(Path(__file__).with_name("margins.jsonl"))


@pytest.mark.parametrize(("why", "rules", "board", "over", "margin"), MARGINS)
def test_a_margin_includes_the_stones_left_on_a_finished_board(why, rules, board, over, margin):
    game, state = Kalah(2, rules=Rules(**rules)), State(tuple(board), SOUTH)
    assert (game.is_over(state), game.margin(state, SOUTH)) == (over, margin), why


def test_a_mover_without_stones_ends_the_game_though_the_other_side_has_some():
    """Use `end="mover"`, where an empty side that is not to move does not end it."""
    game = Kalah(2, rules=Rules(end="mover"))
    assert game.play(State((0, 1, 0, 2, 1, 0), SOUTH), 1) == State((0, 0, 1, 0, 0, 3), SOUTH)
    assert game.play(State((1, 0, 0, 0, 1, 0), NORTH), 1) == State((0, 0, 1, 0, 0, 1), NORTH)
    assert game.play(State((2, 0, 0, 0, 2, 0), NORTH), 1) == State((3, 0, 0, 0, 0, 1), SOUTH)


def test_moves_lead_to_the_positions_of_this_version_of_the_rules():
    """Raise `RULES_VERSION` and update the digest if this fails because the rules were corrected.

    Results that were stored under the old version are then not used for the new one.
    """
    assert kalah.RULES_VERSION == 1
    assert digest_of_games((STANDARD, EMPTY_CAPTURE)) == "eedc672bc2729151"
    assert digest_of_games(PRESETS.values()) == "f0d23c4721e07abb"


def digest_of_games(choices):
    rng, digest = Random(0), hashlib.sha256()
    for rules in choices:
        for _ in range(50):
            game = Kalah(rng.randint(1, 7), rng.randint(0, 7), rules)
            state = game.start()
            while moves := game.moves(state):
                state = game.play(state, rng.choice(moves))
                digest.update(repr(tuple(state)).encode())
            digest.update(repr(game.outcome(state)).encode())
    return digest.hexdigest()[:16]
