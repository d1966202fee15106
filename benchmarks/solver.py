"""What perfect play costs: the endgame database, and solving from nothing.

    python benchmarks/solver.py [--rounds 3] [--large] [--out benchmarks/results/solver.json]

Everything runs in rounds, one after the other, each in a process of its own that has loaded
its compiled code, with an empty folder for databases; figures are medians. `--large` adds
(6,5): some minutes and 6 GB. Peak memory stands beside what the solver announced.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tqdm import tqdm

HERE = Path(__file__).resolve().parent
MEMORY = 6 * 10**9

DATABASE = """
import json, sys, time
from kalahlab.solver.endgame.database import build
from kalahlab.solver.prover import warm_up
from kalahlab.games.kalah import STANDARD
warm_up()
count, workers = map(int, sys.argv[1:])
build(6, 14, STANDARD, workers)
began, used = time.perf_counter(), time.process_time()
size = build(6, count, STANDARD, workers).values.size
print(json.dumps({"wall": time.perf_counter() - began, "cpu": time.process_time() - used,
                  "positions": size}))
"""

SOLVE = """
import json, resource, sys, tempfile, time
from pathlib import Path
from kalahlab.solver.prover import warm_up
from kalahlab.solver.solve import solve
from kalahlab.games.kalah import PRESETS, Kalah
pits, stones, rules, moves, workers, memory = sys.argv[1:]
warm_up()
said = []
began, used = time.perf_counter(), time.process_time()
with tempfile.TemporaryDirectory() as folder:
    found = solve(Kalah(int(pits), int(stones)).start(), PRESETS[rules], moves=moves == "moves",
                  workers=int(workers), memory_bytes=int(memory), folder=Path(folder), keep=False,
                  progress=lambda news: news.stage == "memory" and said.append(news.bytes))
print(json.dumps({"wall": time.perf_counter() - began, "cpu": time.process_time() - used,
                  "value": found.value, "nodes": found.nodes, "stones": found.database_stones,
                  "announced": said[0],
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


@dataclass
class Task:
    """A process to time. figures: of each round, as it printed them."""

    name: str
    code: str
    words: tuple[object, ...]
    figures: list[dict[str, Any]] = field(default_factory=list)

    def run(self) -> None:
        command = [sys.executable, "-c", self.code, *map(str, self.words)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE.parent)
        self.figures.append(json.loads(done.stdout))

    def middle(self, name: str) -> float:
        return median(figure[name] for figure in self.figures)


def database_tasks() -> list[Task]:
    return [
        Task(f"database of {count} stones, {workers} core{'s' * (workers > 1)}", DATABASE, words)
        for count in (18, 20, 22)
        for workers in (1, 2)
        for words in [(count, workers)]
    ]


def solve_tasks(large: bool) -> list[Task]:
    boards = [(6, 4, 1), (6, 4, 2)] + [(6, 5, 2)] * large
    return [
        Task(
            f"({pits},{stones}) {rules}, {what}, {workers} core{'s' * (workers > 1)}",
            SOLVE,
            (pits, stones, rules, what, workers, MEMORY),
        )
        for pits, stones, workers in boards
        for rules in ("standard", "empty-capture")
        for what in ("value", "moves")
        if (workers, what) != (1, "moves")
    ]


def ratios(databases: list[Task], solves: list[Task]) -> dict[str, float]:
    """How many times faster two cores are, by the wall."""
    pairs = list(zip(databases[::2], databases[1::2], strict=True))
    by_name = {task.name: task for task in solves}
    pairs += [
        (task, by_name[task.name.replace("1 core", "2 cores")])
        for task in solves
        if task.name.endswith("1 core")
    ]
    return {
        f"{one.name.removesuffix(', 1 core')}: one core / two": one.middle("wall")
        / two.middle("wall")
        for one, two in pairs
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true", help="solve (6,5), too")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "solver.json")
    given = parser.parse_args()
    databases, solves = database_tasks(), solve_tasks(given.large)
    for _ in tqdm(range(given.rounds), unit="round"):
        for task in tqdm(databases + solves, leave=False):
            task.run()
    for task in databases:
        nanoseconds = 1e9 / task.figures[0]["positions"]
        print(
            f"{task.name:45} {task.middle('wall') * nanoseconds:5.1f} ns a position by the wall, "
            f"{task.middle('cpu') * nanoseconds:.1f} of processor time"
        )
    for task in solves:
        print(
            f"{task.name:45} {task.middle('wall'):5.1f} s, {task.middle('cpu'):.1f} of processor "
            f"time; peak {task.middle('peak') / 1e9:.2f} GB, {task.middle('announced') / 1e9:.2f} "
            f"announced; {task.middle('nodes'):,.0f} nodes"
        )
    found = ratios(databases, solves)
    for name, ratio in found.items():
        print(f"{name:60} {ratio:.2f}")
    given.out.parent.mkdir(exist_ok=True)
    tasks = {task.name: task.figures for task in databases + solves}
    given.out.write_text(json.dumps({"ratios": found, "rounds": tasks}, indent=1) + "\n")


if __name__ == "__main__":
    main()
