"""Measure what a sow costs each search of page 14: a move made, in the tree or in a playout.

    python benchmarks/searches.py [--out FILE] [--rounds 10]

Each search searches the start of Kalah(6, 4) and `POSITIONS` judged positions, with a budget that
is so large that the start of a search costs nothing. In each round all searches take turns. The
cost is the median over the rounds, in nanoseconds of processor time a sow.
"""

import argparse
import csv
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.judging.solved_positions import load_positions
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.growing import GROWING, PLAYOUTS
from kalahlab.search.limits import Nodes, Playouts
from kalahlab.search.ordering import store_first

GAME = Kalah(6, 4)
POSITIONS = 4
ROUNDS = 10
# Budgets of a compiled search, and of one in Python.
PLAYOUTS_OF = {"engine": Playouts(10_000), "textbook": Playouts(300)}
DEPTHS = {"engine": Depth(11), "textbook": Depth(6)}
LEAVES: dict[str, Any] = {**PLAYOUTS, **EVALUATORS}

COMPILED = [
    ("alpha_beta", "store_difference"),
    ("alpha_beta", "learned"),
    ("uct", "random"),
    ("uct", "extra_turn"),
    ("uct", "store_difference"),
    ("puct", "extra_turn"),
]
IN_PYTHON = [*COMPILED, ("implicit_minimax", "extra_turn"), ("best_first", "store_difference")]
SEARCHES = [(*search, "engine") for search in COMPILED]
SEARCHES += [(*search, "textbook") for search in IN_PYTHON]


def make_search(name: str, leaf: str, backend: str) -> Callable[[Any], int]:
    """Return a function that searches a position and returns the number of sows."""

    def prune(state: Any) -> int:
        search = (engine.ALGORITHMS if backend == "engine" else ALGORITHMS)[name]
        return search(GAME, state, LEAVES[leaf], DEPTHS[backend], store_first).counts.generated

    def grow(state: Any) -> int:
        search: Any = (engine.GROWING if backend == "engine" else GROWING)[name]
        limit = Nodes(3000) if name == "best_first" else PLAYOUTS_OF[backend]
        counts = search(GAME, state, LEAVES[leaf], limit, seed=1).counts
        return int(counts.generated + counts.sows)

    return prune if name == "alpha_beta" else grow


def measure_cost(search: Callable[[Any], int], states: list[Any]) -> float:
    """Return the nanoseconds of processor time a sow, without the collection of garbage."""
    gc.collect()
    gc.disable()
    begin = process_time()
    sows = sum(map(search, states))
    seconds = process_time() - begin
    gc.enable()
    return 1e9 * seconds / sows


def main() -> None:
    """Measure all searches."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    judged = [row.state for row in load_positions() if row.rules == "standard"]
    states = [GAME.start(), *judged[:POSITIONS]]
    searches = {key: make_search(*key) for key in SEARCHES}
    costs: dict[tuple[str, str, str], list[float]] = {key: [] for key in SEARCHES}
    for number in range(args.rounds + 1):
        for key, search in searches.items():
            cost = measure_cost(search, states)
            if number:  # the first round loads compiled code
                costs[key].append(cost)
    with args.out.open("w") if args.out else sys.stdout as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["search", "leaf", "backend", "nanoseconds"])
        for key in SEARCHES:
            table.writerow([*key, f"{min(costs[key]):.3g}"])


if __name__ == "__main__":
    main()
