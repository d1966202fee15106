"""The grid's tables, against what scipy makes of the same numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from kalahlab.experiments import grid, run_point
from kalahlab.grid import run_all
from kalahlab.matches.pairs import play_pair
from kalahlab.matches.tournament import cross_table, round_robin, standings
from kalahlab.studies import s05_grid as study

pytestmark = pytest.mark.usefixtures("figures")

ROWS = pd.DataFrame(
    run_all(run_point, grid(["minimax", "alpha_beta", "minimax_a_b"], ["e3"], [1, 3], openings=4))
)


def test_means_over_openings_are_geometric_with_students_interval():
    table = study.over_openings(ROWS, "generated")
    assert len(table) == 6
    for _, row in table.iterrows():
        chosen = (ROWS["algorithm"] == row["algorithm"]) & (ROWS["depth"] == row["depth"])
        logs = np.log(ROWS.loc[chosen, "generated"])
        low, high = stats.t.interval(0.95, len(logs) - 1, logs.mean(), stats.sem(logs))
        assert row["mean"] == pytest.approx(stats.gmean(ROWS.loc[chosen, "generated"]))
        assert (row["low"], row["high"]) == pytest.approx((np.exp(low), np.exp(high)))


def test_one_opening_alone_has_no_interval():
    one = ROWS[ROWS["opening"] == ROWS["opening"].iloc[0]]
    assert study.over_openings(one, "generated")[["low", "high"]].isna().all(axis=None)
    assert study.costs(one, ["path"])["path"].iloc[0] == str(one["path"].iloc[0])


def test_a_cost_is_a_mean_and_the_factor_to_either_end_of_its_interval():
    means = study.over_openings(ROWS, "generated").iloc[0]
    mean, factor = study.costs(ROWS, ["generated"])["generated"].iloc[0].split(" ×÷ ")
    assert float(mean) == round(means["mean"])
    assert float(factor) == round(means["high"] / means["mean"], 2)
    assert float(factor) == round(means["mean"] / means["low"], 2)


def test_games_are_alike_where_all_columns_are():
    assert study.alike(ROWS, "alpha_beta", "minimax_a_b", ["generated", "moves"]) == (8, 8)
    assert study.alike(ROWS, "minimax", "alpha_beta", ["moves"]) == (8, 8)
    same, of = study.alike(ROWS, "minimax", "alpha_beta", ["generated"])
    assert (same, of) == (4, 8), "only at depth 1, where there is nothing to prune"


def test_the_leader_is_told_from_those_it_leads_or_not():
    players = ["alpha_beta:e2:5", "alpha_beta:e2:1", "alpha_beta:store_difference:5"]
    played = run_all(play_pair, round_robin(players, openings=12))
    table = study.places({"standard": standings(played)})
    assert list(table["depth"])[-1] == 1
    said = study.leaders(table, "evaluator")
    assert said.startswith(f"under standard rules **{table['evaluator'].iloc[0]}** leads")
    assert f"not told apart from {table['evaluator'].iloc[1]}" in said
    assert study.readable_standings(table, "depth")["wins"].sum() == table["losses"].sum()


def test_algorithms_side_by_side_are_the_costs_of_each():
    costs = study.costs(ROWS, ["generated", "path"])
    table = study.by_algorithm(costs)
    assert list(table.columns) == ["minimax", "alpha-beta", "minimax-a-b", "moves"]
    for row in costs.to_dict("records"):
        beside = table.loc[(row["rules"], row["evaluator"], row["depth"])]
        assert (beside[row["algorithm"].replace("_", "-")], beside["moves"]) == (
            row["generated"],
            row["path"],
        )


def test_the_first_players_points_are_means_over_the_openings():
    table = study.first_player(ROWS)
    for (rules, depth), row in table.iterrows():
        part = ROWS[(ROWS["rules"] == rules) & (ROWS["depth"] == depth)]
        games = np.sign(part["margin"]) / 2 + 0.5
        points = games.groupby(part["opening"]).mean()
        low, high = stats.t.interval(0.95, len(points) - 1, points.mean(), stats.sem(points))
        assert row["points"] == pytest.approx(games.mean())
        assert (row["low"], row["high"]) == pytest.approx((max(low, 0), min(high, 1)))
        assert row["margin"] == pytest.approx(part["margin"].mean())


def test_a_cross_table_has_an_interval_beside_each_score():
    players = [f"alpha_beta:{name}:1" for name in ("e1", "e3", "e4")]
    rows = run_all(play_pair, round_robin(players, openings=6))
    scores, reach = study.crossed(rows)
    assert sorted(scores) == sorted(reach) == ["e1", "e3", "e4"]
    assert (scores.to_numpy() == cross_table(rows).to_numpy())[~np.eye(3, dtype=bool)].all()
    assert reach.equals(reach.T)
    texts = [text.get_text() for text in study.draw_cross(rows, "standard").axes[0].texts]
    assert sorted(texts) == sorted(
        f"{scores.loc[a, b]:.2f}\n± {reach.loc[a, b]:.2f}" for a in scores for b in scores if a != b
    )


def test_the_ends_of_a_chart_are_told_in_words():
    means = study.over_openings(ROWS, "generated")
    said = study.range_in_words(means)
    assert f"from {means['mean'].min():,.0f} (1, e3, " in said
    assert f"to {means['mean'].max():,.0f} (3, e3, minimax, standard)." in said
    table = study.places({"standard": standings(ELO)})
    assert "standard: e3 +" in study.ratings_in_words(table, "evaluator")


ELO = run_all(play_pair, round_robin(["alpha_beta:e3:2", "alpha_beta:e1:2"], openings=4))


def test_every_mean_has_its_mark_and_panel():
    means = study.over_openings(ROWS, "generated")
    figure = study.draw_nodes(ROWS)
    drawn = sorted(x for ax in figure.axes for bar in ax.containers for x, _ in bar[0].get_xydata())
    assert drawn == sorted(means["mean"])
