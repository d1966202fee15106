"""Run a function over many settings on any executor, and keep each row, so that a run can resume.

    rows = run_all(work, settings, workers=2)
    rows = read_rows(run_resumable(work, settings, Path("out"), workers=2))

A setting is a frozen dataclass of plain values, such as `experiments.settings.Setting` or
`matches.pairs.Pair`. `work` turns a setting into a row; it is a function at the top level of a
module, or a partial of such a function. The folder holds:

    points/KEY.json    a finished setting, its row and their checksum, written whole or not at all
    rows.jsonl, .csv   all rows, in the order of the settings, written at the end

KEY is a hash of the setting's values, of `SCHEMA` and of the VERSION of the setting's class, if it
has one. If the values name an import path, the files of its user code are hashed, too. A setting
whose file exists and is undamaged is not worked on again.
"""

import hashlib
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from kalahlab.files import checksum, remove_leftovers, write_atomic
from kalahlab.formatting import StableRepr, to_json
from kalahlab.names import (
    IMPORTED,
    call_with_location,
    find_source_digests,
    import_named,
    message_with_notes,
)
from kalahlab.notes import Note, show_notes
from kalahlab.sent_code import call_with_user_code, pack_user_code
from kalahlab.user_code import find_user_line, guard_os_exit, refusing_exits

K = TypeVar("K")
P = TypeVar("P")
Row = dict[str, Any]

SCHEMA = 3  # to be raised when the columns or the counts of rows change
# An environment variable and its value. Any value keeps a new Python from importing modules of its
# working folder. This value shows later that the variable was set here and not by the user.
SAFE_PATH = ("PYTHONSAFEPATH", "while workers start")
MAX_IN_FLIGHT = 64  # settings submitted to the executor at a time, so that memory does not grow


def setting_key(setting: Any) -> str:
    """Return the key of a setting: 64 hexadecimal digits, the same on every machine."""
    parts = {"kind": type(setting).__name__, "point": asdict(setting), "schema": SCHEMA}
    parts["version"] = getattr(setting, "VERSION", None)
    format_json = partial(to_json, sort_keys=True, separators=(",", ":"))
    text = format_json(parts)
    if user_code := find_source_digests(text):
        text = format_json(parts | {"code": user_code})
    return hashlib.sha256(text.encode()).hexdigest()


def run_all(
    work: Callable[[P], Row],
    settings: Iterable[P],
    workers: int = 1,
    executor: Executor | None = None,
    folder: Path | str | None = None,
    cost: Callable[[P], float] = lambda setting: 0,
    progress: bool = False,
    unit: str = "setting",
    keep_errors: bool = False,
) -> list[Row]:
    """Return the rows that `work` makes of all settings, in their order.

    Args:
        work: Makes a row of a setting. An error of `work` is raised here.
        settings: The settings.
        workers: The number of processes to start; with 1, this process does the work.
        executor: The executor to use instead.
        folder: A folder for the rows; see `run_resumable`. With it, errors do not end the run.
        cost: See `run_resumable`.
        progress: See `run_resumable`.
        unit: See `run_resumable`.
        keep_errors: Raise no errors of `work`. Rows have an `error`, like those of `run_resumable`.

    Raises:
        ValueError: Points failed in a run with a folder; the message counts them.
    """
    from tqdm.auto import tqdm  # here, because searches import this module, too

    settings = list(settings)
    if folder is not None:
        path = run_resumable(work, settings, Path(folder), workers, executor, cost, progress, unit)
        rows = read_rows(path)
        errors = [row["error"] for row in rows if row["error"]]
        if errors and not keep_errors:
            raise ValueError(
                f"{len(errors)} of {len(rows)} {unit}s failed, the first with {errors[0]}"
            )
        return rows
    make_row: Any = call_with_location
    fail = _raise_error  # called if a worker process ends; `make_row` raises all other errors
    if keep_errors:
        make_row, fail = _row_or_error, _error_row
    numbered = dict(enumerate(settings))
    finished = _run_settings(partial(make_row, work), numbered, workers, executor, fail)
    bar = tqdm(finished, total=len(settings), unit=unit, leave=None, disable=not progress)
    rows_by_index = dict(bar)
    return [rows_by_index[index] for index in range(len(settings))]


