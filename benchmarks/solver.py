"""Measure perfect play: building the endgame database, and solving without stored files.

    python benchmarks/solver.py [--rounds 3] [--large] [--out benchmarks/results/solver.json]

Everything runs in rounds, one task after the other, each in a separate process that has loaded its
compiled code, with an empty folder for databases; figures are medians. `--large` adds (6,5), which
takes some minutes and 6 GB. Peak memory is printed with the memory that the solver announced.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import product
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
from kalahlab.games.rules import STANDARD
warm_up()
count, workers = map(int, sys.argv[1:])
build(6, 14, STANDARD, workers)
wall, cpu = time.perf_counter(), time.process_time()
size = build(6, count, STANDARD, workers).values.size
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu,
                  "positions": size}))
"""

SOLVE = """
import json, resource, sys, tempfile, time
from pathlib import Path
from kalahlab.solver.prover import warm_up
from kalahlab.solver.solve import solve
from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS
pits, stones, rules, moves, workers, memory = sys.argv[1:]
warm_up()
announced = []
def on_progress(progress):
    if progress.stage == "memory":
        announced.append(progress.bytes)
wall, cpu = time.perf_counter(), time.process_time()
with tempfile.TemporaryDirectory() as folder:
    solution = solve(Kalah(int(pits), int(stones)).start(), PRESETS[rules], moves=moves == "moves",
                     workers=int(workers), memory_bytes=int(memory), folder=Path(folder),
                     keep=False, progress=on_progress)
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu,
                  "value": solution.value, "nodes": solution.nodes,
                  "stones": solution.database_stones, "announced": announced[0],
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


@dataclass
class Task:
    """A process to measure. `figures` has what it printed, by round."""

    name: str
    code: str
    words: tuple[object, ...]
    figures: list[dict[str, Any]] = field(default_factory=list)

    def run(self) -> None:
        command = [sys.executable, "-c", self.code, *map(str, self.words)]
        process = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=HERE.parent
        )
        self.figures.append(json.loads(process.stdout))

    def median(self, name: str) -> float:
        return median(figure[name] for figure in self.figures)


CORES = {1: "1 core", 2: "2 cores"}


def make_database_tasks() -> list[Task]:
    tasks = []
    for count, workers in product((18, 20, 22), (1, 2)):
        name = f"database of {count} stones, {CORES[workers]}"
        tasks.append(Task(name, DATABASE, (count, workers)))
    return tasks


def make_solve_tasks(large: bool) -> list[Task]:
    boards = [(6, 4, 1), (6, 4, 2)]
    if large:
        boards.append((6, 5, 2))
    tasks = []
    for (pits, stones, workers), rules in product(boards, ("standard", "empty-capture")):
        for goal in ("value",) if workers == 1 else ("value", "moves"):
            name = f"({pits},{stones}) {rules}, {goal}, {CORES[workers]}"
            tasks.append(Task(name, SOLVE, (pits, stones, rules, goal, workers, MEMORY)))
    return tasks


def compute_ratios(tasks: list[Task]) -> dict[str, float]:
    """Return the wall times with one core divided by those with two."""
    by_name = {task.name: task for task in tasks}
    ratios = {}
    for task in tasks:
        if task.name.endswith(", 1 core"):
            two_cores = by_name[task.name.replace("1 core", "2 cores")]
            name = f"{task.name.removesuffix(', 1 core')}: one core / two"
            ratios[name] = task.median("wall") / two_cores.median("wall")
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true", help="solve (6,5), too")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "solver.json")
    args = parser.parse_args()
    databases, solves = make_database_tasks(), make_solve_tasks(args.large)
    for _ in tqdm(range(args.rounds), unit="round"):
        for task in tqdm(databases + solves, leave=False):
            task.run()
    for task in databases:
        nanoseconds = 1e9 / task.figures[0]["positions"]
        print(
            f"{task.name:45} {task.median('wall') * nanoseconds:5.1f} ns a position by the wall, "
            f"{task.median('cpu') * nanoseconds:.1f} of processor time"
        )
    for task in solves:
        print(
            f"{task.name:45} {task.median('wall'):5.1f} s, {task.median('cpu'):.1f} of processor "
            f"time; peak {task.median('peak') / 1e9:.2f} GB, {task.median('announced') / 1e9:.2f} "
            f"announced; {task.median('nodes'):,.0f} nodes"
        )
    ratios = compute_ratios(databases + solves)
    for name, ratio in ratios.items():
        print(f"{name:60} {ratio:.2f}")
    args.out.parent.mkdir(exist_ok=True)
    tasks = {task.name: task.figures for task in databases + solves}
    args.out.write_text(json.dumps({"ratios": ratios, "rounds": tasks}, indent=1) + "\n")


if __name__ == "__main__":
    main()
