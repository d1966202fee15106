"""How well Betsy keeps its time: wall seconds past the limit, in this process and whole commands.

    python benchmarks/betsy_clock.py [POSITIONS]

POSITIONS random positions (100) are searched by iterative deepening for 0.2 and for 1 second, on
the wall clock and on the CPU clock, and every fifth is given to `kalahlab betsy`, start and end of
the process included. What is over the limit is printed in milliseconds (below 0: in time) and
written to benchmarks/results/betsy_clock.csv. Other work on the machine makes the wall clock's
figures greater, for a process that waits reads no clock; the CPU clock shows what an idle core
would: then both are one.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pandas as pd

from kalahlab.evaluators.betsy import leaf_value
from kalahlab.games.betsy import NAMES, Betsy, State, format_board
from kalahlab.search import alpha_beta, deepening

GAME, LIMITS, ALLOWED = Betsy(5), (0.2, 1.0), 50
COMMAND = [sys.executable, "-c", "from kalahlab.cli import main; main()", "betsy", str(GAME.n)]


def positions(number: int) -> list[State]:
    """Random games broken off before their end."""
    chance, found = Random(5), list[State]()
    while len(found) < number:
        state = GAME.start()
        for _ in range(chance.randint(0, 50)):
            if not GAME.is_over(state):
                state = GAME.play(state, chance.choice(GAME.moves(state)))
        if not GAME.is_over(state):
            found.append(state)
    return found


def over(state: State, seconds: float, clock: Callable[[], float]) -> float:
    until = clock() + seconds
    for _ in deepening(alpha_beta, GAME, state, leaf_value, until, clock=clock):
        pass
    return clock() - until


def by_the_wall(state: State, seconds: float) -> float:
    return over(state, seconds, time.monotonic)


def by_the_cpu(state: State, seconds: float) -> float:
    return over(state, seconds, time.process_time)


def as_command(state: State, seconds: float) -> float:
    words = [NAMES[state.player], format_board(state.board), str(seconds)]
    until = time.monotonic() + seconds
    subprocess.run([*COMMAND, *words], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - until


def main(number: int) -> None:
    states = positions(number)
    rows = [
        {"way": way.__name__, "seconds": seconds, "over_ms": 1000 * way(state, seconds)}
        for seconds in LIMITS
        for way, some in ((by_the_cpu, states), (by_the_wall, states), (as_command, states[::5]))
        for state in some
    ]
    late = pd.DataFrame(rows).groupby(["way", "seconds"])["over_ms"]
    table = late.describe(percentiles=[0.5, 0.99])[["count", "50%", "99%", "max"]].round(1)
    table[f"over {ALLOWED} ms"] = late.apply(lambda each: (each > ALLOWED).sum())
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "betsy_clock.csv")
    print(table.to_string())
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
