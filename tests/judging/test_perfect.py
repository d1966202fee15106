"""Perfect play as the judge: the table of solved games, costs, and what players give up."""

from math import comb
from pathlib import Path

import pandas as pd
import pytest

from kalahlab.data import data_file
from kalahlab.engine.solver.exact import open_solver
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.engine.solver.solve import solve
from kalahlab.engine.solver.solved_table import boards, read, solved_rows, write
from kalahlab.games.kalah import EMPTY_CAPTURE, PRESETS, SOUTH, STANDARD, Kalah
from kalahlab.judging import perfect
from kalahlab.play import play_game, random_player, scripted_player

OPENINGS = perfect.solved_openings()
BY_LEDGER = [row for row in OPENINGS if (row.pits, row.stones) == (6, 6)]
WHOLE = [row for row in OPENINGS if row not in BY_LEDGER]
QUICK = [row for row in WHOLE if row.move_nodes < 300_000]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("databases")


def test_the_table_holds_all_boards_under_both_rules():
    assert [(row.pits, row.stones, row.rules) for row in WHOLE] == [
        (*board, rules) for rules in PRESETS for board in boards()
    ]
    assert len(WHOLE) == 70


@pytest.mark.parametrize("row", BY_LEDGER, ids=lambda row: row.rules)
def test_the_largest_board_is_as_its_ledger_proves_it(row):
    proved = Ledger(Path(str(data_file(f"ledger/kalah-6-{row.rules}.txt"))))
    assert proved.bounds(Kalah(6, 6).start()) == (row.value, row.value)
    assert row.nodes == sum(piece.nodes for piece in proved.pieces)
    assert row.moves is row.move_nodes is None


def test_an_opening_is_worth_its_best_move():
    for row in WHOLE:
        assert row.value == max(row.moves)
        assert len(row.moves) == row.pits
        assert all(value % 2 == 0 for value in row.moves)  # an even number of stones is shared out


def test_rawlings_values_of_the_standard_rule():
    values = {(row.pits, row.stones): row.value for row in OPENINGS if row.rules == "standard"}
    assert (values[6, 4], values[6, 5]) == (8, 10)


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row.pits}-{row.stones}-{row.rules}")
def test_boards_come_out_again_to_the_last_node(row):
    assert perfect.solved_anew([row]) == [True]


def test_enough_boards_are_solved_again():
    assert len(QUICK) >= 50
    assert any((row.pits, row.stones) == (5, 3) for row in QUICK)


def test_the_table_is_read_as_it_was_written(tmp_path):
    rows = [*solved_rows([(1, 2), (3, 2)], workers=2), BY_LEDGER[0]]
    write(tmp_path / "some.csv", rows)
    assert read(tmp_path / "some.csv") == rows


@pytest.mark.parametrize("rules", [STANDARD, EMPTY_CAPTURE], ids=["standard", "empty"])
def test_what_is_given_up_is_what_the_margin_lacks(rules, folder):
    """The final margin is the first value, less what South gave up, plus what North did."""
    game = Kalah(4, 3, rules)
    with open_solver(4, rules, database_stones=10, workers=1, folder=folder) as judge:
        value = judge.value(game.start())
        for seed in range(12):
            log = play_game(game, random_player(seed), random_player(seed + 100))
            rows = list(perfect.regrets(judge, log.choices, max_stones=24))
            assert [row["move"] for row in rows] == list(range(1, len(log.moves) + 1))
            lost = [row["regret"] * (-1 if row["mover"] == "South" else 1) for row in rows]
            assert value + sum(lost) == log.margin
            assert min(row["regret"] for row in rows) == 0


def test_a_perfect_line_gives_nothing_up(folder):
    game = Kalah(4, 3)
    line = solve(game.start(), folder=folder).line
    state, pits = game.start(), ([], [])
    for pit in line:
        pits[state.player].append(pit)
        state = game.play(state, pit)
    log = play_game(game, *map(scripted_player, pits))
    with open_solver(4, database_stones=10, workers=1, folder=folder) as judge:
        rows = list(perfect.regrets(judge, log.choices, max_stones=12))
    assert rows
    assert all(row["regret"] == 0 and row["in_play"] <= 12 for row in rows)


def test_the_documents_games_are_their_own():
    games = perfect.documents_games([1, 2])
    assert len(games) == 8
    for game in games[4:]:
        assert game.choices[0][0] == Kalah(6, 6).start()
        assert all(state.board[pit + 7 * state.player] for state, pit in game.choices)
    first, second = games[-2:]
    assert first.players == second.players[::-1] == ("staged", "store_difference")
    printed = games[0]
    assert {each.rules for each in games[4:]} == {("standard", "standard")}
    assert printed.rules == ("standard", "empty-capture")
    assert printed.choices[0] == (Kalah(6, 6).start(), 0)
    assert [state.player for state, _ in printed.choices[:4]] == [SOUTH, SOUTH, 1, SOUTH]


def test_costs_are_counted():
    rows = pd.DataFrame(perfect.solving_costs([(4, 2), (4, 3)], [4, 6]))
    assert rows["in_play"].tolist() == [16, 16, 24, 24]
    assert rows["positions"].tolist() == [comb(12, 8), comb(14, 8)] * 2
    assert (rows["nodes"] > 0).all()
    again = pd.DataFrame(perfect.solving_costs([(4, 2), (4, 3)], [4, 6]))
    assert rows.equals(again)
