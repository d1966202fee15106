"""What the homework's notebook shows: its tables against the rules, and the tree with its log."""

from pathlib import Path

import pandas as pd
import pytest

from kalahlab.published.homework import Mancala, grading_cases, read_problem
from kalahlab.studies.s09_homework import (
    beside_print,
    both_endings,
    by_task,
    cases_table,
    conclusion,
    diagnoses,
    draw_units,
    finding,
    fitting_stones,
    greedy_boards,
    random_state,
    size_table,
    ties,
    traversal,
    unit_costs,
    unit_summary,
)

CASE = "3\n1\n2\n0 1 3\n3 1 3\n0\n0\n"


def test_what_is_printed_is_what_comes_out() -> None:
    table = beside_print()
    said = table[table["E printed"] != ""]
    assert list(said.index) == ["B2", "B5"]
    assert list(said["E printed"]) == list(said["E"])
    assert list(table.index[table["goes on, printed"] == "yes"]) == ["B4"]
    assert list(table.index[table["goes on"] == "yes"]) == ["B4"]


def test_a_tree_and_its_log_tell_of_the_same_nodes() -> None:
    """Each node has a line of its own, and each inner one a line for every child."""
    trace, log = traversal(read_problem(CASE))
    lines, visits = log.splitlines()[1:], list(trace.visited())
    tried = [visit for visit in visits if visit.parent is not None]
    assert len(lines) == len(visits) + len(tried)
    for name in {visit.name for visit in tried}:
        of_name = [visit for visit in visits if visit.name == name]
        children = [visit for visit in tried if visit.parent in {each.id for each in of_name}]
        told = [line for line in lines if line.startswith(f"{name},")]
        assert len(told) == len(of_name) + len(children)


def test_mistakes_are_told_from_each_other() -> None:
    table = diagnoses(read_problem(CASE))
    assert len(table) > 10
    assert (table["fit"] >= 1).all()
    row = table.loc["depth in moves"]
    name, depth, *_ = row["ours"].split(",")
    assert row["with the mistake"].split(",")[:2] == [name, str(int(depth) + 1)]
    assert (row["in"], row["line"]) == ("log", 1 + _line(row["ours"]))


def _line(text: str) -> int:
    """Which line of the log of the case says this first, from 0."""
    return traversal(read_problem(CASE))[1].splitlines().index(text)


def test_the_three_tasks_on_a_board() -> None:
    table = by_task(read_problem(CASE))
    assert list(table.index) == ["greedy", "minimax", "alpha_beta"]
    assert table["turn"]["minimax"] == table["turn"]["alpha_beta"]
    assert table["value"]["minimax"] == table["value"]["alpha_beta"]
    assert table["visited"]["greedy"] < table["visited"]["alpha_beta"] < table["visited"]["minimax"]
    assert list(table["cutoffs"] > 0) == [False, False, True]


@pytest.mark.usefixtures("figures")
def test_a_search_in_turns_sees_all_that_one_in_sows_sees() -> None:
    costs = unit_costs([3, 4], boards=10, cutoff=2)
    assert len(costs) == 2 * 10 * 4
    visited = costs.pivot(
        index=["pits", "board"], columns=["algorithm", "depth in"], values="visited"
    )
    minimax, alpha_beta = visited["minimax"], visited["alpha_beta"]
    assert (minimax["turns"] >= minimax["sows"]).all()
    assert (minimax >= alpha_beta).all(axis=None)
    pd.testing.assert_frame_equal(costs, unit_costs([3, 4], boards=10, cutoff=2))
    [ax] = draw_units(costs).axes
    assert len(ax.get_lines()) >= 4


def test_the_summary_by_hand() -> None:
    """One board of each size: ratios of its own numbers."""
    names = ["pits", "board", "algorithm", "depth in", "first", "visited"]
    rows = [
        (3, 0, "minimax", "sows", 1, 10),
        (3, 0, "minimax", "turns", 2, 40),
        (3, 0, "alpha_beta", "sows", 1, 5),
        (3, 0, "alpha_beta", "turns", 2, 10),
        (4, 0, "minimax", "sows", 0, 20),
        (4, 0, "minimax", "turns", 0, 20),
        (4, 0, "alpha_beta", "sows", 0, 5),
        (4, 0, "alpha_beta", "turns", 0, 5),
    ]
    summary = unit_summary(pd.DataFrame(rows, columns=names))
    assert summary.T.to_dict("list") == {3: [4, 2, 0.5, 0.75, 1], 4: [1, 1, 0.75, 0.75, 0]}


