"""Scores and ratings with intervals that hold what they say, on players of known strength."""

from collections.abc import Iterable
from itertools import combinations
from math import isfinite
from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kalahlab.matches.rating import Interval, elo, holm, score, units, verdicts

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


def holds(truth: float, found: Iterable[Interval]) -> bool:
    """Whether the intervals hold the truth as often as they say, but for chance."""
    return fmean(each.low <= truth <= each.high for each in found) >= 0.93


@pytest.mark.parametrize("difference", [0, 60, 150])
@pytest.mark.parametrize("pairs", [8, 32, 64])
def test_a_scores_interval_holds_the_truth_as_often_as_it_says(
    difference: float, pairs: int
) -> None:
    chance = Random(difference + pairs)
    found = (score([simulated(chance, difference) for _ in range(pairs)]) for _ in range(MATCHES))
    assert holds(expected(difference), found)


GAMES = [(0.5, 0), (0.3, 0.4), (0.1, 0.8), (0.75, 0), (0.6, 0.3), (0.97, 0), (0.94, 0.06)]


@pytest.mark.parametrize("pairs", [8, 12, 30, 100])
@pytest.mark.parametrize(("win", "draw"), GAMES)
def test_it_holds_the_truth_of_few_pairs_long_runs_of_draws_and_lopsided_scores_too(
    pairs: int, win: float, draw: float
) -> None:
    chance, found = Random(95), []
    for _ in range(MATCHES):
        games = chance.choices((1.0, 0.5, 0.0), (win, draw, 1 - win - draw), k=2 * pairs)
        found.append(score([fmean(pair) for pair in zip(games[::2], games[1::2], strict=True)]))
    assert holds(win + draw / 2, found)


@pytest.mark.parametrize("pairs", [8, 30])
@pytest.mark.parametrize("truth", [0.5, 0.52, 0.6, 0.97])
def test_it_holds_the_truth_where_openings_decide(pairs: int, truth: float) -> None:
    """Who has the better side wins, in both games of a pair; now and then a player wins both."""
    chance, shares = Random(7), (2 - 2 * truth, 2 * truth - 1)
    drawn = ([chance.choices((0.5, 1), shares)[0] for _ in range(pairs)] for _ in range(MATCHES))
    assert holds(truth, map(score, drawn))


