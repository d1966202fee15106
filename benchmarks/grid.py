"""What the grid itself costs: time and memory of points whose work is nothing.

    python benchmarks/grid.py [POINTS]

Each run, with one worker and with two, of a tenth of the POINTS (10,000) and of all, is a
process of its own, whose peak memory is its own then. Results are printed and written to
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
    """A point that is nothing but its number."""

    value: int


def row(point: Number) -> Row:
    """As many columns as a game's row has, at no cost."""
    return {f"column {n}": point.value + n for n in range(16)}


def run(number: int, workers: int) -> Row:
    """Work through so many points, and go through them again with all rows kept."""
    points = [Number(value) for value in range(number)]
    before = peak_mb()
    with tempfile.TemporaryDirectory() as folder:
        began, cpu = time.perf_counter(), time.process_time()
        path = run_resumable(row, points, Path(folder), workers)
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        peak = peak_mb()
        again = time.perf_counter()
        run_resumable(row, points, Path(folder), workers)
        again = time.perf_counter() - again
        assert len(read_rows(path)) == number
    return {
        "points": number,
        "workers": workers,
        "ms a point": 1000 * took / number,
        "CPU ms a point": 1000 * cpu / number,
        "ms a point, all kept": 1000 * again / number,
        "peak MB": peak,
        "of these MB before": before,
    }


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(points: int) -> None:
    rows = []
    for workers, number in product((1, 2), (points // 10, points)):
        with ProcessPoolExecutor(1, get_context("spawn")) as apart:
            rows.append(apart.submit(run, number, workers).result())
    table = pd.DataFrame(rows).round(3)
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "grid.csv", index=False)
    print(table.to_string(index=False))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
