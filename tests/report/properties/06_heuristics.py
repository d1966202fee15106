TIES = ["at random", "pit order", "store first"]


def a_result_is_shown_only_if_all_ways_to_break_ties_agree(table):
    for name, equal in (("plain-staged", 0.5), ("rules", 0.5), ("terms", 0.5)):
        for _, row in table(name).iterrows():
            sides = {row[way] > equal for way in TIES}
            is_shown = row["shown" if "shown" in row else "effect"] != "not told apart"
            assert is_shown == (row["Holm's p"] < 0.05)
            assert not is_shown or (len(sides) == 1 and row["p < 0.05"] == "3 of 3")


def differences_are_those_of_the_mean_regrets(table):
    means = table("regret").set_index(["evaluator", "depth"])
    for _, row in table("regret-differences").iterrows():
        for way in TIES:
            one, other = (means.loc[(row[name], row["depth"]), way]
                          for name in ("variant", "compared with"))  # fmt: skip
            assert abs(row[way] - (one - other)) < 1e-6


def the_records_are_those_of_print(table):
    letters = {"wins": "W", "losses": "L", "draws": "T"}
    cells = []
    for row in table("printed").to_dict("records"):
        texts = [f"{row[name]}{letter}" for name, letter in letters.items() if row[name]]
        cells.append(", ".join(texts))
    assert cells == ["4L, 1T", "3W, 1L, 1T", "2W, 3L", "4W, 1L", "4W, 1T", "5W"]
