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


def no_order_visits_more_nodes_than_minimax(table):
    by_order = table("orders").set_index("search")
    assert (by_order["visited"] <= by_order.loc["minimax", "visited"]).all()
    assert by_order.loc["pit", ["of pit", "of pit low", "of pit high"]].tolist() == [1, 1, 1]
    assert by_order["visited"].is_monotonic_decreasing


def shares_of_nodes_are_ratios_of_the_means(table):
    for name, base in (("algorithms", "alpha_beta"), ("orders", "pit")):
        searched = table("by-position").dropna(subset="alpha_beta" if base != "pit" else "minimax")
        visited = table(name).set_index("search")["visited"]
        assert all(map(isclose, table(name)[f"of {base}"], visited / visited[base]))
        means = searched.query("depth == depth.max()")[visited.index]
        assert all(map(isclose, np.exp(np.log(means).mean()), visited))
    pairs = table("pairs")
    ratio = visited[pairs["fewer"]].to_numpy() / visited[pairs["than"]].to_numpy()
    assert all(map(isclose, pairs["ratio"], ratio))
    assert (pairs["ratio"] <= 1).all()


def a_uniform_tree_with_the_effective_branching_has_as_many_nodes(table):
    depth = table("orders-by-depth").set_index("search").loc["minimax", "depth"].max()
    for row in table("orders").itertuples():
        nodes = sum(row.branching**level for level in range(depth + 1))
        assert isclose(nodes, row.visited, rel_tol=1e-6)


def the_passes_narrow_the_bounds_until_they_meet(table):
    bounds = table("passes")[["lower bound", "upper bound"]].astype(str)
    bounds = bounds.replace({"−": "-", "∞": "inf"}, regex=True).astype(float)
    lower, upper = bounds["lower bound"], bounds["upper bound"]
    assert lower.is_monotonic_increasing
    assert upper.is_monotonic_decreasing
    assert (lower <= upper).all()
    assert lower.iloc[-1] == upper.iloc[-1]


def the_last_pass_is_one_of_all_passes(table):
    times = table("learned").set_index(["to", "added"])["times"]
    passes = times["alpha_beta_table"]
    assert passes["table moves"] <= passes["table moves, all passes"]
