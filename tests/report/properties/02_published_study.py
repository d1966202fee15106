def the_program_reproduces_every_row_that_it_defines(table):
    frame = table("published")
    defined = frame[frame["verdict"] != "not defined"]
    assert (len(frame), len(defined)) == (16, 14)
    assert not (frame["verdict"] == "differs").any()


def the_memory_column_is_81_bytes_a_node_and_tells_which_number_is_wrong(table):
    frame = table("published")
    defined = frame[frame["verdict"] != "not defined"]
    assert (81 * defined["recomputed"] // 1024 == defined["KB"]).all()
    slips = frame[frame["verdict"] == "illegible copy"]
    assert (81 * slips["printed"] // 1024 != slips["KB"]).all()


def a_log_agrees_with_the_game_played_again(table):
    logs = table("totals")
    assert logs["boards"].tolist() == [28, 28, 27]
    assert (logs["bytes"] == 81 * logs["recomputed"]).all()
