"""What must hold of the grading cases and of the units of depth, whatever the parameters."""


def each_case_that_is_missed_is_named(table):
    mistakes = table("mistakes")
    named = mistakes["cases"].fillna("").str.split().str.len()
    assert (named == mistakes["missed"]).all()
    assert mistakes["missed"].between(0, 15).all()
    in_turns = mistakes["differs from ours in one point"].str.startswith("depth counts moves")
    assert (mistakes.loc[in_turns, "missed"] > 0).all()


def a_search_in_turns_sees_all_that_one_in_sows_sees(table):
    units = table("units")
    assert (units["minimax"] >= 1).all()
    assert (abs(units["relative"] - units["alpha_beta"] / units["minimax"]) < 1e-9).all()
