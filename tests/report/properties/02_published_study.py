import pytest


def parse_generated(texts):
    return texts.str.split("/").str[0].astype(float)


def the_program_reproduces_every_row_that_it_defines(table):
    frame = table("published")
    defined = frame[frame["verdict"] != "not defined"]
    assert (len(frame), len(defined)) == (16, 14)
    rest = [defined[name].str.partition("/")[2] for name in ("printed", "recomputed")]
    assert (rest[0] == rest[1]).all()


def the_memory_column_is_81_bytes_a_node_and_tells_misprints_apart(table):
    frame = table("published")
    defined = frame[frame["verdict"] != "not defined"]
    assert (81 * parse_generated(defined["recomputed"]) // 1024 == defined["KB, printed"]).all()
    slips = frame[frame["verdict"] == "slip in print"]
    assert (81 * parse_generated(slips["printed"]) // 1024 != slips["KB, printed"]).all()


def a_log_agrees_with_the_game_played_again(table):
    logs = table("totals")
    assert logs["boards"].tolist() == [28, 28, 27]
    assert (logs["bytes"] == 81 * parse_generated(logs["recomputed"])).all()


def a_game_in_pit_order_is_one_of_the_corrected_study(table):
    ties = table("ties").set_index(["evaluator", "depth"])
    games = table("corrected-full")
    first = games[games["rules"] == games["rules"].iloc[0]].set_index(["evaluator", "depth"])
    both = ties.index.intersection(first.index)
    assert (ties.loc[both, "pit order"] == first.loc[both, "margin"]).all()
    costs = table("per-move").set_index(["ties", "depth"]).loc["pit order"]
    for evaluator, depth in both:
        game = first.loc[(evaluator, depth)]
        expected = game["generated"] / game["moves"]
        assert costs.loc[depth, evaluator.upper()] == pytest.approx(expected)
