"""What must hold of the tables of perfect play, whatever the parameters."""

import pytest


def a_best_move_has_no_regret(table):
    for name in ("regret", "all-positions"):
        rows = table(name)
        assert (rows["regret"] >= 0).all()
        assert ((rows["regret"] < 1e-9) == (rows["best moves"] > 1 - 1e-9)).all()


def a_difference_is_that_of_two_means(table):
    for name in ("regret", "all-positions"):
        rows = table(name)
        base = rows[rows["evaluator"] == "store_difference"].set_index("depth")["regret"]
        others = rows[rows["evaluator"] != "store_difference"]
        less = others["regret"] - others["depth"].map(base)
        assert others["difference"].to_numpy() == pytest.approx(less.to_numpy(), abs=1e-9)


def a_deeper_search_visits_more_nodes(table):
    for _, curve in table("regret").groupby("evaluator"):
        assert curve["nodes"].is_monotonic_increasing


def the_store_difference_has_one_regret_on_this_page(table):
    rows = table("regret").query("evaluator == 'store_difference'").set_index("depth")
    assert table("plies").set_index("depth")["regret"].to_dict() == rows["regret"].to_dict()


def ties_at_random_are_those_of_the_deepest_search(table):
    rows = table("regret")
    deepest = rows[rows["depth"] == rows["depth"].max()].set_index("evaluator")["regret"]
    ties = table("ties").query("ties == 'at random'").set_index("evaluator")["regret"]
    assert ties.to_numpy() == pytest.approx(deepest.loc[ties.index].to_numpy())


def a_move_at_random_is_one_for_all_evaluators(table):
    ties = table("ties")
    random = ties["regret"] - ties["less random"]
    assert random.to_numpy() == pytest.approx(random.mean())


def the_store_is_fixed_at_one(table):
    weights = table("weights").set_index("feature")
    assert weights.loc["store", "weight"] == 1
    assert (weights["inflation"].dropna() >= 1).all()


def a_score_is_of_wins_and_draws(table):
    rows = table("matches")
    games = rows["wins"] + rows["draws"] + rows["losses"]
    assert rows["score"].to_numpy() == pytest.approx((rows["wins"] + rows["draws"] / 2) / games)
    assert games.nunique() == 1
