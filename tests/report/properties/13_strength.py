"""What must hold of the tables of page 13, whatever its parameters."""

import pytest


def the_phases_are_all_positions(table):
    frame = table("positions").set_index("phase")
    phases = frame.drop(index="all")
    assert frame.loc["all", "positions"] == phases["positions"].sum()
    mean = (phases["positions"] * phases["regret of a random player"]).sum()
    mean /= phases["positions"].sum()
    assert frame.loc["all", "regret of a random player"] == pytest.approx(mean)


def a_move_without_regret_keeps_the_outcome(table):
    frame = table("rates")
    assert (frame["best moves"] <= frame["outcome kept"] + 1e-9).all()


def tie_rules_differ_only_where_there_are_ties(table):
    frame = table("ties")
    assert (frame["equal moves"] >= 1).all()
    sure = frame[frame["equal moves"] == 1]
    assert (sure["pit order"] == sure["store first"]).all()
    assert sure["random ties"].to_numpy() == pytest.approx(sure["pit order"].to_numpy())


def random_ties_are_the_rule_of_the_rates(table):
    ties, rates = table("ties").set_index("evaluator"), table("rates").set_index("evaluator")
    least = rates[rates["depth"] == rates["depth"].min()]
    expected = least.loc[ties.index, "best moves"].tolist()
    assert ties["random ties"].tolist() == pytest.approx(expected)


def a_leader_is_behind_nobody(table):
    frame = table("differences")
    assert (frame["ahead"] >= -1e-9).all()
    rates = table("rates").set_index(["depth", "evaluator"])["best moves"]
    for row in frame.itertuples():
        gap = rates[row.depth, row.leader] - rates[row.depth, row.evaluator]
        assert row.ahead == pytest.approx(gap)


def the_differences_of_three_evaluators_add_up(table):
    frame = table("training").pivot(index="depth", columns="compared", values="ahead")
    first, second, both = (
        frame[f"{one} − {other}"]
        for one, other in (
            ("learned", "learned_random"), ("learned_random", "fitted"), ("learned", "fitted")
        )
    )  # fmt: skip
    assert (first + second).to_numpy() == pytest.approx(both.to_numpy())


def gains_lead_from_the_store_to_all_features(table):
    frame = table("ladder")
    assert frame["gain"].isna().tolist() == [True] + [False] * (len(frame) - 1)
    last = frame["best moves"].iloc[0] + frame["gain"].sum()
    assert frame["best moves"].iloc[-1] == pytest.approx(last)


def each_match_has_the_games_of_32_pairs(table):
    frame = table("matches")
    assert (frame[["wins", "draws", "losses"]].sum(axis=1) == 64).all()
