"""What must hold of the tables of the published study, whatever the parameters."""

import pytest

COUNTS = ["nodes", "expanded", "moves"]


def the_program_reproduces_every_row_that_it_defines(table):
    frame = table("published")
    defined = frame[frame["nodes"].notna()]
    assert (len(frame), len(defined)) == (16, 14)
    for name in COUNTS[1:]:
        assert (defined[name] == defined[f"{name}, printed"]).all()
    misprinted = defined["nodes"] != defined["nodes, printed"]
    assert (misprinted == (defined["verdict"] == "slip in print")).all()


def the_memory_column_is_81_bytes_a_node_and_tells_misprints_apart(table):
    frame = table("published")
    assert (frame["KB"].dropna() == 81 * frame["nodes"].dropna() // 1024).all()
    assert (frame["KB"].dropna() == frame["KB, printed"][frame["KB"].notna()]).all()
    slips = frame[frame["verdict"] == "slip in print"]
    assert (81 * slips["nodes, printed"] // 1024 != slips["KB, printed"]).all()


def alpha_beta_search_follows_one_line_of_play(table):
    rates = table("rates").query(
        "measure == 'expanded per move' and algorithm == 'AlphaBetaSearch'"
    )
    for name in ("E1", "E2", "E3", "E4"):
        assert (rates[name] == rates["depth"]).all()


def the_parts_of_a_correlation_are_the_whole(table):
    number = table("correlations").set_index("rows")["number"]
    assert number["all"] == number.drop("all").sum() == 16


def a_log_agrees_with_the_game_played_again(table):
    logs = table("totals")
    assert logs["boards"].tolist() == [28, 28, 27]
    assert (logs["contradictions"] == 0).all()
    assert (logs["totals printed"] == logs["recomputed"]).all()
    assert (logs["bytes printed"] == logs["81 per node"]).all()


def only_e2_orders_all_finished_games(table):
    criteria = table("criteria").set_index("evaluation")
    assert criteria.index[criteria["pairs in order"] == 1].tolist() == ["E2"]


def alpha_beta_never_generates_more_than_minimax(table):
    games = table("corrected-full")
    both = games[games["by minimax"].notna()]
    assert (both["generated"] <= both["by minimax"]).all()
    assert (games["margin"].gt(0) == games["winner"].eq("South")).all()
    assert (games["expanded"] <= games["generated"] + games["moves"]).all()


def a_depth_first_search_holds_one_line_and_its_siblings(table):
    held = table("held")
    assert (held["path"] == held["depth"] + 1).all()
    assert held["held"].between(held["path"] + 1, held["bound"]).all()


def a_game_in_pit_order_is_one_of_the_corrected_study(table):
    ties = table("ties").set_index(["evaluator", "depth"])
    games = table("corrected-full")
    first = games[games["rules"] == games["rules"].iloc[0]].set_index(["evaluator", "depth"])
    both = ties.index.intersection(first.index)
    assert (ties.loc[both, "margin, pit order"] == first.loc[both, "margin"]).all()
    cost = (first["generated"] / first["moves"]).loc[both]
    assert ties.loc[both, "nodes per move, pit order"].to_numpy() == pytest.approx(cost.to_numpy())
    assert ties["p"].between(0, 1).all()


def a_defect_changes_no_more_games_than_there_are(table):
    ladder = table("ladder")
    changes = ladder[["in series", "only this one off", "only this one on"]]
    assert len(ladder) == 16
    assert (changes % 1 == 0).all().all()
    assert changes.max(axis=None) <= 16
    assert changes.min(axis=None) >= 0
