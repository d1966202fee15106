"""Measure look-ups in the endgame database: of one position a call, and of many.

    python benchmarks/probes.py [--stones 16] [--positions 1000000] [--rounds 5]

The positions are random, with at most so many stones in play on six pits a side. The forms take
turns in each round, on one core; a rate is the median over the rounds, in positions a second of
processor time. The ratio is the rate over that of single calls. For `probe_moves` each move of a
position is looked up.
"""

import argparse
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kalahlab.formatting import format_grid
from kalahlab.games.kalah import SOUTH, State
from kalahlab.games.notation import format_board
from kalahlab.solver.endgame.database import build

PITS = 6
STATES = 20_000  # of the positions, for the forms that are made of Python's objects
MOST_STORED = 20  # stones in a store


def draw_positions(number: int, most: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """Draw positions: each of `most` stones is in one of the pits, or in none."""
    counts = rng.multinomial(most, [1 / (2 * PITS + 1)] * (2 * PITS + 1), number)
    stores = rng.integers(0, MOST_STORED + 1, (number, 2))
    south, north = counts[:, :PITS], counts[:, PITS : 2 * PITS]
    return np.hstack([south, stores[:, :1], north, stores[:, 1:]]).astype(np.int8)


def measure_rate(look_up: Callable[[], object], number: int) -> float:
    """Return the positions a second of processor time."""
    started = process_time()
    look_up()
    return number / (process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--stones", type=int, default=16)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    database = build(PITS, args.stones)
    small = draw_positions(args.positions, args.stones, np.random.default_rng(0))
    large = small.astype(np.int64)
    states = [State(tuple(board), SOUTH) for board in small[:STATES].tolist()]
    frame = pd.DataFrame({"board": [format_board(state) for state in states]})
    single = "probe, one state a call"
    forms: dict[str, tuple[Callable[[], object], int]] = {
        single: (lambda: [database.probe(state) for state in states], len(states)),
        "probe, a list of states": (lambda: database.probe(states), len(states)),
        "probe, a data frame": (lambda: database.probe(frame), len(states)),
        "probe, an array of int64": (lambda: database.probe(large), len(large)),
        "probe, an array of int8": (lambda: database.probe(small), len(small)),
        "probe_moves, an array of int8": (lambda: database.probe_moves(small), len(small)),
    }
    assert database.probe(states).tolist() == [database.probe(state) for state in states]
    rates: dict[str, list[float]] = {name: [] for name in forms}
    for round_number in range(args.rounds + 1):
        for name, (look_up, number) in forms.items():
            rate = measure_rate(look_up, number)
            if round_number:  # the first round loads compiled code
                rates[name].append(rate)
    rows = []
    for name, measured in rates.items():
        rate = median(measured)
        ratio = rate / median(rates[single])
        rows.append({"": name, "a second": f"{rate:,.0f}", "ratio": f"{ratio:,.1f}"})
    print(format_grid(rows))


if __name__ == "__main__":
    main()
