"""Scores and ratings with intervals that hold what they say, on players of known strength."""

from itertools import combinations
from math import isfinite
from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kalahlab.matches.rating import Interval, elo, mean_of, score

MATCHES = 1000

points = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def expected(difference: float) -> float:
    """The definition of Elo's scale."""
    return 1 / (1 + 10 ** (-difference / 400))


def simulated(chance: Random, difference: float, draws: float = 0.2) -> float:
    """A pair's points for a player so much the stronger.

    The opening favours the first mover by a random amount, so that the two games of a pair
    pull apart; by the same in both, so that it favours neither player.
    """
    favour = chance.uniform(-0.1, 0.1)
    won = 0.0
    for share in (expected(difference) + favour, expected(difference) - favour):
        drawn = min(draws, 2 * share, 2 * (1 - share))
        throw = chance.random()
        win = share - drawn / 2
        won += 1 if throw < win else 0.5 if throw < win + drawn else 0
    return won / 2


def share_of(held: list[bool]) -> float:
    return fmean(held)


@pytest.mark.parametrize("difference", [0, 60, 150])
@pytest.mark.parametrize("pairs", [32, 64])
def test_a_scores_interval_holds_the_truth_as_often_as_it_says(
    difference: float, pairs: int
) -> None:
    chance, held = Random(difference + pairs), []
    for _ in range(MATCHES):
        found = score([simulated(chance, difference) for _ in range(pairs)])
        held.append(found.low <= expected(difference) <= found.high)
    assert 0.93 <= share_of(held) <= 0.97


@pytest.mark.parametrize("pairs", [6, 12, 30, 100])
@pytest.mark.parametrize(("win", "draw"), [(0.5, 0), (0.3, 0.4), (0.1, 0.8), (0.75, 0), (0.6, 0.3)])
def test_it_holds_the_truth_of_few_pairs_and_long_runs_of_draws_too(
    pairs: int, win: float, draw: float
) -> None:
    chance, truth, held = Random(95), win + draw / 2, []
    for _ in range(MATCHES):
        games = chance.choices((1.0, 0.5, 0.0), (win, draw, 1 - win - draw), k=2 * pairs)
        found = score([fmean(pair) for pair in zip(games[::2], games[1::2], strict=True)])
        held.append(found.low <= truth <= found.high)
    assert share_of(held) >= 0.93


@pytest.mark.parametrize("difference", [0, 200])
def test_an_elo_interval_holds_the_truth_as_often_as_it_says(difference: float) -> None:
    chance, held = Random(5), []
    for _ in range(MATCHES):
        results = [("strong", "weak", simulated(chance, difference)) for _ in range(48)]
        found = elo(["strong", "weak"], results)["strong"]
        held.append(found.low <= difference / 2 <= found.high)
    assert 0.93 <= share_of(held) <= 0.97


def test_intervals_of_a_round_robin_hold_the_truth_as_often_as_they_say() -> None:
    true = {"a": 150.0, "b": 30.0, "c": -40.0, "d": -140.0}
    chance, held = Random(2), []
    for _ in range(MATCHES // 4):
        results = [
            (one, other, simulated(chance, true[one] - true[other]))
            for one, other in combinations(true, 2)
            for _ in range(32)
        ]
        found = elo([*true], results)
        held += [found[name].low <= true[name] <= found[name].high for name in true]
    assert 0.93 <= share_of(held) <= 0.97


@given(st.lists(points, min_size=2, max_size=40))
def test_a_score_is_students_interval_cut_to_what_a_score_can_be(pairs: list[float]) -> None:
    found = score(pairs)
    assert found.mean == pytest.approx(np.mean(pairs))
    assert 0 <= found.low <= found.mean <= found.high <= 1
    if len(set(pairs)) > 1:
        spread = stats.sem(pairs)
        low, high = stats.t.interval(0.95, len(pairs) - 1, found.mean, spread)
        assert found.low == pytest.approx(max(0, low))
        assert found.high == pytest.approx(min(1, high))


@given(st.lists(points, min_size=1, max_size=40))
def test_a_score_looks_alike_from_the_other_side_and_is_surer_of_more_pairs(
    pairs: list[float],
) -> None:
    mean, low, high = score(pairs)
    assert score([1 - each for each in pairs]) == pytest.approx((1 - mean, 1 - high, 1 - low))
    surer = score(pairs * 4)
    assert surer.high - surer.low < high - low or (low, high) == (0, 1)


@pytest.mark.parametrize("same", [0.0, 0.25, 0.5, 1.0])
def test_pairs_that_came_out_alike_are_not_certain(same: float) -> None:
    widths = []
    for number in (1, 4, 16, 64):
        found = score([same] * number)
        assert found.mean == same
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)
    assert 0 < widths[-1] < 0.2


def test_one_number_has_no_bounds() -> None:
    assert mean_of([3]) == (3, float("-inf"), float("inf"))


@given(st.lists(points, min_size=1, max_size=30))
def test_elo_of_two_is_the_score_on_another_scale(pairs: list[float]) -> None:
    """With the tenth of a drawn pair that is added; exchanged sides change the sign."""
    found = elo(["a", "b"], [("a", "b", each) for each in pairs])
    share = (sum(pairs) + 0.05) / (len(pairs) + 0.1)
    assert expected(found["a"].mean - found["b"].mean) == pytest.approx(share, abs=1e-6)
    assert found["a"].mean == pytest.approx(-found["b"].mean)
    swapped = elo(["a", "b"], [("b", "a", 1 - each) for each in pairs])
    assert swapped["a"].mean == pytest.approx(found["a"].mean, abs=1e-6)
    assert all(isfinite(number) for each in found.values() for number in each)
    assert found["a"].low <= found["a"].mean <= found["a"].high


def test_nothing_to_go_by_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 pairs"):
        score([])
    with pytest.raises(ValueError, match="two players"):
        elo(["a"], [("a", "a", 0.5)])
    with pytest.raises(ValueError, match="two players"):
        elo(["a", "b"], [])


def test_an_interval_writes_itself_and_says_where_it_lies() -> None:
    row = {"elo": 12.4, "low": -3.0, "high": 28.0}
    interval = Interval.of(row, "elo")
    assert f"{interval:+.0f}" == "+12 (-3 to +28)"
    assert [interval.verdict(value) for value in (-4, -3, 28, 29)] == [
        "better",
        "not told apart",
        "not told apart",
        "worse",
    ]
