"""Notebooks run with their parameters by papermill, side by side."""

import logging
import os
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
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

from kalahlab.draw.items import CONTENTS, Item, contents
from kalahlab.files import temporary_folder
from kalahlab.formatting import to_json
from kalahlab.report.manifest import Record, digests
from kalahlab.report.sources import OUT, PACKAGE, Plan
from kalahlab.user_code import is_users_own

KERNEL = "python3"
MARKER, INJECTED = "papermill-error-cell-tag", "injected-parameters"  # tags of papermill
MAY_RAISE, SKIPPED = "raises-exception", "skip-execution"  # tags that Jupyter knows
FRAME = re.compile(r"^File (.+?):(\d+)", re.MULTILINE)  # in a traceback of IPython
ADD_FOLDER = "import kalahlab.user_code; kalahlab.user_code.UserModules.add"
EVERY = 10.0  # seconds between two lines that say how far the running notebooks are


class _Run:
    """A notebook that is run. It is whole only if its last cell has run.

    Papermill takes `sys.exit()` for a good end, and an error that a tag announces for a bad one.
    So what became of each cell is read from the kernel's replies.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan, self._began = plan, 0.0
        self._cell, self._ended = 0, True  # the code cell that began last; whether it ended well
        self._reply: Mapping[str, Any] = {}  # the kernel's last reply
        self._notebook: Any = None  # as far as it has come; None before its kernel has started

    def __call__(self, stage: Path) -> Record:
        """Run it; leave `stage/STEM.ipynb`, as far as it came, and `stage/STEM/` with its files.
        `out` is relative to `stage`, so that no path of this machine is in what it shows."""
        plan, stem = self._plan, self._plan.source.stem
        executed = stage / f"{stem}.ipynb"
        nbformat.write(plan.source.without_outputs(), executed)
        self._began = time.perf_counter()
        message = plan.source.error or self._execute(executed)
        seconds = round(time.perf_counter() - self._began, 1)
        _tidy(executed)
        items, lost = _collect_artifacts(stage, stem)
        message = message or lost
        files = (file for item in items for file in item.files)
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
            files=digests(stage, [executed.name, *files]),
            error=" ".join(message.split()) or None,
        )

    def _execute(self, executed: Path) -> str:
        """Run it and write it to `executed`. Return why it is not whole, "" if it is."""
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
                # Not papermill's `cwd`, which is that of this process: others run beside this one.
                resources={"metadata": {"path": str(executed.parent)}},
                progress_bar=False,
                # Else it is left among the system's temporary files when this process is killed.
                config=Config(
                    ConnectionFileMixin={"connection_file": str(executed.with_suffix(".json"))}
                ),
                # Else it is written twice a cell, which takes as long as many cells do.
                request_save_on_cell_execute=False,
                on_notebook_start=self._start,
                on_cell_start=self._start_cell,
                on_cell_executed=self._end_cell,
            )
        except PapermillExecutionError:
            pass  # a cell raised an error, which its reply has, too
        except Exception as error:
            # A dead kernel, a time-out: the other notebooks are built all the same.
            message = f"{type(error).__name__}: {error}"
            if self._notebook:
                nbformat.write(self._notebook, executed)
        return self._failure(message)

    def _start(self, notebook: Any) -> None:
        self._notebook = notebook

    def _start_cell(self, cell: Any, cell_index: int) -> None:
        if cell.cell_type == "code" and INJECTED not in cell.metadata.get("tags", []):
            self._cell += 1
            self._ended = not cell.source.strip() or SKIPPED in cell.metadata.get("tags", [])

    def _end_cell(self, cell: Any, cell_index: int, execute_reply: Mapping[str, Any]) -> None:
        self._reply = execute_reply["content"]
        for payload in self._reply.get("payload", ()):
            if payload["source"] == "ask_exit" and not payload["keepkernel"]:
                # The kernel would run whatever comes within a tenth of a second.
                raise DeadKernelError("the cell ended the kernel, as quit() does")
        self._ended = self._reply["status"] == "ok" or MAY_RAISE in cell.metadata.get("tags", [])

    def _failure(self, message: str) -> str:
        """Return the message, or that of the reply, with the place at which the notebook stopped;
        "" if all its cells ran."""
        cells = [cell for cell in self._plan.source.notebook.cells if cell.cell_type == "code"]
        unrun = sum(bool(cell.source.strip()) for cell in cells[self._cell :])
        if self._ended and not unrun:
            return message
        place = f"stopped at code cell {self._cell}" if self._cell else "before its first cell"
        if not message:
            name, text = (self._reply.get(key, "") for key in ("ename", "evalue"))
            message = f"{name}: {text}" if text else name or "the kernel gave the cell up"
            place += _own_line(self._reply.get("traceback", ()))
        if unrun:
            place += (
                f"; {unrun} cell was not run" if unrun == 1 else f"; {unrun} cells were not run"
            )
        return f"{message} ({place})"

    def __str__(self) -> str:
        if not self._began:
            return ""
        seconds = time.perf_counter() - self._began
        stem, cells = self._plan.source.stem, self._plan.cells
        return f"{stem}: cell {max(1, self._cell)} of {cells}, {seconds:.0f} s"


def _own_line(traceback: Iterable[str]) -> str:
    """Return `, FILE, line N` of the innermost line of a module of the user's own, or ""."""
    passed = FRAME.findall(strip_color("\n".join(traceback)))
    own = [
        (Path(file).name, line)
        for file, line in passed
        if is_users_own(str(Path(file).expanduser()))
    ]
    return ", {}, line {}".format(*own[-1]) if own else ""


