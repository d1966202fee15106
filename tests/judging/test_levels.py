"""Levels: their moves, and their strength in `data/levels.csv`."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from levels import expect_regret, measure_levels

from kalahlab.data import data_file, data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS
from kalahlab.players.game_loop import play_game
from kalahlab.players.levels import LEVELS, REGRETS, Level, level_player
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import BACKENDS
from kalahlab.search import Depth, alpha_beta
from kalahlab.search.ordering import store_first
from kalahlab.widgets.models.board import suggest_players

ROWS = data_rows("levels.csv")
WHOLE = ("level1", "level4")  # measured to the last digit; the others on fewer positions


def test_each_level_of_the_file_is_better_than_the_one_below_it():
    assert [row["level"] for row in ROWS] == [*LEVELS, "perfect"] == [*REGRETS]
    for below, above in pairwise(ROWS):
        assert float(above["regret_high"]) < float(below["regret_low"])
        assert float(above["optimal_low"]) > float(below["optimal_high"])


def test_rows_of_the_file_are_reproduced(benchmark_sample):
    table = measure_levels(benchmark_sample, {name: LEVELS[name] for name in WHOLE})
    lines = table.to_csv(float_format="%.3f").splitlines()
    assert {*lines} < {*data_file("levels.csv").read_text().splitlines()}


@pytest.mark.parametrize("name", [name for name in LEVELS if name not in WHOLE])
def test_other_levels_have_their_regret_on_a_sample_of_the_positions(name, benchmark_sample):
    part = Random(1).sample(benchmark_sample, 600)
    regret = sum(expect_regret(row, LEVELS[name])[0] for row in part) / len(part)
    assert regret == pytest.approx(REGRETS[name], rel=0.25)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_level_plays_a_search_or_at_random_with_its_probability(backend, benchmark_sample):
    row = benchmark_sample[5]
    game, level = Kalah(rules=PRESETS[row.rules]), Level(3, 0.5)
    player = level_player(level, seed=1, backend=backend)
    counts = Counter(player(game, row.state) for _ in range(2000))
    best = alpha_beta(game, row.state, store_difference, Depth(3), store_first).move
    moves = game.moves(row.state)
    for move in moves:
        share = level.chance / len(moves)
        if move == best:
            share += 1 - level.chance
        assert counts[move] / 2000 == pytest.approx(share, abs=0.05)
    regret = sum(row.regret(move) * count for move, count in counts.items()) / 2000
    assert regret == pytest.approx(expect_regret(row, level)[0], abs=0.5)


def test_a_level_is_named_with_a_seed():
    logs = [
        play_game(Kalah(6, 4), parse_player(text), parse_player("level8", backend="engine"))
        for text in ("level2", "level2:0", "level2:1")
    ]
    assert logs[0] == logs[1] != logs[2]


def test_the_board_offers_each_level_with_its_regret():
    offered = dict(suggest_players())
    for name, regret in REGRETS.items():
        assert name == "perfect" or f"gives up {regret:.1f} stones a move" in offered[name]
