"""How good an evaluator is, said by the numbers: tables of notebook 13, and its sentences."""

from itertools import pairwise, product
from typing import Any

import pytest
from matplotlib.figure import Figure

from kalahlab.evaluators.fitted import fitted
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.kalah import SOUTH, State
from kalahlab.grid import Row
from kalahlab.judging.judged import Judged, read
from kalahlab.judging.player import judge_player, judge_search
from kalahlab.matches.rating import Interval
from kalahlab.play import parse_player
from kalahlab.studies import s13_strength as study
from kalahlab.studies.s13_strength import BASE, STEPS

KEPT = study.positions("standard", (6, 4), "test", 24)


def moves(shares: dict[tuple[str, int], float], games: int = 60) -> list[Row]:
    """Moves of evaluators at depths, a share of which is best; each position of its own game."""
    return [
        {
            "evaluator": name,
            "depth": depth,
            "position": number,
            "game": f"game {number}",
            "phase": ("opening", "middle", "end")[number % 3],
            "pit": 1,
            "optimal": int(number < share * games),
            "kept": 1,
            "regret": 0 if number < share * games else 3,
            "nodes": 10 ** depth * (1 if name == BASE else 2),
        }
        for (name, depth), share in shares.items()
        for number in range(games)
    ]  # fmt: skip


def said(say: Any, shares: dict[tuple[str, int], float], *more: Any) -> str:
    made = moves(shares)
    return str(say(made, study.rates(made), *more))


def test_positions_are_those_of_a_part_and_evenly_drawn() -> None:
    every = study.positions("standard", (6, 4), "test")
    rows = [row for row in read("benchmark.csv.gz") if row.rules == "standard"]
    assert every == [
        row for row in rows if row.start == (6, 4) and row.origin and row.origin.part == "test"
    ]
    assert study.positions("standard", (6, 4), "test", 10**9) == every
    few = study.positions("standard", (6, 4), "test", 12)
    assert len({row.origin.game for row in few if row.origin}) == 12
    table = study.described(every)
    assert table.loc["all", "positions"] == len(every) == table["positions"].iloc[1:].sum()
    assert ((table["best moves at random"] > 0) & (table["best moves at random"] < 1)).all()


def test_both_backends_judge_the_same_moves() -> None:
    found = [study.judge_all(["fitted"], [1, 3], KEPT, name) for name in ("textbook", "engine")]
    assert found[0] == found[1]
    assert [row["position"] for row in found[0]] == [*range(len(KEPT))] * 2


def test_rates_are_means_of_the_moves_of_each_evaluator_and_depth() -> None:
    made = moves({("a", 1): 0.5, ("a", 2): 1, (BASE, 1): 0.25})
    rows = study.rates(made)
    assert [(row["evaluator"], row["depth"], row["optimal"]) for row in rows] == [
        ("a", 1, 0.5), ("a", 2, 1), (BASE, 1, 0.25),
    ]  # fmt: skip
    table = study.readable(rows)
    assert str(table.loc[("a", 1), "best moves"]).startswith("0.50 (0.3")
    assert table.loc[("a", 2), "nodes"] == 200
    assert isinstance(study.draw_rates(rows), Figure)
    assert study.draw_rates(rows).get_label().endswith("are a 100%.")


def test_at_equal_nodes_a_measure_lies_between_those_of_two_depths() -> None:
    rows = study.rates(moves({("a", 1): 0.5, ("a", 2): 0.7, (BASE, 1): 0.25, (BASE, 2): 0.5}))
    table = study.at_nodes(rows, [10, 20, 200, 300])
    assert table.loc["a", "best moves, 20 nodes"] == pytest.approx(0.5)
    assert table.loc["a", "best moves, 200 nodes"] == pytest.approx(0.7)
    assert 0.25 < table.loc[BASE, "best moves, 20 nodes"] < 0.5
    assert table.loc[BASE, "regret in stones, 10 nodes"] == pytest.approx(3 * 0.75)
    assert table.isna().sum().sum() == 2 * 4  # too cheap or too costly for one of the two


