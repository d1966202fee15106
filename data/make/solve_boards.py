"""Solve the boards of `data/solved.csv`.

python data/make/solve_boards.py data/solved.csv
"""

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from tqdm import tqdm

from kalahlab.files import atomic_write
from kalahlab.games.supported import STORED
from kalahlab.parallel import count_cores
from kalahlab.solver.solved_table import Board, Row, solve_row


def boards() -> list[Board]:
    """Return the boards of up to six pits a side and six stones a pit, without (6, 6)."""
    return [board for board in product(range(1, 7), range(1, 7)) if board != (6, 6)]


def solve_rows(boards_to_solve: Sequence[Board], workers: int | None = None) -> Iterator[Row]:
    """Yield the rows of both rules, in order; by default each core solves a board at a time."""
    tasks = [(board, rules) for rules, board in product(STORED, boards_to_solve)]
    # the large ones first, so that none runs alone at the end
    order = sorted(tasks, key=lambda task: -task[0][0] * task[0][1])
    with ThreadPoolExecutor(workers or count_cores()) as pool:
        rows = {task: pool.submit(solve_row, *task) for task in order}
        for task in tasks:
            yield rows[task].result()


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write the rows as CSV."""
    with atomic_write(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        for row in rows:
            writer.writerow([*row[:4], " ".join(map(str, row.moves or ())), *row[5:]])


if __name__ == "__main__":
    number = len(STORED) * len(boards())
    write(Path(sys.argv[1]), tqdm(solve_rows(boards()), total=number, unit="board"))
