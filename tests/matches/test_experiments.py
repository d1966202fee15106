"""The grid of games: the same rows however they are run, and right ones."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import unmeasured

from kalahlab.evaluators.kalah import EVALUATORS, e3
from kalahlab.experiments import (
    MEASURED,
    Point,
    grid,
    run_point,
    search_costs,
)
from kalahlab.games.kalah import EMPTY_CAPTURE, PRESETS, SOUTH, Kalah
from kalahlab.grid import Row, run_all
from kalahlab.search import ALGORITHMS, ORDERS, Depth, minimax
from kalahlab.trace import Expanded, Recorder

POINTS = grid(
    ["greedy", "alpha_beta"],
    ["store_difference", "e3"],
    [1, 2, 3],
    ["standard", "empty-capture"],
    pits=3,
    stones=3,
)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return run_all(run_point, POINTS)


def test_the_grid_is_every_combination_once() -> None:
    assert len(set(POINTS)) == len(POINTS) == 2 * 2 * 3 * 2
    assert [point.depth for point in POINTS[:4]] == [1, 2, 3, 1], "depths innermost"
    assert [point.rules for point in POINTS] == ["standard"] * 12 + ["empty-capture"] * 12
    assert {(point.pits, point.stones) for point in POINTS} == {(3, 3)}


def test_rows_are_the_same_for_one_worker_and_two(rows: list[Row]) -> None:
    heard: list[Row] = []
    others = run_all(run_point, POINTS, workers=2, on_result=heard.append)
    assert unmeasured(others) == unmeasured(rows)
    assert heard == others


def test_rows_are_the_same_on_any_executor(rows: list[Row]) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert unmeasured(run_all(run_point, POINTS[:6], executor=pool)) == unmeasured(rows[:6])


def test_rows_come_in_the_order_of_the_points(rows: list[Row]) -> None:
    for row, point in zip(rows, POINTS, strict=True):
        assert {name: row[name] for name in ("algorithm", "evaluator", "depth", "rules")} == {
            "algorithm": point.algorithm,
            "evaluator": point.evaluator,
            "depth": point.depth,
            "rules": point.rules,
        }


@pytest.mark.parametrize("algorithm", ["alpha_beta", "minimax_a_b"])
@pytest.mark.parametrize("order", ["pit", "store_first"])
def test_a_row_is_the_game_that_minimax_plays(algorithm: str, order: str) -> None:
    """Moves by plain minimax, counts by listening to each search of the game."""
    game, depth = Kalah(4, 3, EMPTY_CAPTURE), Depth(3)
    state, moves = game.start(), []
    counted = dict.fromkeys(("generated", "expanded", "evaluated"), 0)
    while not game.over(state):
        recorder = Recorder()
        ALGORITHMS[algorithm](game, state, e3, depth, ORDERS[order], recorder)
        made = [len(event.children) for event in recorder.events if isinstance(event, Expanded)]
        left = sum(type(event).__name__ == "Left" for event in recorder.events)
        counted["generated"] += sum(made)
        counted["expanded"] += len(made)
        counted["evaluated"] += left - len(made)
        move = minimax(game, state, e3, depth, ORDERS[order]).move
        moves.append(move)
        state = game.play(state, move)
    margin = game.margin(state, SOUTH)
    row = run_point(Point(algorithm, "e3", 3, "empty-capture", order=order, pits=4, stones=3))
    assert row["moves"] == " ".join(str(move + 1) for move in moves)
    assert row["path"] == len(moves)
    assert {name: row[name] for name in counted} == counted
    assert row["margin"] == row["south"] - row["north"] == margin
    assert row["south"] + row["north"] == 24
    assert row["winner"] == ("South" if margin > 0 else "North" if margin < 0 else "draw")


def test_what_is_measured_is_measured(rows: list[Row]) -> None:
    for row in rows:
        assert row["seconds"] > 0
        assert row["peak_kib"] is None if row["backend"] == "engine" else row["peak_kib"] > 0


def test_a_deeper_search_costs_more_memory() -> None:
    shallow, deep = (
        run_point(Point("minimax", "e2", depth, stones=2, backend="textbook")) for depth in (1, 4)
    )
    assert deep["peak_kib"] > shallow["peak_kib"]


def test_names_may_be_spelled_with_either_dash(rows: list[Row]) -> None:
    one = run_point(Point("alpha-beta", "store-difference", 2, "empty_capture", pits=3, stones=3))
    other = run_point(Point("alpha_beta", "store_difference", 2, "empty-capture", pits=3, stones=3))
    names = {"algorithm", "evaluator", "rules", *MEASURED}
    assert {k: one[k] for k in one if k not in names} == {
        k: other[k] for k in other if k not in names
    }


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("algorithm", "alphabet", ALGORITHMS),
        ("evaluator", "e5", EVALUATORS),
        ("order", "random", ORDERS),
        ("rules", "house", PRESETS),
        ("leaf", "ply", ["sow", "turn", "quiescence"]),
    ],
)
def test_an_unknown_name_is_answered_with_the_known_ones(
    field: str, value: str, allowed: Any
) -> None:
    point = {"algorithm": "alpha_beta", "evaluator": "e3", "depth": 2, field: value}
    with pytest.raises(ValueError, match=rf"^unknown {field} '{value}'; use one of ") as error:
        Point(**point)
    assert str(error.value).endswith(", ".join(allowed))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("field", "value"), [("depth", 0), ("depth", -1), ("pits", 0), ("stones", -1)]
)
def test_a_number_out_of_range_is_named(field: str, value: int) -> None:
    point = {"algorithm": "alpha_beta", "evaluator": "e3", "depth": 2, field: value}
    with pytest.raises(ValueError, match=rf"^{field} is {value}; [^\n]*$"):
        Point(**point)


def test_search_costs_are_the_searches_counts() -> None:
    state = Kalah(3, 3).start()
    costs = search_costs(state, ["minimax", "alpha_beta"], [0, 4], evaluator="e4")
    assert [(row["algorithm"], row["depth"]) for row in costs] == [
        ("minimax", 0),
        ("minimax", 4),
        ("alpha_beta", 0),
        ("alpha_beta", 4),
    ]
    for row in costs:
        search = ALGORITHMS[row["algorithm"]]
        result = search(Kalah(), state, EVALUATORS["e4"], Depth(row["depth"]))
        assert row["value"] == result.value
        assert row["line"] == " ".join(str(move + 1) for move in result.line)
        assert row["move"] == (result.move + 1 if row["depth"] else None)
        assert row["visited"] == row["expanded"] + row["evaluated"]
        assert row["generated"] == result.counts.generated
    assert costs[3]["visited"] < costs[1]["visited"]
