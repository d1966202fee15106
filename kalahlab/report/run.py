"""Execution of notebooks with their parameters by papermill, several at a time."""

import logging
import os
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import matplotlib as mpl
import nbformat
import papermill
import psutil
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError, strip_color
from traitlets.config import Config

from kalahlab.files import temporary_folder
from kalahlab.formatting import to_json
from kalahlab.report.forked_kernels import can_serve, kernel_server
from kalahlab.report.items import CONTENTS, Item, load_items
from kalahlab.report.manifest import Record, digests
from kalahlab.report.sources import OUT, PACKAGE, Plan
from kalahlab.user_code import is_user_file

KERNEL = "python3"
LAUNCHER = "kalahlab.report.forked_kernels"  # the module that a kernel's process runs
# Tags of papermill: of the cell that it adds above a failed one, and of the run's parameters.
ERROR_TAG, INJECTED_TAG = "papermill-error-cell-tag", "injected-parameters"
MAY_RAISE_TAG, SKIP_TAG = "raises-exception", "skip-execution"  # tags that Jupyter knows
FRAME = re.compile(r"^File (.+?):(\d+)", re.MULTILINE)  # in a traceback of IPython
ADD_FOLDER = "import kalahlab.user_code; kalahlab.user_code.UserModules.add"
PROGRESS_INTERVAL_S = 10.0  # between two lines on the progress of the running notebooks
START_TIMEOUT_S = 600  # the longest start of a kernel: on a busy machine a minute is too short


