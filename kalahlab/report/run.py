"""One notebook, run with its parameters by papermill."""

import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
import papermill
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from kalahlab.draw.items import contents
from kalahlab.report import kernel
from kalahlab.report.keys import Parameters
from kalahlab.report.manifest import Record, digests
from kalahlab.report.sources import OUT, Source

MARKER = "papermill-error-cell-tag"


@dataclass(frozen=True)
class Plan:
    """A notebook and what it is to be run with.

    changes: the parameters that differ from the notebook's own; parameters: all of them.
    """

    source: Source
    profile: str
    changes: Parameters
    parameters: Parameters
    key: str

    @property
    def cells(self) -> int:
        """How many cells of code it has."""
        return sum(cell.cell_type == "code" for cell in self.source.notebook.cells)


OnCell = Callable[[Any, int], None]
"""Called with each cell, and its index, when it starts."""


def run(plan: Plan, stage: Path, on_cell: OnCell) -> Record:
    """Run a notebook in the folder `stage`, and say how it went.

    Leaves `stage/STEM.ipynb`, executed as far as it came (without its outputs if its kernel
    died), and `stage/STEM/` with its files. The notebook's parameter `out` is relative to
    `stage`, its working directory, so that no path of this machine is written into what it shows.
    """
    stem = plan.source.stem
    executed = stage / f"{stem}.ipynb"
    started = time.perf_counter()
    error = _execute(plan, executed, on_cell)
    seconds = round(time.perf_counter() - started, 1)
    _tidy(executed)
    items = tuple(
        replace(item, files=tuple(f"{stem}/{file}" for file in item.files))
        for item in contents(stage / stem)
    )
    files = (file for item in items for file in item.files)
    return Record(
        notebook=stem,
        profile=plan.profile,
        parameters=plan.parameters,
        key=plan.key,
        status="failed" if error else "ok",
        cells=plan.cells,
        seconds=seconds,
        items=items,
        files=digests(stage, [executed.name, *files]),
        error=error,
    )


def _execute(plan: Plan, executed: Path, on_cell: OnCell) -> str | None:
    """Run it and write it to `executed`; the error in one line, if there was one."""
    stem = plan.source.stem
    shutil.copyfile(plan.source.path, executed)
    logging.getLogger("papermill").setLevel(logging.CRITICAL)  # errors are in the record
    try:
        papermill.execute_notebook(
            # papermill reads braces in a path as the name of a parameter.
            *[str(executed).replace("{", "{{").replace("}", "}}")] * 2,
            parameters={**plan.changes, OUT: stem},
            kernel_name=kernel.NAME,
            language="python",
            # Not papermill's `cwd`, which is that of this process: others run beside this one.
            resources={"metadata": {"path": str(executed.parent)}},
            progress_bar=False,
            # Else it is left among the system's temporary files when this process is killed.
            config=Config(
                ConnectionFileMixin={"connection_file": str(executed.with_suffix(".json"))}
            ),
            # Else it is written twice a cell, which takes as long as many cells do.
            request_save_on_cell_execute=False,
            on_cell_start=on_cell,
        )
    except PapermillExecutionError as error:
        return _line(f"{error.ename}: {error.evalue} (code cell {error.exec_count})")
    except Exception as error:
        # Whatever it is (a dead kernel, a time-out), the other notebooks are built all the same.
        return _line(f"{type(error).__name__}: {error}")
    return None


def _line(text: str) -> str:
    return " ".join(text.split())


def _tidy(executed: Path) -> None:
    """Take out what papermill adds for itself: times, paths, marks at the failing cell."""
    notebook = nbformat.read(executed, as_version=4)
    notebook.metadata.pop("papermill", None)
    notebook.cells = [
        cell for cell in notebook.cells if MARKER not in cell.metadata.get("tags", [])
    ]
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.id = "injected-parameters"
    nbformat.write(notebook, executed)
