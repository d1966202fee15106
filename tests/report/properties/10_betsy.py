"""What holds of the tables on Betsy, whatever the parameters."""

import pandas as pd


def the_leaf_value_is_the_sum_of_four_heuristics(table):
    values = table("heuristics").set_index("heuristic")
    assert values["weight"].sum() == 4
    assert values.index.is_unique


def shares_of_boards_are_shares(table):
    readings = table("readings").set_index("heuristic")
    assert readings.stack().between(0, 1).all()


def a_win_is_worth_less_the_farther_it_is(table):
    wins = table("wins")
    assert wins["divided by the depth"].is_monotonic_decreasing
    assert wins["here"].is_monotonic_decreasing


def each_position_counts_once_for_each_heuristic(table):
    signs = table("signs")
    assert signs[["right", "wrong", "says nothing"]].sum(axis=1).nunique() == 1


def a_deeper_search_visits_more_nodes(table):
    assert table("deepening")["nodes visited"].is_monotonic_increasing


def points_come_in_quarters_of_a_pair(table):
    for name in ("rivals", "lot", "final"):
        frame = table(name)
        quarters = 4 * frame["share"] * frame["pairs"]
        assert (quarters - quarters.round()).abs().max() < 1e-6


def every_finalist_meets_nothing_under_both_rules_for_ties(table):
    final = table("final")
    wide = final.pivot(index="rival", columns="ties", values="share")
    assert wide.notna().all(axis=None)
    gap = final.set_index(["ties", "rival"])["more than nothing"].dropna()
    for (ties, rival), more in gap.items():
        expected = wide.loc[rival, ties] - wide.loc["nothing at all", ties]
        assert abs(more - expected) < 1e-9
    assert pd.isna(final.loc[final["rival"] == "nothing at all", "more than nothing"]).all()
