import pytest


def a_round_robin_gives_as_much_as_it_takes(table):
    for name, by in (("evaluators", ["rules"]), ("depths", ["rules", "ties"])):
        for _, field in table(name).groupby(by):
            assert field["score"].mean() == pytest.approx(1 / 2)
            assert field["Elo"].mean() == pytest.approx(0, abs=1e-6)
            assert field["wins"].sum() == field["losses"].sum()
            assert field["score"].is_monotonic_decreasing


def scores_under_each_way_to_break_ties_add_up(table):
    for _, field in table("ties").groupby("rules"):
        for way in ("at random", "in pit order", "store first"):
            assert field[way].mean() == pytest.approx(1 / 2)


def scores_at_random_are_those_of_the_standings(table):
    keys = ["rules", "evaluator"]
    standings, by_ties = (table(name).set_index(keys) for name in ("evaluators", "ties"))
    for end in ("", " low", " high"):
        assert by_ties[f"at random{end}"].to_dict() == standings[f"score{end}"].to_dict()


def a_field_has_one_leader_in_each_way_and_the_others_a_p_value(table):
    for _, field in table("leaders").groupby(["field", "rules"]):
        p = field.drop(columns=["field", "rules", "player"])
        assert (p.isna().sum() == 1).all()
        assert not p.isin([0, "0.000"]).any(axis=None)
