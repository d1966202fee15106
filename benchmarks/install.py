"""Measure how long it takes from a fresh clone to a result: explorer, smoke report, report, tests.

    python benchmarks/install.py [TARGET ...]

Each target is run in a new clone of HEAD, with nothing installed and an empty environment. The
index of packages is reached as usual, so the network counts. The second column is the time by the
time of a fixed piece of work in the same run: a textbook search of (6,4) to depth 8, on one core.
The third column is the processor time of all processes, which other work on the machine changes
least.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import pandas as pd

from kalahlab import Depth, Kalah, alpha_beta, store_difference

ROOT = Path(__file__).parents[1]
TARGETS = {
    "explorer": ["explorer"],
    "smoke report": ["report", "PROFILE=smoke"],
    "report": ["report"],
    "tests": ["test"],
}


def time_fixed_work() -> float:
    """Return the seconds of the fixed piece of work, the least of five runs."""
    game = Kalah(6, 4)
    seconds = []
    for _ in range(5):
        start = perf_counter()
        alpha_beta(game, game.start(), store_difference, Depth(8))
        seconds.append(perf_counter() - start)
    return min(seconds)


def time_target(words: list[str]) -> tuple[float, float]:
    """Return the seconds, and the processor seconds, of a target of `make` in a new clone."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = perf_counter()
        with (clone / "output").open("w") as output:
            # .ci/run removes all variables that are not needed.
            subprocess.run(
                [str(clone / ".ci" / "run"), *words], check=True, stdout=output, stderr=output
            )
        seconds = perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure the targets that are named, or all, and print a table."""
    rows = []
    for name in sys.argv[1:] or TARGETS:
        fixed = time_fixed_work()
        seconds, processor_seconds = time_target(TARGETS[name])
        row = {"target": name, "seconds": seconds, "by fixed work": seconds / fixed}
        row |= {"processor seconds": processor_seconds, "load": os.getloadavg()[0]}
        rows.append(row)
        print(pd.DataFrame([row]).round(1).to_string(index=False), flush=True)
    print(pd.DataFrame(rows).round(1).to_string(index=False))


if __name__ == "__main__":
    main()
