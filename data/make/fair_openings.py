"""Make the file of fair openings: candidates that the solver shows to be draws.

python data/make/fair_openings.py data/openings.csv [--number N]
"""

import argparse
import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from kalahlab.engine.solver.exact import open_solver
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board
from kalahlab.matches.openings import NUMBER, PITS, STONES, candidates, looks_even


def made_openings(rules: str) -> Iterator[dict[str, str]]:
    """Ever more rows of the file."""
    game = Kalah(PITS, STONES, PRESETS[rules])
    even = (each for each in candidates(game, seed=0) if looks_even(game, each[1]))
    with open_solver(PITS, game.rules, database_stones=20) as judge:
        for pits, state in even:
            if judge.at_least(state, 0) and not judge.at_least(state, 1):
                moves = " ".join(str(pit + 1) for pit in pits)
                yield {"rules": rules, "moves": moves, "board": format_board(state)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the file of openings.")
    parser.add_argument("out", type=Path, help="the CSV file")
    parser.add_argument("--number", type=int, default=NUMBER, help="under each set of rules")
    given = parser.parse_args()
    with atomic_write(given.out) as part, part.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, ["rules", "moves", "board"], lineterminator="\n")
        out.writeheader()
        for rules in PRESETS:
            found = islice(made_openings(rules), given.number)
            out.writerows(tqdm(found, rules, given.number, unit="opening"))


if __name__ == "__main__":
    main()
