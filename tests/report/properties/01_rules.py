import numpy as np

RULES = {"standard", "empty capture", "rest to empty side", "end if no move", "early stop"}


def each_rule_has_a_row(table):
    for name, column in (("rules", "rule"), ("endings", "row")):
        assert set(table(name)[column]) == RULES


def each_rule_of_the_documents_is_changed_alone(table):
    assert set(table("values")["rules"]) >= RULES


def an_early_stop_changes_no_winner_of_perfect_play(table):
    """Early stop ends only games that are decided."""
    values = table("values").set_index("rules")
    assert (np.sign(values.loc["early stop"]) == np.sign(values.loc["standard"])).all()


def the_start_has_a_move_a_pit_under_each_rule(table):
    leaves = table("perft").set_index("depth")
    assert leaves.loc[1].nunique() == 1
    assert (leaves.diff().dropna() > 0).all(axis=None)


def the_menu_may_give_the_rest_to_either_player(table):
    printed = table("rules").set_index("rule")["printed in"]
    unclear = printed.index[printed.str.contains("perhaps CS5329, sections 10 and 11 \\(menu\\)")]
    assert set(unclear) == {"standard", "rest to empty side"}
