"""Solve the openings of every board in `data/solved.csv`, ply by ply.

python data/make/solve_openings.py data/opening_values.csv.gz [--add PITS STONES PLIES]
"""

import gzip
import signal
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from kalahlab.data import data_file
from kalahlab.files import atomic_write
from kalahlab.games.kalah import State
from kalahlab.games.rules import PRESETS
from kalahlab.solver import solved_table
from kalahlab.solver.endgame.database import find_stored_databases
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import normalize_position
from kalahlab.solver.solve import PIECE_NODES, solve
from kalahlab.solver.value_files import Opening, iter_layers, load_values

COLUMNS = ("pits", "stones", "rules", "ply", "values")

ROW = 20_000
"""Values in a row, at most: readers of CSV refuse fields that are much longer."""

MANY = 24
"""With more stones a side, each position is solved in pieces, which takes less time."""

TABLE_BYTES = 1 << 28
"""The size of the table of a board that is not solved in pieces."""

PLIES = {1: 60, 2: 12, 3: 8, 4: 5, 5: 4, 6: 4}
PLIES_OF = {(5, 5): 2, (5, 6): 1, (6, 4): 7, (6, 5): 2, (6, 6): 0}
"""The number of plies that are solved, by pits a side, and for some boards."""


def last_ply(opening: Opening) -> int:
    """Return the last ply of an opening that is solved."""
    return PLIES_OF.get(opening[:2], PLIES[opening.pits])


def write(path: Path, values: Mapping[Opening, Sequence[Sequence[int]]]) -> None:
    """Write values, the same bytes for the same values."""
    rows = []
    for opening in sorted(values):
        for ply, layer in enumerate(values[opening]):
            starts = range(0, len(layer), ROW) or [0]  # an empty layer has a row, too
            for start in starts:
                rows.append((*opening, ply, " ".join(map(str, layer[start : start + ROW]))))
    text = pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False, lineterminator="\n")
    with atomic_write(path) as part:
        part.write_bytes(gzip.compress(text.encode(), mtime=0))


def solve_layers(opening: Opening, plies: int, rows: list[list[int]]) -> None:
    """Add the layers up to a ply to `rows`, the layers of values solved so far.

    If it is stopped, also by Ctrl-C, `rows` keeps the finished layers.
    """
    if opening.pits * opening.stones > MANY:
        _solve_in_pieces(opening, plies, rows)
        return
    game, stones = opening.game, database_stones(opening)
    before = list[State]()
    with open_solver(
        game.pits, game.rules, database_stones=stones, table_bytes=TABLE_BYTES
    ) as solver:
        for ply, layer in zip(range(plies + 1), iter_layers(game), strict=False):
            if ply == len(rows):
                for state in before:  # whose best move bounds its other moves
                    dict(solver.move_values(state))
                rows.append([solver.value(state) for state in layer])
            for state, value in zip(layer, rows[ply], strict=True):
                solver.proved.narrow(state, value, value)
            before = layer


def _solve_in_pieces(opening: Opening, plies: int, rows: list[list[int]]) -> None:
    """Like `solve_layers`, but for a board with many stones."""
    game, stones = opening.game, database_stones(opening)

    def move_values(state: State) -> list[tuple[int, int]]:
        solution = solve(
            state,
            game.rules,
            moves=True,
            line=False,
            piece_nodes=PIECE_NODES,
            database_stones=stones,
        )
        moves = solution.moves or ()
        values = [(pit, value) for pit, value in enumerate(moves) if value is not None]
        if len(values) < len(game.moves(state)):
            raise KeyboardInterrupt  # after Ctrl-C, `solve` returns the values it has
        return values

    if not rows:
        rows.append([max(value for _, value in move_values(game.start()))])
    for before, layer in islice(pairwise(iter_layers(game)), len(rows) - 1, plies):
        values: dict[State, int] = {}
        for state in before:
            for pit, value in move_values(state):
                after = game.play(state, pit)
                position, missing = normalize_position(after)
                values[position] = missing + (value if after.player == state.player else -value)
        rows.append([values[state] for state in layer])


def database_stones(opening: Opening) -> int:
    """Return the size of the endgame database: the largest stored one, or one quickly built."""
    quick = {1: 12, 2: 12, 3: 12, 4: 16, 5: 18, 6: 20}[opening.pits]
    if opening.pits == 6 and opening.stones > 3:
        quick = 26
    return max(quick, *find_stored_databases(opening.pits, PRESETS[opening.rules]), 0)


def main() -> None:
    """Solve the openings of every board in `data/solved.csv`.

    Ctrl-C or SIGTERM ends it; the file then holds all solved values, and the same command resumes.
    """
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the gzipped CSV to write or to go on with")
    parser.add_argument("--add", type=int, nargs=3, metavar=("PITS", "STONES", "PLIES"))
    args = parser.parse_args()
    values: dict[Opening, list[list[int]]] = {}
    if args.add and args.out.exists():
        for opening, rows in load_values(args.out).items():
            values[opening] = [list(row) for row in rows]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for row in tqdm(solved_table.load_rows(Path(str(data_file("solved.csv")))), unit="board"):
            board, opening = [row.pits, row.stones], Opening(row.pits, row.stones, row.rules)
            if args.add and board != args.add[:2]:
                continue
            if row.moves:
                last = args.add[2] if args.add else last_ply(opening)
                solve_layers(opening, last, values.setdefault(opening, []))
            else:
                values[opening] = [[row.value]]
    finally:
        write(args.out, values)


if __name__ == "__main__":
    main()
