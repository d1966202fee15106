"""How fast the engine's searches are, beside C++, open_spiel, easyAI and the textbook.

    python benchmarks/kernel.py [--rounds 5] [--out benchmarks/results/kernel.json]

Everything runs in rounds, one contender after the other, so that what else the machine does
falls on all of them alike; figures are medians of processor time. What is not installed is
left out and said to be. The trees are the same, node for node, but easyAI's: there a player who has
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
"""(stones, depth) of the searches that are set against C++."""

SMALL = (4, 8)
"""The tree that the slow ones can walk. It holds no finished game, which open_spiel's search
values otherwise."""

PASS, PASSING_NODES = -1, 13573
"""The nodes of the small tree with passes, as a C++ program and two others counted them."""

BUILDS = {
    "C++ -O3": "-O3",
    "C++ -O2": "-O2",
    "C++ -O3 lean": "-O3 -DLEAN",
    "C++ -O2 lean": "-O2 -DLEAN",
}
"""Lean: no line, and one count instead of four."""


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
    """Something that searches. run: once, giving its seconds; nodes: visited in a run."""

    tree: str
    name: str
    run: Callable[[], float]
    nodes: int
    seconds: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return self.nodes / median(self.seconds)


def measure_time(call: Callable[[], object], times: int = 1) -> float:
    """Seconds of processor time of one call."""
    began = getrusage(RUSAGE_SELF).ru_utime
    for _ in range(times):
        call()
    return (getrusage(RUSAGE_SELF).ru_utime - began) / times


def count_visits(result: Result) -> int:
    return result.counts.expanded + result.counts.evaluated


def of_package(half: Any, tree: tuple[int, int], name: str, times: int) -> Contender:
    """A search of our own."""
    game = Kalah(6, tree[0])

    def call() -> Result:
        return half.alpha_beta(game, game.start(), store_difference, Depth(tree[1]))

    return Contender(label(*tree), name, lambda: measure_time(call, times), count_visits(call()))


def label(stones: int, depth: int) -> str:
    return f"(6,{stones}) depth {depth}"


def cpp(folder: Path) -> list[Contender]:
    """The yardstick, built in all ways, on the large trees."""
    if not (compiler := shutil.which("g++")):
        print("no g++: the yardstick is left out")
        return []
    found = []
    for name, options in BUILDS.items():
        binary = folder / name.replace(" ", "")
        flags = ["-std=c++17", *options.split(), "-march=native"]
        subprocess.run([compiler, *flags, "-o", binary, HERE / "kalah.cpp"], check=True)
        found += [yardstick(binary, name, tree) for tree in LARGE]
    return found


def yardstick(binary: Path, name: str, tree: tuple[int, int]) -> Contender:
    def once() -> list[str]:
        command = [binary, *(str(number) for number in tree), "1"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    return Contender(label(*tree), name, lambda: float(once()[2]), int(once()[1]))


def open_spiel() -> list[Contender]:
    """open_spiel's alpha_beta_search on the small tree, to which it must come as we do."""
    if not find_spec("pyspiel"):
        print("no open_spiel: left out")
        return []
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game, stones_in = pyspiel.load_game("mancala"), Kalah(6, SMALL[0])
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

    ours = engine.alpha_beta(stones_in, stones_in.start(), store_difference, Depth(SMALL[1]))
    if (call()[0], leaves) != (ours.value, ours.counts.evaluated):
        raise SystemExit("open_spiel walks another tree")
    return [Contender(label(*SMALL), "open_spiel", lambda: measure_time(call), count_visits(ours))]


