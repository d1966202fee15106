"""What the staged report prints, read again from the figures, and what is said of it."""

import pandas as pd
import pytest

from kalahlab.evaluators.kalah import staged
from kalahlab.games.kalah import Kalah
from kalahlab.matches.openings import random_openings
from kalahlab.published import staged as published
from kalahlab.published.staged import GAME, listing, printed_results, printed_seconds, printed_tree
from kalahlab.studies import s06_printed as paper


def test_the_printed_results_are_those_of_print() -> None:
    """As the report writes them: `7  4W, 1T  5W`."""
    letters = {"wins": "W", "losses": "L", "draws": "T"}
    cells = [
        ", ".join(f"{row[name]}{letters[name]}" for name in letters if row[name])
        for row in printed_results()
    ]
    assert cells == ["4L, 1T", "3W, 1L, 1T", "2W, 3L", "4W, 1L", "4W, 1T", "5W"]


def test_the_listing_and_the_evaluator_say_the_same() -> None:
    assert paper.same_as_listing(random_openings(GAME, 300, 30, seed=2)) == (600, 600)


def test_another_evaluator_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [*random_openings(GAME, 50, 30, seed=2)]
    monkeypatch.setattr(paper, "staged", lambda board, player: staged(board, player) + 1)
    monkeypatch.setattr(paper, "staged_capture", listing)
    assert paper.same_as_listing(states) == (0, 100)
    assert paper.of_captures(states).startswith("On none of 100")


def test_a_probe_has_all_stones_and_the_pits_asked_for() -> None:
    for line in paper.probes():
        assert sum(line.board) == sum(GAME.start().board)
    assert paper.probe(own=(0, 0, 0, 0, 0, 1), stores=(3, 4))[:7] == (0, 0, 0, 0, 0, 1, 3)


def test_each_printed_node_comes_out_again() -> None:
    table = paper.worked_tree()
    assert len(table) == 9
    assert table["equal"].all()
    assert (table["printed (α, β)"] == table["ours"]).all()


@pytest.mark.parametrize("name", ["value", "alpha", "beta", "says", "board"])
def test_a_node_that_is_another_is_noticed(name: str) -> None:
    row = printed_tree()[-1]
    other = {"board": (0,) * 14, "says": "no cut-off"}.get(name, -9.0)
    assert paper.same_node(row)
    assert not paper.same_node(row | {name: other})


def test_the_worked_tree_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    said = paper.of_worked_tree()
    assert "9 of 9 printed nodes have the board, the value and the window" in said
    assert "here it is a search of 2 sows" in said
    at_two = paper.worked_search(2)
    monkeypatch.setattr(paper, "worked_search", lambda depth=2: at_two)
    assert "its depth is not decided" in paper.of_worked_tree()


def test_the_records_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        "12.5 of 15 points with the staged heuristic and 7 with the simple one" in paper.of_print()
    )
    assert "could be chance" in paper.of_print()
    assert "The depth matters" in paper.of_print()

    def lopsided(heuristic: str) -> list[dict[str, int]]:
        won = 5 if heuristic == "complex" else 0
        return [{"wins": won, "losses": 5 - won, "draws": 0, "depth": 3}] * 3

    monkeypatch.setattr(paper, "records", lopsided)
    assert "would be more than chance explains" in paper.of_print()
    assert "The depth matters" not in paper.of_print()


def test_seconds_in_words() -> None:
    printed = pd.DataFrame(printed_seconds())
    ours = pd.DataFrame([{"depth": d, "nodes": n} for d, n in ((3, 10), (5, 100), (7, 900))])
    said = paper.of_costs(printed, ours)
    assert "takes 0.69 s, within the second" in said
    assert "From depth 3 to 5 the mean move takes 8.4 times the printed seconds and 10.0" in said
    slow = printed.assign(seconds=printed["seconds"] * 10)
    assert "over the second that is allowed: 10 of 42 moves take longer" in paper.of_costs(
        slow, ours
    )


def test_the_position_is_the_printed_one() -> None:
    assert published.worked_position().board == (0, 7, 0, 8, 8, 8, 2, 7, 7, 7, 6, 6, 6, 0)
    assert Kalah(6, 6) == GAME
