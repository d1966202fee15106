"""Matches from fair openings: who met whom, what came of it, and that nothing leans to a side."""

from itertools import combinations, count
from statistics import fmean

import pytest
from conftest import unmeasured

from kalahlab.backends import BACKENDS
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board, parse_board
from kalahlab.grid import Row, run_all
from kalahlab.matches.openings import fair_openings
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.tournament import (
    at_equal_depth,
    cross_table,
    matches,
    round_robin,
    standings,
)
from kalahlab.play import parse_player, play_game

PLAYERS = ["alpha_beta:e3:3", "alpha_beta:staged:3", "greedy:e2:1", "random:4"]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return run_all(play_pair, round_robin(PLAYERS, openings=4))


# --- pairs -----------------------------------------------------------------------------


def test_a_round_robin_is_every_two_players_from_every_opening() -> None:
    wanted = round_robin(PLAYERS, "empty-capture", 3)
    assert len(set(wanted)) == len(wanted) == 6 * 3
    assert {(pair.one, pair.other) for pair in wanted} == set(combinations(PLAYERS, 2))
    boards = {format_board(state) for state in fair_openings("empty-capture", 3)}
    assert {pair.opening for pair in wanted} == boards


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_pair_is_two_games_with_sides_exchanged(backend: str) -> None:
    board = format_board(fair_openings("standard", 1)[0])
    row = play_pair(Pair(*PLAYERS[:2], board, backend=backend))
    game, start = Kalah(), parse_board(board)
    one, other = (parse_player(name) for name in PLAYERS[:2])
    first, second = play_game(game, one, other, start), play_game(game, other, one, start)
    assert (row["margin_1"], row["margin_2"]) == (first.margin, -second.margin)
    won = [(margin > 0) + (margin == 0) / 2 for margin in (row["margin_1"], row["margin_2"])]
    assert row["points"] == fmean(won)
    assert row["late_1"] is row["late_2"] is None


def test_both_backends_play_the_same_match(rows: list[Row]) -> None:
    others = run_all(play_pair, round_robin(PLAYERS, openings=4, backend="textbook"))
    here, there = ([row | {"backend": ""} for row in unmeasured(each)] for each in (rows, others))
    assert here == there


def test_exchanging_the_players_exchanges_everything() -> None:
    board = format_board(fair_openings("standard", 2)[1])
    here, there = (play_pair(Pair(*names, board)) for names in (PLAYERS[:2], PLAYERS[1::-1]))
    assert here["points"] == 1 - there["points"]
    assert (here["margin_1"], here["margin_2"]) == (-there["margin_2"], -there["margin_1"])
    assert matches([here])[0]["wins"] == matches([there])[0]["losses"]


@pytest.mark.parametrize(("order", "loser", "points"), [(1, "one", 0), (-1, "other", 1)])
def test_a_loss_on_time_is_recorded_as_one(order: int, loser: str, points: float) -> None:
    """Ten seconds pass between any two readings, and only one of the two minds."""
    names = ["alpha_beta:e3:1000ms", "alpha_beta:e3:2"][::order]
    board = format_board(fair_openings("standard", 1)[0])
    row = play_pair(Pair(*names, board, backend="textbook"), count(0, 10).__next__)
    assert (row["late_1"], row["late_2"]) == (loser, loser)
    assert row["margin_1"] is row["margin_2"] is None
    assert row["points"] == points
    tally = matches([row])[0]
    assert tally["lost_on_time"] == tally["losses"] == 2 * (loser == "one")
    assert tally["wins"] == 2 * points
    assert tally["margin"] is None


def test_one_evaluator_meets_all_others_at_equal_depth_under_all_rules() -> None:
    wanted = at_equal_depth("fitted", ["e1", "e4"], [1, 3], PRESETS, 2)
    assert len(set(wanted)) == len(wanted) == 2 * 2 * len(PRESETS) * 2
    for pair in wanted:
        assert pair.one.split(":")[::2] == pair.other.split(":")[::2]
        assert pair.one.split(":")[1] == "fitted"
        assert parse_board(pair.opening) in fair_openings(pair.rules, 2)
    with pytest.raises(ValueError, match="'e9'"):
        at_equal_depth("fitted", ["e9"], [1])


# --- tallies ---------------------------------------------------------------------------


def test_a_match_adds_up(rows: list[Row]) -> None:
    for match in matches(rows):
        mine = [row for row in rows if (row["one"], row["other"]) == (match["one"], match["other"])]
        margins = [row[f"margin_{game}"] for row in mine for game in "12"]
        assert match["pairs"] == len(mine) == 4
        assert match["wins"] == sum(margin > 0 for margin in margins)
        assert match["losses"] == sum(margin < 0 for margin in margins)
        assert match["wins"] + match["draws"] + match["losses"] == 8
        assert match["margin"] == pytest.approx(fmean(margins))
        assert match["score"] == pytest.approx((match["wins"] + match["draws"] / 2) / 8)
        assert match["low"] <= match["score"] <= match["high"]


def test_standings_are_of_all_matches(rows: list[Row]) -> None:
    table = standings(rows)
    assert {row["player"] for row in table} == set(PLAYERS)
    assert sum(row["wins"] for row in table) == sum(row["losses"] for row in table)
    assert fmean(row["score"] for row in table) == pytest.approx(0.5)
    assert sum(row["margin"] for row in table) == pytest.approx(0)
    assert sum(row["elo"] for row in table) == pytest.approx(0, abs=1e-6)
    assert [row["elo"] for row in table] == sorted((row["elo"] for row in table), reverse=True)
    assert table[-1]["player"] == "random:4", "who knows nothing comes last"


def test_a_cross_table_is_its_own_mirror(rows: list[Row]) -> None:
    table = cross_table(rows)
    assert list(table.index) == list(table.columns) == [row["player"] for row in standings(rows)]
    for one, other in combinations(table.index, 2):
        assert table.loc[one, other] + table.loc[other, one] == pytest.approx(1)
    assert all(table.isna().to_numpy().diagonal())


@pytest.mark.parametrize(
    ("players", "named"),
    [
        (["random"], "1 player"),
        (["random", "random"], "'random' is named twice"),
        (["random", "alpha_beta:e9:3"], "'e9'"),
    ],
)
def test_what_is_no_round_robin_is_refused(players: list[str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        round_robin(players)