def _collect_artifacts(stage: Path, stem: str) -> tuple[tuple[Item, ...], str]:
    """Return the artifacts of which all files are there, and what is wrong with the others."""
    try:
        items = contents(stage / stem)
    except (ValueError, TypeError, LookupError, AttributeError, OSError):
        return (), f"{stem}/{CONTENTS} is not as artifacts wrote it"
    lost = [file for item in items for file in item.files if not (stage / file).is_file()]
    whole = tuple(item for item in items if not {*item.files} & {*lost})
    return whole, f"{lost[0]} is gone, which the notebook made" if lost else ""


def _tidy(executed: Path) -> None:
    """Take out what papermill adds for itself: times, paths, marks at the failing cell."""
    notebook = nbformat.read(executed, as_version=4)
    notebook.cells = [c for c in notebook.cells if MARKER not in c.metadata.get("tags", [])]
    for part in (notebook, *notebook.cells):
        part.metadata.pop("papermill", None)
        part.metadata.pop("execution", None)
        if INJECTED in part.metadata.get("tags", []):
            part.id = INJECTED
    nbformat.write(notebook, executed)


def run_all(
    plans: Sequence[Plan],
    stage: Path,
    jobs: int,
    on_record: Callable[[Record], object],
    progress: Callable[[str], object],
) -> None:
    """Run notebooks in this order, up to `jobs` at a time, each in a process of its own. on_record
    gets what each came to, as soon as it ends; what it raises ends all of them."""
    with private_kernel(PACKAGE.parent) as kernels, ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(each, stage): each for each in map(_Run, plans)}
        try:
            while running:
                done = wait(running, EVERY, FIRST_COMPLETED).done
                for future in done:
                    del running[future]
                    on_record(future.result())
                if not done:
                    progress("; ".join(filter(None, map(str, running.values()))))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            # one may be starting just now
            while not all(future.done() for future in running):
                end_kernels(kernels)
                time.sleep(0.1)
            raise


@contextmanager
def private_kernel(package_root: Path) -> Iterator[Path]:
    """While it lasts, the kernel `python3` is this interpreter, with `package_root` importable.
    What kernels write goes to the folder that it gives, by which `end_kernels` finds them."""
    options = [
        # Noise: a warning at each start that TCP is not encrypted, though the kernel listens on
        # this machine only, and an error when it is interrupted. The cells show what goes wrong.
        "--IPKernelApp.log_level=50",
        "--HistoryManager.enabled=False",
        # Cells can import modules of this folder, as user functions of the command line can.
        f"--IPKernelApp.exec_lines={[f'{ADD_FOLDER}({os.getcwd()!r})']}",
    ]
    path = os.environ.get("PYTHONPATH", "")
    if str(package_root) not in map(sysconfig.get_path, ("purelib", "platlib")):
        path = _joined(str(package_root), path)
    kernel = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", *options],
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "env": {"PYTHONPATH": path},
    }
    with temporary_folder("kalahlab-kernel-") as folder:
        spec = folder / "share" / "kernels" / KERNEL / "kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(to_json(kernel), encoding="utf-8")
        (folder / "temporary").mkdir()
        (folder / "matplotlib").mkdir()
        for fonts in Path(mpl.get_cachedir()).glob("fontlist-*.json"):  # else it looks for them
            shutil.copy(fonts, folder / "matplotlib")
        places = {
            "TMPDIR": str(folder / "temporary"),
            "JUPYTER_PATH": _joined(str(folder / "share"), os.environ.get("JUPYTER_PATH", "")),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "IPYTHONDIR": str(folder / "ipython"),
            "MPLCONFIGDIR": str(folder / "matplotlib"),
        }
        with patch.dict(os.environ, places):
            yield folder


def _joined(*paths: str) -> str:
    return os.pathsep.join(filter(None, paths))


def end_kernels(folder: Path) -> None:
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if child.environ().get("JUPYTER_DATA_DIR", "").startswith(str(folder)):
                child.kill()
