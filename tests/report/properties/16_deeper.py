"""Properties of the tables of 16_deeper at any size."""

import pytest


def the_mean_change_is_that_of_losses_and_gains(table):
    frame = table("steps").fillna(0)
    expected = frame["worse"] * frame["loss"] - frame["better"] * frame["gain"]
    assert frame["change"].tolist() == pytest.approx(expected.tolist(), abs=1e-9)


def the_changes_add_up_to_the_difference_of_the_depths(table):
    means = table("returns").groupby("evaluator")["regret"].agg(["first", "last"])
    total = table("steps").groupby("evaluator")["change"].sum()
    for evaluator, row in means.iterrows():
        assert row["last"] - row["first"] == pytest.approx(total[evaluator], abs=1e-9)


def a_move_that_is_worse_without_a_tie_is_another_decision(table):
    steps = table("steps").set_index(["evaluator", "step"])
    changed = table("mended").set_index(["evaluator", "step"])["changed"]
    assert (steps["no tie"] <= steps["worse"] + 1e-9).all()
    assert (steps["no tie"] <= changed[steps.index] + 1e-9).all()
