"""What must hold of the grading cases and of the units of depth, whatever the parameters."""


def each_case_that_is_missed_is_named(table):
    mistakes = table("mistakes")
    named = mistakes["cases"].fillna("").str.split().str.len()
    assert (named == mistakes["missed"]).all()
    in_turns = mistakes["differs from ours in one point"].str.startswith("depth counts moves")
    assert (mistakes.loc[in_turns, "missed"] > 0).all()
