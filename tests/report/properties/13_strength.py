import pytest


def the_phases_are_all_positions(table):
    frame = table("positions").set_index("phase")
    phases = frame.drop(index="all")
    assert frame.loc["all", "positions"] == phases["positions"].sum()
    mean = (phases["positions"] * phases["regret of a random player"]).sum()
    mean /= phases["positions"].sum()
    assert frame.loc["all", "regret of a random player"] == pytest.approx(mean)


def random_ties_are_the_rule_of_the_rates(table):
    ties, rates = table("ties").set_index("evaluator"), table("rates").set_index("evaluator")
    least = rates[rates["depth"] == rates["depth"].min()]
    expected = least.loc[ties.index, "best moves"].tolist()
    assert ties["random ties"].tolist() == pytest.approx(expected)


def a_leader_is_ahead_by_the_difference_of_the_rates(table):
    frame = table("differences")
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
