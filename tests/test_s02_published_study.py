"""The published study's tables and charts say what the rows say, by another way of counting."""

import pandas as pd
import pytest

from kalahlab.experiments import grid, run_point
from kalahlab.grid import run_all
from kalahlab.published import comparison
from kalahlab.published.cs5329 import Defects
from kalahlab.studies import s02_published_study as study

pytestmark = pytest.mark.usefixtures("figures")


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.DataFrame(comparison.table())


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    names = ["e1", "e2", "e3", "e4"]
    points = grid(["minimax_a_b", "alpha_beta"], names, [1, 3], pits=4, stones=3)
    return pd.DataFrame(
        run_all(run_point, points + grid(["minimax"], names, [1, 3], pits=4, stones=3))
    )


def test_slips_are_proved_by_the_formula_alone(table):
    slips = study.slips(table)
    assert len(slips) == 2
    for _, row in slips.iterrows():
        assert row["takes"] == row["printed memory"] == 81 * row["recomputed nodes"] // 1024
        assert row["would take"] == 81 * row["printed nodes"] // 1024 != row["printed memory"]


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


def test_the_ladder_begins_as_printed_and_ends_corrected(table):
    ladder = pd.DataFrame(comparison.ladder(depths=[2]))
    ends = study.first_and_last(ladder)
    printed = table[table["depth"] == 2].reset_index()
    assert ends["as printed"].tolist() == study.beside(printed)["recomputed"].tolist()
    assert ends["corrected"][:4].tolist() == ends["corrected"][4:].tolist()
    assert study.rungs(ladder)["turned_off"].tolist()[1:] == list(Defects.names())
    axes = study.draw_ladder(ladder).axes
    assert [ax.get_title(loc="left") for ax in axes] == ["MinMaxAB", "AlphaBetaSearch"]


def test_the_conclusion_counts_what_the_rows_hold(table, rows):
    text = study.conclusion(table, rows)
    assert "12 rows come out to the digit and 2 with a slip" in text
    assert "In 8 of 8 pairs of games" in text
    assert "at depth 3 it generates" in text


def test_the_conclusion_does_without_minimax(table, rows):
    assert "plain minimax" not in study.conclusion(table, rows[rows["algorithm"] != "minimax"])


def test_a_panel_a_depth_and_a_mark_a_row(rows):
    figure = study.draw_cost(rows, "generated")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["depth 1", "depth 3"]
    for ax, depth in zip(figure.axes, (1, 3), strict=True):
        drawn = sorted(mark for part in ax.collections for mark, _ in part.get_offsets().tolist())
        assert drawn == sorted(rows.loc[rows["depth"] == depth, "generated"])


def test_ratios_are_to_the_cheapest(rows):
    last = rows[(rows["depth"] == 3) & (rows["algorithm"] == "alpha_beta")]
    texts = [text.get_text() for text in study.draw_overall(rows, 3).axes[0].texts]
    costs = last["generated"].tolist()
    assert texts[:: len(study.COSTS)] == [f"{cost / min(costs):.1f}" for cost in costs]
