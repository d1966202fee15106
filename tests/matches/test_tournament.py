"""Pairs of games, and matches: the meetings, their results, and that no side is favoured."""

from functools import partial
from itertools import combinations, count
from math import log10
from pathlib import Path
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from conftest import jsonl

from kalahlab.evaluators.kalah import staged
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board, parse_board
from kalahlab.matches.openings import fair_openings, random_openings
from kalahlab.matches.pairs import Pair, play_pair, play_pairs
from kalahlab.matches.rating import ADDED, cluster_by_opening, holm, score_interval
from kalahlab.matches.tournament import cross_table, round_robin, standings, tally, tally_pairings
from kalahlab.players.factories import TimeLimitedPlayer, random_player, search_player
from kalahlab.players.game_loop import play_game
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import BACKENDS
from kalahlab.search import Depth, alpha_beta

PLAYERS = ["alpha_beta:e3:3", "alpha_beta:staged:3", "greedy:e2:1", "random:4"]
BOARDS = [format_board(state) for state in fair_openings("standard", 2)]
SMALL = Kalah(3, 3)


@pytest.fixture(scope="module")
def games():
    return play_pairs(round_robin(PLAYERS, openings=4))


def test_a_round_robin_pairs_every_two_players_from_every_opening():
    pairs = round_robin(PLAYERS, "empty-capture", 3)
    assert len(set(pairs)) == len(pairs) == 6 * 3
    assert {(pair.one, pair.other) for pair in pairs} == set(combinations(PLAYERS, 2))
    boards = {format_board(state) for state in fair_openings("empty-capture", 3)}
    assert {pair.opening for pair in pairs} == boards


WRITTEN = [partial(parse_player, name) for name in PLAYERS[:2]]
OWN = [partial(search_player, alpha_beta, staged, Depth(2)), partial(random_player, 1)]
PAIRS = [(Pair(*PLAYERS[:2], BOARDS[0], backend=backend), WRITTEN) for backend in BACKENDS]
for opening in random_openings(SMALL, 5, plies=3, seed=5):
    one, other = (make() for make in OWN)
    PAIRS.append((Pair(one, other, opening, SMALL), OWN))


@pytest.mark.parametrize(("pair", "makers"), PAIRS)
def test_a_pair_is_two_games_with_sides_exchanged(pair, makers):
    row, is_named = play_pair(pair), pair.rules == "standard"
    game, start = (Kalah(), parse_board(pair.opening)) if is_named else (SMALL, pair.opening)
    one, other = (make() for make in makers)  # with the same seeds as before
    first = play_game(game, one, other, start).margin
    second = -play_game(game, other, one, start).margin
    assert (row["margin_1"], row["margin_2"]) == (first, second)
    assert row["points"] == fmean((np.sign(margin) + 1) / 2 for margin in (first, second))
    assert row["lost_on_time_1"] is row["lost_on_time_2"] is None


def test_exchanging_the_players_exchanges_everything():
    pairs = [Pair(*names, BOARDS[1]) for names in (PLAYERS[:2], PLAYERS[1::-1])]
    forward, backward = tally_pairings(play_pairs(pairs))
    assert forward["score"] == 1 - backward["score"]
    assert forward["margin"] == -backward["margin"]
    assert (forward["wins"], forward["draws"]) == (backward["losses"], backward["draws"])
    for end, opposite in [("elo", "elo"), ("elo_low", "elo_high"), ("elo_high", "elo_low")]:
        assert forward[end] == pytest.approx(-backward[opposite])
    share = (forward["score"] * forward["pairs"] + ADDED / 2) / (forward["pairs"] + ADDED)
    assert forward["elo"] == pytest.approx(400 * log10(share / (1 - share)))


