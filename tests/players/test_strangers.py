"""What programs and users' code may do that is no loss of the others: each was a fault once."""

import pytest

from kalahlab.games.kalah import Kalah, State, side, stores
from kalahlab.players.history import find_moves
from kalahlab.players.model import Fault
from kalahlab.players.programs.dialects import Homework, Talk


def test_a_long_turn_of_the_opponent_is_found_on_a_large_board():
    game = Kalah(8, 8)
    before = State((0, 0, 0, 19, 4, 0, 0, 3, 22, 0, 0, 0, 5, 19, 16, 1, 16, 23), 1)
    turn = (3, 6, 7, 7, 4, 5, 0)
    after = before
    for move in turn:
        assert after.player == 1
        after = game.play(after, move)
    assert find_moves(game, before, after) is None  # among the moves of both players
    assert find_moves(game, before, after, mover=1) == turn
    assert tuple(move for _, move, _ in Talk(game, before, after).find_news()) == turn


def homework_answer(state):
    north, south = side(state.board, 1)[::-1], side(state.board, 0)
    south_store, north_store = stores(state.board)
    rows = (north, south, [north_store], [south_store])
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows)


def test_the_homework_makes_no_moves_for_its_opponent():
    game = Kalah(3, 2)
    start = game.start()
    own = game.play(start, 0)
    both = game.play(own, 1)
    assert (own.player, both.player) == (1, 1)  # North has another move
    talk = Talk(game, start, start)
    assert Homework().parse(homework_answer(own), talk) == (0,)
    with pytest.raises(Fault, match="illegal: it writes a state that no turn leads to"):
        Homework().parse(homework_answer(both), talk)
