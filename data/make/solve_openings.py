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
from kalahlab.games.kalah import PRESETS, State
from kalahlab.solver import solved_table
from kalahlab.solver.endgame.database import find_stored_databases
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import normalize_position
from kalahlab.solver.solve import PIECE_NODES, solve
from kalahlab.solver.value_files import Opening, layers, load_values

COLUMNS = ("pits", "stones", "rules", "ply", "values")

ROW = 20_000
"""Values in a row, at most: readers of CSV refuse fields that are much longer."""

MANY = 24
"""With more stones a side than this each position is solved in pieces, which takes less."""

PLIES = {1: 60, 2: 12, 3: 8, 4: 5, 5: 4, 6: 4}
PLIES_OF = {(5, 5): 2, (5, 6): 1, (6, 4): 7, (6, 5): 2, (6, 6): 0}
"""How many plies are made, by pits a side, and of some boards."""


def last_ply(opening: Opening) -> int:
    return PLIES_OF.get(opening[:2], PLIES[opening.pits])


def write(path: Path, values: Mapping[Opening, Sequence[Sequence[int]]]) -> None:
    """Write values, the same bytes for the same values."""
    rows = [
        (*opening, ply, " ".join(map(str, layer[at : at + ROW])))
        for opening in sorted(values)
        for ply, layer in enumerate(values[opening])
        for at in range(0, len(layer), ROW) or [0]
    ]
    text = pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False, lineterminator="\n")
    with atomic_write(path) as part:
        part.write_bytes(gzip.compress(text.encode(), mtime=0))


def solve_layers(opening: Opening, plies: int, rows: list[list[int]]) -> None:
    """Add to `rows`, the layers of values that there are, those up to a ply, by the solver.

    If it is stopped, by Ctrl-C too, `rows` keeps the layers that were finished.
    """
    if opening.pits * opening.stones > MANY:
        return _solve_in_pieces(opening, plies, rows)
    game, before, stones = opening.game, list[State](), database_stones(opening)
    with open_solver(game.pits, game.rules, database_stones=stones, table_bytes=1 << 28) as solver:
        for ply, layer in zip(range(plies + 1), layers(game), strict=False):
            if ply == len(rows):
                for state in before:  # whose best move bounds its other moves
                    dict(solver.move_values(state))
                rows.append([solver.value(state) for state in layer])
            for state, worth in zip(layer, rows[ply], strict=True):
                solver.proved.narrow(state, worth, worth)
            before = layer


def _solve_in_pieces(opening: Opening, plies: int, rows: list[list[int]]) -> None:
    """As `solve_layers`, of a board with many stones."""
    game, stones = opening.game, database_stones(opening)

    def move_values(state: State) -> list[tuple[int, int]]:
        found = solve(
            *(state, game.rules), moves=True, line=False, piece_nodes=PIECE_NODES,
            database_stones=stones,
        )  # fmt: skip
        worth = [(pit, value) for pit, value in enumerate(found.moves or ()) if value is not None]
        if len(worth) < len(game.moves(state)):
            raise KeyboardInterrupt  # `solve` does not raise it: it says what it has
        return worth

    if not rows:
        rows.append([max(worth for _, worth in move_values(game.start()))])
    for before, layer in islice(pairwise(layers(game)), len(rows) - 1, plies):
        found: dict[State, int] = {}
        for state in before:
            for pit, worth in move_values(state):
                after = game.play(state, pit)
                position, missing = normalize_position(after)
                found[position] = missing + (worth if after.player == state.player else -worth)
        rows.append([found[state] for state in layer])


def database_stones(opening: Opening) -> int:
    """Of the solver's endgame database: the largest that is kept, or one that is soon built."""
    stones = {1: 12, 2: 12, 3: 12, 4: 16, 5: 18, 6: 20}[opening.pits]
    soon = 26 if opening.pits == 6 and opening.stones > 3 else stones
    return max(soon, *find_stored_databases(opening.pits, PRESETS[opening.rules]), 0)


def main() -> None:
    """Solve the openings of every board in `data/solved.csv`.

    Ctrl-C or SIGTERM ends it; the file then has what was solved, and the same command goes on.
    """
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the gzipped CSV to write or to go on with")
    parser.add_argument("--add", type=int, nargs=3, metavar=("PITS", "STONES", "PLIES"))
    given = parser.parse_args()
    kept = load_values(given.out) if given.add and given.out.exists() else {}
    values = {opening: [[*row] for row in rows] for opening, rows in kept.items()}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for row in tqdm(solved_table.load_rows(Path(str(data_file("solved.csv")))), unit="board"):
            board, opening = [row.pits, row.stones], Opening(row.pits, row.stones, row.rules)
            if given.add and board != given.add[:2]:
                continue
            if row.moves:
                last = given.add[2] if given.add else last_ply(opening)
                solve_layers(opening, last, values.setdefault(opening, []))
            else:
                values[opening] = [[row.value]]
    finally:
        write(given.out, values)


if __name__ == "__main__":
    main()
