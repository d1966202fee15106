"""What the textbook costs: CPU seconds of each search, as ratios within one run.

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
from kalahlab.games.kalah import SOUTH, Kalah, State
from kalahlab.search import ORDERS, Depth, Result, alpha_beta, minimax, minimax_a_b
from kalahlab.search.model import INF
from kalahlab.trace import record

GAME, DEPTH = Kalah(6, 4), Depth(8)
ASKED = (GAME, GAME.start(), store_difference, DEPTH)


def plain(state: State, depth: int, alpha: float, beta: float) -> float:
    """Alpha-beta without anything beside it: no counts, no line, a child made when it is tried."""
    if GAME.is_over(state):
        return GAME.margin(state, SOUTH)
    if depth == 0:
        return store_difference(state.board, SOUTH)
    best = -INF if state.player == SOUTH else INF
    for move in GAME.moves(state):
        value = plain(GAME.play(state, move), depth - 1, alpha, beta)
        if state.player == SOUTH:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


VARIANTS: dict[str, Callable[[], object]] = {
    "plain recursion": lambda: plain(GAME.start(), DEPTH.limit, -INF, INF),
    "alpha_beta": lambda: alpha_beta(*ASKED),
    "minimax_a_b": lambda: minimax_a_b(*ASKED),
    "alpha_beta, recorded": lambda: record(alpha_beta, *ASKED).result,
    "alpha_beta, store first": lambda: alpha_beta(*ASKED, ORDERS["store_first"]),
    "alpha_beta, by static value": lambda: alpha_beta(*ASKED, ORDERS["static"]),
    "minimax, one sow less deep": lambda: minimax(*ASKED[:3], Depth(DEPTH.limit - 1)),
}


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def main(rounds: int) -> None:
    found = {name: call() for name, call in VARIANTS.items()}
    pruned = alpha_beta(*ASKED).counts  # those of the plain recursion, too
    counts = {
        name: result.counts if isinstance(result, Result) else pruned
        for name, result in found.items()
    }
    nodes = {name: count.visited for name, count in counts.items()}
    times = pd.DataFrame(
        {name: seconds(call) for name, call in VARIANTS.items()} for _ in range(rounds)
    )
    table = pd.DataFrame(
        {
            "visited": nodes,
            "seconds": times.median().round(4),
            "of plain": (times.div(times["plain recursion"], axis=0)).median().round(2),
            "nodes/s": {name: round(nodes[name] / median(times[name])) for name in nodes},
        }
    )
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "textbook.csv", index_label="search")
    print(table.to_string())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
