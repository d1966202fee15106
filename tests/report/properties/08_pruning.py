from math import isclose

import numpy as np
from oracle import leaves


def the_best_order_evaluates_the_leaves_of_the_minimal_tree(table):
    by_order = table("uniform-trees").set_index("search")
    moves = by_order.loc["minimax", "1"]
    depths = range(1, len(by_order.columns) + 1)
    assert by_order.loc["oracle"].tolist() == by_order.loc["minimal tree"].tolist()
    assert by_order.loc["minimal tree"].tolist() == [leaves(moves, depth) for depth in depths]
    assert by_order.loc["minimax"].tolist() == [moves**depth for depth in depths]
    assert (by_order.loc["minimal tree"] <= by_order).all(axis=None)
    assert (by_order <= by_order.loc["minimax"]).all(axis=None)


def no_order_visits_more_positions_than_minimax(table):
    costs = table("by-position").query("search == 'alpha_beta' and order != 'static'")
    minimax = table("by-position").query("search == 'minimax'").set_index(["board", "depth"])
    together = costs.join(minimax["positions"].rename("most"), on=["board", "depth"])
    assert (together["positions"] <= together["most"]).all()


def multiples_are_geometric_means_of_the_positions(table):
    costs = table("by-position").query("depth == depth.max()")
    keys = ["search", "order"]
    by_board = costs.pivot(index="board", columns=keys, values="positions")
    smallest = costs.groupby("board")["smallest proof"].first()
    means = np.exp(np.log(by_board.div(smallest, axis=0)).mean())
    searches = table("searches").set_index(keys)
    assert all(map(isclose, searches["times minimum"], means[searches.index]))
    assert searches["times minimum"].is_monotonic_decreasing
    for base in ("alpha_beta", "alpha_beta_table"):
        assert isclose(searches.loc[(base, "store_first"), "of alpha-beta"], 1)


def the_passes_narrow_the_bounds_until_they_meet(table):
    bounds = table("passes")[["lower bound", "upper bound"]].astype(str)
    bounds = bounds.replace({"−": "-", "∞": "inf"}, regex=True).astype(float)
    lower, upper = bounds["lower bound"], bounds["upper bound"]
    assert lower.is_monotonic_increasing
    assert upper.is_monotonic_decreasing
    assert (lower <= upper).all()
    assert lower.iloc[-1] == upper.iloc[-1]


def no_depth_ratio_is_below_that_of_minimax_or_above_that_of_the_smallest_proof(table):
    ratios = table("ratios").set_index("search")
    assert ratios["depth ratio"].is_monotonic_increasing
    assert isclose(ratios.loc["minimax", "depth ratio"], 1)
    assert (
        (ratios["depth ratio"] <= ratios.loc["smallest proof", "depth ratio"]).drop("limit").all()
    )
    assert (ratios["with looks"] <= ratios["depth ratio"] + 1e-9).all()
    has_none = ["minimax", "pit order", "store first", "oracle, not usable", "smallest proof"]
    ratios = ratios.loc[has_none]
    assert all(map(isclose, ratios["with looks"], ratios["depth ratio"]))
