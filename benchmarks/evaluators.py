"""Measure the engine's nodes a second with each evaluator, relative to the store difference.

    python benchmarks/evaluators.py [--out FILE]

Alpha-beta searches from the start of Kalah(6, 4), the pit nearest the store first, in processor
time, with some 100,000 nodes a search. In each round an evaluator is measured right after the store
difference. `share` is the median of its rate as a share of that rate, `general` the same with the
general kernel.
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
from kalahlab.engine.twin.workspace import Transcript
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth
from kalahlab.search.model import Counts, Line

FIRST = "store_difference"
DEPTHS = {FIRST: 13, "e1": 14, "e3": 12}
DEPTH = 10
ROUNDS = 40

Kernel = Callable[[search.Task, Transcript | None], tuple[Line, Counts]]


def measure_rate(name: str, kernel: Kernel = search.run_fast_kernel) -> float:
    """Return the nodes visited a second of processor time."""
    game, depth = Kalah(6, 4), Depth(DEPTHS.get(name, DEPTH))
    task = search.Task(
        game, game.start(), EVALUATORS[name], depth, "store_first", None, engine.alpha_beta
    )
    started = process_time()
    _, counts = kernel(task, None)
    return counts.visited / (process_time() - started)


def measure_shares(name: str) -> tuple[float, float]:
    """Return the rates of both kernels, as shares of the fast one with the store difference."""
    # the second time its tables are in the cache
    first = max(measure_rate(FIRST), measure_rate(FIRST))
    fast = first if name == FIRST else measure_rate(name)
    return fast / first, measure_rate(name, search.run_general_kernel) / first


def main() -> None:
    """Measure all evaluators."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    names = [name for name in EVALUATORS if name != "e2"]
    for name in names:  # compiles it; not counted
        measure_shares(name)
    rounds = []
    for _ in range(ROUNDS):
        rounds.append({name: measure_shares(name) for name in names})
    with args.out.open("w") if args.out else sys.stdout as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["evaluator", "share", "general"])
        for name in names:
            share = median(shares[name][0] for shares in rounds)
            general = median(shares[name][1] for shares in rounds)
            table.writerow([name, f"{share:.3f}", f"{general:.3f}"])


if __name__ == "__main__":
    main()
