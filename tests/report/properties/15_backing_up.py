"""Properties of the tables of 15_backing_up at any size."""

import pytest


def at_depth_1_the_root_has_only_leaves_and_all_ways_choose_alike(table):
    frame = table("ways")
    for depth, rows in frame.groupby("depth"):
        if depth == 1:
            assert rows["regret"].nunique() == 1


def a_difference_is_that_of_the_regrets(table):
    for name in ("ways", "fitted"):
        frame = table(name).set_index(["depth", "way"])
        base = frame["regret"].xs("minimax", level="way")
        others = frame["difference"].dropna()
        for (depth, way), difference in others.items():
            expected = frame.loc[(depth, way), "regret"] - base[depth]
            assert difference == pytest.approx(expected)


def minimax_ties_most_often(table):
    for _, rows in table("ways").groupby("depth"):
        ties = rows.set_index("way")["equal moves"]
        assert ties["minimax"] >= ties["M & N"] - 1e-9
