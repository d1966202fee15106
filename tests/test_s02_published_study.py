"""The published study's tables, charts and sentences say what the rows say, counted another way."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from kalahlab.data import data_rows
from kalahlab.experiments import grid, run_point
from kalahlab.grid import run_all
from kalahlab.published import comparison
from kalahlab.published.cs5329 import Defects, play_published
from kalahlab.studies.s02_published_study import answer, charts
from kalahlab.studies.s02_published_study import tables as study

pytestmark = pytest.mark.usefixtures("figures")

NAMES = ["e1", "e2", "e3", "e4"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.DataFrame(comparison.table())


@pytest.fixture(scope="module")
def ladder() -> pd.DataFrame:
    return study.ladders([2])


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    names = ["minimax_a_b", "alpha_beta", "minimax"]
    points = grid(names, NAMES, [1, 3], pits=4, stones=3, backend="textbook")
    return pd.DataFrame(run_all(run_point, points))


def test_deep_games_are_counted_and_not_timed():
    depths = [2, study.TIMED + 1]
    points = study.corrected(NAMES, depths, [2], ["standard"], "pit", repeats=2)
    backends = {point.depth: point.backend for point in points}
    assert backends == {2: "textbook", study.TIMED + 1: "engine"}
    assert [point.depth for point in points].count(2) == 2 * 3 * len(NAMES)
    shallow = [replace(point, pits=3, stones=2) for point in points]
    rows = charts.fastest(pd.DataFrame(run_all(run_point, shallow)))
    deep = rows["depth"] > study.TIMED
    assert rows["seconds"].isna().tolist() == deep.tolist()
    assert (rows["generated"] > 0).all()
    figure = charts.draw_costs(charts.cost_points(rows))
    marked = [[bool(ax.collections) for ax in line] for line in np.array(figure.axes).reshape(3, 3)]
    assert marked == [[True, True, True], [True, True, False], [True, True, False]]


@pytest.fixture(scope="module")
def ties() -> pd.DataFrame:
    small = {"pits": 4, "stones": 3, "backend": "textbook"}
    points = [
        point
        for how in ({}, {"order": "store_first"}, *({"ties": seed} for seed in range(5)))
        for point in grid(["alpha_beta"], NAMES, [1, 2], **small, **how)
    ]
    return study.controls(pd.DataFrame(run_all(run_point, points)))


# --- tables -----------------------------------------------------------------------------


def test_slips_are_proved_by_the_formula_alone(table):
    slips = study.slips(table)
    assert len(slips) == 2
    for _, row in slips.iterrows():
        right = 81 * row["nodes, recomputed"] // 1024
        assert row["their memory by formula"] == row["memory, printed"] == right
        wrong = 81 * row["nodes, printed"] // 1024
        assert row["their memory"] == wrong != row["memory, printed"]


def test_printed_and_recomputed_are_set_side_by_side(table):
    beside = study.beside(table)
    equal = beside["printed"] == beside["recomputed"]
    assert (equal == (beside["verdict"] == "equal")).all()
    assert equal.sum() == 12
    assert (beside["recomputed"] == "not defined").sum() == len(study.undefined(table)) == 2


def test_nothing_legible_in_the_logs_contradicts_the_replay():
    logs = study.transcripts(pd.DataFrame(comparison.replay_transcripts()))
    assert logs["boards"].tolist() == [28, 28, 27]
    assert logs["contradictions"].sum() == 0
    assert (logs["fields_read"] > 3 * logs["boards"]).all()


def test_the_totals_of_the_logs_and_a_fourth_without_any():
    totals = study.totals()
    assert (totals["in print"][:3] == totals["recomputed"][:3]).all()
    assert totals["in print"][3] == "heading only"
    assert totals["winner"][0] == "A"
    assert totals["stores"][0] == "49–23"


def test_what_is_in_print_stands_under_print_and_what_is_not_under_recomputed(table, ladder):
    ends = study.first_and_last(ladder)
    printed = table[table["depth"] == 2].reset_index()
    assert ends["in print"].tolist() == study.beside(printed)["printed"].tolist()
    assert "694/194/37" in set(ends["in print"])
    assert ends["as printed, recomputed"].tolist() == study.beside(printed)["recomputed"].tolist()
    assert ends["corrected"][:4].tolist() == ends["corrected"][4:].tolist()


def test_the_rungs_count_the_games_that_change_each_of_three_ways(ladder):
    rungs = study.rungs(ladder)
    assert rungs.index.tolist() == ["(as printed)", *Defects.names()]
    for mode, words in study.MODES.items():
        found = pd.DataFrame(comparison.ladder([2], mode=mode))
        assert rungs[words].tolist() == found.groupby("rung")["changed"].sum().tolist()


def test_times_are_to_the_step_before_or_to_the_first(ladder):
    for mode, part in ladder.groupby("mode"):
        game = part[(part["algorithm"] == "AlphaBetaSearch") & (part["evaluation"] == 3)]
        nodes = game["generated"].astype(float).to_numpy()
        before = np.roll(nodes, 1) if mode == "in series" else nodes[0]
        assert game["times"].to_numpy()[1:] == pytest.approx((nodes / before)[1:], nan_ok=True)


def test_the_printed_memory_is_the_formula_s_in_all_16_rows():
    memory = study.memory()
    nodes = memory["of_recomputed_nodes"].fillna(memory["of_printed_nodes"])
    assert (nodes == memory["printed"]).all()
    assert len(memory) == 16


def test_seconds_go_with_moves_and_not_with_nodes():
    every, *authors = comparison.seconds_correlations()
    frame = pd.DataFrame(comparison.printed_table())
    assert every["r_with_nodes"] == pytest.approx(frame["seconds"].corr(frame["generated"]))
    assert round(every["r_with_nodes"], 2) == 0.22
    assert [round(part["r_with_moves"], 3) for part in authors] == [1.0, 0.96]


def test_a_node_of_the_printed_class_is_as_long_as_ctypes_says():
    from ctypes import Structure, c_char, c_int, c_void_p, sizeof

    class Board(Structure):
        _fields_ = [("numbers", c_int * 16), ("pointer", c_void_p)]

    class Flow(Structure):
        _fields_ = [
            ("player", c_char), ("status", Board), ("heuristic", c_int),
            ("successors", c_void_p * 6), ("count", c_int),
        ]  # fmt: skip

    assert sizeof(Flow) == comparison.node_bytes()["64 bits"]
    assert 81 not in comparison.node_bytes().values()


def test_the_search_holds_one_line_and_its_siblings():
    for row in comparison.held_nodes((1, 3)):
        assert row["path"] == row["depth"] + 1
        assert row["path"] < row["held"] <= row["bound"]


def test_no_constant_gives_the_printed_rows_of_e1():
    games = study.e1_with_constants()
    assert games["depth 2"].tolist() == ["488/139/27"] * 3 + ["687/178/35"]
    assert games["depth 4"].tolist() == ["3577/875/27"] * 3 + ["6342/1572/30"]


def test_alpha_beta_search_plays_leftmost_always():
    games = study.games_played()
    own = games[games["algorithm"] == "AlphaBetaSearch"]
    assert set(own["leftmost pit, depth 4"]) == {"27 of 27"}
    assert set(own["the same moves"]) == {"yes"}


def test_one_child_of_the_root_is_read():
    game = play_published("AlphaBetaSearch", 3, 2)
    captions = [view.caption for view in answer.cut_views(game, 3)]
    assert captions[0] == "1. A: 1 of 6 children visited"
    assert len(captions) == 3
    assert "max(2000, −100) = 2000. This is β or more, so there" in answer.cut_in_words(game)


def test_each_defect_is_asked_for_in_the_code_that_is_shown():
    found = study.defects()
    assert found.index.tolist() == [*Defects.names()]
    for name, code in found["the switch in the package"].items():
        assert f"defects.{name.replace('-', '_')}" in code


# --- charts -----------------------------------------------------------------------------


def test_a_panel_a_mode_and_a_cell_a_game_and_defect(ladder):
    axes = charts.draw_defects(ladder).axes[:3]
    assert [ax.get_title(loc="left") for ax in axes] == list(study.MODES.values())
    assert {ax.collections[0].get_array().size for ax in axes} == {len(Defects.names()) * 8}


def test_the_printed_points_are_drawn_beside_ours(rows):
    points = charts.cost_points(rows)
    figure = charts.draw_costs(points)
    drawn = [ax for ax in figure.axes if ax.get_xlabel() == "nodes generated"]
    assert [ax.get_title(loc="left") for ax in drawn] == [f"depth {n}" for n in (1, 2, 3, 4)]
    for ax, depth in zip(drawn, (1, 2, 3, 4), strict=True):
        marks = sorted(x for part in ax.collections for x, _ in part.get_offsets().tolist())
        assert marks == sorted(points.loc[points["depth"] == depth, "generated"])
    printed = points[points["series"].str.contains("printed")]
    assert sorted(printed["generated"]) == sorted(
        row["generated"] for row in comparison.printed_table()
    )


def test_of_games_timed_twice_the_faster_counts(rows):
    slower = rows.assign(seconds=rows["seconds"] + 1)
    both = charts.fastest(pd.concat([slower, rows], ignore_index=True))
    assert both["seconds"].tolist() == pytest.approx(rows["seconds"].tolist())


def test_ratios_are_to_the_cheapest(rows):
    last = rows[(rows["depth"] == 3) & (rows["algorithm"] == "alpha_beta")]
    texts = [text.get_text() for text in charts.draw_overall(rows, 3).axes[1].texts]
    costs = last["generated"].tolist()
    assert texts[:: len(charts.COSTS)] == [f"{cost / min(costs):.1f}" for cost in costs]


# --- sentences, given numbers for which they say the opposite ------------------------------


def test_the_conclusion_has_a_sentence_for_each_question(table, ladder, rows, ties):
    *bullets, _, follows = answer.conclusion(table, ladder, rows, ties).splitlines()
    assert [line[:4] for line in bullets] == ["- **"] * 6
    assert follows.startswith("**What follows.** ")


def test_the_table_is_or_is_not_what_the_program_does(table):
    assert "table is what" in answer.on_the_table(table)
    assert "12 equal, 2 equal except for a misprint" in answer.on_the_table(table)
    other = table.assign(verdict=["differs", *table["verdict"][1:]])
    assert "table is not what" in answer.on_the_table(other)
    assert "1 different" in answer.on_the_table(other)


def test_the_finding_counts_rows_and_pairs(table, rows, monkeypatch):
    said = answer.finding(table, rows)
    assert said.startswith(
        "The printed program gives 14 of the 16 printed rows (2 with a misprint)"
    )
    assert "because it visits one line of play" in said
    assert said.endswith("in 8 of 8 pairs of games.")
    other = answer.finding(table.assign(verdict="differs"), rows.assign(path=range(len(rows))))
    assert other.startswith("The printed program gives 0 of the 16 printed rows (0 with")
    assert other.endswith("in 0 of 8 pairs of games.")
    wide = [row | {"expanded_a_move": 3 * row["depth"]} for row in comparison.rates()]
    monkeypatch.setattr(comparison, "rates", lambda: wide)
    assert "but its AlphaBetaSearch does search" in answer.finding(table, rows)


def test_one_line_of_play_or_a_search():
    rates = comparison.rates()
    assert "does not follow" in answer.on_one_line(rates)
    wide = [row | {"expanded_a_move": 3 * row["depth"]} for row in rates]
    assert "In 8 of 8 printed rows it expands more" in answer.on_one_line(wide)


def test_the_seconds_go_with_nodes_or_with_moves():
    parts = comparison.seconds_correlations()
    assert "do not measure the search" in answer.on_the_seconds(parts)
    other = [part | {"r_with_nodes": 0.99, "r_with_moves": 0.1} for part in parts]
    assert "go with the nodes" in answer.on_the_seconds(other)


def test_the_algorithms_are_one_search_or_two(rows):
    text = answer.on_the_algorithms(rows)
    assert "neither algorithm is better" in text
    assert "In 8 of 8 pairs" in text
    assert "at depth 3 minimax generates" in text
    assert "pruning saves nodes" in text
    less = rows["generated"].where(rows["algorithm"] != "alpha_beta", 1)
    other = answer.on_the_algorithms(rows.assign(generated=less))
    assert "the two algorithms differ" in other
    assert "fewer nodes in 8 pairs" in other
    more = rows["generated"].where(rows["algorithm"] == "minimax", 10**9)
    assert "pruning saves no nodes" in answer.on_the_algorithms(rows.assign(generated=more))
    assert "plain minimax" not in answer.on_the_algorithms(rows[rows["algorithm"] != "minimax"])


def test_the_four_rows_stay_equal_or_not(ladder):
    assert "are still equal: 766 nodes each" in answer.identical_rows(ladder)
    window = (ladder["defect"] == "inverted-window") & (ladder["mode"] == "in series")
    other = ladder.assign(generated=ladder["generated"].where(~window, ladder["evaluation"]))
    assert "as soon as inverted-window is corrected" in answer.identical_rows(other)


def test_the_largest_change_is_one_switch_s_or_several(ladder):
    assert "most is inverted-window. " in answer.largest_change(ladder)
    one = (ladder["defect"] == "wrong-mover") & (ladder["mode"] == study.MODES["off-alone"])
    other = ladder.assign(times=ladder["times"].where(~one, 1e6))
    assert "wrong-mover (only this one off)" in answer.largest_change(other)


def test_the_series_ends_with_the_corrected_study_or_not(ladder):
    study_rows = pd.DataFrame(run_all(run_point, grid(["alpha_beta"], NAMES, [2])))
    assert "the program is the one of" in answer.one_program(ladder, study_rows)
    assert "4 of the games; in 4 of them" in answer.one_program(ladder, study_rows)
    other = study_rows.assign(generated=0)
    assert "the program is not the one of" in answer.one_program(ladder, other)


def test_a_fixed_cost_a_move_or_not():
    rates = comparison.rates()
    assert "and it has 1.93 times as many moves: 54 and 28" in answer.fixed_cost(rates)
    slow = [row | {"seconds": row["seconds"] * row["evaluation"] ** 3} for row in rates]
    assert "but it has" in answer.fixed_cost(slow)


def test_ties_are_averaged_over_the_seeds(ties):
    shown = study.ties_table(ties)
    part = ties[(ties["evaluator"] == "e1") & (ties["depth"] == 1) & ties["ties"].notna()]
    assert len(part) == 5
    assert shown.loc[("e1", 1), "margin, at random"] == round(part["margin"].mean(), 2)
    assert shown.loc[("e1", 1), "won by A, at random"] == (part["margin"] > 0).mean()


def test_the_cheapest_is_the_same_in_every_order_or_not(ties):
    cheap = ties.assign(generated=ties["evaluator"].map({"e1": 1}).fillna(100) * ties["path"])
    assert "is the same in every order" in answer.on_the_cheapest(cheap)
    seen = (cheap["control"] == "store first") & (cheap["evaluator"] == "e3")
    other = cheap.assign(generated=cheap["generated"].where(~seen, 0))
    assert "No evaluator is the cheapest" in answer.on_the_cheapest(other)
    assert "E3, E3 (store first)" in answer.on_the_cheapest(other)


def test_the_winner_depends_on_depth_and_order_or_not(rows, ties):
    same = ties.assign(winner="South", margin=2)
    alike = rows.assign(winner="South")
    assert "depends on neither" in answer.on_the_winner(alike, same)
    for of_rows, of_ties in (
        (rows.assign(winner=rows["depth"].astype(str)), same),
        (alike, same.assign(winner=same["order"])),
        (alike, same.assign(margin=[2, -2] * (len(same) // 2))),
    ):
        assert "No evaluator is shown to be best" in answer.on_the_winner(of_rows, of_ties)
    deep = answer.on_the_winner(rows.assign(winner=rows["depth"].astype(str)), same)
    assert "In 4 of 4 evaluator–rule cases" in deep
    assert "In 0 of 8" in deep
    assert "the first player wins 100% of the games" in deep


# --- the claims -------------------------------------------------------------------------


def test_the_claims_of_the_table_quote_the_table():
    quoted = [
        row["quote"].replace("EvaluationFunction", "").split()
        for row in data_rows("claims.csv")
        if row["id"].startswith("cs5329-row-")
    ]
    printed = [[f"{value}" for value in row.values()] for row in comparison.printed_table()]
    order = ["algorithm", "evaluation", "depth", "generated", "expanded", "path", "seconds"]
    assert list(comparison.printed_table()[0])[:7] == order
    assert quoted == printed
