"""Measure the overhead of a grid: time and memory of points that take no work.

    python benchmarks/grid.py [POINTS]

Each run, with one worker and with two, of a tenth of the POINTS (10,000) and of all, is a separate
process, so that its peak memory can be measured. Results are printed and written to
benchmarks/results/grid.csv.
"""

import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import pandas as pd

from kalahlab.parallel import Row, read_rows, run_resumable


@dataclass(frozen=True)
class Number:
    """A point that is only a number."""

    value: int


def row(point: Number) -> Row:
    """Return a row with as many columns as a game's row, at no cost."""
    return {f"column {n}": point.value + n for n in range(16)}


def run(number: int, workers: int) -> Row:
    """Compute the rows of points, and then read the rows that are stored."""
    points = [Number(value) for value in range(number)]
    before = peak_mb()
    with tempfile.TemporaryDirectory() as folder:
        started, cpu_started = time.perf_counter(), time.process_time()
        path = run_resumable(row, points, Path(folder), workers)
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
        peak = peak_mb()
        started = time.perf_counter()
        run_resumable(row, points, Path(folder), workers)
        resume_seconds = time.perf_counter() - started
        assert len(read_rows(path)) == number
    return {
        "points": number,
        "workers": workers,
        "ms a point": 1000 * seconds / number,
        "CPU ms a point": 1000 * cpu / number,
        "ms a point, all kept": 1000 * resume_seconds / number,
        "peak MB": peak,
        "of these MB before": before,
    }


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(points: int) -> None:
    rows = []
    for workers, number in product((1, 2), (points // 10, points)):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            rows.append(process.submit(run, number, workers).result())
    table = pd.DataFrame(rows).round(3)
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "grid.csv", index=False)
    print(table.to_string(index=False))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
