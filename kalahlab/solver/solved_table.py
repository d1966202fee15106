"""The table of solved games: every opening of 1 to 6 pits with 1 to 6 stones.

    python data/make/solve_boards.py data/solved.csv

The file also has the value of (6,6), which is not computed here: the ledgers in `data/` prove it.
Each board is solved on one core within 6 GB. The sizes of a solve's database and table depend only
on this memory, so a row is the same on every machine.
"""

from pathlib import Path
from typing import NamedTuple

from kalahlab.data import data_rows
from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS
from kalahlab.solver.solve import Progress, solve

MEMORY_BYTES = 6 * 10**9
Board = tuple[int, int]  # pits, stones


class Row(NamedTuple):
    """A solved opening.

    Attributes:
        pits: The pits of a side.
        stones: The stones of a pit.
        rules: The name of the rules.
        value: The first player's final margin under perfect play.
        moves: The value of each opening move, from the leftmost pit on; None if not computed.
        nodes: The positions searched for the value.
        move_nodes: The positions searched for the value and all moves; None if not computed.
        database_stones: The stones of the database.
    """

    pits: int
    stones: int
    rules: str
    value: int
    moves: tuple[int, ...] | None
    nodes: int
    move_nodes: int | None
    database_stones: int


def solve_row(board: Board, rules: str) -> Row:
    """Solve an opening and all its moves."""
    game = Kalah(*board, PRESETS[rules])
    nodes_when_proved: list[int] = []  # of all reports from the proof of the value on

    def on_progress(report: Progress) -> None:
        bounds = report.bounds
        if bounds and report.move is None and bounds[0] == bounds[1]:
            nodes_when_proved.append(report.nodes)

    solution = solve(
        game.start(),
        game.rules,
        moves=True,
        workers=1,
        memory_bytes=MEMORY_BYTES,
        rebuild=True,
        keep=False,
        progress=on_progress,
    )
    if solution.value is None:  # Ctrl-C, which `solve` catches, also ends the making of the table
        raise KeyboardInterrupt
    values = tuple(value for value in solution.moves or () if value is not None)
    # Without a report the database has the value, and no node was searched.
    nodes = nodes_when_proved[0] if nodes_when_proved else 0
    return Row(
        *board, rules, solution.value, values, nodes, solution.nodes, solution.database_stones
    )


def load_rows(path: Path) -> list[Row]:
    """Load the rows of a table of solved games."""

    def parse_number(text: str) -> int | None:
        return int(text) if text else None

    def parse_moves(text: str) -> tuple[int, ...] | None:
        return tuple(map(int, text.split())) or None  # an empty text: not computed

    rows = data_rows(str(path), parse_number, rules=str, moves=parse_moves)
    return [Row(**row) for row in rows]