@pytest.mark.parametrize("difference", [0, 200, 350])
@pytest.mark.parametrize("pairs", [8, 48])
def test_an_elo_interval_holds_the_truth_as_often_as_it_says(difference: float, pairs: int) -> None:
    chance, found = Random(5), []
    for _ in range(MATCHES // 4):
        results = [("strong", "weak", simulated(chance, difference), None) for _ in range(pairs)]
        found.append(elo(["strong", "weak"], results)["strong"])
    assert holds(difference / 2, found)


def test_intervals_of_a_round_robin_hold_the_truth_as_often_as_they_say() -> None:
    """Each player is better or worse in an opening than elsewhere, in all of its matches."""
    true = {"a": 150.0, "b": 30.0, "c": -40.0, "d": -140.0}
    chance, held = Random(2), []
    for _ in range(MATCHES // 8):
        results = []
        for opening in range(32):
            now = {name: rating + chance.choice((-60, 60)) for name, rating in true.items()}
            results += [
                (one, other, simulated(chance, now[one] - now[other]), opening)
                for one, other in combinations(true, 2)
            ]
        found = elo([*true], results)
        held += [found[name].low <= true[name] <= found[name].high for name in true]
    assert fmean(held) >= 0.93


@given(st.lists(points, min_size=2, max_size=40))
def test_a_score_is_wilsons_interval(pairs: list[float]) -> None:
    """Its ends are the true scores from which the score found is t standard errors away."""
    found, parts = score(pairs), units(pairs)
    assert found.mean == pytest.approx(np.mean(pairs))
    assert 0 <= found.low <= found.mean <= found.high <= 1
    t = stats.t.ppf(0.975, len(pairs) - 1)
    for end in found[1:]:
        error = np.sqrt(parts.spread * end * (1 - end) / len(pairs))
        assert abs(found.mean - end) == pytest.approx(t * error, abs=1e-7)


@given(st.integers(0, 4000))
def test_of_many_units_won_or_lost_whole_it_is_that_of_the_textbooks(won: int) -> None:
    found = score([1.0] * won + [0.0] * (4000 - won))
    known = stats.binomtest(won, 4000).proportion_ci(method="wilson")
    assert found[1:] == pytest.approx((known.low, known.high), abs=2e-4)


@given(st.lists(points, min_size=2, max_size=20), st.floats(0.01, 0.99))
def test_a_p_value_and_an_interval_agree(pairs: list[float], value: float) -> None:
    found = score(pairs)
    if min(abs(value - found.low), abs(value - found.high)) > 1e-9:
        assert (units(pairs).p_value(value) > 0.05) == (found.low < value < found.high)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_bonferroni_in_every_family_that_has_the_hypothesis(p_values: list[float]) -> None:
    """The closure principle: the worst of all families of hypotheses that contain it."""
    indices = range(len(p_values))
    families = [each for size in indices for each in combinations(indices, size + 1)]
    for index, corrected in enumerate(holm(p_values)):
        worst = max(
            min(1, len(family) * min(p_values[each] for each in family))
            for family in families
            if index in family
        )
        assert corrected == pytest.approx(worst)


@given(st.lists(points, min_size=1, max_size=12), st.integers(2, 4))
def test_pairs_of_one_opening_again_tell_nothing_new(pairs: list[float], times: int) -> None:
    openings = [*range(len(pairs))]
    assert score(pairs * times, openings * times) == pytest.approx(score(pairs))
    mirrored = [(each + 1 - other) / 2 for each, other in zip(pairs, pairs[::-1], strict=True)]
    assert score(pairs + [1 - each for each in pairs], openings * 2).mean == pytest.approx(0.5)
    assert score(mirrored).mean == pytest.approx(0.5)


def test_an_opening_counts_as_often_as_it_has_pairs() -> None:
    assert score([1, 0, 0, 0.5], ["a", "b", "b", "c"]).mean == 0.375


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


@given(st.lists(points, min_size=1, max_size=30))
def test_elo_of_two_is_the_score_on_another_scale(pairs: list[float]) -> None:
    """With the tenth of a drawn pair that is added; exchanged sides change the sign."""
    found = elo(["a", "b"], [("a", "b", each, None) for each in pairs])
    share = (sum(pairs) + 0.05) / (len(pairs) + 0.1)
    assert expected(found["a"].mean - found["b"].mean) == pytest.approx(share, abs=1e-6)
    assert found["a"].mean == pytest.approx(-found["b"].mean)
    swapped = elo(["a", "b"], [("b", "a", 1 - each, None) for each in pairs])
    assert swapped["a"].mean == pytest.approx(found["a"].mean, abs=1e-6)
    assert all(isfinite(number) for each in found.values() for number in each)
    assert found["a"].low < found["a"].mean < found["a"].high


@given(st.lists(points, min_size=6, max_size=30))
def test_at_its_rating_a_player_is_expected_to_score_what_it_did(shares: list[float]) -> None:
    players = ["a", "b", "c", "d"]
    met = [*combinations(players, 2)]
    results = [(*met[n % 6], share, n // 6) for n, share in enumerate(shares)]
    found = elo(players, results)
    for name in players:
        scored = sum(share for one, _, share, _ in results if one == name)
        scored += sum(1 - share for _, other, share, _ in results if other == name) + 3 * 0.05
        wanted = sum(
            expected(found[name].mean - found[rival].mean)
            * (0.1 + sum({name, rival} == {*result[:2]} for result in results))
            for rival in players
            if rival != name
        )
        assert scored == pytest.approx(wanted, abs=1e-6)
    assert sum(each.mean for each in found.values()) == pytest.approx(0, abs=1e-6)


def test_nothing_to_go_by_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 pairs"):
        score([])
    with pytest.raises(ValueError, match="two players"):
        elo(["a"], [("a", "a", 0.5, None)])
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


# Verdicts on many matches: by hand, and by simulation under equal players.

SLIGHT = (0.5, 0.75, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 0.75)
EVEN = (0, 1, 0.5, 0.5) * 3


def test_the_least_chance_of_two_counts_double() -> None:
    """Holm (1979): the least of m chances is multiplied by m, the next by m - 1, and so on."""
    p = units(SLIGHT).p_value()
    assert 0.025 < p < 0.05
    assert verdicts([SLIGHT]) == [(pytest.approx(p), "better")]
    assert verdicts([SLIGHT, EVEN]) == [
        (pytest.approx(2 * p), "not told apart"),
        (1, "not told apart"),
    ]
    lost = tuple(1 - each for each in SLIGHT)
    assert verdicts([lost])[0][1] == "worse"


def test_pairs_all_alike() -> None:
    """Nine won pairs and half a lost one more spread as coins do: 1/2 is 3 errors of 1/6 away."""
    even, won, lost = (units((each,) * 9).p_value() for each in (0.5, 1, 0))
    p = 2 * stats.t.sf(3, 8)
    assert (even, won, lost) == pytest.approx((1, p, p))


def test_a_family_of_equals_has_a_verdict_in_one_of_twenty_or_fewer() -> None:
    """40 families of 12 matches of 30 pairs: 2 expected, 6 is three standard errors more."""
    draw = Random(3)
    pairs = (0, 0.25, 0.5, 0.5, 0.75, 1)
    wrong = sum(
        any(
            said != "not told apart"
            for _, said in verdicts([draw.choices(pairs, k=30) for _ in range(12)])
        )
        for _ in range(40)
    )
    assert wrong <= 6
