"""The grid of games: the same rows however they are run, and right ones."""

import gc
from collections import Counter
from dataclasses import asdict
from itertools import product

import pytest

from kalahlab.evaluators.kalah import EVALUATORS, e3
from kalahlab.experiments.costs import measure_peak_kib, measure_searches
from kalahlab.experiments.settings import Setting, make_grid, mean_rows, run_setting
from kalahlab.games.kalah import SOUTH, Kalah
from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.games.supported import STORED
from kalahlab.parallel import run_all
from kalahlab.players.game_loop import play_game
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import BACKENDS
from kalahlab.search import ALGORITHMS, ORDERS, Depth, minimax

NAMES = (["greedy", "alpha_beta"], ["store_difference", "e3"], [1, 2, 3], [*STORED][:2])
SETTINGS = make_grid(*NAMES, pits=3, stones=3)


@pytest.fixture(scope="module")
def rows():
    return run_all(run_setting, SETTINGS)


def test_the_grid_has_every_combination_once_and_rows_in_that_order(rows):
    assert len(set(SETTINGS)) == len(SETTINGS) == 2 * 2 * 3 * 2
    assert [setting.depth for setting in SETTINGS[:4]] == [1, 2, 3, 1], "depths innermost"
    assert [setting.rules for setting in SETTINGS] == [NAMES[3][0]] * 12 + [NAMES[3][1]] * 12
    for row, setting in zip(rows, SETTINGS, strict=True):
        assert (row["pits"], row["stones"]) == (3, 3)
        for name in ("algorithm", "evaluator", "depth", "rules"):
            assert row[name] == getattr(setting, name)
        assert row["seconds"] > 0
        assert row["peak_kib"] is None if row["backend"] == "engine" else row["peak_kib"] > 0


@pytest.mark.parametrize("algorithm", ["alpha_beta", "minimax_a_b"])
@pytest.mark.parametrize(("leaf", "order"), [("sow", "pit"), ("turn", "store_first")])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_row_describes_the_game_that_minimax_plays(algorithm, leaf, order, backend):
    game, depth = Kalah(4, 3, EMPTY_CAPTURE), Depth(3, leaf)
    state, moves = game.start(), []
    counts = Counter[str]()
    while not game.is_over(state):
        counts.update(asdict(ALGORITHMS[algorithm](game, state, e3, depth, ORDERS[order]).counts))
        move = minimax(game, state, e3, depth, ORDERS[order]).move
        moves.append(move)
        state = game.play(state, move)
    counts["nodes"] = counts.pop("visited")  # as a row calls them
    margin = game.margin(state, SOUTH)
    settings = {"leaf": leaf, "order": order, "pits": 4, "stones": 3, "backend": backend}
    row = run_setting(Setting(algorithm, "e3", 3, "empty-capture", **settings))
    assert {name: row[name] for name in settings} == settings
    assert row["moves"] == " ".join(str(move + 1) for move in moves)
    assert row["path"] == len(moves)
    assert {name: row[name] for name in counts} == counts
    assert row["margin"] == row["south"] - row["north"] == margin
    assert row["south"] + row["north"] == 24
    assert row["winner"] == ("South" if margin > 0 else "North" if margin < 0 else "draw")


def test_peak_memory_is_that_of_the_call():
    for size in (1 << 20, 1 << 24):
        assert measure_peak_kib(lambda size=size: bytearray(size)) == pytest.approx(
            size / 1024, rel=0.01
        )
    assert gc.get_freeze_count() > 0  # as before: tests/conftest.py freezes what is imported


def test_costs_of_searches_equal_their_counts():
    state, names = Kalah(3, 3).start(), ["minimax", "alpha_beta"]
    costs = measure_searches(state, names, [0, 4], evaluator="e4")
    for row, (name, depth) in zip(costs, product(names, (0, 4)), strict=True):
        assert (row["algorithm"], row["depth"]) == (name, depth)
        result = ALGORITHMS[name](Kalah(), state, EVALUATORS["e4"], Depth(depth))
        assert row["value"] == result.value
        assert row["line"] == " ".join(str(move + 1) for move in result.line)
        assert row["move"] == (result.move + 1 if row["depth"] else None)
        assert row["visited"] == row["expanded"] + row["evaluated"]
        assert row["generated"] == result.counts.generated
    assert costs[3]["visited"] < costs[1]["visited"]


def test_searches_under_other_limits_play_as_their_players_do():
    settings = make_grid(["uct"], ["random"], [], limits=["30p", "60p"], pits=3, stones=2)
    settings += make_grid(["alpha_beta"], ["e3"], [], limits=["90n"], pits=3, stones=2)
    rows = run_all(run_setting, settings)
    assert [row["limit"] for row in rows] == ["30p", "60p", "90n"]
    for row, setting in zip(rows, settings, strict=True):
        player = parse_player(setting.player)
        log = play_game(Kalah(3, 2), player, player)
        assert row["moves"] == " ".join(str(move.pit + 1) for move in log.moves)
    assert [*mean_rows([row | {"error": None} for row in rows])["limit"]] == ["30p", "60p", "90n"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"limit": "50ms"}, "limit is 50ms; use nodes or playouts"),
        ({"limit": "50n"}, "uct cannot keep the limit 50n; it takes playouts or seconds"),
        ({"depth": 3}, "uct cannot keep the limit 3"),
        ({"limit": "5p", "order": "static"}, "uct has no leaf rule, no order and no ties"),
        ({"limit": "5p", "algorithm": "minimax", "evaluator": "e3"}, "it takes a depth, nodes or"),
    ],
)
def test_a_setting_whose_limit_cannot_be_kept_is_refused(change, why):
    names = {"algorithm": "uct", "evaluator": "random", "depth": 0}
    with pytest.raises(ValueError, match=why):
        Setting(**names | change)


def test_perfect_is_a_player_of_a_grid_once_for_each_set_of_rules():
    settings = make_grid(["greedy", "perfect"], ["e1", "e3"], [1, 2], pits=2, stones=2)
    assert [setting.player for setting in settings].count("perfect") == 1
    assert len(settings) == 2 * 2 + 1
    rows = run_all(run_setting, settings)
    exact = minimax(Kalah(2, 2), Kalah(2, 2).start(), e3, Depth(30)).value
    [row] = [row for row in rows if row["algorithm"] == "perfect"]
    assert (row["margin"], row["backend"], row["nodes"]) == (exact, "solver", None)
    table = mean_rows([row | {"error": ""} for row in rows]).set_index("algorithm")
    assert table.loc["perfect", "margin"] == exact
    with pytest.raises(ValueError, match="perfect has no evaluator, no depth and no limit"):
        Setting("perfect", "e3", 2)
