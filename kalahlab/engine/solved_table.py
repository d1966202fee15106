"""The table of solved games: every opening of 1 to 6 pits with 1 to 6 stones, but (6,6).

    python -m kalahlab.engine.solved_table data/solved.csv

Columns: pits, stones, rules; value, the first player's final margin under perfect play;
moves, the value of each opening move from the leftmost pit on, empty where it was not
computed; nodes, positions searched on one core for what the row says; database_stones, of
the endgame database that was used.
"""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path

from kalahlab.engine.room import cores
from kalahlab.engine.solver import solve
from kalahlab.games.kalah import PRESETS, Kalah

COLUMNS = ("pits", "stones", "rules", "value", "moves", "nodes", "database_stones")

Board = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; see the module."""

    pits: int
    stones: int
    rules: str
    value: int
    moves: tuple[int, ...] | None
    nodes: int
    database_stones: int

    def cells(self) -> tuple[object, ...]:
        """As it is written."""
        moves = " ".join(map(str, self.moves)) if self.moves is not None else ""
        return tuple(moves if cell is self.moves else cell for cell in astuple(self))


def boards() -> list[Board]:
    """All (pits, stones) of the table."""
    every = [(pits, stones) for pits in range(1, 7) for stones in range(1, 7)]
    return [board for board in every if board != (6, 6)]


def solved_row(board: Board, rules: str, moves: bool = True, folder: Path | None = None) -> Row:
    """Solve one opening on one core."""
    game = Kalah(*board, PRESETS[rules])
    found = solve(game.start(), game.rules, moves=moves, workers=1, folder=folder)
    assert found.value is not None  # only Ctrl-C would have it so
    values = [value for value in found.moves or () if value is not None]
    return Row(
        *board, rules, found.value, tuple(values) if moves else None,
        found.nodes, found.database_stones,
    )  # fmt: skip


def solved_rows(
    wanted: Sequence[Board],
    valued: Callable[[Board], bool] = lambda board: True,
    folder: Path | None = None,
    workers: int | None = None,
) -> Iterator[Row]:
    """The rows of both rules, in order; `valued` says whether to value the moves, too.

    As many boards are solved at a time as there are `workers`, default all cores.
    """
    tasks = [(board, rules) for rules in PRESETS for board in wanted]
    # the large ones first, so that none is left alone at the end
    order = sorted(range(len(tasks)), key=lambda nth: -tasks[nth][0][0] * tasks[nth][0][1])
    with ThreadPoolExecutor(workers or cores()) as pool:
        rows = {
            nth: pool.submit(solved_row, *tasks[nth], valued(tasks[nth][0]), folder)
            for nth in order
        }
        for nth in range(len(tasks)):
            yield rows[nth].result()


def write(path: Path, rows: Iterator[Row] | Sequence[Row]) -> None:
    """Write the table, row by row."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for row in rows:
            out.writerow(row.cells())
            file.flush()


def read(path: Path) -> list[Row]:
    """The table from its file."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            Row(
                int(cells["pits"]),
                int(cells["stones"]),
                cells["rules"],
                int(cells["value"]),
                tuple(map(int, cells["moves"].split())) or None,
                int(cells["nodes"]),
                int(cells["database_stones"]),
            )
            for cells in csv.DictReader(file)
        ]


if __name__ == "__main__":
    write(Path(sys.argv[1]), solved_rows(boards()))