def test_at_equal_time_an_evaluator_of_half_the_speed_has_half_the_nodes() -> None:
    rows = study.rates(moves({("a", 1): 0.5, ("a", 2): 0.7, (BASE, 1): 0.25, (BASE, 2): 0.5}))
    nodes = study.at_nodes(rows, [50])
    for name, budget in (("a", 100), (BASE, 25)):
        time = study.at_nodes(rows, [budget], {"a": 0.5, BASE: 2.0})
        assert time.loc[name].tolist() == pytest.approx(nodes.loc[name].tolist())
    assert time.columns[0] == "best moves, 25 nodes' time"
    assert {*EVALUATORS} - {*study.LEFT_OUT} <= {*study.speeds()}
    assert study.speeds()[BASE] == 1


def test_the_curves_of_the_training_are_drawn_as_they_are() -> None:
    first, second = (
        {"epoch": 1, "optimal": 0.5, "regret": 2.0},
        {"epoch": 2, "optimal": 0.625, "regret": 1.0},
    )
    drawn = study.draw_curves({"4": [first, second]})
    assert [line.get_ydata().tolist() for ax in drawn.axes for line in ax.get_lines()] == [
        [0.5, 0.625],
        [2.0, 1.0],
    ]
    assert "4 pits from 50.0% to 62.5%" in str(drawn.get_label())


def test_the_moves_of_the_page_are_those_of_the_command() -> None:
    """Of equally good moves, too: E1 sees hardly a difference."""
    found = study.judge_all(["e1"], [1], KEPT, "textbook")
    waiting = study.judge_waiting("e1", [1], KEPT)
    for rows, text in ((found, "alpha_beta:e1:1"), (waiting, "alpha_beta:e1:1:quiescence")):
        moves = judge_player(parse_player(text, backend="textbook"), KEPT)
        assert [row["pit"] for row in rows] == [row["pit"] for row in moves]


def test_more_evaluators_than_colours_can_be_drawn() -> None:
    rows = study.rates(moves({(f"e{number}", 1): 0.5 for number in range(11)}, 6))
    lines = study.draw_rates(rows).axes[0].get_lines()
    assert len({(line.get_color(), line.get_linestyle()) for line in lines if line.get_label()}) > 8


def test_the_ladder_ends_with_all_features_and_begins_with_the_store() -> None:
    train = study.positions("standard", (6, 4), "train", 400)
    steps = study.ladder(train, KEPT)
    assert [row["features"] for row in steps] == [*STEPS]
    alone = list(judge_search(study.SearchSpec("alpha_beta", BASE), 1, KEPT))
    assert steps[0]["optimal"] == sum(row["optimal"] for row in alone) / len(KEPT)
    for before, row in pairwise(steps):
        assert row["gain"] == pytest.approx(row["optimal"] - before["optimal"])
        assert row["gain_low"] <= row["gain"] <= row["gain_high"]
    assert steps[-1]["r2"] > steps[0]["r2"]
    table = study.ladder_table(steps)
    assert str(table["gain"].iloc[0]) == "–"
    assert table.index[1] == "+ stones in each pit"


def test_weights_that_made_the_values_are_found_again() -> None:
    true = [1, 0.5, 0.25, 0.75, 0.5, 1.5, 0.25, 2, -0.5, -3, 0.5]
    sample = study.positions("standard", (6, 4), "train", 200)
    values = study._features(sample) @ true + 4
    made = [
        Judged("standard", row.state, (float(value),))  # type: ignore[arg-type]
        for row, value in zip(sample, values, strict=True)
    ]
    names = [name for step in STEPS.values() for name in step]
    weights, to_move = study._fit(names, made)
    assert dict(zip(study.FEATURES, weights, strict=True)) == dict(
        zip(study.FEATURES, true, strict=True)
    )
    assert to_move == pytest.approx(4)
    assert study._explained(weights, to_move, made) == pytest.approx(1)


def test_a_stone_more_is_worth_what_the_evaluator_says() -> None:
    table = study.stone_worth({"none": store_difference, "fitted": fitted}, KEPT)
    assert (table.loc["none"] == 0).all()
    board = list(KEPT[0].state.board)
    board[2] += 1
    one = study.stone_worth({"fitted": fitted}, KEPT[:1])
    less = fitted(KEPT[0].state.board, SOUTH)
    assert one.loc["fitted", 3] == pytest.approx(fitted(board, SOUTH) - less)


