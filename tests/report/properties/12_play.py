def the_value_and_all_regrets_make_the_margin(table):
    account = table("account").set_index("row")["stones"]
    assert account["sum"] == account["margin of the game"] == table("review")["after"].iloc[-1]


def regrets_are_summed_over_the_same_moves(table):
    sums = table("lost").set_index("mover")
    by_mover = table("review").groupby("mover")["regret"].sum()
    for mover in by_mover.index:
        assert sums.loc[mover, "sum of regrets"] == by_mover[mover]
    depths = table("depths").set_index("move")["played"]
    assert depths["sum"] == depths.drop("sum").sum() == sums.loc["North", "sum of regrets"]
