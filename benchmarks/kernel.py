"""Measure the engine's searches, and those of C++, open_spiel, easyAI and the textbook.

    python benchmarks/kernel.py [--rounds 5] [--out benchmarks/results/kernel.json]

Everything runs in rounds, one contender after the other, so that other work of the machine affects
all of them alike; figures are medians of processor time. Contenders that are not installed are left
out, with a note. The trees are the same, node for node, except easyAI's: there a player who has
earned another turn is followed by a pass that costs a ply, so only its nodes a second compare.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import Any

from kalahlab import engine, search
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth, Result

HERE = Path(__file__).resolve().parent
LARGE = ((4, 14), (6, 12), (6, 14))
"""(stones, depth) of the searches that are compared with C++."""

SMALL = (4, 8)
"""The tree that the slow contenders can search. It contains no finished game, for which
open_spiel's search returns other values."""

PASS = -1
PASSING_NODES = 13573
"""The nodes of the small tree with passes, as counted by a C++ program and two others."""

BUILDS = {
    "C++ -O3": "-O3",
    "C++ -O2": "-O2",
    "C++ -O3 lean": "-O3 -DLEAN",
    "C++ -O2 lean": "-O2 -DLEAN",
}
"""The lean builds return no line, and one count instead of four."""


START = """
import sys
from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth
for name in sys.argv[1:]:
    engine.alpha_beta(Kalah(), Kalah().start(), EVALUATORS[name], Depth(6))
"""


@dataclass
class Contender:
    """A program that searches a tree.

    Attributes:
        tree: The label of the tree.
        name: The name of the program.
        run: Searches once, and returns the seconds.
        nodes: The nodes visited in a run.
        seconds: The seconds of each counted run.
    """

    tree: str
    name: str
    run: Callable[[], float]
    nodes: int
    seconds: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return self.nodes / median(self.seconds)


def measure_time(call: Callable[[], object], times: int = 1) -> float:
    """Return the seconds of processor time of one call."""
    started = getrusage(RUSAGE_SELF).ru_utime
    for _ in range(times):
        call()
    return (getrusage(RUSAGE_SELF).ru_utime - started) / times


def count_visits(result: Result) -> int:
    return result.counts.expanded + result.counts.evaluated


def make_own(backend: Any, tree: tuple[int, int], name: str, times: int) -> Contender:
    """Make a contender of a backend of this package."""
    game = Kalah(6, tree[0])

    def call() -> Result:
        return backend.alpha_beta(game, game.start(), store_difference, Depth(tree[1]))

    return Contender(label(*tree), name, lambda: measure_time(call, times), count_visits(call()))


def label(stones: int, depth: int) -> str:
    return f"(6,{stones}) depth {depth}"


def make_cpp(folder: Path) -> list[Contender]:
    """Build the C++ program in all ways, for the large trees."""
    compiler = shutil.which("g++")
    if not compiler:
        print("no g++: the yardstick is left out")
        return []
    contenders = []
    for name, options in BUILDS.items():
        binary = folder / name.replace(" ", "")
        flags = ["-std=c++17", *options.split(), "-march=native"]
        subprocess.run([compiler, *flags, "-o", binary, HERE / "kalah.cpp"], check=True)
        contenders += [make_yardstick(binary, name, tree) for tree in LARGE]
    return contenders


