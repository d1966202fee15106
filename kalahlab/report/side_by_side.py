"""Notebooks run side by side, and what is said of them meanwhile."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from kalahlab.report.kernel import end_kernels, private_kernel
from kalahlab.report.manifest import Record
from kalahlab.report.run import Plan, run
from kalahlab.report.sources import PACKAGE

EVERY = 10.0
"""Seconds between two lines that say how far the running notebooks are."""


class Running:
    """How far a notebook is."""

    def __init__(self, plan: Plan, stage: Path) -> None:
        self._plan, self._stage = plan, stage
        self._cell, self._began = 0, 0.0

    def run(self) -> Record:
        """Run it."""
        self._began = time.perf_counter()
        return run(self._plan, self._stage, self._on_cell)

    def _on_cell(self, cell: Any, cell_index: int) -> None:
        injected = "injected-parameters" in cell.metadata.get("tags", [])
        self._cell += cell.cell_type == "code" and not injected

    def __str__(self) -> str:
        if not self._began:
            return ""
        seconds = time.perf_counter() - self._began
        stem, cells = self._plan.source.stem, self._plan.cells
        return f"{stem}: cell {max(1, self._cell)} of {cells}, {seconds:.0f} s"


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    plans: Sequence[Plan],
    stage: Path,
    jobs: int,
    on_record: Callable[[Record], object],
    progress: Callable[[str], object],
) -> None:
    """Run notebooks in this order, up to `jobs` at a time, each in a process of its own.

    on_record: gets what each came to, as soon as it ends. progress: gets a line every `EVERY`
    seconds. Ctrl-C, or what `on_record` raises, ends all of them.
    """
    with private_kernel(PACKAGE.parent) as kernels, ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(each.run): each for each in [Running(plan, stage) for plan in plans]}
        try:
            _follow(running, on_record, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            # one may be starting just now
            while not all(future.done() for future in running):
                end_kernels(kernels)
                time.sleep(0.1)
            raise


def _follow(
    running: dict[Future[Record], Running],
    on_record: Callable[[Record], object],
    progress: Callable[[str], object],
) -> None:
    """Wait for all of them; `running` loses those that have ended."""
    while running:
        done = wait(running, EVERY, FIRST_COMPLETED).done
        for future in done:
            del running[future]
            on_record(future.result())
        if not done:
            progress("; ".join(filter(None, map(str, running.values()))))
