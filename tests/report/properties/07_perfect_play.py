import pytest


def a_difference_is_that_of_two_means_in_the_same_positions(table):
    moves = table("by-position").set_index(["position", "depth"])
    base = moves.query("evaluator == 'store_difference'")["regret"]
    for row in table("regret").dropna(subset="difference").itertuples():
        own = moves.query("evaluator == @row.evaluator and depth == @row.depth")["regret"]
        assert row.difference == pytest.approx((own - base).dropna().mean(), abs=1e-9)


def the_regret_of_a_search_is_the_mean_over_the_positions(table):
    rows = table("regret").set_index(["evaluator", "depth"])["regret"]
    searches = table("by-position").groupby(["evaluator", "depth"])["regret"].mean()
    assert searches[rows.index].to_numpy() == pytest.approx(rows.to_numpy())


def the_fitted_evaluator_moves_in_the_held_out_positions(table):
    held_out = table("positions").set_index("position")["held out"]
    fitted = table("by-position").query("evaluator == 'fitted'")["position"]
    assert held_out[fitted].all()
    assert set(fitted) == set(held_out.index[held_out])


def the_steps_add_up_to_the_whole_fall(table):
    falls = table("falls")
    for _, rows in falls.groupby(["of", "evaluator"]):
        whole, steps = rows.iloc[0]["fall"], rows.iloc[1:]["fall"]
        assert whole == pytest.approx(steps.sum())