def make_yardstick(binary: Path, name: str, tree: tuple[int, int]) -> Contender:
    """Make a contender of a built C++ program."""

    def run() -> list[str]:
        command = [binary, *(str(number) for number in tree), "1"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    return Contender(label(*tree), name, lambda: float(run()[2]), int(run()[1]))


def make_open_spiel() -> list[Contender]:
    """Make a contender of open_spiel's alpha_beta_search, and check that its tree is ours."""
    if not find_spec("pyspiel"):
        print("no open_spiel: left out")
        return []
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game, our_game = pyspiel.load_game("mancala"), Kalah(6, SMALL[0])
    leaves = 0

    def value(state: Any) -> float:
        nonlocal leaves
        leaves += 1
        board = state.observation_tensor(0)
        return board[7] - board[0]

    def call() -> Any:
        return alpha_beta_search(
            game, value_function=value, maximum_depth=SMALL[1], maximizing_player_id=0
        )

    ours = engine.alpha_beta(our_game, our_game.start(), store_difference, Depth(SMALL[1]))
    if (call()[0], leaves) != (ours.value, ours.counts.evaluated):
        raise SystemExit("open_spiel walks another tree")
    nodes = count_visits(ours)
    return [Contender(label(*SMALL), "open_spiel", lambda: measure_time(call), nodes)]


def make_easy_ai() -> list[Contender]:
    """Make a contender of easyAI's Negamax, with a game that is written to be fast in it."""
    if not find_spec("easyAI"):
        print("no easyAI: left out")
        return []
    from easyAI import Negamax, TwoPlayerGame

    class Mancala(TwoPlayerGame):
        """Kalah(6, n) with strictly alternating moves: an earned turn makes the other pass."""

        def __init__(self) -> None:
            self.board, self.passing, self.current_player = [SMALL[0]] * 14, False, 1
            self.board[6] = self.board[13] = 0
            self.history: list[tuple[list[int], bool]] = []
            self.visits = 1

        def possible_moves(self) -> list[int]:
            if self.passing:
                return [PASS]
            base = 7 * self.current_player - 7
            return [pit for pit in range(6) if self.board[base + pit]]

        def make_move(self, move: int) -> None:
            self.visits += 1
            self.history.append((self.board, self.passing))
            if move == PASS:
                self.passing = False
                return
            base = 7 * self.current_player - 7
            store, skipped = (6, 13) if base == 0 else (13, 6)
            place = base + move
            board = self.board[:]
            count, board[place] = board[place], 0
            while count:
                place = place + 1 if place < 13 else 0
                if place != skipped:
                    board[place] += 1
                    count -= 1
            if place - base in range(6) and board[place] == 1 and board[12 - place]:
                board[store] += 1 + board[12 - place]
                board[place] = board[12 - place] = 0
            self.board, self.passing = board, place == store
            if not any(board[:6]) or not any(board[7:13]):
                self.board = [0] * 6 + [sum(board[:7])] + [0] * 6 + [sum(board[7:])]

        def unmake_move(self, move: int) -> None:
            self.board, self.passing = self.history.pop()

        def is_over(self) -> bool:
            return not any(self.board[:6])

        def scoring(self) -> int:
            ahead = self.board[6] - self.board[13]
            return ahead if self.current_player == 1 else -ahead

    def call() -> Any:
        game = Mancala()
        Negamax(SMALL[1], win_score=1000)(game)
        return game

    nodes = call().visits
    if nodes != PASSING_NODES:
        raise SystemExit(f"easyAI visits {nodes} nodes, not {PASSING_NODES}")
    return [Contender(f"{label(*SMALL)}, passing", "easyAI", lambda: measure_time(call), nodes)]


def measure_start_up(rounds: int) -> dict[str, float]:
    """Return the processor seconds of processes that search, with a cold and a warm cache."""
    searches = {"store difference": ["store_difference"], "all evaluators": list(EVALUATORS)}
    seconds = {}
    for name, evaluators in searches.items():
        with tempfile.TemporaryDirectory() as folder:
            cold = measure_process(evaluators, folder)
            warm = [measure_process(evaluators, folder) for _ in range(rounds)]
        seconds[f"cold, {name}"] = cold
        seconds[f"warm, {name}"] = median(warm)
    return seconds


def measure_process(names: list[str], cache: str) -> float:
    """Return the processor seconds of a process that searches with evaluators."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", START, *names], env=environment, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_rounds(contenders: list[Contender], rounds: int) -> None:
    """Run all, one after the other, in rounds; the first one warms up and is not counted."""
    for number in range(rounds + 1):
        for contender in contenders:
            seconds = contender.run()
            if number > 0:
                contender.seconds.append(seconds)


def compute_ratios(contenders: list[Contender]) -> dict[str, float]:
    """Return the engine's nodes a second divided by those of each other contender on its tree.

    If the trees differ, the engine's on a large tree are used: the processor predicts a small tree
    that is searched again and again.
    """
    rates = {one.tree: one.rate for one in contenders if one.name == "engine"}
    default = rates[label(*LARGE[0])]
    return {
        f"engine / {one.name}, {one.tree}": rates.get(one.tree, default) / one.rate
        for one in contenders
        if one.name != "engine"
    }


def describe_environment() -> dict[str, str]:
    """Return the machine and the versions of all programs."""
    versions = {"machine": describe_cpu(), "python": platform.python_version()}
    for package in ("numba", "llvmlite", "open_spiel", "easyAI"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    compiler = shutil.which("g++")
    if compiler:
        process = subprocess.run(
            [compiler, "-dumpfullversion"], check=True, capture_output=True, text=True
        )
        versions["g++"] = process.stdout.strip()
    return versions


def describe_cpu() -> str:
    name = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":")[1].strip()
    return f"{name}, {os.cpu_count()} processors"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "kernel.json")
    args = parser.parse_args()
    started = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        contenders = [make_own(engine, tree, "engine", 1) for tree in LARGE]
        contenders += make_cpp(Path(folder))
        contenders.append(make_own(engine, SMALL, "engine", 200))
        contenders += make_open_spiel()
        contenders += make_easy_ai()
        contenders.append(make_own(search, SMALL, "textbook", 1))
        run_rounds(contenders, args.rounds)
    for one in contenders:
        print(f"{one.tree:27} {one.name:14} {one.nodes:>9} nodes {one.rate / 1e6:9.3f} M/s")
    ratios, start_up = compute_ratios(contenders), measure_start_up(3)
    results = {
        "about": describe_environment(),
        "contenders": [
            {"tree": one.tree, "name": one.name, "nodes": one.nodes, "seconds": one.seconds}
            for one in contenders
        ],
        "ratios": ratios,
        "start_up": start_up,
    }
    print()
    for name, ratio in ratios.items():
        print(f"{name:54} {ratio:8.2f}")
    print()
    for name, seconds in start_up.items():
        print(f"{name:54} {seconds:8.2f} s")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\n{args.out}, after {perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
