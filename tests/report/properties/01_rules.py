import pytest

RULES = {"standard", "empty capture", "rest to empty side", "end if no move", "early stop"}


def each_rule_has_a_row(table):
    for name, column in (("rules", "rule"), ("endings", "row"), ("variations", "rules")):
        assert set(table(name)[column]) == RULES


def a_change_of_the_margin_is_the_difference_of_the_means(table):
    frame = table("variations").set_index("rules")
    change = (frame["margin"] - frame.loc["standard", "margin"]).drop("standard")
    assert change.to_numpy() == pytest.approx(frame["margin change"].dropna().to_numpy())


def who_gets_the_rest_does_not_change_the_length(table):
    length = table("variations").set_index("rules")["length"]
    assert length["rest to empty side"] == length["standard"]
    assert length["early stop"] <= length["standard"]


def the_start_has_a_move_a_pit_under_each_rule(table):
    leaves = table("perft").set_index("depth")
    assert leaves.loc[1].nunique() == 1
    assert (leaves.diff().dropna() > 0).all(axis=None)


def the_menu_may_give_the_rest_to_either_player(table):
    printed = table("rules").set_index("rule")["printed in"]
    unclear = printed.index[printed.str.contains("perhaps CS5329, sections 10 and 11 \\(menu\\)")]
    assert set(unclear) == {"standard", "rest to empty side"}
