"""What must hold of the tables of page 06, whatever its parameters."""

TIES = ["at random", "pit order", "store first"]


def a_result_is_shown_only_if_all_ways_to_break_ties_agree(table):
    for name, equal in (("plain-staged", 0.5), ("rules", 0.5), ("terms", 0.5)):
        for _, row in table(name).iterrows():
            sides = {row[way] > equal for way in TIES}
            shown = row["shown" if "shown" in row else "effect"] != "not told apart"
            assert shown == (row["Holm's p"] < 0.05)
            assert not shown or (len(sides) == 1 and row["p < 0.05"] == "3 of 3")


def a_term_helps_if_the_whole_heuristic_beats_the_rest(table):
    for _, row in table("terms").query("effect != 'not told apart'").iterrows():
        ahead = row["at random"] > 0.5
        assert row["effect"] == (
            "helps" if ahead != (row["variant"] == "with captures") else "harms"
        )


def a_term_helps_if_moves_without_it_give_up_more(table):
    for _, row in table("regret-differences").query("effect != 'not told apart'").iterrows():
        more = row["at random"] > 0
        assert row["effect"] == (
            "helps" if more == row["variant"].startswith("without") else "harms"
        )


def differences_are_those_of_the_mean_regrets(table):
    means = table("regret").set_index(["evaluator", "depth"])
    for _, row in table("regret-differences").iterrows():
        for way in TIES:
            one, other = (means.loc[(row[name], row["depth"]), way]
                          for name in ("variant", "compared with"))  # fmt: skip
            assert abs(row[way] - (one - other)) < 1e-6


def each_line_of_the_listing_adds_what_it_says(table):
    adds = table("probes").set_index("board says")
    assert adds.loc["own pit ends in the store", "listing"] == 2
    assert adds.loc["5 own pits empty", "listing"] == -10


def the_records_are_those_of_print(table):
    letters = {"wins": "W", "losses": "L", "draws": "T"}
    cells = [", ".join(f"{row[name]}{letter}" for name, letter in letters.items() if row[name])
             for row in table("printed").to_dict("records")]  # fmt: skip
    assert cells == ["4L, 1T", "3W, 1L, 1T", "2W, 3L", "4W, 1L", "4W, 1T", "5W"]
