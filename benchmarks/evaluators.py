"""How many nodes a second the engine visits with each evaluator, beside the store difference.

    python benchmarks/evaluators.py [--out FILE]

Alpha-beta from the start of Kalah(6, 4), the pit nearest the store first, in processor time. Each
evaluator's turn comes once a round, and its best round counts; `share` is its rate as a share of
that of the store difference in the same run, `general` in the same run by the general kernel.
"""

import argparse
import csv
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from kalahlab.engine.twin import search
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first

DEPTHS = {"store_difference": 13}
DEPTH = 10
ROUNDS = 12


def rate(name: str, kernel: Callable[..., search.Found] | None = None) -> float:
    """Nodes visited a second of processor time."""
    game, depth = Kalah(6, 4), Depth(DEPTHS.get(name, DEPTH))
    asked = search.task(game, game.start(), EVALUATORS[name], depth, store_first, "alpha_beta")
    start = process_time()
    counts = (kernel or search.kernel_of(asked))(asked, None)[2]
    return counts.visited / (process_time() - start)


def main() -> None:
    """Measure all evaluators."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    names = [name for name in EVALUATORS if name != "e2"]
    rounds = [
        {name: (rate(name), rate(name, search.on_packed_boards)) for name in names}
        for _ in range(ROUNDS)
    ]
    best = {name: [max(each[name][at] for each in rounds) for at in (0, 1)] for name in names}
    first = best["store_difference"][0]
    with given.out.open("w") if given.out else sys.stdout as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["evaluator", "share", "general"])
        for name, shares in best.items():
            table.writerow([name, *(f"{share / first:.3f}" for share in shares)])


if __name__ == "__main__":
    main()
