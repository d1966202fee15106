"""The table of solved games."""

from pathlib import Path

import pytest
from solve_boards import boards, solved_rows, write

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.engine.solver.solved_table import read, solved_row
from kalahlab.games.kalah import PRESETS, Kalah

OPENINGS = read(Path(str(data_file("solved.csv"))))
BY_LEDGER = [row for row in OPENINGS if (row.pits, row.stones) == (6, 6)]
WHOLE = [row for row in OPENINGS if row not in BY_LEDGER]
QUICK = [row for row in WHOLE if row.move_nodes < 300_000]


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
    assert solved_row((row.pits, row.stones), row.rules) == row


def test_enough_boards_are_solved_again():
    assert len(QUICK) >= 50
    assert any((row.pits, row.stones) == (5, 3) for row in QUICK)


def test_the_table_is_read_as_it_was_written(tmp_path):
    rows = list(solved_rows([(1, 2), (3, 2)], workers=2))
    rows += BY_LEDGER  # which have no moves
    write(tmp_path / "some.csv", rows)
    assert read(tmp_path / "some.csv") == rows
