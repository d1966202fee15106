"""Measure the playouts a second of UCT, beside OpenSpiel's, in one run.

    python benchmarks/playouts.py [--playouts 1000 10000 100000] [--rounds 5]

Each program searches the start of Kalah(6,4) with one playout a leaf: the textbook and the engine
of this package, and OpenSpiel's `MCTSBot` in C++ and in Python. The programs take turns in each
round. A rate is the median over the rounds, in playouts a second of processor time; `times` says
how much faster the engine's UCT is. The slow programs make at most `SLOW` playouts. OpenSpiel's
trees are others, as its value is a win or a loss.
"""

import argparse
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from kalahlab import engine
from kalahlab.formatting import format_grid
from kalahlab.games.kalah import Kalah
from kalahlab.search.growing import PLAYOUTS, puct, uct
from kalahlab.search.limits import Playouts

GAME = Kalah(6, 4)
MANCALA = pyspiel.load_game("mancala")
SLOW = 3000  # the most playouts of a program that is not compiled
ENGINE = "engine, UCT"


def grow(search: Callable[..., object], leaf: str, playouts: int) -> None:
    search(GAME, GAME.start(), PLAYOUTS[leaf], Playouts(playouts))


def search_by_openspiel(playouts: int) -> None:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    pyspiel.MCTSBot(MANCALA, evaluator, 2.0, playouts, 2000, False, 1, False).step(
        MANCALA.new_initial_state()
    )


def search_by_openspiel_in_python(playouts: int) -> None:
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(MANCALA, 2.0, playouts, evaluator, solve=False, random_state=random)
    bot.step(MANCALA.new_initial_state())


# name -> the search, and whether it is slow
PROGRAMS: dict[str, tuple[Callable[[int], None], bool]] = {
    ENGINE: (lambda playouts: grow(engine.uct, "random", playouts), False),
    "engine, PUCT": (lambda playouts: grow(engine.puct, "random", playouts), False),
    "engine, UCT, extra turns": (lambda playouts: grow(engine.uct, "extra_turn", playouts), False),
    "textbook, UCT": (lambda playouts: grow(uct, "random", playouts), True),
    "textbook, UCT, extra turns": (lambda playouts: grow(uct, "extra_turn", playouts), True),
    "textbook, PUCT": (lambda playouts: grow(puct, "random", playouts), True),
    "OpenSpiel, C++": (search_by_openspiel, False),
    "OpenSpiel, Python": (search_by_openspiel_in_python, True),
}


def measure(playouts: int, rounds: int) -> None:
    """Print the rates of all programs for a number of playouts."""
    rates: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for round_number in range(rounds + 1):
        for name, (search, is_slow) in PROGRAMS.items():
            count = min(playouts, SLOW) if is_slow else playouts
            start = process_time()
            search(count)
            if round_number:  # the first round loads compiled code
                rates[name].append(count / (process_time() - start))
    fastest = median(rates[ENGINE])
    rows = []
    for name, measured in rates.items():
        rate = median(measured)
        times = f"{fastest / rate:,.1f}"
        rows.append({f"{playouts:,} playouts": name, "a second": f"{rate:,.0f}", "times": times})
    print(format_grid(rows), "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--playouts", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    for number in arguments.playouts:
        measure(number, arguments.rounds)
