"""The table of solved games: every opening of 1 to 6 pits with 1 to 6 stones.

    python -m kalahlab.engine.solver.solved_table data/solved.csv

The file also has the value of (6,6), which is not made here: it is proved by the ledgers in
`data/`. Each board is solved on one core within 6 GB, which alone sizes its database and its table:
so a row is the same on every machine.
"""

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from kalahlab.engine.memory import cores
from kalahlab.engine.solver.solve import Progress, solve
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS, Kalah

MEMORY = 6 * 10**9
Board = tuple[int, int]


class Row(NamedTuple):
    """An opening. value: the first player's final margin under perfect play.

    moves: what each opening move is worth, from the leftmost pit on. nodes: positions searched for
    the value, move_nodes: for it and all moves. moves, move_nodes: None if they were not valued.
    """

    pits: int
    stones: int
    rules: str
    value: int
    moves: tuple[int, ...] | None
    nodes: int
    move_nodes: int | None
    database_stones: int


def boards() -> list[Board]:
    every = [(pits, stones) for pits in range(1, 7) for stones in range(1, 7)]
    return [board for board in every if board != (6, 6)]


def solved_row(board: Board, rules: str) -> Row:
    game, needed = Kalah(*board, PRESETS[rules]), [0]

    def hear(news: Progress) -> None:
        if news.bounds and news.move is None and news.bounds[0] == news.bounds[1]:
            needed.append(news.nodes)

    found = solve(
        game.start(), game.rules, moves=True, workers=1, memory_bytes=MEMORY,
        rebuild=True, keep=False, progress=hear,
    )  # fmt: skip
    if found.value is None:
        raise KeyboardInterrupt  # `solve` does not raise it: it says what it has
    values = tuple(value for value in found.moves or () if value is not None)
    nodes = needed[1] if len(needed) > 1 else 0
    return Row(*board, rules, found.value, values, nodes, found.nodes, found.database_stones)


def solved_rows(wanted: Sequence[Board], workers: int | None = None) -> Iterator[Row]:
    """The rows of both rules, in order; as many are solved at a time as there are cores."""
    tasks = [(board, rules) for rules in PRESETS for board in wanted]
    # the large ones first, so that none is left alone at the end
    order = sorted(tasks, key=lambda task: -task[0][0] * task[0][1])
    with ThreadPoolExecutor(workers or cores()) as pool:
        rows = {task: pool.submit(solved_row, *task) for task in order}
        for task in tasks:
            yield rows[task].result()


def write(path: Path, rows: Iterable[Row]) -> None:
    with atomic_write(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(Row._fields)
        for row in rows:
            out.writerow([*row[:4], " ".join(map(str, row.moves or ())), *row[5:]])


def read(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return [
            Row(**{name: _cell(name, text) for name, text in cells.items()})
            for cells in csv.DictReader(file)
        ]


def _cell(name: str, text: str) -> Any:
    if name == "moves":
        return tuple(map(int, text.split())) or None
    return text if name == "rules" else int(text) if text else None


if __name__ == "__main__":
    count = len(PRESETS) * len(boards())
    write(Path(sys.argv[1]), tqdm(solved_rows(boards()), total=count, unit="board"))
