"""Openings: drawn by their seed in any game, and of Kalah those that are draws."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from kalahlab.data import data_rows
from kalahlab.engine.solver.exact import open_solver
from kalahlab.games import Game
from kalahlab.games.betsy import Betsy
from kalahlab.games.cards import Cards
from kalahlab.games.kalah import PRESETS, Kalah, in_play
from kalahlab.games.notation import format_board
from kalahlab.matches.openings import (
    NUMBER,
    PLIES,
    candidates,
    fair_openings,
    is_drawn,
    looks_even,
    random_openings,
)
from kalahlab.play import random_line


@pytest.mark.parametrize("game", [Kalah(3, 3), Betsy(3, 40), Cards(6)])
@pytest.mark.parametrize("plies", [0, 3, 200])
def test_a_line_random_line_is_a_game_as_far_as_it_goes(game: Game, plies: int) -> None:
    for seed in range(20):
        line, reached = random_line(game, Random(seed), plies)
        assert len(line) == plies or (game.over(reached) and len(line) < plies)
        state = game.start()
        for move in line:
            assert move in game.moves(state)
            state = game.play(state, move)
        assert state == reached
        assert (line, reached) == random_line(game, Random(seed), plies)


@pytest.mark.parametrize("game", [Kalah(3, 3), Betsy(3, 40), Cards(6)])
def test_openings_are_different_and_not_over(game: Game) -> None:
    openings = list(random_openings(game, 40, plies=4, seed=2))
    assert len(set(openings)) == 40
    assert not any(game.over(state) for state in openings)
    assert openings[:10] == list(random_openings(game, 10, plies=4, seed=2))
    assert openings != list(random_openings(game, 40, plies=4, seed=3))


def test_openings_are_what_is_wanted() -> None:
    game = Kalah()
    found = list(random_openings(game, 20, 4, seed=2, wanted=lambda state: state.player == 1))
    drawn = random_openings(game, 60, 4, seed=2)
    assert found == [state for state in drawn if state.player == 1][:20]


def test_there_are_as_many_openings_as_are_said() -> None:
    kept = data_rows("openings.csv")
    assert [row["rules"] for row in kept] == [rules for rules in PRESETS for _ in range(NUMBER)]
    assert len({(row["rules"], row["board"]) for row in kept}) == len(kept)


def test_an_openings_moves_lead_to_its_board() -> None:
    for row in data_rows("openings.csv"):
        game = Kalah(6, 4, PRESETS[row["rules"]])
        state = game.start()
        for pit in row["moves"].split():
            state = game.play(state, int(pit) - 1)
        assert format_board(state) == row["board"]
        assert PLIES[0] <= len(row["moves"].split()) <= PLIES[1]


@pytest.mark.parametrize("rules", PRESETS)
def test_openings_are_the_seeds_candidates_in_their_order(rules: str) -> None:
    game = Kalah(6, 4, PRESETS[rules])
    tried = candidates(game, seed=0)
    for state in fair_openings(rules):
        assert any(format_board(found) == format_board(state) for _, found in islice(tried, 2000))
        assert looks_even(game, state)


@pytest.mark.parametrize("rules", PRESETS)
def test_an_opening_is_a_draw_under_perfect_play(rules: str, tmp_path: Path) -> None:
    """Solved anew, the one with the fewest stones in play: the others take long."""
    with open_solver(6, PRESETS[rules], database_stones=10, folder=tmp_path) as judge:
        state = min(fair_openings(rules), key=lambda state: in_play(state.board))
        assert is_drawn(judge, state)
        assert judge.value(state) == 0


def test_asking_for_too_many_openings_says_how_many_there_are() -> None:
    with pytest.raises(ValueError, match="openings is 65; there are 1 to 64"):
        fair_openings("standard", 65)
