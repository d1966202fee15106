"""Scores and ratings: their intervals hold the truth as often as stated."""

from functools import cache
from itertools import chain, combinations, product
from math import inf, log, sqrt
from random import Random
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize

from kalahlab.data import data_rows
from kalahlab.matches import sequential
from kalahlab.matches.rating import cluster_by_opening, elo, holm, score_interval
from kalahlab.matches.sequential import BATCH, POINTS, Sequential, log_likelihood_ratio

MATCHES = 1000

points = st.sampled_from(POINTS)


def expect_score(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def game(share, draws=0.2):
    """Return the probabilities of a loss, a draw and a win by the expected score."""
    drawn = min(draws, 2 * share, 2 * (1 - share))
    return [1 - share - drawn / 2, drawn, share - drawn / 2]


@cache
def pair(difference):
    """Return the probabilities of a pair's points for a player of that much more Elo.

    Openings favour the first mover by various amounts, so that the two games pull apart.
    """
    share = expect_score(difference)
    favours = np.linspace(-0.1, 0.1, 9)
    return np.mean([np.convolve(game(share + f), game(share - f)) for f in favours], axis=0)


GAMES = [game(0.5, 0), game(0.5, 0.4), game(0.5, 0.8), game(0.75, 0), game(0.75, 0.3)]
GAMES += [game(0.97, 0), game(0.97, 0.06)]
"""Few pairs, long runs of draws and lopsided scores, too."""

PAIRS = [
    *product([pair(difference) for difference in (0, 60, 150)], (8, 32, 64)),
    *product([np.convolve(shares, shares) for shares in GAMES], (8, 12, 30, 100)),
    # who has the better side wins, in both games of a pair; now and then a player wins both
    *product([[0, 0, 2 - 2 * t, 0, 2 * t - 1] for t in (0.5, 0.52, 0.6, 0.97)], (8, 30)),
]


@pytest.mark.parametrize(("shares", "number"), PAIRS)
def test_the_interval_of_a_score_holds_the_truth_as_often_as_stated(shares, number):
    rng, held, truth = Random(7), 0, np.dot(shares, POINTS)
    for _ in range(MATCHES):
        interval = score_interval(rng.choices(POINTS, shares, k=number))
        held += interval.low <= truth <= interval.high
    assert held / MATCHES >= 0.93


FIELDS = {
    f"{elo} {number}": ((elo / 2, -elo / 2), number, 0, 100)
    for elo, number in product((0, 200, 350), (8, 48))
}
FIELDS["round robin"] = ((150.0, 30.0, -40.0, -140.0), 32, 60, 50)
"""Ratings, openings, the difference in strength that an opening makes, tournaments."""


@pytest.mark.parametrize(("true", "openings", "apart", "tournaments"), FIELDS.values(), ids=FIELDS)
def test_intervals_of_elo_hold_the_truth_as_often_as_stated(true, openings, apart, tournaments):
    rng, held = Random(5), []
    for _ in range(tournaments):
        results = []
        for unit in range(openings):
            now = [rating + rng.choice((-apart, apart)) for rating in true]
            for one, other in combinations(range(len(true)), 2):
                [share] = rng.choices(POINTS, pair(now[one] - now[other]))
                results.append((f"{one}", f"{other}", share, unit))
        ratings = elo(results)
        held += [
            ratings[f"{n}"].low <= rating <= ratings[f"{n}"].high for n, rating in enumerate(true)
        ]
    assert fmean(held) >= 0.93


@given(st.lists(points, min_size=2, max_size=40))
def test_the_interval_of_a_score_is_wilsons(pairs):
    """Test that its ends are the true scores that are t standard errors from the observed one."""
    interval, parts = score_interval(pairs), cluster_by_opening(pairs)
    assert interval.mean == pytest.approx(np.mean(pairs))
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1
    t = stats.t.ppf(0.975, len(pairs) - 1)
    for end in interval[1:]:
        error = np.sqrt(parts.spread * end * (1 - end) / len(pairs))
        assert abs(interval.mean - end) == pytest.approx(t * error, abs=1e-7)


@given(st.lists(points, min_size=2, max_size=20), st.floats(0.01, 0.99))
def test_a_p_value_and_an_interval_agree(pairs, value):
    _, low, high = score_interval(pairs)
    if min(abs(value - low), abs(value - high)) > 1e-9:
        assert (cluster_by_opening(pairs).p_value(value) > 0.05) == (low < value < high)


def test_scores_worked_by_hand():
    """Test p-values and a mean.

    Nine won pairs and half a lost one spread as coins do: 1/2 is 3 errors of 1/6 away. An opening
    counts as often as it has pairs.
    """
    even, won, lost = (cluster_by_opening((points,) * 9).p_value() for points in (0.5, 1, 0))
    p = 2 * stats.t.sf(3, 8)
    assert (even, won, lost) == pytest.approx((1, p, p))
    assert score_interval([1, 0, 0, 0.5], ["a", "b", "b", "c"]).mean == 0.375


@given(st.lists(points, min_size=1, max_size=12), st.integers(2, 4))
def test_repeated_pairs_of_an_opening_add_no_information(pairs, times):
    openings = [*range(len(pairs))]
    assert score_interval(pairs * times, openings * times) == pytest.approx(score_interval(pairs))
    both_sides = score_interval(pairs + [1 - points for points in pairs], openings * 2)
    assert both_sides.mean == pytest.approx(0.5)
    once = elo([("a", "b", *pair) for pair in zip(pairs, openings, strict=True)] * times)["a"]
    apart = elo([("a", "b", points, None) for points in pairs] * times)["a"]
    assert once.mean == pytest.approx(apart.mean)
    assert once.high - once.low > apart.high - apart.low


@given(st.lists(points, min_size=1, max_size=40))
def test_a_score_is_symmetric_and_more_pairs_narrow_its_interval(pairs):
    mean, low, high = score_interval(pairs)
    assert score_interval([1 - points for points in pairs]) == pytest.approx(
        (1 - mean, 1 - high, 1 - low)
    )
    surer = score_interval(pairs * 4)
    assert surer.high - surer.low < high - low or (low, high) == (0, 1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_worst_bonferroni_of_all_families_with_the_hypothesis(p_values):
    """Test the closure principle: the worst of all families that contain the hypothesis counts."""
    indices = range(len(p_values))
    families = chain.from_iterable(combinations(indices, size + 1) for size in indices)
    worst = [0.0] * len(p_values)
    for family in families:
        bonferroni = min(1, len(family) * min(p_values[index] for index in family))
        for index in family:
            worst[index] = max(worst[index], bonferroni)
    assert holm(p_values) == pytest.approx(worst)


@given(st.lists(points, min_size=6, max_size=30))
def test_at_its_rating_a_player_is_expected_to_score_as_it_did(shares):
    """Test it with the tenth of a drawn pair that is added between any two."""
    players = ["a", "b", "c", "d"]
    met = [*combinations(players, 2)]
    results = [(*met[n % 6], share, n // 6) for n, share in enumerate(shares)]
    ratings = elo(results)
    for name in players:
        scored = sum(share for one, _, share, _ in results if one == name)
        scored += sum(1 - share for _, other, share, _ in results if other == name) + 3 * 0.05
        expected_score = 0.0
        for rival in [player for player in players if player != name]:
            pairs = 0.1 + sum({name, rival} == {*result[:2]} for result in results)
            expected_score += pairs * expect_score(ratings[name].mean - ratings[rival].mean)
        assert scored == pytest.approx(expected_score, abs=1e-6)
        assert -inf < ratings[name].low < ratings[name].mean < ratings[name].high < inf
    assert sum(rating.mean for rating in ratings.values()) == pytest.approx(0, abs=1e-6)


COUNTS = st.lists(st.integers(1, 200), min_size=5, max_size=5)


def as_games(points):
    return pd.DataFrame({"points": points})


@settings(max_examples=10, deadline=None)
@given(COUNTS, st.sampled_from([(0, 5), (0, 100), (-50, 50)]))
def test_the_ratio_equals_that_of_numerically_fitted_distributions(counts, bounds):
    """Compute the likelihoods by a general optimizer, instead of Lagrange's formula."""
    x, n = np.array(POINTS), np.array(counts)

    def best(elo):
        def excess(p):
            mean = p @ x
            return float(
                mean - 0.5 - sqrt(2) * elo / sequential.NORMALIZED * sqrt(p @ (x - mean) ** 2)
            )

        conditions = [{"type": "eq", "fun": excess}, {"type": "eq", "fun": lambda p: p.sum() - 1}]
        fits = [
            minimize(
                lambda p: -(n @ np.log(p)) / n.sum(),
                start,
                bounds=[(1e-9, 1)] * 5,
                constraints=conditions,
                options={"ftol": 1e-14, "maxiter": 1000},
            )
            for start in (np.full(5, 0.2), n / n.sum(), n[::-1] / n.sum())
        ]
        return -min(float(fit.fun) for fit in fits if abs(excess(fit.x)) < 1e-6) * sum(counts)

    ratio = best(bounds[1]) - best(bounds[0])
    assert log_likelihood_ratio(counts, *bounds) == pytest.approx(ratio, rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("outcome", range(5))
def test_pairs_with_equal_outcomes_have_a_ratio(outcome):
    test = Sequential(0, 100)
    test.add([POINTS[outcome]] * 4 * BATCH)
    assert test.verdict == ("low" if outcome <= 2 else "high")


def test_ratios_of_many_matches_equal_single_and_published_ones():
    counts = [(379, 10170, 21828, 10640, 343), (365, 16618, 36229, 16974, 390)]
    assert log_likelihood_ratio(counts, 0, 2) == pytest.approx([2.946, 2.25], abs=6e-4)
    counts = np.random.default_rng(1).multinomial(160, [0.1, 0.2, 0.4, 0.25, 0.05], size=(3, 7))
    ratios = log_likelihood_ratio(counts, 0, 20)
    assert ratios.shape == (3, 7)
    for place in np.ndindex(3, 7):
        test = Sequential(0, 20, counts[place].tolist())
        assert ratios[place] == pytest.approx(test.llr, abs=1e-9)


def test_the_test_errs_no_more_often_than_stated():
    """Test that in 2,000 simulated matches a cell, no interval lies above 5 %."""
    rows = data_rows("sequential.csv", kind=float)
    assert len(rows) == 32
    assert {row["matches"] for row in rows} == {2000}
    assert max(row["error_low"] for row in rows) < sequential.ERRORS
    for row in rows:
        assert row["error"] == pytest.approx(row["errors"] / 2000, abs=1e-4)


def test_a_match_ends_with_the_batch_that_decides_it():
    """Compare with the ratios of many matches at once, batch by batch; the bound is Wald's."""
    shares = [0.05, 0.15, 0.4, 0.25, 0.15]
    for match in np.random.default_rng(3).multinomial(BATCH, shares, size=(12, 60)):
        ratios = np.abs(log_likelihood_ratio(match.cumsum(0), -50, 50))
        test = Sequential(-50, 50)
        assert test.bound == log(19)
        pairs = list(np.concatenate([np.repeat(POINTS, batch) for batch in match]))
        games = sequential.play_until_decided(test, pairs, as_games)
        assert len(games) == (int(np.argmax(ratios >= log(19))) + 1) * BATCH == sum(test.counts)
    test = Sequential(0, 5)
    assert len(sequential.play_until_decided(test, [0.5] * 20, as_games)) == 20
    assert test.row()["verdict"] == "undecided between 0 and +5"
