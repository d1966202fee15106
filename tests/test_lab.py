"""The laboratory's tables, against what scipy makes of the same numbers."""

import numpy as np
import pytest
from scipy import stats

from kalahlab.experiments import frame, grid, run_grid
from kalahlab.grid import work_through
from kalahlab.matches.tournament import pairs, play_pair, standings
from kalahlab.report import lab

ROWS = frame(run_grid(grid(["minimax", "alpha_beta", "minimax_a_b"], ["e3"], [1, 3], openings=4)))


def test_means_over_openings_are_geometric_with_students_interval():
    table = lab.over_openings(ROWS, "generated")
    assert len(table) == 6
    for _, row in table.iterrows():
        chosen = (ROWS["algorithm"] == row["algorithm"]) & (ROWS["depth"] == row["depth"])
        logs = np.log(ROWS.loc[chosen, "generated"])
        low, high = stats.t.interval(0.95, len(logs) - 1, logs.mean(), stats.sem(logs))
        assert row["mean"] == pytest.approx(stats.gmean(ROWS.loc[chosen, "generated"]))
        assert (row["low"], row["high"]) == pytest.approx((np.exp(low), np.exp(high)))


def test_one_opening_alone_has_no_interval():
    one = ROWS[ROWS["opening"] == ROWS["opening"].iloc[0]]
    assert lab.over_openings(one, "generated")[["low", "high"]].isna().all(axis=None)
    assert "(" not in lab.costs(one, ["generated"])["generated"].iloc[0]
    assert "(" in lab.costs(ROWS, ["generated"])["generated"].iloc[0]


def test_games_are_alike_where_all_columns_are():
    assert lab.alike(ROWS, "alpha_beta", "minimax_a_b", ["generated", "moves"]) == (8, 8)
    assert lab.alike(ROWS, "minimax", "alpha_beta", ["moves"]) == (8, 8)
    same, of = lab.alike(ROWS, "minimax", "alpha_beta", ["generated"])
    assert (same, of) == (4, 8), "only at depth 1, where there is nothing to prune"


def test_the_leader_is_told_from_those_it_leads_or_not():
    players = ["alpha_beta:e2:5", "alpha_beta:e2:1", "alpha_beta:store_difference:5"]
    table = lab.placed(standings(work_through(play_pair, pairs(players, openings=12))), "standard")
    assert list(table["depth"])[-1] == 1
    said = lab.leaders(table, "evaluator")
    assert said.startswith(f"under standard rules **{table['evaluator'].iloc[0]}** leads")
    assert f"not told apart from {table['evaluator'].iloc[1]}" in said
    assert lab.readable_standings(table, "depth")["wins"].sum() == table["losses"].sum()