def test_the_move_that_gives_up_most_is_found_and_described() -> None:
    made = study.judge_all([BASE], [1], KEPT, "textbook")
    move = study.hardest(made, BASE, 1)
    assert move["regret"] == max(row["regret"] for row in made) > 0
    text = study.of_hardest(move, KEPT[move["position"]])
    assert f"The regret is {move['regret']} stones." in text
    row = Judged("standard", State((1, 2, 0, 0, 0, 3), SOUTH), (4, 4, 1))
    bad = {"evaluator": "a", "depth": 1, "pit": 3, "regret": 3}
    assert "plays pit 3, worth +1, where pits 1 and 2 are worth +4" in study.of_hardest(bad, row)
    row = Judged("standard", State((1, 2, 0, 0, 0, 3), SOUTH), (None, 4, 1))
    assert "where pit 2 is worth +4" in study.of_hardest(bad, row)
    assert "plays pit 3, worth 0, where" in study.of_hardest(bad | {"regret": 4}, row)
    none = {"evaluator": "a", "depth": 1, "pit": 2, "regret": 0}
    assert "gives up nothing" in study.of_hardest(none, row)


def test_the_best_is_called_sure_only_if_it_is() -> None:
    sure = {("a", 1): 0.9, (BASE, 1): 0.3}
    assert "so it is sure" in said(study.of_best, sure, 1)
    assert said(study.of_best, sure, 1).startswith("At depth 1 a plays a best move in 90%")
    close = {("a", 1): 0.51, (BASE, 1): 0.5}
    assert "not told apart from the next, store_difference" in said(study.of_best, close, 1)


def test_the_depth_that_an_evaluator_saves_is_said_by_the_numbers() -> None:
    saves = {("a", 1): 0.6, (BASE, 1): 0.3, (BASE, 2): 0.5, (BASE, 4): 0.7}
    table = study.rates(moves(saves))
    text = study.of_depth(table, "a")
    assert "as the store_difference does at depth 4, which visits 500.0 times" in text
    beyond = study.rates(moves(saves | {("a", 1): 0.8}))
    assert "fewer at every depth tried, up to 4: at most 70%" in study.of_depth(beyond, "a")
    itself = study.rates(moves({("a", 1): 0.1, (BASE, 1): 0.3}))
    assert study.of_depth(itself, BASE).startswith("No evaluator plays more best moves")


def late(share: float, times: float, depth: int = 1) -> list[Row]:
    """Moves of a search that waits for quiescence, so many times as many nodes as without."""
    made = moves({("a", depth): share})
    return [row | {"nodes": times * row["nodes"]} for row in made]


def test_what_waiting_is_worth_is_said_beside_as_many_nodes() -> None:
    plain = moves({("a", 1): 0.5, ("a", 2): 0.9, (BASE, 1): 0.2})
    text = study.of_waiting(plain, late(0.8, 10**0.5))
    assert "in 80% (70% to 90%) of the positions" in text
    assert "Without quiescence it is 50% and 1.50." in text
    assert "so it is sure. The search visits 3.2 times as many nodes." in text
    assert text.endswith(
        "With as many nodes a deeper search without quiescence plays a best move in about 70%."
    )
    close = study.of_waiting(plain, late(0.51, 2))
    assert "not told apart" in close
    assert "−40%" in study.of_waiting(plain, late(0.1, 2))
    assert "so it is sure" in study.of_waiting(plain, late(0.1, 2))
    beyond = study.of_waiting(plain, late(0.95, 7, depth=2))
    assert beyond.endswith("No search without quiescence that was tried visits as many.")
    table = study.beside_waiting(plain, late(0.8, 10**0.5))
    assert table.index.tolist() == [(1, "at the depth"), (1, "at a quiet position")]
    assert table[study.AS_MANY].tolist() == pytest.approx([0.5, 0.7])


def test_a_search_that_waits_searches_on_where_a_move_captures() -> None:
    """With more nodes than a search that does not, and none where all that it looks at is quiet."""
    [early, waiting] = (
        study.judge_all([BASE], [1], KEPT, "textbook"),
        study.judge_waiting(BASE, [1], KEPT),
    )
    assert all(a["nodes"] <= b["nodes"] for a, b in zip(early, waiting, strict=True))
    assert sum(row["nodes"] for row in waiting) > sum(row["nodes"] for row in early)


