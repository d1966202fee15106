"""Judged positions and what players give up there, against plain minimax and full searches."""

from functools import cache
from itertools import combinations, islice
from math import sqrt
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from kalahlab.engine.solver.exact import open_solver
from kalahlab.evaluators.kalah import e4, store_difference
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah, State, in_play
from kalahlab.judging import judged, regret
from kalahlab.judging.judged import Judged, Sample
from kalahlab.matches.pairs import Outcome, move_costs
from kalahlab.matches.rating import Interval
from kalahlab.published.staged import printed_results, printed_seconds
from kalahlab.report.draw import charts
from kalahlab.studies import s07_perfect_play as tables

KEPT = judged.read()
SMALL = {"plies": 12, "pits": 3, "stones": 2, "most": 10}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module", params=PRESETS)
def small(request: pytest.FixtureRequest, folder: Path) -> list[Judged]:
    """Judged positions of a board that plain minimax can play out."""
    states = judged.drawn(Sample(positions=60, **SMALL), request.param)
    with open_solver(3, PRESETS[request.param], database_stones=6, folder=folder) as judge:
        return list(judged.judged(judge, states, request.param))


@cache
def plain(game: Kalah, state: State) -> int:
    """South's final margin under perfect play: the definition."""
    if game.over(state):
        return game.margin(state, SOUTH)
    values = [plain(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if state.player == SOUTH else min(values)


def test_each_move_is_worth_what_playing_everything_out_says(small: list[Judged]) -> None:
    for row in small:
        game = Kalah(3, 2, PRESETS[row.rules])
        moves = game.moves(row.state)
        found = {pit: worth for pit, worth in enumerate(row.moves) if worth is not None}
        assert found == {pit: plain(game, game.play(row.state, pit)) for pit in moves}
        assert row.value == plain(game, row.state)


def test_a_search_to_the_end_gives_nothing_up(small: list[Judged]) -> None:
    """Whatever the evaluator: every leaf is a finished game."""
    rows = regret.regrets(small, {"e4": e4, "stores": store_difference}, [60])
    assert [row["regret"] for row in rows] == [0] * 2 * len(small)


def test_nobody_gains_by_leaving_perfect_play(small: list[Judged]) -> None:
    rows = regret.regrets(small, {"e4": e4}, [1, 2, 3])
    assert min(row["regret"] for row in rows) == 0 < max(row["regret"] for row in rows)
    assert [row["position"] for row in rows] == [*range(len(small))] * 3
    assert [row["depth"] for row in rows[:: len(small)]] == [1, 2, 3]


def test_a_sample_has_different_positions_with_a_choice() -> None:
    sample = Sample(positions=200, seed=7, plies=30, most=25, pits=4, stones=3)
    states = list(judged.drawn(sample))
    assert len(set(states)) == 200
    assert states == list(judged.drawn(sample))
    for state in states:
        assert state.player == SOUTH
        assert in_play(state.board) <= 25
        assert len(Kalah(4, 3).moves(state)) >= 2
        assert sum(state.board) == 24


def test_a_sample_that_cannot_be_drawn_says_so() -> None:
    with pytest.raises(ValueError, match=r"^only \d+ positions found of Sample\(positions=9999, "):
        list(judged.drawn(Sample(positions=9999, pits=2, stones=1)))
    with pytest.raises(ValueError, match=r"^plies of a sample is 0; use 1 or more$"):
        Sample(plies=0)


def test_positions_are_read_as_they_were_written(tmp_path: Path) -> None:
    judged.write(tmp_path / "one.csv.gz", KEPT[:40])
    judged.write(tmp_path / "other.csv.gz", judged.read(tmp_path / "one.csv.gz"))
    assert judged.read(tmp_path / "one.csv.gz") == KEPT[:40]
    assert (tmp_path / "one.csv.gz").read_bytes() == (tmp_path / "other.csv.gz").read_bytes()


@pytest.mark.parametrize("rules", PRESETS)
def test_the_kept_positions_are_the_sample_that_the_defaults_draw(rules: str) -> None:
    kept = [row.state for row in KEPT if row.rules == rules]
    assert len(kept) == Sample().positions
    assert kept[:300] == list(islice(judged.drawn(Sample(), rules), 300))


@pytest.mark.parametrize("rules", PRESETS)
def test_the_kept_values_come_out_again(rules: str, folder: Path) -> None:
    kept = [row for row in KEPT if row.rules == rules and in_play(row.state.board) <= 24][:60]
    with open_solver(6, PRESETS[rules], database_stones=9, folder=folder) as judge:
        assert list(judged.judged(judge, (row.state for row in kept), rules)) == kept


def test_a_value_is_of_a_game_of_48_stones() -> None:
    for row in KEPT:
        assert sum(row.state.board) == 48
        assert row.value % 2 == 0
        assert [worth is not None for worth in row.moves] == [n > 0 for n in row.state.board[:6]]


def test_an_empty_pit_is_named() -> None:
    row = Judged("standard", State((0, 1, 0, 1, 1, 0), SOUTH), (None, 2))
    assert row.regret(1) == 0
    with pytest.raises(ValueError, match=r"^pit 1 of <2,0,0,0,1,1,1> is empty$"):
        row.regret(0)


def test_what_chance_gives_up_worked_by_hand() -> None:
    state = State((1, 1, 1, 0, 1, 1, 1, 0), SOUTH)
    rows = [
        Judged("standard", state, (4, None, 0)),  # one of two is best, the other 4 worse
        Judged("standard", state, (2, 2, -4)),  # two of three, the other 6 worse
    ]
    assert regret.chance(rows) == (pytest.approx((2 + 2) / 2), pytest.approx((1 / 2 + 2 / 3) / 2))


def test_an_order_is_as_good_as_the_pairs_it_has_right() -> None:
    """Kendall's tau by its definition, where nothing ties; 1 for the truth, -1 upside down."""
    exact = {row.value: row for row in KEPT}
    some = list(exact.values())[:20]
    worth = {row.state.board: row.value for row in some}
    truth, upside_down, shuffled = regret.ordering(
        some,
        {
            "truth": lambda board, player: worth[tuple(board)],
            "upside down": lambda board, player: -worth[tuple(board)],
            "shuffled": lambda board, player: shuffle(worth[tuple(board)]),
        },
    )
    assert (truth["spearman"], truth["kendall"]) == pytest.approx((1, 1))
    assert (upside_down["spearman"], upside_down["kendall"]) == pytest.approx((-1, -1))
    pairs = list(combinations(worth.values(), 2))
    right = sum((a > b) == (shuffle(a) > shuffle(b)) for a, b in pairs)
    assert 0 < right < len(pairs)
    assert shuffled["kendall"] == pytest.approx(2 * right / len(pairs) - 1)


def shuffle(value: float) -> float:
    """Different numbers for different values of a game of 48 stones, in another order."""
    return 40 * value % 97


def test_a_summary_worked_by_hand() -> None:
    rows = [
        {"evaluator": "e", "depth": 1, "position": n, "regret": lost, "nodes": nodes}
        for n, (lost, nodes) in enumerate([(0, 10), (4, 10), (0, 20), (4, 0)])
    ]
    table = tables.summary(pd.DataFrame(rows)).loc[("e", 1)]
    assert (table["nodes"], table["regret"], table["optimal"]) == (10, 2, 0.5)
    within = 3.182 * sqrt(16 / 3) / sqrt(4)  # Student's t at 3 degrees of freedom, of a table
    assert (table["low"], table["high"]) == pytest.approx((2 - within, 2 + within), abs=1e-3)


def test_a_budget_lies_between_depths_by_the_logarithm_of_nodes() -> None:
    index = pd.MultiIndex.from_product([["e", "f"], [1, 2]], names=["evaluator", "depth"])
    table = pd.DataFrame({"nodes": [10, 1000, 10, 50], "regret": [5, 1, 3, 2]}, index)
    found = tables.at_nodes(table, [10, 100, 1001])
    assert found.loc["e"].tolist()[:2] == pytest.approx([5, 3])
    assert found.loc["f"].isna().tolist() == [False, True, True]
    assert found.isna().loc["e"].tolist() == [False, False, True]


def test_matches_beside_print() -> None:
    played = {
        (3, "plain"): Outcome(6, 1, 3, Interval(0.65, 0.55, 0.75), 2.0),
        (5, "plain"): Outcome(9, 1, 0, Interval(0.95, 0.85, 1.0), 9.0),
    }
    met = tables.matches(played)
    assert met[["score", "low", "high"]].values.tolist() == [[0.65, 0.55, 0.75], [0.95, 0.85, 1]]
    assert tables.verdict(met).startswith("2 of 2 intervals lie above 1/2. The lowest is that")
    assert "against plain at depth 3: 0.65 (0.55 to 0.75)" in tables.verdict(met)
    assert tables.on_time(met, 0.5) == "With 500 ms for a move, 0 of 20 games were lost on time."
    table = tables.beside_printed(pd.DataFrame(printed_results()), met)
    assert table["staged against plain, here"].tolist() == ["6-3-1", "9-0-1"]
    assert table["staged, printed"].tolist() == ["3-1-1", "4-1-0"]
    assert table["plain, printed"].tolist() == ["0-4-1", "2-3-0"]


def about(score: float, within: float) -> Interval:
    return Interval(score, score - within, score + within)


def test_what_is_decided_is_told_from_what_is_not() -> None:
    """Scores 0.1 apart, of which an interval of 0.15 either way leaves 1/2 out of three."""
    scores = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    played = {
        (depth, "it"): Outcome(0, 0, 0, about(score, 0.15), 0, timed_out=1)
        for depth, score in enumerate(scores, start=1)
    }
    said = tables.verdict(tables.matches(played))
    assert said.startswith("2 of 6 intervals lie above 1/2, 1 below it; 1/2 lies within")
    assert "it at depth 2: 0.40 (0.25 to 0.55); it at depth 3" in said
    assert said.endswith("The lowest is that against it at depth 1: 0.30 (0.15 to 0.45).")
    many = {key: each for key, each in played.items() if key[0] in (2, 3, 4)}
    many |= {(9, name): played[3, "it"] for name in "ab"}
    assert ", and 5 hold it. The lowest" in tables.verdict(tables.matches(many))


def test_the_answer_names_the_variants_that_beat_the_whole() -> None:
    head = tables.matches({(3, "plain"): Outcome(0, 0, 0, about(0.5, 0.1), 0)})
    variants = {"a": 0.3, "b": 0.5, "c": 0.7}
    met = tables.matches(
        {(3, name): Outcome(0, 0, 0, about(score, 0.1), 0) for name, score in variants.items()}
    )
    rows = [
        {"evaluator": name, "depth": depth, "position": n, "regret": lost, "nodes": 9}
        for name, lost in (("staged", 2), ("store_difference", 1))
        for depth in (2, 4)
        for n in range(2)
    ]
    said = tables.heuristics_answer(head, met, tables.summary(pd.DataFrame(rows)))
    assert "the interval leaves out 1/2 in 2: it loses to itself a at depth 3: 0.30" in said
    assert "it wins against itself c at depth 3: 0.70 (0.60 to 0.80)." in said
    assert "at depth 4 a move of the staged heuristic gives up 2.00 (2.00 to 2.00)" in said
    decided = met.drop(index=[(3, "a"), (3, "c")])
    assert "leaves out 1/2 in 0." in tables.heuristics_answer(
        head, decided, tables.summary(pd.DataFrame(rows))
    )


def test_the_printed_games_are_five_a_depth() -> None:
    rows = printed_results()
    assert [row["wins"] + row["losses"] + row["draws"] for row in rows] == [5] * 6
    seconds = pd.DataFrame(printed_seconds())
    assert seconds.groupby("depth").size().to_dict() == {3: 16, 5: 15, 7: 11}
    assert seconds["seconds"].between(0.001, 1).all()


def test_the_charts_show_what_the_tables_say(small: list[Judged]) -> None:
    rows = regret.regrets(small, {"e4": e4, "stores": store_difference}, [1, 2])
    table = tables.summary(pd.DataFrame(rows))
    ax = charts.regret(table, chance=3)
    assert ax.lines[0].get_ydata().tolist() == table.loc["e4", "regret"].tolist()
    costs = pd.DataFrame(move_costs(Kalah(3, 3), e4, store_difference, 3))
    assert (costs["nodes"] > 0).all()
    assert costs["move"].tolist() == [*range(1, len(costs) + 1)]
    figure = charts.over_the_game(pd.DataFrame(printed_seconds()), costs, "nodes", "nodes")
    assert figure.axes[1].lines[0].get_ydata().tolist() == costs["nodes"].tolist()
    plt.close("all")
