"""The grid's tables, against what scipy makes of the same numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from kalahlab.experiments import grid, run_point
from kalahlab.grid import Row, run_all
from kalahlab.matches.pairs import play_pair
from kalahlab.matches.rating import score
from kalahlab.matches.tournament import cross_table, matches, round_robin
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
    costs = study.costs(one, ["path"])
    assert costs["path"].iloc[0] == one["path"].iloc[0]
    assert costs[["path, low", "path, high"]].isna().all(axis=None)


def test_a_cost_is_a_mean_with_the_ends_of_its_interval():
    means = study.over_openings(ROWS, "generated").iloc[0]
    cost = study.costs(ROWS, ["generated"]).iloc[0]
    assert cost["generated"] == round(means["mean"])
    assert cost["generated, low"] == round(means["low"]) < cost["generated"]
    assert cost["generated, high"] == round(means["high"]) > cost["generated"]


def test_games_are_alike_where_all_columns_are():
    assert study.alike(ROWS, "alpha_beta", "minimax_a_b", ["generated", "moves"]) == (8, 8)
    assert study.alike(ROWS, "minimax", "alpha_beta", ["moves"]) == (8, 8)
    same, of = study.alike(ROWS, "minimax", "alpha_beta", ["generated"])
    assert (same, of) == (4, 8), "only at depth 1, where there is nothing to prune"


def pairs(points: dict[tuple[str, str], list[float]]) -> list[Row]:
    """Pairs of games with given points of the first player, an opening each."""
    return [
        {"one": one, "other": other, "opening": opening, "points": share,
         "margin_1": 2 * share - 1, "margin_2": 2 * share - 1, "late_1": None, "late_2": None}
        for (one, other), shares in points.items()
        for opening, share in enumerate(shares)
    ]  # fmt: skip


A, B, C = (f"alpha_beta:{name}:2" for name in "abc")
CLEAR = pairs({(A, B): [0.5] * 30, (A, C): [1] * 30, (B, C): [0.75, 1] * 15})
OTHER_WAY = pairs({(A, B): [0] * 30, (A, C): [1] * 30, (B, C): [1] * 30})


def test_the_leader_is_told_from_those_it_leads_or_not():
    said = study.leaders({("standard", "at random"): CLEAR}, "evaluator")
    assert said.startswith("Under standard rules **a** leads with ties broken at random (Elo ")
    assert said.endswith(" It is better than c. It is not told apart from b.")


def test_a_leader_under_one_way_to_break_ties_only_is_none():
    same = study.leaders(
        {("standard", "at random"): CLEAR, ("standard", "else"): CLEAR}, "evaluator"
    )
    assert same.startswith("Under standard rules **a** leads however ties are broken (Elo with")
    played = {("standard", "at random"): CLEAR, ("standard", "in pit order"): OTHER_WAY}
    assert study.leaders(played, "evaluator") == (
        "Under standard rules the leader depends on how ties are broken (a at random, b in pit "
        "order). So no evaluator is called the best. Behind the leader each time: c."
    )


def test_who_is_better_under_one_way_to_break_ties_only_is_not_told_apart():
    equal = pairs({(A, B): [0.5] * 30, (A, C): [0.5] * 29 + [1], (B, C): [0.5] * 30})
    said = study.leaders({("r", "at random"): CLEAR, ("r", "else"): equal}, "evaluator")
    assert said.endswith("). It is not told apart from b, c.")


def test_the_finding_says_what_pruning_saves_and_who_leads():
    led = {("standard", study.RANDOM): CLEAR, ("standard", "in pit order"): CLEAR}
    said = study.finding(ROWS, led)
    ratio = study.saved(ROWS).set_index("depth").loc[3]
    assert f"minimax generates {ratio['mean']:.1f} ({ratio['low']:.1f} to" in said
    assert "plays the same moves in 8 of 8 games; under standard rules a leads the" in said
    apart = study.finding(ROWS, led | {("standard", "in pit order"): OTHER_WAY})
    assert apart.endswith(
        "; which evaluator leads under standard rules depends on how ties are broken."
    )


def test_players_are_compared_opening_by_opening():
    """B is always a little behind A, by less than openings differ: paired, that is seen."""
    strong = [1, 0.75, 0.5, 0.25] * 8
    rows = pairs({(A, C): strong, (B, C): [share - 0.25 for share in strong]})
    assert study.ahead(rows, A)[B] < 0.001
    unpaired = pairs({(A, C): strong, (B, C): [share - 0.25 for share in strong[1:] + strong[:1]]})
    assert study.ahead(unpaired, A)[B] > study.ahead(rows, A)[B]


def test_ties_are_broken_as_asked_and_players_named_without():
    ties = study.endings(2)
    assert len(ties[study.RANDOM]) == 2
    players = ["alpha_beta:e3:2", "alpha_beta:e1:2"]
    played = study.play(players, ["standard"], 4, ties)
    assert {
        side for rows in played.values() for row in rows for side in (row["one"], row["other"])
    } == {*players}
    assert [len(rows) for rows in played.values()] == [8, 4, 4]
    margins = [[row["margin_1"] for row in rows] for rows in played.values()]
    assert margins[0][:4] != margins[1] != margins[2]
    table = study.places(played)
    assert study.readable_standings(table, "evaluator")["wins"].sum() == (
        table[table["ties"] == study.RANDOM]["losses"].sum()
    )
    wide = study.by_ties(table, "evaluator")
    for row in table.to_dict("records"):
        assert wide.loc[("standard", row["evaluator"]), row["ties"]] == round(row["score"], 3)
    assert all(kind is np.dtype(float) for kind in wide.dtypes)
    figure = study.draw_ratings(table, "evaluator", "evaluator")
    assert len(figure.axes[0].containers) == 3


def test_sentences_say_the_opposite_of_other_numbers():
    assert "they are one search" in study.one_search(ROWS)
    assert "Minimax plays the moves" in study.one_search(ROWS)
    other = ROWS.copy()
    other.loc[other["algorithm"] == "minimax_a_b", "generated"] += 1
    other.loc[other["algorithm"] == "minimax", "moves"] = "1"
    assert "they are not one search" in study.one_search(other)
    assert "Minimax does not always play" in study.one_search(other)
    twice = pd.DataFrame(
        run_all(run_point, grid(["alpha_beta"], ["e2", "store_difference", "e1"], [2], openings=2))
    )
    assert "the same player under a second name" in study.duplicate(twice, "e2", "store_difference")
    assert "they are two players" in study.duplicate(twice, "e1", "store_difference")


def test_the_first_player_is_said_to_do_better_where_it_is_shown():
    games = ROWS.assign(margin=0)
    assert "In none of 2 rows" in study.first_player_says(study.first_player(games))
    many = pd.concat([games.assign(opening=str(n)) for n in range(12)])
    many.loc[many["depth"] == 3, "margin"] = -4
    said = study.first_player_says(study.first_player(many))
    assert said.startswith("The first player does worse at depth 3 under standard rules (0.00")
    assert said.endswith("in 1 of 2 rows it is not shown to do either.")
    many.loc[many["depth"] == 3, "margin"] = 4
    assert "does better at depth 3" in study.first_player_says(study.first_player(many))


def test_algorithms_side_by_side_are_the_costs_of_each():
    costs = study.costs(ROWS, ["generated", "path"])
    table = study.by_algorithm(costs)
    assert [name for name in table if "," not in name] == ["minimax", "minimax-a-b", "moves"]
    assert all(kind.kind == "i" for kind in table.dtypes)
    for row in costs[costs["algorithm"] != "alpha_beta"].to_dict("records"):
        beside = table.loc[(row["rules"], row["evaluator"], row["depth"])]
        name = row["algorithm"].replace("_", "-")
        for end in study.ENDS:
            assert beside[f"{name}{end}"] == row[f"generated{end}"]
            assert beside[f"moves{end}"] == row[f"path{end}"]


def test_the_first_players_points_are_means_over_the_openings():
    table = study.first_player(ROWS)
    for (rules, depth), row in table.iterrows():
        part = ROWS[(ROWS["rules"] == rules) & (ROWS["depth"] == depth)]
        games = np.sign(part["margin"]) / 2 + 0.5
        points = games.groupby(part["opening"]).mean()
        assert row["points"] == pytest.approx(games.mean())
        assert (row["low"], row["high"]) == pytest.approx(score([*points])[1:])
        margins = part.groupby("opening")["margin"].mean()
        ends = stats.t.interval(0.95, len(margins) - 1, margins.mean(), stats.sem(margins))
        assert row["margin"] == pytest.approx(part["margin"].mean())
        assert (row["margin_low"], row["margin_high"]) == pytest.approx(ends)


def test_a_cross_table_has_an_interval_beside_each_score():
    players = [f"alpha_beta:{name}:1" for name in ("e1", "e3", "e4")]
    rows = run_all(play_pair, round_robin(players, openings=6))
    scores, ends = study.crossed(rows)
    assert sorted(scores) == sorted(ends) == ["e1", "e3", "e4"]
    assert (scores.to_numpy() == cross_table(rows).to_numpy())[~np.eye(3, dtype=bool)].all()
    for row in matches(rows):
        one, other = (row[side].split(":")[1] for side in ("one", "other"))
        assert ends.loc[one, other] == f"{row['low']:.2f}-{row['high']:.2f}"
        assert ends.loc[other, one] == f"{1 - row['high']:.2f}-{1 - row['low']:.2f}"
    figure = study.draw_cross({("standard", study.RANDOM): rows})
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert sorted(texts) == sorted(
        f"{scores.loc[a, b]:.2f}\n{ends.loc[a, b]}" for a in scores for b in scores if a != b
    )


def test_the_ends_of_a_chart_are_told_in_words():
    means = study.saved(ROWS)
    said = study.range_in_words(means)
    assert f"from {means['mean'].min():,.1f} (e3, depth 1, standard rules)" in said
    assert f"to {means['mean'].max():,.1f} (e3, depth 3, standard rules)." in said


def test_what_pruning_saves_is_a_mean_of_ratios():
    means = study.saved(ROWS)
    nodes = ROWS[ROWS["depth"] == 3].pivot(index="opening", columns="algorithm", values="generated")
    ratios = nodes["minimax"] / nodes["alpha_beta"]
    assert means.set_index("depth").loc[3, "mean"] == pytest.approx(stats.gmean(ratios))
    figure = study.draw_saved(ROWS)
    drawn = sorted(y for bar in figure.axes[0].containers for _, y in bar[0].get_xydata())
    assert drawn == sorted(means["mean"])
