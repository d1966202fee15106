"""Solved openings: what each position is worth, from the start of a board some plies on.

    value(game, state)          # the mover's final margin; None if it is not in the file

The values are in `data/opening_values.csv.gz`: for a board, its rules and a ply a row, or several
that go on with each other. A row has no positions: `layers` gives them in an order that the rules
alone decide, and the values stand in that order. To read them takes the standard library only. Make
them anew, or more of them, with

    python -m kalahlab.judging.opening_values data/opening_values.csv.gz [--add PITS STONES PLIES]
"""

import csv
import gzip
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import from_here
from kalahlab.games.kalah import PRESETS, Kalah, State

FILE = "opening_values.csv.gz"
COLUMNS = ("pits", "stones", "rules", "ply", "values")

ROW = 20_000
"""Values in a row, at most: readers of CSV refuse fields that are much longer."""

MANY = 24
"""With more stones a side than this each position is solved in pieces, which takes less."""

PLIES = {1: 60, 2: 12, 3: 8, 4: 5, 5: 4, 6: 4}
PLIES_OF = {(5, 5): 2, (5, 6): 1, (6, 4): 7, (6, 5): 2, (6, 6): 0}
"""How many plies are made, by pits a side, and of some boards."""


class Opening(NamedTuple):
    """A board and its rules, by their name."""

    pits: int
    stones: int
    rules: str

    @property
    def game(self) -> Kalah:
        return Kalah(self.pits, self.stones, PRESETS[self.rules])


Values = dict[Opening, list[list[int]]]
"""By opening and ply, the value of each position of `layers`: the margin from there on."""


def last_ply(opening: Opening) -> int:
    return PLIES_OF.get(opening[:2], PLIES[opening.pits])


def layers(game: Kalah) -> Iterator[list[State]]:
    """The unfinished positions after 0, 1, 2, ... plies, as `from_here` gives them.

    A position stands in the first layer that reaches it, once, in the order of the moves that do.
    """
    layer = [from_here(game.start())[0]]
    seen = set(layer)
    while layer:
        yield layer
        played = (game.play(state, pit) for state in layer for pit in game.moves(state))
        found = (from_here(after)[0] for after in played if not game.over(after))
        layer = [after for after in dict.fromkeys(found) if after not in seen]
        seen.update(layer)


@cache
def read(path: Path | None = None) -> Values:
    """The values of a file; default those of `data/`."""
    data = (path or data_file(FILE)).read_bytes()
    values: Values = {}
    for row in csv.DictReader(gzip.decompress(data).decode().splitlines()):
        opening = Opening(int(row["pits"]), int(row["stones"]), row["rules"])
        layers = values.setdefault(opening, [])
        if int(row["ply"]) == len(layers):
            layers.append([])
        layers[-1] += map(int, row["values"].split())
    return values


def write(path: Path, values: Mapping[Opening, Sequence[Sequence[int]]]) -> None:
    """Write values, the same bytes for the same values."""
    import pandas as pd  # which a page that searches does not have

    from kalahlab.files import atomic_write

    rows = [
        (*opening, ply, " ".join(map(str, layer[at : at + ROW])))
        for opening in sorted(values)
        for ply, layer in enumerate(values[opening])
        for at in range(0, len(layer), ROW) or [0]
    ]
    text = pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False, lineterminator="\n")
    with atomic_write(path) as part:
        part.write_bytes(gzip.compress(text.encode(), mtime=0))


@cache
def known(opening: Opening) -> dict[State, int]:
    """The value of each position of an opening that is in the file."""
    # the rows come first: where they end, no further layer is made
    kept = zip(read().get(opening, ()), layers(opening.game), strict=False)
    return {state: value for row, layer in kept for state, value in zip(layer, row, strict=True)}


def value(game: Kalah, state: State) -> int | None:
    """The mover's final margin of a position that is in the file; None of another."""
    stones, rest = divmod(sum(state.board), len(state.board) - 2)
    name = next((name for name, rules in PRESETS.items() if rules == game.rules), None)
    if rest or name is None:
        return None
    position, missing = from_here(state)
    worth = known(Opening(len(state.board) // 2 - 1, stones, name)).get(position)
    return None if worth is None else worth - missing


def solve_layers(opening: Opening, plies: int, rows: list[list[int]]) -> None:
    """Add to `rows`, the layers of values that there are, those up to a ply, by the solver.

    If it is stopped, by Ctrl-C too, `rows` keeps the layers that were finished.
    """
    from kalahlab.engine.solver.exact import open_solver

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
    from kalahlab.engine.solver.solve import PIECE_NODES, solve

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
                position, missing = from_here(after)
                found[position] = missing + (worth if after.player == state.player else -worth)
        rows.append([found[state] for state in layer])


def database_stones(opening: Opening) -> int:
    """Of the solver's endgame database: the largest that is kept, or one that is soon built."""
    from kalahlab.engine.endgame.database import stored_stones

    stones = {1: 12, 2: 12, 3: 12, 4: 16, 5: 18, 6: 20}[opening.pits]
    soon = 26 if opening.pits == 6 and opening.stones > 3 else stones
    return max(soon, *stored_stones(opening.pits, PRESETS[opening.rules]), 0)


def main() -> None:
    """Solve the openings of every board in `data/solved.csv`.

    Ctrl-C or SIGTERM ends it; the file then has what was solved, and the same command goes on.
    """
    import signal
    from argparse import ArgumentParser

    from tqdm import tqdm

    from kalahlab.engine.solver import solved_table

    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the gzipped CSV to write or to go on with")
    parser.add_argument("--add", type=int, nargs=3, metavar=("PITS", "STONES", "PLIES"))
    given = parser.parse_args()
    kept = read(given.out) if given.add and given.out.exists() else {}
    values = {opening: [[*row] for row in rows] for opening, rows in kept.items()}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for row in tqdm(solved_table.read(Path(str(data_file("solved.csv")))), unit="board"):
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
