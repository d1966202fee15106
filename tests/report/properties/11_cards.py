def a_move_is_changed_in_some_of_the_positions(table):
    choices = table("choices").set_index("plies")
    assert choices.drop(columns="positions").le(choices["positions"], axis=0).all(axis=None)
