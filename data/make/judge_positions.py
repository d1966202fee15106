"""Draw positions of random games under both rules, and judge each of their moves exactly.

python data/make/judge_positions.py data/judged.csv.gz [--positions N] [--seed S] ...
"""

import argparse
from dataclasses import fields
from pathlib import Path

from tqdm import tqdm

from kalahlab.engine.solver.exact import open_solver
from kalahlab.games.kalah import PRESETS
from kalahlab.judging.judged import Judged, Sample, evaluate_positions, sample_positions, write


def main() -> None:
    """Draw and judge a sample under both rules."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the file, gzipped CSV")
    for each in fields(Sample):
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=int, default=each.default)
    parser.add_argument("--database-stones", type=int, default=20)
    given = vars(parser.parse_args())
    out, database_stones = given.pop("out"), given.pop("database_stones")
    try:
        sample = Sample(**given)
    except ValueError as error:
        parser.error(str(error))
    rows: list[Judged] = []
    for rules, preset in PRESETS.items():
        with open_solver(sample.pits, preset, database_stones=database_stones) as solver:
            states = sample_positions(sample, rules)
            shown = tqdm(states, rules, sample.positions, unit="position")
            rows += evaluate_positions(solver, shown, rules)
    write(out, rows)


if __name__ == "__main__":
    main()