def run_resumable(
    work: Callable[[P], Row],
    settings: Sequence[P],
    folder: Path,
    workers: int = 1,
    executor: Executor | None = None,
    cost: Callable[[P], float] = lambda setting: 0,
    progress: bool = False,
    unit: str = "setting",
) -> Path:
    """Work on the settings that have no row in `folder` yet, and return the file of all rows.

    An error of `work`, or the end of its worker process, makes a row with an `error`, which is None
    in other rows; the next run tries the setting again. If a setting names user functions, `code`
    in its row has the beginning of the SHA-256 of the file of each function. Finished rows are kept
    if the run ends early, and a `Note` counts damaged rows.

    Args:
        work: Makes a row of a setting.
        settings: The settings.
        folder: Holds the rows.
        workers: The number of processes to start; with 1, this process does the work.
        executor: The executor to use instead.
        cost: Estimates a setting's cost; the greatest comes first, so that workers end together.
        progress: Show a bar with rate and remaining time.
        unit: The unit that the bar counts.

    Raises:
        BrokenExecutor: A worker was ended from outside.
        OSError: A file cannot be written.
    """
    from tqdm.auto import tqdm

    keys = [setting_key(setting) for setting in settings]
    settings_by_key = dict(zip(keys, settings, strict=True))
    store = Store(folder)
    pending_keys = store.find_unfinished(settings_by_key)
    if damaged := store.count_damaged(pending_keys):
        warnings.warn(
            f"damaged results in {folder}, which are computed again: {damaged}", Note, stacklevel=2
        )
    by_cost = sorted(pending_keys, key=lambda key: -cost(settings_by_key[key]))
    pending = {key: settings_by_key[key] for key in by_cost}
    finished = _run_settings(partial(_row_or_error, work), pending, workers, executor, _error_row)
    total = len(settings_by_key)
    with tqdm(total=total, initial=total - len(pending), unit=unit, disable=not progress) as bar:
        for key, row in finished:
            store.keep(key, pending[key], row)
            bar.update()
    return store.compact(keys)


class Store(StableRepr):
    """The rows in a folder, by the keys of their settings."""

    def __init__(self, folder: Path) -> None:
        # "points", and "point" in the files and the keys: folders of earlier runs have these names.
        self._folder, self._settings_folder = folder, folder / "points"
        self._settings_folder.mkdir(parents=True, exist_ok=True)
        remove_leftovers(self._settings_folder)

    def row(self, key: str) -> Row | None:
        """Return the row of a setting; None if there is no file, or if it is damaged."""
        try:
            content = json.loads(self.file(key).read_bytes())
            if content.pop("sha256") != checksum(content) or content["key"] != key:
                return None
            return {column: _restore_number(value) for column, value in content["row"].items()}
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def find_unfinished(self, keys: Iterable[str]) -> list[str]:
        """Return the keys of settings without a row, or with a row that has an error."""
        return [key for key in keys if (row := self.row(key)) is None or row["error"]]

    def count_damaged(self, keys: Iterable[str]) -> int:
        """Return the number of settings whose files exist but hold no row."""
        existing = [key for key in keys if self.file(key).exists()]
        return len([key for key in existing if self.row(key) is None])

    def keep(self, key: str, setting: Any, row: Row) -> None:
        """Write the file of a finished setting."""
        content = {"key": key, "kind": type(setting).__name__, "point": asdict(setting), "row": row}
        write_atomic(self.file(key), to_json(content | {"sha256": checksum(content)}))

    def compact(self, keys: Iterable[str]) -> Path:
        """Write all finished rows of the settings to rows.jsonl and rows.csv.

        Return the path of rows.jsonl. It has one JSON object a line. Each object has all columns,
        with null where its row has no value.
        """
        import pandas as pd

        rows = [row for row in map(self.row, keys) if row is not None]
        columns = list(dict.fromkeys(chain.from_iterable(rows)))
        lines = [to_json(dict.fromkeys(columns) | row) + "\n" for row in rows]
        path = self._folder / "rows.jsonl"
        write_atomic(path, "".join(lines))
        csv = pd.DataFrame(rows, columns=columns).to_csv(index=False, lineterminator="\n")
        write_atomic(path.with_suffix(".csv"), csv)
        return path

    def file(self, key: str) -> Path:
        """Return the path of the file of a setting."""
        return self._settings_folder / f"{key}.json"


def _restore_number(value: Any) -> Any:
    """Return the number for which `to_json` wrote a text, and any other value unchanged."""
    return float(value) if value in ("nan", "inf", "-inf") else value


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file `rows.jsonl`; raise ValueError if a line is not JSON."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [{column: _restore_number(value) for column, value in row.items()} for row in rows]


