"""Find all fair starts of FairKalah: boards with one or two stones moved, worth 0 by perfect play.

    python data/make/fairkalah.py data/fairkalah.csv

Boards that the file has already keep their order, which for empty capture is that of Ludii.
"""

import csv
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from pathlib import Path

from judge_positions import to_columns
from tqdm import tqdm

from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import format_board
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD, Rules, format_rules
from kalahlab.judging.solved_positions import SolvedPosition, evaluate_positions
from kalahlab.matches.openings import PITS, STONES
from kalahlab.solver.exact_solver import ExactSolver, open_solver

MOST_MOVED = 2  # stones
SMALLEST_LEAD = 2  # a margin of 48 stones is even
TABLE_BYTES = 1 << 30


def iter_boards() -> Iterator[State]:
    """Yield the 6,396 boards that differ from the start in one or two stones, South to move."""
    start, player = Kalah(PITS, STONES).start()
    places = range(len(start))
    pits = [place for place in places if start[place]]
    for number in range(1, MOST_MOVED + 1):
        sources = combinations_with_replacement(pits, number)
        targets = combinations_with_replacement(places, number)
        for origin, target in product(sources, targets):
            if set(origin) & set(target):
                continue  # fewer stones have moved
            board = list(start)
            for place in origin:
                board[place] -= 1
            for place in target:
                board[place] += 1
            yield State(tuple(board), player)


def is_fair(solver: ExactSolver, state: State) -> bool:
    """Prove whether a position is worth 0. Most are worth more, which is asked first."""
    return not solver.is_at_least(state, SMALLEST_LEAD) and solver.is_at_least(state, 0)


def find_fair_starts(rules: Rules, order: Mapping[str, int]) -> list[SolvedPosition]:
    """Return the fair starts by rules, with the value of each move.

    Args:
        rules: The rules.
        order: The places of boards; the others come last, in the order of `iter_boards`.
    """
    name = format_rules(rules)
    boards = list(iter_boards())
    with open_solver(PITS, rules, database_stones=20, table_bytes=TABLE_BYTES) as solver:
        progress = tqdm(boards, name, unit="board")
        starts = [state for state in progress if is_fair(solver, state)]
        starts.sort(key=lambda state: order.get(format_board(state), len(order)))
        positions = evaluate_positions(solver, starts, name)
        return list(tqdm(positions, f"{name}, moves", len(starts), unit="board"))


def main() -> None:
    path = Path(sys.argv[1])
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["rules"] == "empty-capture"]
    ludii_order = {row["board"]: number for number, row in enumerate(rows)}
    starts = [*find_fair_starts(EMPTY_CAPTURE, ludii_order), *find_fair_starts(STANDARD, {})]
    with atomic_write(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["rules", "board", "moves"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(to_columns, starts))


if __name__ == "__main__":
    main()
