import pytest


def a_difference_is_that_of_two_means(table):
    for name in ("regret", "all-positions"):
        rows = table(name)
        base = rows[rows["evaluator"] == "store_difference"].set_index("depth")["regret"]
        others = rows[rows["evaluator"] != "store_difference"]
        less = others["regret"] - others["depth"].map(base)
        assert others["difference"].to_numpy() == pytest.approx(less.to_numpy(), abs=1e-9)


def the_store_difference_has_one_regret_on_this_page(table):
    rows = table("regret").query("evaluator == 'store_difference'").set_index("depth")
    assert table("plies").set_index("depth")["regret"].to_dict() == rows["regret"].to_dict()
    searches = table("by-position").query(
        "sample == 'held out' and evaluator == 'store_difference'"
    )
    assert searches.groupby("depth")["regret"].mean().to_dict() == pytest.approx({**rows["regret"]})


def ties_at_random_are_those_of_the_deepest_search(table):
    deepest = table("regret").query("depth == depth.max()").set_index("evaluator")["regret"]
    ties = table("ties").query("ties == 'at random'").set_index("evaluator")["regret"]
    assert ties.to_numpy() == pytest.approx(deepest.loc[ties.index].to_numpy())