class _Run:
    """A run of a notebook, which is complete only if its last cell has run.

    The outcome of each cell is read from the kernel's replies, and not from papermill. Papermill
    takes `sys.exit()` for a success, and takes an error for a failure that the tag `MAY_RAISE_TAG`
    announces.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._began = 0.0  # seconds of `time.perf_counter`; 0 before the run
        self._cell = 0  # the number of the code cell that was begun last, from 1
        self._succeeded = True  # whether this cell has ended without an error
        self._reply: Mapping[str, Any] = {}  # the kernel's last reply
        self._notebook: Any = None  # the cells executed so far; None before the kernel has started

    def __call__(self, stage: Path) -> Record:
        """Run the notebook and return its record.

        Write `stage/STEM.ipynb`, as far as it has run, and `stage/STEM/` with its files. Its
        parameter `out` is relative to `stage`, so that outputs contain no path of this machine.
        """
        plan, stem = self._plan, self._plan.source.stem
        executed = stage / f"{stem}.ipynb"
        nbformat.write(plan.source.without_outputs(), executed)
        self._began = time.perf_counter()
        message = plan.source.error or self._execute(executed)
        seconds = round(time.perf_counter() - self._began, 1)
        _tidy(executed)
        items, lost = _collect_artifacts(stage, stem)
        message = message or lost
        files = [executed.name]
        for item in items:
            files += item.files
        return Record(
            notebook=stem,
            profile=plan.profile,
            parameters=plan.parameters,
            changed=plan.changed,
            key=plan.key,
            status="failed" if message else "ok",
            cells=plan.cells,
            seconds=seconds,
            items=items,
            files=digests(stage, files),
            error=" ".join(message.split()) or None,
        )

    def _execute(self, executed: Path) -> str:
        """Run the notebook and write it to `executed`; return why it is incomplete, or ""."""
        logging.getLogger("papermill").setLevel(logging.CRITICAL)  # errors are in the record
        # papermill reads braces in a path as the name of a parameter.
        path = str(executed).replace("{", "{{").replace("}", "}}")
        message = ""
        try:
            papermill.execute_notebook(
                path,
                path,
                parameters={**self._plan.changes, OUT: self._plan.source.stem},
                kernel_name=KERNEL,
                language="python",
                # Not papermill's `cwd`, which is that of this process: notebooks run in parallel.
                resources={"metadata": {"path": str(executed.parent)}},
                progress_bar=False,
                start_timeout=START_TIMEOUT_S,
                # By default the connection file is in the system's temporary folder, and stays
                # there if this process is killed.
                config=Config(
                    ConnectionFileMixin={"connection_file": str(executed.with_suffix(".json"))}
                ),
                # By default papermill saves twice a cell, which takes longer than many cells.
                request_save_on_cell_execute=False,
                on_notebook_start=self._start,
                on_cell_start=self._start_cell,
                on_cell_executed=self._end_cell,
            )
        except PapermillExecutionError:
            pass  # a cell raised an error, which is in its reply, too
        except Exception as error:
            # A dead kernel or a time-out does not stop the other notebooks.
            message = f"{type(error).__name__}: {error}"
            if self._notebook:
                nbformat.write(self._notebook, executed)
        return self._failure(message)

    def _start(self, notebook: Any) -> None:
        self._notebook = notebook

    def _start_cell(self, cell: Any, cell_index: int) -> None:
        # `cell_index` is not used, as it counts the Markdown cells and the injected cell, too.
        if cell.cell_type == "code" and INJECTED_TAG not in cell.metadata.get("tags", []):
            self._cell += 1
            # An empty or skipped cell is not run, so that no reply follows.
            self._succeeded = not cell.source.strip() or SKIP_TAG in cell.metadata.get("tags", [])

    def _end_cell(self, cell: Any, cell_index: int, execute_reply: Mapping[str, Any]) -> None:
        self._reply = execute_reply["content"]
        for payload in self._reply.get("payload", ()):
            if payload["source"] == "ask_exit" and not payload["keepkernel"]:
                # The kernel would still run a cell that arrives within a tenth of a second.
                raise DeadKernelError("the cell ended the kernel, as quit() does")
        self._succeeded = self._reply["status"] == "ok" or MAY_RAISE_TAG in cell.metadata.get(
            "tags", []
        )

    def _failure(self, message: str) -> str:
        """Return why the notebook stopped, and where.

        Args:
            message: Why the run ended, "" if the kernel's last reply tells it.

        Returns:
            The message alone if all cells have run: "" after a complete run. Else the message, or
            the error in the reply, with the place and the number of cells that were not run.
        """
        cells = [cell for cell in self._plan.source.notebook.cells if cell.cell_type == "code"]
        unrun = len([cell for cell in cells[self._cell :] if cell.source.strip()])
        if self._succeeded and not unrun:
            return message
        place = f"stopped at code cell {self._cell}" if self._cell else "before its first cell"
        if not message:
            message = self._describe_reply()
            place += _user_line(self._reply.get("traceback", ()))
        if unrun == 1:
            place += "; 1 cell was not run"
        elif unrun:
            place += f"; {unrun} cells were not run"
        return f"{message} ({place})"

    def _describe_reply(self) -> str:
        name, text = self._reply.get("ename", ""), self._reply.get("evalue", "")
        if text:
            return f"{name}: {text}"
        return name or "the kernel aborted the cell"

    def __str__(self) -> str:
        """Return the progress in a line; "" before the run has begun."""
        if not self._began:
            return ""
        seconds = time.perf_counter() - self._began
        stem, cells = self._plan.source.stem, self._plan.cells
        return f"{stem}: cell {max(1, self._cell)} of {cells}, {seconds:.0f} s"


def _user_line(traceback: Iterable[str]) -> str:
    """Return `, FILE, line N`: the innermost line in a user's module; "" if there is none."""
    place = ""
    # The innermost line comes last. IPython writes ~ for the home folder.
    for file, line in FRAME.findall(strip_color("\n".join(traceback))):
        if is_user_file(str(Path(file).expanduser())):
            place = f", {Path(file).name}, line {line}"
    return place


def _collect_artifacts(stage: Path, stem: str) -> tuple[tuple[Item, ...], str]:
    """Return the artifacts with all their files, and a message about a missing file, or ""."""
    try:
        items = load_items(stage / stem)
    except (ValueError, TypeError, LookupError, AttributeError, OSError):
        return (), f"{stem}/{CONTENTS} was changed after artifacts wrote it"
    complete, lost = [], []
    for item in items:
        missing = [file for file in item.files if not (stage / file).is_file()]
        if missing:
            lost += missing
        else:
            complete.append(item)
    message = f"{lost[0]}, which the notebook made, is gone" if lost else ""
    return tuple(complete), message


def _tidy(executed: Path) -> None:
    """Remove the metadata that papermill adds: times, paths, marks at the failing cell."""
    notebook = nbformat.read(executed, as_version=4)
    notebook.cells = [
        cell for cell in notebook.cells if ERROR_TAG not in cell.metadata.get("tags", [])
    ]
    for part in (notebook, *notebook.cells):
        part.metadata.pop("papermill", None)
        part.metadata.pop("execution", None)
        if INJECTED_TAG in part.metadata.get("tags", []):
            part.id = INJECTED_TAG  # papermill gives a random id
    nbformat.write(notebook, executed)


