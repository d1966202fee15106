"""Measure the savings of parts of the solver: the proof tree, its guesses, a larger database.

    python benchmarks/proofs.py [--boards 6,4,standard 6,4,empty-capture 5,5,standard]
                                [--stones 20] [--out benchmarks/results/proofs.csv]

The value of each board is proved with one thread and an empty table, so that nodes are the same in
every run. A row is a proof: `part` is the part of the solver that was changed, `cpu` the seconds of
processor time without those of the database. The parts:

    one piece    no tree: one null-window proof after the other of the whole position
    pieces of N  the proof-number tree, pieces of at most N nodes
    guesses G S  the tree, pieces of `PIECE`, costs guessed with GROWTH = G and STEEPNESS = S
    first N      one piece, "at least N?" asked first
    N stones     one piece, a database of N stones
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pandas as pd

from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS
from kalahlab.solver import proof_tree
from kalahlab.solver.endgame.database import open_database
from kalahlab.solver.plan import ENDLESS
from kalahlab.solver.prover import warm_up
from kalahlab.solver.solve import solve

BOARDS = ("6,4,standard", "6,4,empty-capture", "5,5,standard")
PIECES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
PIECE = 100_000
GROWTHS, STEEPNESSES = (1.2, 1.45, 1.75), (1.0, 1.15, 1.3, 1.5)
FIRST = (-4, 0, 4, 8, 12)
TABLE = 1 << 24

Row = dict[str, str | int | float]


def measure_proof(
    board: str, part: str, stones: int, piece: int, folder: Path, guess: int | None = None
) -> Row:
    """Solve a board; return the row."""
    pits, stones_a_pit, rules = board.split(",")
    open_database(int(pits), stones, PRESETS[rules], folder=folder)
    start = Kalah(int(pits), int(stones_a_pit)).start()
    started = time.process_time()
    with tempfile.TemporaryDirectory() as ledger:
        solution = solve(
            start,
            PRESETS[rules],
            line=False,
            guess=guess,
            database_stones=stones,
            table_bytes=TABLE,
            workers=1,
            ledger=Path(ledger),
            piece_nodes=piece,
            folder=folder,
        )
    if solution.value is None:
        raise SystemExit(f"{board} was not solved")
    return {
        "board": board,
        "part": part,
        "stones": stones,
        "value": solution.value,
        "nodes": solution.nodes,
        "cpu": round(time.process_time() - started, 2),
    }


def measure_all(boards: list[str], stones: int, folder: Path) -> Iterator[Row]:
    """Yield the rows of all proofs, board by board."""
    for board in boards:
        yield measure_proof(board, "one piece", stones, ENDLESS, folder)
        for piece in PIECES:
            yield measure_proof(board, f"pieces of {piece}", stones, piece, folder)
        for growth, steepness in product(GROWTHS, STEEPNESSES):
            guesses = {"GROWTH": growth, "STEEPNESS": steepness}
            with patch.multiple(proof_tree, **guesses):
                yield measure_proof(board, f"guesses {growth} {steepness}", stones, PIECE, folder)
        for guess in FIRST:
            yield measure_proof(board, f"first {guess}", stones, ENDLESS, folder, guess)
        for count in range(stones - 4, stones + 3):
            yield measure_proof(board, f"{count} stones", count, ENDLESS, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", nargs="+", default=list(BOARDS), metavar="BOARD")
    parser.add_argument("--stones", type=int, default=20, help="in the database")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    warm_up()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in measure_all(args.boards, args.stones, Path(folder)):
            rows.append(row)
            print(*row.values(), flush=True)
    if args.out:
        pd.DataFrame(rows).to_csv(args.out, index=False)


if __name__ == "__main__":
    main()
