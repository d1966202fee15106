"""How many nodes a second the engine visits with each evaluator, beside the store difference.

    python benchmarks/evaluators.py [--out FILE]

Alpha-beta from the start of Kalah(6, 4), the pit nearest the store first, in processor time, each
search of some 100,000 nodes. In each round an evaluator's turn comes right after one of the store
difference; `share` is the median of its rate as a share of that, `general` the same by the general
kernel.
"""

import argparse
import csv
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

from kalahlab import engine
from kalahlab.engine.twin import search
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth

FIRST = "store_difference"
DEPTHS = {FIRST: 13, "e1": 14, "e3": 12}
DEPTH = 10
ROUNDS = 40


def rate(name: str, kernel: Callable[..., search.Found] = search.run_fast_kernel) -> float:
    """Nodes visited a second of processor time."""
    game, depth = Kalah(6, 4), Depth(DEPTHS.get(name, DEPTH))
    asked = (game, game.start(), EVALUATORS[name], depth, "store_first", None, engine.alpha_beta)
    start = process_time()
    counts = kernel(search.Task(*asked), None)[2]
    return counts.visited / (process_time() - start)


def shares(name: str) -> tuple[float, float]:
    """The rates of both kernels with an evaluator, as shares of that with the store difference."""
    first = max(rate(FIRST) for _ in range(2))  # the second time its tables are in the cache
    own = first if name == FIRST else rate(name)
    return own / first, rate(name, search.run_general_kernel) / first


def main() -> None:
    """Measure all evaluators."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    names = [name for name in EVALUATORS if name != "e2"]
    for name in names:  # compiled, and not counted
        shares(name)
    rounds = [{name: shares(name) for name in names} for _ in range(ROUNDS)]
    with given.out.open("w") if given.out else sys.stdout as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["evaluator", "share", "general"])
        for name in names:
            found = zip(*(each[name] for each in rounds), strict=True)
            table.writerow([name, *(f"{median(some):.3f}" for some in found)])


if __name__ == "__main__":
    main()