def test_the_conclusion_says_what_the_searches_cost() -> None:
    costs = unit_costs([3, 4], boards=6, cutoff=2)
    summary = unit_summary(costs)
    said = conclusion(costs, summary, 2)
    turns = costs[costs["depth in"] == "turns"]
    heaviest = turns.loc[turns["algorithm"] == "minimax", "visited"].max()
    assert f"up to {summary['minimax, turns / sows'].max():.1f} times as many nodes" in said
    assert f"the most expensive board took {heaviest:,} nodes." in said
    assert said.startswith("**Depth in turns costs more nodes than depth in sows.**")
    share = summary["other first sow"].mean()
    assert f"On {share:.0%} of the boards" in said
    less = summary.assign(**{"saved in turns": 0.2, "saved in sows": 0.3, "other first sow": 0.0})
    said = conclusion(costs, less, 2)
    assert "leaves out no larger share of minimax's nodes in turns than in sows" in said
    assert "with 4 pits a side 20% in turns and 30% in sows" in said
    assert "The first sow is the same on all boards." in said
    assert "two programs" not in said
    more = summary.assign(**{"saved in turns": 0.4, "saved in sows": 0.3})
    assert "leaves out a larger share" in conclusion(costs, more, 2)
    alike = summary.assign(**{f"{name}, turns / sows": 1.0 for name in ("minimax", "alpha_beta")})
    assert "does not cost both searches more" in conclusion(costs, alike, 2)


def test_the_finding_is_of_the_largest_boards_and_says_the_opposite_of_opposite_numbers() -> None:
    costs = unit_costs([3, 4], boards=6, cutoff=2)
    found = finding(costs, 2)
    assert found.startswith("With 4 pits a side and cut-off 2, counting depth in turns")
    four = costs[(costs["pits"] == 4) & (costs["algorithm"] == "minimax")]
    wide = four.pivot(index="board", columns="depth in", values="visited")
    mean = (wide["turns"] / wide["sows"]).prod() ** (1 / 6)
    assert f"minimax {mean:.1f} (" in found
    same = finding(costs.assign(visited=5, first=1), 2)
    assert "is not shown to cost both searches more nodes: minimax 1.0 (1.0 to 1.0)" in same
    assert same.endswith("it changes the first sow on none of the boards.")


def test_the_figure_holds_four_stones_a_pit_if_all_hold_alike() -> None:
    assert fitting_stones(20) == [4]


def test_the_grading_cases_are_those_of_the_graders(oracles: Path) -> None:
    cases = grading_cases()
    assert [case.name for case in cases] == [f"{number:02}" for number in range(1, 16)]
    for case in cases:
        folder = oracles / "homework" / case.name
        assert case.problem == read_problem((folder / "input.txt").read_text())
        assert case.after.split() == (folder / "next_state.txt").read_text().split()


def test_each_reading_has_the_cases_that_it_fails() -> None:
    """In these three a row runs empty before its owner's turn."""
    table = cases_table()
    assert table.loc["as on this page", "cases met"] == 15
    assert (
        table.loc["the game ends only when the player to move cannot move", "not met"] == "01 12 15"
    )
    assert (table["cases met"].drop("as on this page") < 15).all()


def test_an_empty_row_ends_the_game_or_does_not() -> None:
    table = both_endings(read_problem("3\n1\n2\n0 0 0\n0 0 4\n0\n0"))
    over, on = (
        table.loc[f"ends when {when}"]
        for when in ("either row is empty", "the player to move cannot move")
    )
    assert (over["our turn"], over["lines of the log"]) == ("", 1)
    assert over["next state"] == "0 0 0 / 0 0 0 / 0 / 4"
    assert (on["our turn"], on["next state"]) == ("B4", "1 1 1 / 0 0 0 / 0 / 1")
    assert on["lines of the log"] > 1


def test_ties_and_greedy() -> None:
    assert (ties()["player 1"] == "B2").all()
    assert (ties()["player 2"] == "A2").all()
    found = greedy_boards(40)
    assert found["as minimax"] == found["boards"] == 40
    assert 0 < found["other first pit"] < 40


def test_sizes_are_searched_or_refused() -> None:
    said = size_table()["result"]
    assert "20,000 stones after it" in said["10 pits of 1,000"]
    assert "use 3 to 10" in said["2 pits of 4"]
    assert "use 3 to 10" in said["11 pits of 4"]
    assert "from 0 to 1000" in said["10 pits of 1,001"]
    assert said["3 pits of 4"].startswith("searched")


def test_random_boards_are_unfinished_and_the_same_again() -> None:
    states = [random_state(3, number, most=1, seed=0) for number in range(40)]
    assert not any(Mancala().over(state) for state in states)
    assert {state.player for state in states} == {0, 1}
    assert states == [random_state(3, number, most=1, seed=0) for number in range(40)]
    assert len(set(states)) > 20
