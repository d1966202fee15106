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


def a_time_is_the_sows_times_their_cost(table):
    costs = table("costs").set_index("search")
    sows = table("work").groupby("search")["sows"].last()
    for row in table("equal-time").to_dict("records"):
        nanoseconds = sows[row["search"]] * costs.loc[row["search"], row["speed"]]
        assert row["time"] == pytest.approx(nanoseconds / 1e6)
        assert row["its time"] <= row["time"]


def the_mean_elo_of_a_match_is_0(table):
    means = table("elo").groupby(["speed", "time"])["Elo"].mean()
    assert means.to_list() == pytest.approx([0] * len(means), abs=1e-6)