def _run_settings(
    work: Callable[[P], Row],
    settings: dict[K, P],
    workers: int,
    executor: Executor | None,
    fail: Callable[[P, Exception], Row],
) -> Iterator[tuple[K, Row]]:
    """Yield the key and the row of each setting as soon as the setting is finished.

    If a worker process ends, the settings in work are tried again, each in a new process. A task is
    fatal if a new process ends, too. `fail` is called with each setting of a fatal task and with
    the error; it makes the row of the setting, or raises the error.
    """
    if executor is None and workers < 2:
        for key, setting in settings.items():
            yield key, work(setting)
        return
    waiting = dict(settings)
    if executor is not None and (packed := pack_user_code()):
        work = partial(call_with_user_code, packed, work)
    while waiting:
        running = dict[Future[Row], K]()
        try:
            with process_pool(workers) if executor is None else nullcontext(executor) as pool:
                for key, row in _submit_settings(pool, work, waiting, running):
                    del waiting[key]
                    yield key, row
        except BrokenExecutor:
            # The workers had the settings that were submitted first; one of them ended a worker.
            suspects = {key: settings[key] for key in islice(running.values(), workers)}
            fatal = set[str]()
            for key, setting in suspects.items():
                row_or_none = _run_in_new_process(work, setting)
                if row_or_none is None:
                    fatal.add(_task(setting))
                else:
                    del waiting[key]
                    yield key, row_or_none
            if not fatal:
                tasks = " or ".join(dict.fromkeys(map(_task, suspects.values())))
                message = f"a worker process was killed from outside while {tasks}"
                raise BrokenExecutor(message) from None
            failed = {key: setting for key, setting in waiting.items() if _task(setting) in fatal}
            for key, setting in failed.items():
                del waiting[key]
                message = f"a worker process ended while {_task(setting)}"
                yield key, fail(setting, BrokenExecutor(message))
            if executor is not None and waiting:  # a broken executor cannot do the others
                raise


def _submit_settings(
    pool: Executor, work: Callable[[P], Row], settings: dict[K, P], running: dict[Future[Row], K]
) -> Iterator[tuple[K, Row]]:
    """Submit settings to an executor and yield their keys and rows.

    `running` gets the keys of the settings that are submitted and unfinished, by their futures.
    """
    waiting = iter([*settings.items()])  # a copy, as the caller deletes finished settings
    while True:
        for key, setting in islice(waiting, MAX_IN_FLIGHT - len(running)):
            running[pool.submit(work, setting)] = key
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            row = future.result()  # on an error the setting stays in `running`
            yield running.pop(future), row


def _run_in_new_process(work: Callable[[P], Row], setting: P) -> Row | None:
    """Return the row of a setting; None if the process that works on it dies."""
    with process_pool(1) as pool:
        try:
            return pool.submit(work, setting).result()
        except BrokenExecutor:
            return None


def _task(setting: Any) -> str:
    """Return a phrase for the work on a setting; settings of one task run the same program."""
    return getattr(setting, "task", None) or f"working on {setting}"


def _row_or_error(work: Callable[[P], Row], setting: P) -> Row:
    """Return the row of a setting, with an `error`, and with `code` if it names user code."""
    values: Row = asdict(setting)  # type: ignore[call-overload]
    digests = set[str]()
    for digests_on_path in find_source_digests(to_json(values)).values():
        # The last digest is that of the module that defines the value.
        digests.update(digest[:12] for digest in digests_on_path[-1:])
    try:
        with refusing_exits():
            row = {**work(setting), "error": None}
    except Exception as error:
        return _error_row(setting, error)
    if digests:
        row["code"] = " ".join(sorted(digests))
    return row


def _error_row(setting: Any, error: BaseException) -> Row:
    message = f"{type(error).__name__}: {message_with_notes(error)}"
    if location := find_user_line(error):
        message = f"{location}: {message}"
    return {**asdict(setting), "error": message}


def _raise_error(setting: Any, error: BaseException) -> Row:
    raise error


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Run an executor of spawned processes, which all end with the context, also after an error."""
    others = set(active_children())  # of other executors
    os.environ.setdefault(*SAFE_PATH)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, ([*IMPORTED],))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown()
        forget_safe_path()


def forget_safe_path() -> None:
    """Unset the variable of `SAFE_PATH`, unless the user has set it.

    Other programs that this process starts may import from their working folder.
    """
    name, value = SAFE_PATH
    if os.environ.get(name) == value:
        del os.environ[name]


def _start_worker(imported: list[tuple[str, str]]) -> None:
    """Prepare a worker process and import the user code.

    Ctrl-C is left to the driver, the process that started the worker. The worker ends with the
    driver, even if the driver is killed. Output of user code goes to stderr, because stdout is for
    the driver's answer.

    Args:
        imported: The kinds and import paths in the `IMPORTED` of the driver.
    """
    forget_safe_path()
    os.dup2(2, 1)  # stdout becomes stderr
    guard_os_exit()
    show_notes(partial(print, file=sys.stderr))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for kind, path in imported:
        with suppress(ValueError):  # a name that cannot be imported is unknown here
            import_named(kind, path)
    driver = parent_process()
    assert driver is not None  # which has started this worker

    def end_with_driver() -> None:
        driver.join()
        os._exit(1)

    Thread(target=end_with_driver, daemon=True).start()


def count_cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1
