"""Each named set of rules, held against play by hand: whole games, and perft.

`test_kalah` holds `openspiel` against OpenSpiel itself.
"""

from random import Random

import naive_kalah
import pytest

from kalahlab import engine
from kalahlab.games.kalah import NORTH, SOUTH, Kalah
from kalahlab.games.rules import PRESETS
from kalahlab.search.perft import perft

NAMES = {rules: name for name, rules in reversed(PRESETS.items())}  # the first name of each


@pytest.mark.parametrize("rules", NAMES, ids=NAMES.get)
@pytest.mark.parametrize("size", [(6, 4), (3, 2)])
def test_random_games_end_as_by_hand(rules, size):
    game, rng = Kalah(*size, rules), Random(1)
    for _ in range(15):
        state = game.start()
        table = naive_kalah.lay_out(*state)
        while not naive_kalah.has_ended(table, rules):
            pits = [pit for pit in range(game.pits) if table.cups[table.side, pit]]
            assert list(game.moves(state)) == pits
            pit = rng.choice(pits)
            state, table = game.play(state, pit), naive_kalah.play(table, pit, rules)
            assert state == naive_kalah.read_off(table)
        assert game.is_over(state)
        south, north = naive_kalah.outcome(table, rules)
        assert game.outcome(state) == (south, north)
        assert game.margin(state, SOUTH) == south - north == -game.margin(state, NORTH)


def count_leaves(table, rules, depth):
    """Count lines of play by hand; a game that is over counts as one."""
    if depth == 0 or naive_kalah.has_ended(table, rules):
        return 1
    pits = [cup for side, cup in table.cups if side == table.side and cup != naive_kalah.STORE]
    legal = [pit for pit in pits if table.cups[table.side, pit]]
    return sum(count_leaves(naive_kalah.play(table, pit, rules), rules, depth - 1) for pit in legal)


@pytest.mark.parametrize("rules", NAMES, ids=NAMES.get)
@pytest.mark.parametrize(("size", "depth"), [((6, 4), 3), ((3, 2), 6)])
def test_textbook_and_engine_count_the_lines_that_a_hand_counts(rules, size, depth):
    game = Kalah(*size, rules)
    table = naive_kalah.lay_out(*game.start())
    expected = [count_leaves(table, rules, ply) for ply in range(1, depth + 1)]
    assert list(perft(game, game.start(), depth)) == expected
    assert list(engine.perft(game, game.start(), depth)) == expected