def easy_ai() -> list[Contender]:
    """easyAI's Negamax on the small board, with a game written for it as it likes it best."""
    if not find_spec("easyAI"):
        print("no easyAI: left out")
        return []
    from easyAI import Negamax, TwoPlayerGame

    class Mancala(TwoPlayerGame):
        """Kalah(6, n) with strictly alternating moves: an earned turn makes the other pass."""

        def __init__(self) -> None:
            self.board, self.passing, self.current_player = [SMALL[0]] * 14, False, 1
            self.board[6] = self.board[13] = 0
            self.before: list[tuple[list[int], bool]] = []
            self.visited = 1

        def possible_moves(self) -> list[int]:
            if self.passing:
                return [PASS]
            base = 7 * self.current_player - 7
            return [pit for pit in range(6) if self.board[base + pit]]

        def make_move(self, move: int) -> None:
            self.visited += 1
            self.before.append((self.board, self.passing))
            if move == PASS:
                self.passing = False
                return
            base = 7 * self.current_player - 7
            store, skipped, at = base + 6, 13 - base if base == 0 else 6, base + move
            board = self.board[:]
            count, board[at] = board[at], 0
            while count:
                at = at + 1 if at < 13 else 0
                if at != skipped:
                    board[at] += 1
                    count -= 1
            if at - base in range(6) and board[at] == 1 and board[12 - at]:
                board[store] += 1 + board[12 - at]
                board[at] = board[12 - at] = 0
            self.board, self.passing = board, at == store
            if not any(board[:6]) or not any(board[7:13]):
                self.board = [0] * 6 + [sum(board[:7])] + [0] * 6 + [sum(board[7:])]

        def unmake_move(self, move: int) -> None:
            self.board, self.passing = self.before.pop()

        def is_over(self) -> bool:
            return not any(self.board[:6])

        def scoring(self) -> int:
            ahead = self.board[6] - self.board[13]
            return ahead if self.current_player == 1 else -ahead

    def call() -> Any:
        game = Mancala()
        Negamax(SMALL[1], win_score=1000)(game)
        return game

    if (nodes := call().visited) != PASSING_NODES:
        raise SystemExit(f"easyAI visits {nodes} nodes, not {PASSING_NODES}")
    return [Contender(f"{label(*SMALL)}, passing", "easyAI", lambda: measure_time(call), nodes)]


def start_up(rounds: int) -> dict[str, float]:
    """Processor seconds of whole processes that search, compiling and not."""
    searches = {"store difference": ["store_difference"], "all evaluators": list(EVALUATORS)}
    seconds = {}
    for what, names in searches.items():
        with tempfile.TemporaryDirectory() as folder:
            seconds[f"cold, {what}"] = process(names, folder)
            seconds[f"warm, {what}"] = median(process(names, folder) for _ in range(rounds))
    return seconds


def process(names: list[str], cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", START, *names], env=environment, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def play(contenders: list[Contender], rounds: int) -> None:
    """Let all run, one after the other, in rounds; the first warms up and is not counted."""
    for number in range(rounds + 1):
        for contender in contenders:
            seconds = contender.run()
            if number:
                contender.seconds.append(seconds)


def ratios(contenders: list[Contender]) -> dict[str, float]:
    """The engine's nodes a second over those of each other contender on its tree.

    Where the trees differ, the engine's on a large tree is taken: a small one, walked again
    and again, is learnt by heart by the processor.
    """
    engines = {c.tree: c.rate for c in contenders if c.name == "engine"}
    large = engines[label(*LARGE[0])]
    return {
        f"engine / {c.name}, {c.tree}": engines.get(c.tree, large) / c.rate
        for c in contenders
        if c.name != "engine"
    }


def about() -> dict[str, str]:
    """What ran, and where."""
    found = {"machine": cpu(), "python": platform.python_version()}
    for package in ("numba", "llvmlite", "open_spiel", "easyAI"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    if compiler := shutil.which("g++"):
        found["g++"] = subprocess.run(
            [compiler, "-dumpfullversion"], check=True, capture_output=True, text=True
        ).stdout.strip()
    return found


def cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} processors"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "kernel.json")
    asked = parser.parse_args()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        contenders = [of_package(engine, tree, "engine", 1) for tree in LARGE]
        contenders += [*cpp(Path(folder)), of_package(engine, SMALL, "engine", 200)]
        contenders += [*open_spiel(), *easy_ai(), of_package(search, SMALL, "textbook", 1)]
        play(contenders, asked.rounds)
    for one in contenders:
        print(f"{one.tree:27} {one.name:14} {one.nodes:>9} nodes {one.rate / 1e6:9.3f} M/s")
    results = {
        "about": about(),
        "contenders": [
            {"tree": c.tree, "name": c.name, "nodes": c.nodes, "seconds": c.seconds}
            for c in contenders
        ],
        "ratios": ratios(contenders),
        "start_up": start_up(3),
    }
    for what in ("ratios", "start_up"):
        print()
        for name, number in results[what].items():
            print(f"{name:54} {number:8.2f}{' s' if what == 'start_up' else ''}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\n{asked.out}, after {perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