def step(name: str, optimal: float, gain: float, reach: float) -> Row:
    low, high = gain - reach, gain + reach
    return {"features": name, "optimal": optimal, "gain": gain, "gain_low": low, "gain_high": high}


def test_features_that_add_nothing_sure_are_not_named() -> None:
    first = step("the store", 0.4, 0, 0)
    text = study.of_ladder([first, step("mobility", 0.5, 0.1, 0.05), step("spills", 0.5, 0, 0.1)])
    assert text.endswith("Shown to add best moves: mobility (+10%).")
    text = study.of_ladder([first, step("mobility", 0.5, 0.1, 0.2)])
    assert text.endswith("No single step is shown to add best moves.")
    text = study.of_ladder([first, step("mobility", 0.2, -0.2, 0.1)])
    assert text.endswith("Shown to cost some: mobility (−20%).")


def test_phases_are_told_apart_only_if_their_intervals_are() -> None:
    made = moves({("a", 1): 1})
    for row in made:
        row["optimal"] = int(row["phase"] == "end")
    text = study.of_phases(made, "a", 1)
    assert text.startswith("a at depth 1 plays the fewest best moves in the opening, 0%")
    assert "the most in the end, 100%" in text
    alike = moves({("a", 1): 0.5})
    assert "not told apart" in study.of_phases(alike, "a", 1)
    table = study.by_phase(made, 1)
    assert list(table) == ["opening", "middle", "end"]
    assert str(table.loc["a", "end"]).startswith("1.00 (0.8")


@pytest.mark.parametrize(
    ("other", "words"),
    [(0.2, "plays one in 20%"), (0.85, "not told apart from the store difference"),
     (0.99, "no evaluator plays more best moves")],
)  # fmt: skip
def test_the_finding_depends_on_the_store_difference(other: float, words: str) -> None:
    made = moves({("a", 1): 0.9, (BASE, 1): other, ("a", 2): 0.1, (BASE, 2): 0.9})
    assert words in study.finding(study.rates(made), made)


def test_the_answer_has_all_parts() -> None:
    made = moves({("a", 1): 0.9, (BASE, 1): 0.2, ("a", 2): 0.1, (BASE, 2): 0.95})
    steps = [step("the store", 0.4, 0, 0), step("mobility", 0.5, 0.1, 0.05)]
    text = study.answer(study.rates(made), made, steps, late(0.9, 3))
    assert "At depth 1 a plays" in text
    assert "At depth 2 store_difference plays" in text
    assert "as the store_difference does at depth 2" in text
    assert "At depth 1 a with quiescence plays" in text


def cell(error: float, low: float) -> Row:
    facts = {"low": 0.0, "high": 20.0, "matches": 2000.0}
    return facts | {"error": error, "error_low": low, "error_high": error + 0.01}


def test_error_rates_above_what_is_allowed_are_said() -> None:
    kept, above = cell(0.055, 0.046), cell(0.08, 0.07)
    assert study.of_errors([kept, kept]).startswith("In 2 cells of 2,000 simulated matches no")
    assert "is shown to be above 5%. The largest is 0.080" in study.of_errors([kept, above])
    assert study.of_errors([kept, above]).startswith("In 1 of 2 cells")


def test_published_ratios_come_out_again() -> None:
    table = study.published_ratios()
    published, computed = (table[name].astype(float) for name in ("published", "computed"))
    assert (published - computed).abs().max() < 2e-3


def test_a_table_of_errors_has_a_row_for_each_simulated_cell() -> None:
    table = study.sequential_errors()
    assert len(table) == 32
    bounds = {"0, 20", "0, 50", "0, 100", "-50, 50"}
    draws = {"0%", "10%", "50%", "90%"}
    assert {*zip(table["bounds"], table["games drawn"], strict=True)} == {*product(bounds, draws)}


def test_no_evaluator_is_forgotten() -> None:
    assert {*study.LEFT_OUT} < {*EVALUATORS}
    assert EVALUATORS["e2"](range(14), 0) == EVALUATORS[BASE](range(14), 0)


def test_a_comparison_is_of_the_same_positions() -> None:
    made = moves({("a", 1): 0.9, ("b", 1): 0.3})
    more = study.compared(made, "a", "b", 1)
    assert more == Interval(*more)
    assert more.mean == pytest.approx(0.6)
    assert study.compared(made, "b", "a", 1).mean == pytest.approx(-0.6)
