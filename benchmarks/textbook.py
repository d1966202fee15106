"""Measure the textbook's searches: CPU seconds, as ratios within one run.

    python benchmarks/textbook.py [ROUNDS]

The variants take turns, ROUNDS times (5), so that changes of the machine's speed affect all of them
alike. The medians are printed and written to benchmarks/results/textbook.csv.
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
ARGUMENTS = (GAME, GAME.start(), store_difference, DEPTH)


def plain(state: State, depth: int, alpha: float, beta: float) -> float:
    """Search with bare alpha-beta: no counts, no line, children made when they are tried."""
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
    "alpha_beta": lambda: alpha_beta(*ARGUMENTS),
    "minimax_a_b": lambda: minimax_a_b(*ARGUMENTS),
    "alpha_beta, recorded": lambda: record(alpha_beta, *ARGUMENTS).result,
    "alpha_beta, store first": lambda: alpha_beta(*ARGUMENTS, ORDERS["store_first"]),
    "alpha_beta, by static value": lambda: alpha_beta(*ARGUMENTS, ORDERS["static"]),
    "minimax, one sow less deep": lambda: minimax(*ARGUMENTS[:3], Depth(DEPTH.limit - 1)),
}


def measure_seconds(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def main(rounds: int) -> None:
    nodes = {}
    for name, call in VARIANTS.items():
        result = call()
        if not isinstance(result, Result):  # the plain recursion visits the same nodes
            result = alpha_beta(*ARGUMENTS)
        nodes[name] = result.counts.visited
    rows = []
    for _ in range(rounds):
        rows.append({name: measure_seconds(call) for name, call in VARIANTS.items()})
    times = pd.DataFrame(rows)
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
