"""The tree on the front page: its boxes are a partition, and each search visits its own nodes."""

import pytest

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.report.front_tree import DEPTH, SEARCHES, front_tree
from kalahlab.search import Depth
from kalahlab.search.ordering import ORDERS

BOXES, FOUND = front_tree()


def count_positions(game, state, depth):
    """Return the positions up to a depth, without a search."""
    if depth == 0 or game.is_over(state):
        return 1
    below = [count_positions(game, game.play(state, move), depth - 1) for move in game.moves(state)]
    return 1 + sum(below)


def test_there_is_a_box_for_each_position_and_each_row_fills_the_width():
    game = Kalah(6, 4)
    assert len(BOXES) == count_positions(game, game.start(), DEPTH)
    for depth in range(DEPTH + 1):
        place = 0
        for box in (box for box in BOXES if box.depth == depth):
            assert box.left == place
            place += box.width
        assert place == BOXES[0].width


@pytest.mark.parametrize("search", FOUND, ids=lambda search: search.name)
def test_the_steps_are_the_visits_of_the_search(search):
    algorithm, order = SEARCHES[search.name]
    game = Kalah(6, 4)
    result = algorithm(game, game.start(), store_difference, Depth(DEPTH), ORDERS[order])
    assert (search.value, search.move) == (result.value, result.move + 1)
    assert search.visited == result.counts.visited
    visited = sorted(step for step in search.steps if step > 0)
    assert visited == [*range(1, search.visited + 1)]
    above = []  # the steps on the way down to a box
    for box, step in zip(BOXES, search.steps, strict=True):
        del above[box.depth :]
        if step > 0:
            assert all(0 < other < step for other in above)
        elif above[-1] > 0:  # the search has left the position above
            assert -step >= above[-1]
        above.append(step)
