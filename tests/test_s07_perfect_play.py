"""What evaluators give up, and their matches, worked by hand."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest

from kalahlab.grid import run_all
from kalahlab.matches.pairs import play_pair
from kalahlab.matches.tournament import at_equal_depth
from kalahlab.studies import s07_perfect_play as study
from kalahlab.studies.strength import draw_scores, summary

pytestmark = pytest.mark.usefixtures("figures")


def test_a_summary_worked_by_hand() -> None:
    rows = [
        {"evaluator": "e", "depth": 1, "position": n, "regret": lost, "nodes": nodes}
        for n, (lost, nodes) in enumerate([(0, 10), (4, 10), (0, 20), (4, 0)])
    ]
    table = summary(pd.DataFrame(rows)).loc[("e", 1)]
    assert (table["nodes"], table["regret"], table["optimal"]) == (10, 2, 0.5)
    within = 3.182 * sqrt(16 / 3) / sqrt(4)  # Student's t at 3 degrees of freedom, of a table
    assert (table["low"], table["high"]) == pytest.approx((2 - within, 2 + within), abs=1e-3)


def test_a_budget_lies_between_depths_by_the_logarithm_of_nodes() -> None:
    index = pd.MultiIndex.from_product([["e", "f"], [1, 2]], names=["evaluator", "depth"])
    table = pd.DataFrame({"nodes": [10, 1000, 10, 50], "regret": [5, 1, 3, 2]}, index)
    found = study.at_nodes(table, [10, 100, 1001])
    assert found.loc["e"].tolist()[:2] == pytest.approx([5, 3])
    assert found.loc["f"].isna().tolist() == [False, True, True]
    assert found.isna().loc["e"].tolist() == [False, False, True]


def test_a_match_of_an_evaluator_is_found_by_rules_depth_and_rival():
    points = at_equal_depth("fitted", ["e1", "e3"], [1, 2], ["standard", "empty-capture"], 4)
    rows = run_all(play_pair, points)
    table = study.met(rows)
    assert len(table) == 8
    for (rules, depth, rival), row in table.iterrows():
        names = (f"alpha_beta:fitted:{depth}", f"alpha_beta:{rival}:{depth}", rules)
        part = [each for each in rows if (each["one"], each["other"], each["rules"]) == names]
        assert row["score"] == np.mean([each["points"] for each in part])
        assert row["wins"] + row["draws"] + row["losses"] == 2 * len(part) == 8
    figure = draw_scores(table, "the fitted evaluator")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["standard", "empty-capture"]
    for ax in figure.axes:
        drawn = sorted(x for bar in ax.containers for x, _ in bar[0].get_xydata())
        assert drawn == sorted(table.xs(ax.get_title(loc="left"), level="rules")["score"])


def test_the_chart_shows_what_the_table_says() -> None:
    index = pd.MultiIndex.from_product([["e", "f"], [1, 2]], names=["evaluator", "depth"])
    regret = [5.0, 1.0, 3.0, 2.0]
    ends = {"low": [lost - 0.5 for lost in regret], "high": [lost + 0.5 for lost in regret]}
    table = pd.DataFrame({"nodes": [10, 1000, 10, 50], "regret": regret} | ends, index)
    [ax] = study.draw_regret(table, chance=3).axes
    assert [line.get_ydata().tolist() for line in ax.lines[:2]] == [[5, 1], [3, 2]]
