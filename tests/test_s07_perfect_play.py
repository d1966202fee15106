"""What evaluators give up, and their matches, worked by hand."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from kalahlab import engine
from kalahlab.evaluators.fitted import FIT
from kalahlab.evaluators.kalah import e1
from kalahlab.games.kalah import Kalah
from kalahlab.grid import Row, run_all
from kalahlab.judging import judged
from kalahlab.matches.pairs import play_pair
from kalahlab.matches.tournament import at_equal_depth
from kalahlab.play import parse_player
from kalahlab.search import Depth
from kalahlab.studies import s07_perfect_play as study
from kalahlab.studies.strength import TIES, differences, draw_scores, summary

pytestmark = pytest.mark.usefixtures("figures")


def regrets(*stones: float, name: str = "e", depth: int = 1) -> list[Row]:
    """Rows of regrets, a position each."""
    return [
        {
            "evaluator": name, "depth": depth, "position": number, "regret": lost,
            "pit_order": lost + 1, "store_first": lost - 1, "optimal": lost == 0, "nodes": 10,
        }
        for number, lost in enumerate(stones)
    ]  # fmt: skip


def test_a_summary_worked_by_hand() -> None:
    table = summary(pd.DataFrame(regrets(0, 4, 0, 4))).loc[("e", 1)]
    assert (table["nodes"], table["regret"], table["optimal"]) == (10, 2, 0.5)
    assert (table["pit_order"], table["store_first"]) == (3, 1)
    within = 3.182 * sqrt(16 / 3) / sqrt(4)  # Student's t at 3 degrees of freedom, of a table
    assert (table["low"], table["high"]) == pytest.approx((2 - within, 2 + within), abs=1e-3)


def test_differences_are_of_the_same_positions() -> None:
    """A stone more in each of four positions, however much they differ, is a sure difference."""
    base, more = (0, 10, 20, 31), (1, 11, 21, 32.5)
    rows = regrets(*base, name="base") + regrets(*more, name="more") + regrets(*base, name="same")
    table = differences(pd.DataFrame(rows), "base")
    assert table.loc[("more", 1), "difference"] == pytest.approx(1.125)
    assert table.loc[("more", 1), "low"] > 0
    assert table.loc[("same", 1), "difference"] == 0
    assert table.loc[("same", 1), "p"] == 1
    alone = ttest_rel(more, base).pvalue
    assert table.loc[("more", 1), "p"] == pytest.approx(2 * alone), "Holm: the least of two"


def test_a_difference_is_only_asked_for_where_there_was_a_search() -> None:
    rows = regrets(0, 1, name="base") + regrets(0, 2, name="base", depth=2)
    table = differences(pd.DataFrame(rows + regrets(1, 4, depth=2)), "base")
    assert [*table.index] == [("e", 2)]
    assert table["difference"].tolist() == [1.5]


def test_a_budget_lies_between_depths_by_the_logarithm_of_nodes() -> None:
    index = pd.MultiIndex.from_product([["e", "f"], [1, 2]], names=["evaluator", "depth"])
    table = pd.DataFrame({"nodes": [10, 1000, 10, 50], "regret": [5, 1, 3, 2]}, index)
    found = study.at_nodes(table, [10, 100, 1001])
    assert found.loc["e"].tolist()[:2] == pytest.approx([5, 3])
    assert found.loc["f"].isna().tolist() == [False, True, True]
    assert found.isna().loc["e"].tolist() == [False, False, True]


def test_a_match_of_an_evaluator_is_found_by_rules_depth_ties_and_rival() -> None:
    points = at_equal_depth("fitted", ["e1", "e3"], [1, 2], ["standard", "empty-capture"], 4)
    rows = run_all(play_pair, study.in_each_order(points))
    table = study.met(rows)
    assert len(table) == 24
    assert set(table.index.get_level_values("ties")) == set(TIES)
    for (rules, depth, ties, rival), row in table.iterrows():
        suffix = study.SUFFIXES[ties]
        names = *(f"alpha_beta:{name}:{depth}{suffix}" for name in ("fitted", rival)), rules
        part = [each for each in rows if (each["one"], each["other"], each["rules"]) == names]
        assert row["score"] == pytest.approx(np.mean([each["points"] for each in part]))
        assert row["wins"] + row["draws"] + row["losses"] == 2 * len(part) == 8
    figure = draw_scores(study.at_random(table), "the fitted evaluator")
    rules = ["standard", "empty-capture"]
    assert [ax.get_title(loc="left") for ax in figure.axes] == [f"{name} rules" for name in rules]
    for ax in figure.axes:
        drawn = sorted(x for bar in ax.containers for x, _ in bar[0].get_xydata())
        name = ax.get_title(loc="left").removesuffix(" rules")
        shown = study.at_random(table).xs(name, level="rules")
        assert drawn == sorted(shown["score"])


def test_a_text_breaks_ties_as_the_order_of_its_name_does() -> None:
    """`SUFFIXES` and `strength.TIES` are one thing said twice."""
    game = Kalah()
    for row in judged.read()[:2500:250]:
        for ties, suffix in study.SUFFIXES.items():
            player = parse_player(f"alpha_beta:e1:2{suffix}", backend="engine")
            found = engine.alpha_beta(game, row.state, e1, Depth(2), TIES[ties])
            assert player(game, row.state) == found.move


def matches_in(**scores: tuple[float, float, float]) -> pd.DataFrame:
    """A match against each rival in all three orders; all are sure but those of exactly 1/2."""
    index = ["rules", "depth", "ties", "against"]
    rows = [
        {"rules": "standard", "depth": 2, "ties": ties, "against": name, "score": score}
        | {"p": 1.0 if score == 0.5 else 1e-6}
        for name, found in scores.items()
        for ties, score in zip(TIES, found, strict=True)
    ]
    return pd.DataFrame(rows).set_index(index)


def test_matches_that_depend_on_ties_are_named() -> None:
    alike = matches_in(a=(0.7, 0.8, 0.9), b=(0.2, 0.1, 0.2))
    assert study.of_orders(alike).endswith("the three verdicts agree.")
    apart = matches_in(a=(0.7, 0.5, 0.9), b=(0.2, 0.1, 0.2))
    assert study.of_orders(apart).startswith("In 1 of 2 matches the verdict depends")
    assert study.of_orders(apart).endswith("against a at depth 2, standard.")
    one_order = apart[apart.index.get_level_values("ties") == "at random"]
    assert "In the 0 matches" in study.of_orders(one_order)


def ranks(**regret: tuple[float, float, float]) -> pd.DataFrame:
    return pd.DataFrame(regret, index=["at random", "pit order", "store first"]).T


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (ranks(a=(1, 1, 1), b=(2, 2, 2)), "All are better than a move at random (5.00) under all"),
        (ranks(a=(1, 1, 1), b=(4, 6, 3)), "not under all, b is worse than a move at random (5.00)"),
        (ranks(a=(1, 1, 1), b=(6, 6, 6)), "Worse than a move at random (5.00) under all three: b."),
        (ranks(a=(1, 3, 1), b=(2, 2, 2)), "The ranking of the evaluators is not the same"),
        (ranks(a=(1, 1, 1), b=(2, 2, 2)), "The ranking of the evaluators is the same"),
    ],
)
def test_what_ties_decide_is_said(table: pd.DataFrame, said: str) -> None:
    assert said in study.of_ranking(table, 5)


@pytest.mark.parametrize(("r2", "said"), [(0.7, "explains more"), (0.3, "explains no more")])
def test_a_fit_is_set_beside_its_baseline(r2: float, said: str) -> None:
    held_out = FIT["held_out"] | {"r2": r2, "r2_store": 0.4}
    assert said in study.of_fit(held_out)


def test_the_store_is_fixed_and_pits_count_from_the_store() -> None:
    table = study.weights_table()
    assert table.loc["store", "weight"] == 1
    assert "pit 6, the nearest" in table.iloc[1, 0]
    assert table["weight"].to_dict() == FIT["weights"]


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ((3, 3.1, 3.2, 3), "a gives up 2.08 stones more than the store difference"),
        ((0, 0.1, 0.2, 0.1), "a gives up 0.90 stones less than the store difference"),
        ((0, 2, 1, 1), "none is told apart from the store difference"),
    ],
)
def test_the_answer_says_what_its_numbers_say(lost: tuple[float, ...], said: str) -> None:
    rows = regrets(1, 1, 1, 1, name="store_difference") + regrets(*lost, name="a")
    table, paired = summary(pd.DataFrame(rows)), differences(pd.DataFrame(rows), "store_difference")
    budget = pd.DataFrame({"20 nodes": [0.5, 1]}, ["a", "store_difference"])
    order = pd.DataFrame({"evaluator": ["a", "store_difference"], "spearman": [0.2, 0.3]})
    found = study.answer(table, budget, paired, order, (5, 0.3))
    assert said in found
    assert "That of store_difference ranks the positions most like the exact value" in found
    assert "No evaluator plays perfectly" in found
    perfect = summary(pd.DataFrame(regrets(0, 0, name="a")))
    assert "One plays perfectly here" in study.answer(perfect, budget, paired, order, (5, 0.3))


def test_the_finding_names_the_best_beside_the_store_difference() -> None:
    rows = regrets(1, 3, name="store_difference", depth=4)
    better = summary(pd.DataFrame(rows + regrets(0, 1, name="a", depth=4)))
    said = study.finding(better, 5.0)
    assert said.startswith("At depth 4 the evaluator a gives up the fewest stones, 0.50 (")
    assert "the plain store difference gives up 2.00 (" in said
    worse = summary(pd.DataFrame(rows + regrets(4, 4, name="a", depth=4)))
    assert "evaluator store_difference gives up the fewest" in study.finding(worse, 5.0)
    assert "no other evaluator gives up fewer, and a move at random 5.00" in study.finding(
        worse, 5.0
    )


def test_the_chart_shows_what_the_table_says() -> None:
    rows = regrets(1, 2, 3, name="base") + regrets(2, 2, 4) + regrets(5, 1, 2, name="f")
    frame = pd.DataFrame(rows)
    paired = differences(frame, "base")
    axes = study.draw_differences(paired, summary(frame), "base").axes
    assert [ax.get_title(loc="left") for ax in axes] == ["e", "f"]
    drawn = [ax.lines[0].get_ydata().tolist() for ax in axes]
    assert drawn == [[pytest.approx(2 / 3)], [pytest.approx(2 / 3)]]
