"""Draw positions of random games under both rules, and judge each of their moves exactly.

python data/make/judge_positions.py data/judged.csv.gz [--positions N] [--seed S] ...
"""

import argparse
import gzip
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from kalahlab.files import atomic_write
from kalahlab.games.notation import format_board
from kalahlab.games.supported import STORED
from kalahlab.judging.solved_positions import (
    Sample,
    SolvedPosition,
    evaluate_positions,
    sample_positions,
)
from kalahlab.solver.exact_solver import open_solver

OF_GAME = ("game", "ply", "mover", "opponent", "part", "phase")
"""The last columns of a file if the games of its positions are known."""


def write(path: Path, rows: Iterable[SolvedPosition]) -> None:
    """Write positions, the same bytes for the same positions."""
    table = pd.DataFrame(map(to_columns, rows))
    text = table.to_csv(index=False, lineterminator="\n")
    with atomic_write(path) as part:
        part.write_bytes(gzip.compress(text.encode(), mtime=0))


def to_columns(row: SolvedPosition) -> dict[str, str | int]:
    """Return the cells of a position by the names of their columns."""
    moves = ("-" if value is None else str(value) for value in row.moves)
    columns: dict[str, str | int] = {"rules": row.rules, "board": format_board(row.state)}
    columns["moves"] = " ".join(moves)
    if row.game:
        columns |= {name: getattr(row, name) for name in OF_GAME}
    return columns


def main() -> None:
    """Draw and judge a sample under both rules."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the file, gzipped CSV")
    for field in fields(Sample):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=int, default=field.default)
    parser.add_argument("--database-stones", type=int, default=20)
    args = vars(parser.parse_args())
    out, database_stones = args.pop("out"), args.pop("database_stones")
    try:
        sample = Sample(**args)
    except ValueError as error:
        parser.error(str(error))
    rows: list[SolvedPosition] = []
    for rules, preset in STORED.items():
        with open_solver(sample.pits, preset, database_stones=database_stones) as solver:
            states = list(sample_positions(sample, rules))
            judged = evaluate_positions(solver, states, rules)
            rows += tqdm(judged, rules, len(states), unit="position")
    write(out, rows)


if __name__ == "__main__":
    main()
