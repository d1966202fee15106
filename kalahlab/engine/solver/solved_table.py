"""The table of solved games: every opening of 1 to 6 pits with 1 to 6 stones, but (6,6).

The file also has the value of (6,6) under both rules, which is not made here: it is proved
by the ledgers in `data/`.

    python -m kalahlab.engine.solver.solved_table data/solved.csv [--values]

Columns: pits, stones, rules; value, the first player's final margin under perfect play;
moves, the value of each opening move from the leftmost pit on; nodes, positions searched for
the value; move_nodes, for it and all moves; database_stones, of the endgame database that was
used. Each board is solved on one core within 6 GB, its database and its table sized by that
alone, so that a row is the same on every machine and whatever else is solved beside it.
"""

import argparse
import csv
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tqdm import tqdm

from kalahlab.engine.memory import cores
from kalahlab.engine.solver.solve import Progress, solve
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS, Kalah

MEMORY = 6 * 10**9

Board = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; see the module. moves, move_nodes: None if they were not valued."""

    pits: int
    stones: int
    rules: str
    value: int
    moves: tuple[int, ...] | None
    nodes: int
    move_nodes: int | None
    database_stones: int


def boards() -> list[Board]:
    """All (pits, stones) of the table."""
    every = [(pits, stones) for pits in range(1, 7) for stones in range(1, 7)]
    return [board for board in every if board != (6, 6)]


def solved_row(board: Board, rules: str, moves: bool = True) -> Row:
    """Solve one opening on one core."""
    game = Kalah(*board, PRESETS[rules])
    needed = [0]

    def hear(news: Progress) -> None:
        if news.bounds and news.move is None and news.bounds[0] == news.bounds[1]:
            needed.append(news.nodes)

    found = solve(
        game.start(), game.rules, moves=moves, workers=1, memory_bytes=MEMORY,
        rebuild=True, keep=False, progress=hear,
    )  # fmt: skip
    assert found.value is not None  # only Ctrl-C would have it so
    values = [value for value in found.moves or () if value is not None]
    return Row(
        *board,
        rules,
        found.value,
        tuple(values) if moves else None,
        needed[1] if len(needed) > 1 else 0,
        found.nodes if moves else None,
        found.database_stones,
    )


def solved_rows(
    wanted: Sequence[Board], moves: bool = True, workers: int | None = None
) -> Iterator[Row]:
    """The rows of both rules, in order; as many are solved at a time as there are cores."""
    tasks = [(board, rules) for rules in PRESETS for board in wanted]
    # the large ones first, so that none is left alone at the end
    order = sorted(range(len(tasks)), key=lambda nth: -tasks[nth][0][0] * tasks[nth][0][1])
    with ThreadPoolExecutor(workers or cores()) as pool:
        rows = {nth: pool.submit(solved_row, *tasks[nth], moves) for nth in order}
        for nth in range(len(tasks)):
            yield rows[nth].result()


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write the table."""
    with atomic_write(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        out.writeheader()
        for row in rows:
            moves = {} if row.moves is None else {"moves": " ".join(map(str, row.moves))}
            out.writerow(asdict(row) | moves)


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
                int(cells["move_nodes"]) if cells["move_nodes"] else None,
                int(cells["database_stones"]),
            )
            for cells in csv.DictReader(file)
        ]


def main() -> None:
    """Recompute the table."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the CSV file")
    parser.add_argument("--values", action="store_true", help="without each move's value")
    given = parser.parse_args()
    rows = solved_rows(boards(), moves=not given.values)
    write(given.out, tqdm(rows, total=len(PRESETS) * len(boards()), unit="board"))


if __name__ == "__main__":
    main()
