"""Each named set of rules, held against an independent statement of it.

OpenSpiel played 1,000 games at random. `naive_kalah` plays by hand under the other names.
"""

import csv
from random import Random

import naive_kalah
import numpy as np
import pytest

from kalahlab import engine
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, sow
from kalahlab.games.rules import PRESETS
from kalahlab.search.perft import perft

NAMES = {rules: name for name, rules in reversed(PRESETS.items())}  # the first name of each


def test_openspiels_games_are_games_by_its_rules(oracles):
    game = Kalah(6, 4, "openspiel")
    path = oracles / "kalah" / "openspiel_games.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1000
    for row in rows:
        state = game.start()
        for letter in row["moves"]:
            assert not game.is_over(state)
            pit = "123456abcdef".index(letter)
            assert pit // 6 == state.player
            before, state = state, game.play(state, pit % 6)
        assert game.is_over(state)
        # OpenSpiel leaves the rest on the board.
        last = sow(before.board, before.player, pit % 6, game.rules).board
        assert " ".join(map(str, last)) == row["board"]
        assert np.sign(game.margin(state, SOUTH)) == int(row["result"])


@pytest.mark.parametrize("rules", NAMES, ids=NAMES.get)
@pytest.mark.parametrize("size", [(6, 4), (3, 2)])
def test_random_games_end_as_by_hand(rules, size):
    game, rng = Kalah(*size, rules), Random(1)
    for _ in range(40):
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
@pytest.mark.parametrize(("size", "depth"), [((6, 4), 4), ((3, 2), 7)])
def test_textbook_and_engine_count_the_lines_that_a_hand_counts(rules, size, depth):
    game = Kalah(*size, rules)
    table = naive_kalah.lay_out(*game.start())
    expected = [count_leaves(table, rules, ply) for ply in range(1, depth + 1)]
    assert list(perft(game, game.start(), depth)) == expected
    assert list(engine.perft(game, game.start(), depth)) == expected