def run_all(
    plans: Sequence[Plan],
    stage: Path,
    jobs: int,
    on_record: Callable[[Record], object],
    progress: Callable[[str], object],
) -> None:
    """Run notebooks in this order, each in its own process.

    Args:
        plans: The notebooks and their parameters.
        stage: The folder for the results.
        jobs: The largest number of notebooks that run at the same time.
        on_record: Called with the record of each notebook as soon as the notebook ends. If this
            function raises an exception, all notebooks are ended.
        progress: Called with a line about the running notebooks, every `PROGRESS_INTERVAL_S`.
    """
    forked = len(plans) > 1
    folders = sorted({plan.source.folder for plan in plans})
    kernel = private_kernel(PACKAGE.parent, forked, folders)
    with kernel as place, ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(run, stage): run for run in map(_Run, plans)}
        try:
            while running:
                done = wait(running, PROGRESS_INTERVAL_S, FIRST_COMPLETED).done
                for future in done:
                    del running[future]
                    on_record(future.result())
                if not done:
                    progress("; ".join(filter(None, map(str, running.values()))))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            # A kernel may be just starting, so kernels are killed until all runs have ended.
            while not all(future.done() for future in running):
                end_kernels(place)
                time.sleep(0.1)
            raise


@contextmanager
def private_kernel(
    package_root: Path, forked: bool = False, folders: Iterable[Path] = ()
) -> Iterator[Path]:
    """Define the kernel `python3` as this interpreter, which can import from `package_root`.

    Args:
        package_root: The folder of the package.
        forked: Fork kernels from one process if the machine can; see `forked_kernels`.
        folders: The folders of the notebooks, whose modules cells can import.

    Yields:
        The folder for all files that kernels write, by which `end_kernels` finds the kernels.
    """
    # Cells can import modules of these folders, as user functions of the command line can.
    importable = [os.getcwd(), *(str(folder.resolve()) for folder in folders)]
    options = [
        # Level 50 hides the warning at each start that TCP is not encrypted (the kernel listens on
        # this machine only), and the error when a kernel is interrupted. Cells show their errors.
        "--IPKernelApp.log_level=50",
        "--HistoryManager.enabled=False",
        f"--IPKernelApp.exec_lines={[f'{ADD_FOLDER}({folder!r})' for folder in importable]}",
    ]
    path = os.environ.get("PYTHONPATH", "")
    # An installed package can be imported anyway.
    if str(package_root) not in map(sysconfig.get_path, ("purelib", "platlib")):
        path = _join_paths(str(package_root), path)
    with temporary_folder("kalahlab-kernel-") as folder, ExitStack() as stack:
        place = folder / "socket"
        forked = forked and can_serve(place)
        launcher = [LAUNCHER, str(place)] if forked else ["ipykernel_launcher"]
        kernel = {
            "argv": [sys.executable, "-m", *launcher, "-f", "{connection_file}", *options],
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "env": {"PYTHONPATH": path},
        }
        spec = folder / "share" / "kernels" / KERNEL / "kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(to_json(kernel), encoding="utf-8")
        (folder / "temporary").mkdir()
        (folder / "matplotlib").mkdir()
        for fonts in Path(mpl.get_cachedir()).glob("fontlist-*.json"):  # saves the search for fonts
            shutil.copy(fonts, folder / "matplotlib")
        stack.enter_context(patch.dict(os.environ, _private_places(folder)))
        if forked:
            stack.enter_context(kernel_server(place, {**os.environ, "PYTHONPATH": path}))
        yield folder


def _private_places(folder: Path) -> dict[str, str]:
    """Return the variables that keep all files of kernels in a folder."""
    return {
        "TMPDIR": str(folder / "temporary"),
        "JUPYTER_PATH": _join_paths(str(folder / "share"), os.environ.get("JUPYTER_PATH", "")),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
    }


def _join_paths(*paths: str) -> str:
    return os.pathsep.join(filter(None, paths))


def end_kernels(folder: Path) -> None:
    """Kill all kernels that write to this folder."""
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if child.environ().get("JUPYTER_DATA_DIR", "").startswith(str(folder)):
                child.kill()
