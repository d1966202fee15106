"""Kalah with the pie rule: the exchange of sides, its value, and the text of a position."""

from functools import cache

import pytest

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import NORTH, SOUTH, Kalah
from kalahlab.games.pie import SWAP, PieKalah, State, format_position, new_game, parse_position
from kalahlab.search import Depth, alpha_beta


@cache
def value(game, state):
    """Return South's margin under perfect play, by plain minimax."""
    if game.is_over(state):
        return game.margin(state, SOUTH)
    choose = max if state.player == SOUTH else min
    return choose(value(game, game.play(state, move)) for move in game.moves(state))


def value_after_first_turn(game, state):
    """Return South's margin if North takes the better side after South's first turn."""
    results = []
    for move in game.moves(state):
        after = game.play(state, move)
        if game.is_over(after) or after.player == NORTH:
            margin = value(game, after)
            results.append(margin if game.is_over(after) else -abs(margin))
        else:
            results.append(value_after_first_turn(game, after))
    return max(results)


@pytest.mark.parametrize("size", [(1, 3), (2, 1), (2, 3), (3, 1), (3, 2), (4, 1)])
@pytest.mark.parametrize("rules", ["standard", "kalahzero", "avalanche"])
def test_the_second_player_takes_the_better_side(size, rules):
    kalah = Kalah(*size, rules)
    game = PieKalah(kalah)
    expected = value_after_first_turn(kalah, kalah.start())
    assert value(game, game.start()) == expected
    assert alpha_beta(game, game.start(), store_difference, Depth(60)).value == expected


def test_sides_are_exchanged_once_right_after_the_first_turn():
    game = new_game(3, 3)
    state = game.play(game.start(), 0)  # into South's store, so the first turn goes on
    assert (state.phase, state.player) == ("first", SOUTH)
    with pytest.raises(ValueError, match="right after the first turn"):
        game.play(state, SWAP)
    state = game.play(state, 1)
    assert game.moves(state)[-1] == SWAP
    exchanged = game.play(state, SWAP)
    assert exchanged.board == state.board[4:] + state.board[:4]
    assert (exchanged.player, exchanged.phase) == (SOUTH, "over")
    assert SWAP not in game.moves(exchanged)
    assert game.play(state, 0).phase == "over"


@pytest.mark.parametrize("phase", ["first", "offered", "over"])
def test_a_position_reads_back(phase):
    state = State((1, 2, 0, 2, 1, 0), SOUTH, phase)
    game, again = parse_position(format_position(state), new_game(rules="kgp"))
    assert again == state
    assert game == new_game(2, 0, "kgp")
    with pytest.raises(ValueError, match=r"'ofered' behind a board is unknown; .*offered"):
        parse_position("<2,0,0,1,2,2,1> ofered", game)
