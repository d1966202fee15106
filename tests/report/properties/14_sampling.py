"""Properties of the tables of 14_sampling at any size."""

import pytest


def more_budget_is_more_work(table):
    for _, rows in table("work").groupby("search"):
        assert rows["sows"].is_monotonic_increasing


def alpha_beta_is_compared_at_no_more_work(table):
    frame = table("equal")
    assert (frame["its sows"] <= frame["sows"]).all()


def a_difference_is_that_of_the_regrets(table):
    work = table("work").set_index(["search", "budget"])["regret"]
    pruned = work["alpha-beta, store difference"]
    for row in table("equal").itertuples():
        expected = work[row.search].iloc[-1] - pruned[row.depth]
        assert row.difference == pytest.approx(expected)


def more_is_expanded_in_the_worst_case(table):
    frame = table("proofs")
    assert (frame["median"] <= frame["max"]).all()
    assert (frame["mean"] <= frame["max"]).all()