@pytest.mark.parametrize(
    ("one", "other", "loser", "points"),
    [
        ("alpha_beta:e3:1000ms", "alpha_beta:e3:2", "one", 0),
        ("alpha_beta:e3:2", "alpha_beta:e3:1000ms", "other", 1),
    ],
)
def test_a_loss_on_time_is_recorded(one, other, loser, points):
    """Let ten seconds pass between any two readings; only one player has a clock."""
    row = play_pair(Pair(one, other, BOARDS[0], backend="textbook"), count(0, 10).__next__)
    assert (row["lost_on_time_1"], row["lost_on_time_2"]) == (loser, loser)
    assert row["margin_1"] is row["margin_2"] is None
    assert row["points"] == points


@pytest.mark.parametrize("seconds", [9, 10])
def test_a_player_that_takes_longer_than_allowed_loses(seconds):
    """Let ten seconds pass at each reading: whoever moves first is late, or nobody is."""
    player = TimeLimitedPlayer(random_player(1), seconds, count(0, 10).__next__)
    for opening in random_openings(SMALL, 3, plies=2):
        row = play_pair(Pair(player, player, opening, SMALL))
        late = ["one", "other"] if opening.player == 0 else ["other", "one"]
        assert [row["lost_on_time_1"], row["lost_on_time_2"]] == (
            late if seconds < 10 else [None, None]
        )


def table(*pairs, openings=None):
    """Make a table of pairs of two margins each, or of `one` or `other`, who lost on time."""
    rows = []
    for number, pair in enumerate(pairs):
        late = [game if isinstance(game, str) else None for game in pair]
        margins = [None if isinstance(game, str) else game for game in pair]
        won = [game == "other" if game in late else (np.sign(game) + 1) / 2 for game in pair]
        rows.append([*margins, *late, fmean(won), openings[number] if openings else number])
    names = ["margin_1", "margin_2", "lost_on_time_1", "lost_on_time_2", "points", "opening"]
    return pd.DataFrame(rows, columns=names)


TALLIES = jsonl(Path(__file__).with_name("tallies.jsonl"))


@pytest.mark.parametrize(("pairs", "counts", "margin", "shares"), TALLIES)
def test_a_tally_worked_by_hand(pairs, counts, margin, shares):
    row = tally(table(*pairs))
    assert [row[name] for name in ("wins", "draws", "losses", "lost_on_time")] == counts
    assert (row["pairs"], row["margin"]) == (len(pairs), margin)
    assert (row["score"], row["low"], row["high"]) == score_interval(shares)


def test_pairs_from_one_opening_are_one_unit():
    pairs, names = [(4, 2), (6, -2), (0, -8)], ("score", "low", "high", "p")
    once, twice = tally(table(*pairs)), tally(table(*pairs * 2, openings=[0, 1, 2] * 2))
    assert [twice[name] for name in names] == pytest.approx([once[name] for name in names])
    apart = tally(table(*pairs * 2))
    assert apart["high"] - apart["low"] < twice["high"] - twice["low"]


def test_standings_sum_all_matches_and_the_cross_table_is_antisymmetric(games):
    rows = pd.DataFrame(standings(games)).set_index("player")
    assert {*rows.index} == {*PLAYERS}
    assert rows.index[-1] == "random:4", "who knows nothing comes last"
    assert set(rows["pairs"]) == {12}
    assert rows["wins"].sum() == rows["losses"].sum()
    assert rows["score"].mean() == pytest.approx(0.5)
    assert rows[["margin", "elo"]].sum().tolist() == pytest.approx([0, 0], abs=1e-6)
    assert rows["elo"].is_monotonic_decreasing
    cross = cross_table(games)
    assert list(cross.index) == list(cross.columns) == list(rows.index)
    pd.testing.assert_frame_equal(cross + cross.T, cross * 0 + 1)
    assert all(cross.isna().to_numpy().diagonal())
    assert cross.mean(axis=1).tolist() == pytest.approx(rows["score"].tolist())
    met, pairs = pd.DataFrame(tally_pairings(games)), games.groupby(["one", "other"], sort=False)
    direct = [cluster_by_opening([*played["points"]]).p_value() for _, played in pairs]
    assert [*met["p_holm"]] == pytest.approx(holm(direct))
    assert [*met["differ"]] == [*(met["p_holm"] < 0.05)]
