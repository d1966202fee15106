"""The sequential test of a match: published ratios, symmetries, a fit checked another way."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from kalahlab.data import data_rows
from kalahlab.matches.openings import even_openings, fair_openings
from kalahlab.matches.sequential import (
    BATCH,
    ERRORS,
    NORMALIZED,
    POINTS,
    Sequential,
    log_likelihood_ratio,
    played,
)

COUNTS = st.lists(st.integers(1, 200), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("counts", "ratio"),
    [((379, 10170, 21828, 10640, 343), 2.946), ((365, 16618, 36229, 16974, 390), 2.25)],
)
def test_published_matches_have_their_ratios(counts: tuple[int, ...], ratio: float) -> None:
    assert log_likelihood_ratio(counts, 0, 2) == pytest.approx(ratio, abs=6e-4)


@settings(max_examples=10, deadline=None)
@given(COUNTS, st.sampled_from([(0, 5), (0, 100), (-50, 50)]))
def test_the_ratio_is_that_of_the_best_fits(counts: list[int], bounds: tuple[int, int]) -> None:
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


@given(COUNTS, st.floats(-80, 0), st.floats(1, 80))
@settings(max_examples=30, deadline=None)
def test_the_other_player_has_the_opposite_ratio(
    counts: list[int], low: float, high: float
) -> None:
    other = log_likelihood_ratio(counts[::-1], -high, -low)
    assert log_likelihood_ratio(counts, low, high) == pytest.approx(-other, abs=1e-6)


@pytest.mark.parametrize("outcome", range(5))
def test_pairs_that_all_end_alike_have_a_ratio(outcome: int) -> None:
    test = Sequential(0, 100)
    test.add([POINTS[outcome]] * 4 * BATCH)
    assert test.verdict == ("low" if outcome <= 2 else "high")


def test_a_match_ends_with_the_deciding_batch() -> None:
    asked: list[int] = []

    def play(pairs: Sequence[int]) -> list[dict[str, float]]:
        asked.extend(pairs)
        return [{"points": 1.0} for _ in pairs]

    test = Sequential(0, 100)
    rows = played(test, range(1000), play)
    assert len(rows) == len(asked) == sum(test.counts) < 100
    assert len(rows) % BATCH == 0
    before = [0, 0, 0, 0, len(rows) - BATCH]
    assert log_likelihood_ratio(before, 0, 100) < test.bound == log(19) <= test.llr


def test_few_openings_leave_it_undecided() -> None:
    test = Sequential(0, 5)
    play = lambda pairs: [{"points": 0.5} for _ in pairs]  # noqa: E731
    assert len(played(test, range(20), play)) == 20
    assert test.row()["verdict"] == "undecided"


def test_many_matches_have_the_ratios_that_each_has_alone() -> None:
    """What the simulation of errors rests on."""
    counts = np.random.default_rng(1).multinomial(160, [0.1, 0.2, 0.4, 0.25, 0.05], size=(3, 7))
    ratios = log_likelihood_ratio(counts, 0, 20)
    assert ratios.shape == (3, 7)
    for place in np.ndindex(3, 7):
        test = Sequential(0, 20, counts[place].tolist())
        assert ratios[place] == pytest.approx(test.llr, abs=1e-9)


def test_the_test_errs_in_no_more_matches_than_it_says() -> None:
    """By 2,000 simulated matches a cell: no interval lies above 5 %."""
    rows = data_rows("sequential.csv", kind=float)
    assert len(rows) == 32
    assert {row["matches"] for row in rows} == {2000}
    assert max(row["error_low"] for row in rows) < ERRORS
    for row in rows:
        assert row["error"] == pytest.approx(row["errors"] / 2000, abs=1e-4)


def test_a_simulated_match_is_decided_as_one_that_is_played() -> None:
    """Batch by batch from the same numbers."""
    shares = [0.05, 0.15, 0.4, 0.25, 0.15]
    draws = np.random.default_rng(3).multinomial(BATCH, shares, size=(12, 60))
    for match in draws:
        ratios = np.abs(log_likelihood_ratio(match.cumsum(0), -50, 50))
        test = Sequential(-50, 50)
        ends = int(np.argmax(ratios >= test.bound))
        pairs = [
            POINTS[of] for batch in match for of, count in enumerate(batch) for _ in range(count)
        ]
        rows = played(test, pairs, lambda some: [{"points": each} for each in some])
        assert len(rows) == (ends + 1) * BATCH


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="bounds 5,5; the first must be the lower one"):
        Sequential(5, 5)


def test_even_openings_begin_with_the_fair_ones_and_differ() -> None:
    found = even_openings("standard", 80)
    assert found[:64] == fair_openings("standard", 64)
    assert len(set(found)) == 80
    assert even_openings("standard", 10) == found[:10]
