"""What the textbook half costs: CPU seconds of each search, as ratios within one run.

    python benchmarks/textbook.py [ROUNDS]

The variants take turns, ROUNDS times (5), so that a machine whose speed drifts slows all of
them alike; the medians are printed and written to benchmarks/results/textbook.csv.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pandas as pd

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.search import ORDERS, Depth, Result, alpha_beta, minimax, minimax_a_b
from kalahlab.trace import record

GAME, DEPTH = Kalah(6, 4), Depth(7)
ASKED = (GAME, GAME.start(), store_difference, DEPTH)

VARIANTS: dict[str, Callable[[], Result]] = {
    "alpha_beta": lambda: alpha_beta(*ASKED),
    "minimax_a_b": lambda: minimax_a_b(*ASKED),
    "alpha_beta, recorded": lambda: record(alpha_beta, *ASKED).result,
    "alpha_beta, store first": lambda: alpha_beta(*ASKED, ORDERS["store_first"]),
    "alpha_beta, by static value": lambda: alpha_beta(*ASKED, ORDERS["static"]),
    "minimax": lambda: minimax(*ASKED),
}


def seconds(call: Callable[[], Result]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def main(rounds: int) -> None:
    nodes = {name: call().counts.visited for name, call in VARIANTS.items()}
    times = pd.DataFrame(
        {name: seconds(call) for name, call in VARIANTS.items()} for _ in range(rounds)
    )
    table = pd.DataFrame(
        {
            "visited": nodes,
            "seconds": times.median().round(4),
            "of alpha_beta": (times.div(times["alpha_beta"], axis=0)).median().round(2),
            "nodes/s": {name: round(nodes[name] / median(times[name])) for name in nodes},
        }
    )
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "textbook.csv", index_label="search")
    print(table.to_string())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
