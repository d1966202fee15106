"""Measure by how much Betsy exceeds its time limit, in this process and as a command.

    python benchmarks/betsy_clock.py [POSITIONS]

POSITIONS random positions (100) are searched by iterative deepening for 0.2 and for 1 second, on
the wall clock and on the CPU clock, and every fifth is passed to `kalahlab betsy`, start and end of
the process included. The time over the limit is printed in milliseconds (below 0: in time) and
written to benchmarks/results/betsy_clock.csv. Other work on the machine makes the wall clock's
figures greater, as a process that waits reads no clock. The CPU clock shows the figures of an idle
core, where both clocks agree.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import pandas as pd

from kalahlab.evaluators.betsy import leaf_value
from kalahlab.games.betsy import NAMES, Betsy, State, format_board
from kalahlab.search import alpha_beta, deepening

GAME, LIMITS, ALLOWED = Betsy(5), (0.2, 1.0), 50
COMMAND = [sys.executable, "-c", "from kalahlab.cli import main; main()", "betsy", str(GAME.n)]


def positions(number: int) -> list[State]:
    """Return positions of random games, before their end."""
    rng = Random(5)
    states: list[State] = []
    while len(states) < number:
        state = GAME.start()
        for _ in range(rng.randint(0, 50)):
            if not GAME.is_over(state):
                state = GAME.play(state, rng.choice(GAME.moves(state)))
        if not GAME.is_over(state):
            states.append(state)
    return states


def measure_excess(state: State, seconds: float, clock: Callable[[], float]) -> float:
    """Search for some seconds; return the seconds beyond."""
    until = clock() + seconds
    for _ in deepening(alpha_beta, GAME, state, leaf_value, until, clock=clock):
        pass
    return clock() - until


def by_the_wall(state: State, seconds: float) -> float:
    return measure_excess(state, seconds, time.monotonic)


def by_the_cpu(state: State, seconds: float) -> float:
    return measure_excess(state, seconds, time.process_time)


def as_command(state: State, seconds: float) -> float:
    words = [NAMES[state.player], format_board(state.board), str(seconds)]
    until = time.monotonic() + seconds
    subprocess.run([*COMMAND, *words], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - until


def main(number: int) -> None:
    states = positions(number)
    ways = ((by_the_cpu, states), (by_the_wall, states), (as_command, states[::5]))
    rows = []
    for seconds, (way, sample) in product(LIMITS, ways):
        for state in sample:
            excess = 1000 * way(state, seconds)
            rows.append({"way": way.__name__, "seconds": seconds, "over_ms": excess})
    excesses = pd.DataFrame(rows).groupby(["way", "seconds"])["over_ms"]
    table = excesses.describe(percentiles=[0.5, 0.99])[["count", "50%", "99%", "max"]].round(1)
    table[f"over {ALLOWED} ms"] = excesses.apply(lambda group: (group > ALLOWED).sum())
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "betsy_clock.csv")
    print(table.to_string())
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
