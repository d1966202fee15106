"""The sequential test of a match: published ratios, symmetries, a fit checked another way."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from kalahlab.data import data_rows
from kalahlab.matches.sequential import (
    BATCH,
    ERRORS,
    NORMALIZED,
    POINTS,
    Sequential,
    log_likelihood_ratio,
    play_until_decided,
)

COUNTS = st.lists(st.integers(1, 200), min_size=5, max_size=5)


def as_games(points: Sequence[float]) -> pd.DataFrame:
    return pd.DataFrame({"points": points})


def test_published_matches_have_their_ratios():
    counts = [(379, 10170, 21828, 10640, 343), (365, 16618, 36229, 16974, 390)]
    assert log_likelihood_ratio(counts, 0, 2) == pytest.approx([2.946, 2.25], abs=6e-4)


@settings(max_examples=10, deadline=None)
@given(COUNTS, st.sampled_from([(0, 5), (0, 100), (-50, 50)]))
def test_the_ratio_is_that_of_the_best_fits(counts, bounds):
    """The likelihoods maximized by a general optimizer instead of Lagrange's formula."""
    x, n = np.array(POINTS), np.array(counts)

    def best(elo: float) -> float:
        def off(p: np.ndarray) -> float:
            mean = p @ x
            return float(mean - 0.5 - sqrt(2) * elo / NORMALIZED * sqrt(p @ (x - mean) ** 2))

        where = [{"type": "eq", "fun": off}, {"type": "eq", "fun": lambda p: p.sum() - 1}]
        found = minimize(
            lambda p: -(n @ np.log(p)) / n.sum(),
            np.full(5, 0.2),
            bounds=[(1e-9, 1)] * 5,
            constraints=where,
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        return -float(found.fun) * sum(counts)

    ratio = best(bounds[1]) - best(bounds[0])
    assert log_likelihood_ratio(counts, *bounds) == pytest.approx(ratio, rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("outcome", range(5))
def test_pairs_that_all_end_alike_have_a_ratio(outcome):
    test = Sequential(0, 100)
    test.add([POINTS[outcome]] * 4 * BATCH)
    assert test.verdict == ("low" if outcome <= 2 else "high")


def test_many_matches_have_the_ratios_that_each_has_alone():
    """What the simulation of errors rests on."""
    counts = np.random.default_rng(1).multinomial(160, [0.1, 0.2, 0.4, 0.25, 0.05], size=(3, 7))
    ratios = log_likelihood_ratio(counts, 0, 20)
    assert ratios.shape == (3, 7)
    for place in np.ndindex(3, 7):
        test = Sequential(0, 20, counts[place].tolist())
        assert ratios[place] == pytest.approx(test.llr, abs=1e-9)


def test_the_test_errs_in_no_more_matches_than_it_says():
    """By 2,000 simulated matches a cell: no interval lies above 5 %."""
    rows = data_rows("sequential.csv", kind=float)
    assert len(rows) == 32
    assert {row["matches"] for row in rows} == {2000}
    assert max(row["error_low"] for row in rows) < ERRORS
    for row in rows:
        assert row["error"] == pytest.approx(row["errors"] / 2000, abs=1e-4)


def test_a_match_ends_with_the_batch_that_decides_it():
    """Batch by batch, as the ratios of many matches at once say; the bound is Wald's."""
    shares = [0.05, 0.15, 0.4, 0.25, 0.15]
    draws = np.random.default_rng(3).multinomial(BATCH, shares, size=(12, 60))
    for match in draws:
        ratios = np.abs(log_likelihood_ratio(match.cumsum(0), -50, 50))
        test = Sequential(-50, 50)
        assert test.bound == log(19)
        pairs = [points for batch in match for points in np.repeat(POINTS, batch)]
        games = play_until_decided(test, pairs, as_games)
        assert len(games) == (int(np.argmax(ratios >= log(19))) + 1) * BATCH == sum(test.counts)


def test_few_openings_leave_it_undecided():
    test = Sequential(0, 5)
    assert len(play_until_decided(test, [0.5] * 20, as_games)) == 20
    assert test.row()["verdict"] == "undecided between 0 and +5"


def test_bounds_in_the_wrong_order_are_refused():
    with pytest.raises(ValueError, match="bounds 5,5; the first must be the lower one"):
        Sequential(5, 5)
