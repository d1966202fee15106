"""Pairs of games: sides swapped, and what they come to."""

from itertools import count
from math import inf, isnan

import pytest

from kalahlab.evaluators.kalah import staged
from kalahlab.games.kalah import Kalah
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import outcome, play_pairs
from kalahlab.matches.rating import score
from kalahlab.play import play_game, random_player, search_player
from kalahlab.search import Depth, alpha_beta


def test_an_outcome_worked_by_hand() -> None:
    found = outcome([(4, 2), (6, -2), (0, -8), (-2, -12)])
    assert (found.wins, found.draws, found.losses) == (3, 1, 4)
    assert (found.score.mean, found.margin) == (7 / 16, -12 / 8)
    assert found.score == score([1, 1 / 2, 1 / 4, 0])
    assert not found.better
    assert outcome([(4, 2), (6, 2), (0, 8)]).better


def test_each_opening_is_played_from_both_sides() -> None:
    game = Kalah(3, 3)
    one, other = search_player(alpha_beta, staged, Depth(2)), random_player(1)
    openings = list(random_openings(game, 9, plies=3, seed=5))
    south, north = zip(*play_pairs(game, one, other, openings), strict=True)
    other = random_player(1)  # the same chances again
    for opening, as_south, as_north in zip(openings, south, north, strict=True):
        assert play_game(game, one, other, opening).margin == as_south
        assert play_game(game, other, one, opening).margin == -as_north


def test_games_lost_on_time_are_counted_and_have_no_margin() -> None:
    found = outcome([(inf, -2), (-inf, 4)])
    assert (found.wins, found.draws, found.losses, found.timed_out) == (2, 0, 2, 2)
    assert (found.score.mean, found.margin) == (0.5, 1)
    assert isnan(outcome([(inf, -inf), (inf, inf)]).margin)


@pytest.mark.parametrize(("seconds", "timed_out"), [(9, 6), (10, 0)])
def test_who_takes_longer_than_allowed_loses(seconds: float, timed_out: int) -> None:
    """Ten seconds pass at each reading: South, who moves first, is late or nobody is."""
    game, player = Kalah(3, 3), random_player(1)
    openings = list(random_openings(game, 3, plies=2))
    found = play_pairs(game, player, player, openings, seconds, count(0, 10).__next__)
    assert outcome(found).timed_out == timed_out
    if timed_out:
        assert found == [
            (-inf, inf) if opening.player == 0 else (inf, -inf) for opening in openings
        ]
