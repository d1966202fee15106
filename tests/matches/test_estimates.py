"""Estimates of groups: against scipy, and against the formulas written out."""

from collections import defaultdict
from math import exp, inf, log, sqrt
from statistics import fmean

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats

from kalahlab.matches.estimates import ends, estimates, interval
from kalahlab.matches.rating import cluster_by_opening, score_interval


def of(values, clusters=None, **how):
    frame = pd.DataFrame({"x": values, "all": "one", "c": clusters or [*range(len(values))]})
    return estimates(frame, "x", "all", "c", **how).loc["one"]


@given(some.lists(some.tuples(some.integers(0, 4), some.integers(-9, 9)), min_size=2, max_size=40))
def test_a_mean_of_clusters_is_the_sandwich(pairs):
    clusters, values = map(list, zip(*pairs, strict=True))
    row, mean = of(values, clusters), fmean(values)
    excess = defaultdict[int, float](float)
    for cluster, value in pairs:
        excess[cluster] += value - mean
    sums = excess.values()
    count = len(sums)
    assert row["x"] == pytest.approx(mean)
    if count == 1:
        assert (row["x low"], row["x high"]) == (-inf, inf)
        return
    error = sqrt(count / (count - 1) * sum(s * s for s in sums)) / len(values)
    half_width = stats.t.ppf(0.975, count - 1) * error
    assert row["x high"] - row["x"] == pytest.approx(half_width, abs=1e-9)
    assert row["x"] - row["x low"] == pytest.approx(half_width, abs=1e-9)


@given(some.lists(some.integers(-9, 9), min_size=2, max_size=30).filter(lambda x: len({*x}) > 1))
def test_without_clusters_the_interval_of_a_mean_is_students(values):
    row, test = of(values), stats.ttest_1samp(values, 1)
    expected = (*test.confidence_interval(0.95), stats.ttest_1samp(values, 0).pvalue)
    assert tuple(row[["x low", "x high", "p"]]) == pytest.approx(expected)
    assert of(values, against=1)["p"] == pytest.approx(test.pvalue)


@given(some.lists(some.sampled_from([0, 0.25, 0.5, 1]), min_size=1, max_size=30))
def test_a_score_equals_that_of_matches(points):
    openings = [index // 2 for index in range(len(points))]
    row = of(points, openings, kind="score")
    assert tuple(row[["x", "x low", "x high"]]) == score_interval(points, openings)
    assert row["p"] == cluster_by_opening(points, openings).p_value()


def test_a_geometric_mean_is_the_mean_of_logarithms():
    values = [1.0, 2.0, 8.0]
    row, logs = of(values, kind="geometric"), of([log(value) for value in values])
    for end in ("x", "x low", "x high"):
        assert row[end] == pytest.approx(exp(logs[end]))
    assert row["p"] == pytest.approx(logs["p"])


def test_a_share_stays_within_0_and_1_and_has_a_width_if_all_are_alike():
    assert of([1] * 9 + [0], kind="share")["x high"] == 1
    for values, clusters, expected in (
        ([0] * 8, [0, 0, 1, 1, 2, 2, 3, 3], (0, 1 - 0.025 ** (1 / 4))),
        ([1, 1, 1], [0, 0, 1], (0.025 ** (1 / 2), 1)),
        ([0, 1], [0, 0], (0, 1)),
    ):
        row = of(values, clusters, kind="share")
        assert (row["x low"], row["x high"]) == pytest.approx(expected)


def test_groups_keep_their_order_and_their_names():
    index = pd.MultiIndex.from_product([["b", "a"], [2, 1]], names=["rules", "depth"])
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4]}, index)
    assert list(estimates(frame, "x", ["rules", "depth"]).index) == list(index)
    by_rules = estimates(frame, "x", "rules")
    assert by_rules.index.name == "rules"
    assert by_rules["x"].to_dict() == {"b": 1.5, "a": 3.5}


def test_estimates_for_sentences_and_charts():
    table = pd.DataFrame(
        {"x": [-0.25], "x low": [-0.5], "x high": [0.125], "n": [3]},
        index=pd.Index(["a"], name="who"),
    )
    assert interval(table.loc["a"], "x") == "−0.25 (−0.50 to 0.12)"
    long = ends(table, "x")
    assert long["value"].tolist() == [-0.25, -0.5, 0.125]
    assert (long[["measure", "who", "n"]] == ["x", "a", 3]).all(axis=None)
