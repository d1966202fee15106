"""A turn in a stated time: legal, whole, and as good as the search it comes from."""

from functools import reduce
from random import Random

import pytest

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah, State
from kalahlab.matches.competition import best_turn
from kalahlab.search import Depth, alpha_beta
from kalahlab.search.ordering import store_first

GAME = Kalah(10, 1000, EMPTY_CAPTURE)
BOARDS = {
    "too many stones for the engine": GAME.start(),
    "ten pits": Kalah(10, 2).start(),
    "North moves": State((4, 0, 3, 1, 2, 2, 1, 1), 1),
}


@pytest.mark.parametrize("board", BOARDS)
def test_a_turn_is_whole_and_as_good_as_a_search_of_its_depth(board):
    state = BOARDS[board]
    turn = best_turn(GAME, state, 0.1)
    assert reduce(GAME.play, turn.pits, state) == turn.state
    assert turn.state.player != state.player or GAME.over(turn.state)
    search = alpha_beta(GAME, state, store_difference, Depth(turn.depth), store_first)
    assert turn.value == search.value
    assert turn.pits == search.line[: len(turn.pits)] or len(search.line) < len(turn.pits)


def test_a_small_game_is_searched_to_its_end_at_once_and_a_finished_one_has_no_turn():
    for seed in range(5):
        chance = Random(seed)
        state = State((*(chance.randint(0, 2) for _ in range(3)), 0, 1, 0, 2, 0), seed % 2)
        turn = best_turn(GAME, state, 3600)
        exact = alpha_beta(GAME, state, store_difference, Depth(99))
        deeper = alpha_beta(GAME, state, store_difference, Depth(turn.depth + 1))
        assert turn.value == exact.value
        assert deeper.counts == exact.counts
    over = State((0, 0, 0, 7, 1, 0, 2, 1), 1)
    turn = best_turn(GAME, over, 3600)
    assert turn == ((), over, 4 - 7, 0)
