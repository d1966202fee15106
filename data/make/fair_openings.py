"""Make the file of fair openings: candidates that the solver proves to be draws.

python data/make/fair_openings.py data/openings.csv [--number N]
"""

import argparse
import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board
from kalahlab.games.supported import STORED
from kalahlab.matches.openings import NUMBER, PITS, STONES, is_nearly_even, iter_candidates
from kalahlab.solver.exact_solver import open_solver


def iter_openings(rules: str) -> Iterator[dict[str, str]]:
    """Yield rows of the file without end."""
    game = Kalah(PITS, STONES, STORED[rules])
    with open_solver(PITS, game.rules, database_stones=20) as solver:
        for pits, state in iter_candidates(game, seed=0):
            if not is_nearly_even(game, state):
                continue
            if solver.is_at_least(state, 0) and not solver.is_at_least(state, 1):
                moves = " ".join(str(pit + 1) for pit in pits)
                yield {"rules": rules, "moves": moves, "board": format_board(state)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the file of openings.")
    parser.add_argument("out", type=Path, help="the CSV file")
    parser.add_argument("--number", type=int, default=NUMBER, help="under each set of rules")
    args = parser.parse_args()
    with atomic_write(args.out) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["rules", "moves", "board"], lineterminator="\n")
        writer.writeheader()
        for rules in STORED:
            openings = islice(iter_openings(rules), args.number)
            writer.writerows(tqdm(openings, rules, args.number, unit="opening"))


if __name__ == "__main__":
    main()
