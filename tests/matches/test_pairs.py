"""Pairs of games: sides swapped, and what they come to."""

from itertools import count
from typing import Any

import pytest

from kalahlab.evaluators.kalah import staged
from kalahlab.games.kalah import Kalah
from kalahlab.grid import Row
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pair, tally
from kalahlab.matches.rating import score
from kalahlab.play import on_clock, play_game, random_player, search_player
from kalahlab.search import Depth, alpha_beta


def pair(*margins: float | str, opening: Any = None) -> Row:
    """A row of two margins; or of `one` or `other`, who lost a game on time."""
    opening = margins if opening is None else opening
    row: Row = {"points": 0.0, "opening": opening}
    for number, margin in zip("12", margins, strict=True):
        late = margin if isinstance(margin, str) else None
        row |= {f"margin_{number}": None if late else margin, f"late_{number}": late}
        row["points"] += (late == "other" if late else (margin > 0) + (margin == 0) / 2) / 2
    return row


def test_a_tally_worked_by_hand() -> None:
    found = tally([pair(4, 2), pair(6, -2), pair(0, -8), pair(-2, -12)])
    assert (found["wins"], found["draws"], found["losses"]) == (3, 1, 4)
    assert (found["score"], found["margin"]) == (7 / 16, -12 / 8)
    assert (found["score"], found["low"], found["high"]) == score([1, 1 / 2, 1 / 4, 0])
    assert (found["pairs"], found["lost_on_time"]) == (4, 0)


def test_pairs_from_one_opening_are_one_unit() -> None:
    """Twice the same games tell no more than once."""
    rows = [pair(4, 2, opening=1), pair(6, -2, opening=2), pair(0, -8, opening=3)]
    once, twice = tally(rows), tally(rows * 2)
    for name in ("score", "low", "high", "p"):
        assert twice[name] == pytest.approx(once[name])
    apart = tally([*rows, *(row | {"opening": -row["opening"]} for row in rows)])
    assert apart["high"] - apart["low"] < twice["high"] - twice["low"]


def test_each_opening_is_played_from_both_sides() -> None:
    game = Kalah(3, 3)
    one, other = search_player(alpha_beta, staged, Depth(2)), random_player(1)
    openings = list(random_openings(game, 9, plies=3, seed=5))
    rows = [play_pair(Pair(one, other, opening, game)) for opening in openings]
    other = random_player(1)  # the same chances again
    for opening, row in zip(openings, rows, strict=True):
        assert play_game(game, one, other, opening).margin == row["margin_1"]
        assert play_game(game, other, one, opening).margin == -row["margin_2"]


def test_games_lost_on_time_are_counted_and_have_no_margin() -> None:
    found = tally([pair("other", -2), pair("one", 4)])
    assert (found["wins"], found["draws"], found["losses"]) == (2, 0, 2)
    assert (found["score"], found["margin"], found["lost_on_time"]) == (0.5, 1, 1)
    assert tally([pair("other", "one"), pair("other", "other")])["margin"] is None


@pytest.mark.parametrize("seconds", [9, 10])
def test_who_takes_longer_than_allowed_loses(seconds: float) -> None:
    """Ten seconds pass at each reading: who moves first is late, or nobody is."""
    game, clock = Kalah(3, 3), count(0, 10).__next__
    player = on_clock(random_player(1), seconds, clock)
    for opening in random_openings(game, 3, plies=2):
        row = play_pair(Pair(player, player, opening, game))
        late = ["one", "other"] if opening.player == 0 else ["other", "one"]
        assert [row["late_1"], row["late_2"]] == (late if seconds < 10 else [None, None])
