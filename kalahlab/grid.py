"""Points worked through on any executor, each finished one kept, so that a run can go on.

    rows = run_all(work, points, workers=2)
    rows = read_rows(resume(work, points, Path("out"), workers=2))

A point is a frozen dataclass of plain values; `work`, a function of a module's top level or a
partial of one, makes it a row. What is kept in the folder:

    points/KEY.json    a finished point, its row and their checksum, written whole or not at all
    rows.parquet, .csv all rows, in the order of the points, written at the end

KEY is made of the point's values, of its class's VERSION, if it has one, and of `SCHEMA`; if the
values name an import path, also of the source of its module, but not of what that imports. A point
whose file is there and whole is not worked on again, whoever wrote it.
"""

import hashlib
import json
import os
import signal
import sys
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
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from tqdm.auto import tqdm

from kalahlab.files import atomic_write, checksum, remove_leftovers, write
from kalahlab.formatting import StableRepr, to_json
from kalahlab.names import IMPORTED, import_path, located, sources, with_notes
from kalahlab.sent_code import call_with_user_code, pack_user_code
from kalahlab.user_code import guard_os_exit, refusing_exits, user_line

K = TypeVar("K")
P = TypeVar("P")
Row = dict[str, Any]

SCHEMA = 3  # to be raised when a row of the same point would be another: a column, a count
# The variable with which a new Python takes no module from its working folder, as set here.
SAFE_PATH = ("PYTHONSAFEPATH", "while workers start")
MAX_IN_FLIGHT = 64  # points that are with the executor at a time, so that memory does not grow


def key(point: Any) -> str:
    """What a point is known by: 64 hexadecimal digits, the same on every machine."""
    named = {"kind": type(point).__name__, "point": asdict(point), "schema": SCHEMA}
    named["version"] = getattr(point, "VERSION", None)
    in_json = partial(to_json, sort_keys=True, separators=(",", ":"))
    text = in_json(named)
    if own := sources(text):
        text = in_json(named | {"code": own})
    return hashlib.sha256(text.encode()).hexdigest()


def run_all(
    work: Callable[[P], Row],
    points: Iterable[P],
    workers: int = 1,
    executor: Executor | None = None,
    folder: Path | str | None = None,
    cost: Callable[[P], float] = lambda point: 0,
    progress: bool = False,
    unit: str = "point",
    keep_errors: bool = False,
) -> list[Row]:
    """Return the rows that `work` makes of all points, in their order.

    Runs on the given executor, or on `workers` processes of its own (1: in this one). What
    `work` raises ends it. With a folder the rows are kept there as `resume` does, which says
    what cost, progress and unit are; then a `ValueError` says in the end how many points failed.
    keep_errors: neither ends it; rows have an `error`, as those of `resume` do.
    """
    points = list(points)
    if folder is not None:
        kept = resume(work, points, Path(folder), workers, executor, cost, progress, unit)
        rows = read_rows(kept)
        wrong = [row["error"] for row in rows if row["error"]]
        if wrong and not keep_errors:
            raise ValueError(
                f"{len(wrong)} of {len(rows)} {unit}s failed, the first with {wrong[0]}"
            )
        return rows
    how: Any = (_row_or_error, _error_row) if keep_errors else (located, _raise)
    finished = _finished(partial(how[0], work), dict(enumerate(points)), workers, executor, how[1])
    done = dict(tqdm(finished, total=len(points), unit=unit, leave=None, disable=not progress))
    return [done[at] for at in range(len(points))]


def resume(
    work: Callable[[P], Row],
    points: Sequence[P],
    folder: Path,
    workers: int = 1,
    executor: Executor | None = None,
    cost: Callable[[P], float] = lambda point: 0,
    progress: bool = False,
    unit: str = "point",
) -> Path:
    """Work on the points that `folder` does not hold yet; the file of all rows.

    What `work` raises is a row with an `error` (None in the others), and so is the end of the
    worker process; the next run tries the point again. Where a point names code of one's own,
    `code` is how the SHA-256 of its file begins. Points of the greatest `cost` come first, so that
    workers end together. progress: a bar with rate and time left, which counts points, or what
    `unit` says.
    Raises `BrokenExecutor` if a worker was ended from outside and `OSError` if a file cannot be
    written; what was finished is kept then, as it is after Ctrl-C.
    """
    made = {key(point): point for point in points}
    store = Store(folder)
    rows = {name: store.row(name) for name in made}
    left = {name: point for name, point in made.items() if (rows[name] or {"error": 1})["error"]}
    if damaged := sum(rows[name] is None and store.file(name).exists() for name in left):
        print(f"damaged points in {folder}, worked on again: {damaged}", file=sys.stderr)
    left = dict(sorted(left.items(), key=lambda each: -cost(each[1])))
    finished = _finished(partial(_row_or_error, work), left, workers, executor, _error_row)
    bar = tqdm(total=len(made), initial=len(made) - len(left), unit=unit, disable=not progress)
    with bar:
        for name, row in finished:
            store.keep(name, left[name], row)
            bar.update()
    return store.compact([key(point) for point in points])


class Store(StableRepr):
    def __init__(self, folder: Path) -> None:
        self._folder, self._points = folder, folder / "points"
        self._points.mkdir(parents=True, exist_ok=True)
        remove_leftovers(self._points)

    def row(self, name: str) -> Row | None:
        """A finished point's row; None if there is none, or a damaged one."""
        try:
            kept = json.loads(self.file(name).read_bytes())
            whole = kept.pop("sha256") == checksum(kept) and kept["key"] == name
            return {key: _number(value) for key, value in kept["row"].items()} if whole else None
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep(self, name: str, point: Any, row: Row) -> None:
        kept = {"key": name, "kind": type(point).__name__, "point": asdict(point), "row": row}
        write(self.file(name), to_json(kept | {"sha256": checksum(kept)}))

    def compact(self, names: Iterable[str]) -> Path:
        import pandas as pd
        import pyarrow
        from pyarrow import parquet

        rows = [row for name in names if (row := self.row(name)) is not None]
        columns = dict.fromkeys(column for row in rows for column in row)
        table = pyarrow.table({column: [row.get(column) for row in rows] for column in columns})
        path = self._folder / "rows.parquet"
        with atomic_write(path) as file:
            parquet.write_table(table, file)
        csv = pd.DataFrame(rows, columns=[*columns]).to_csv(index=False, lineterminator="\n")
        write(path.with_suffix(".csv"), csv)
        return path

    def file(self, name: str) -> Path:
        return self._points / f"{name}.json"


def _number(value: Any) -> Any:
    """Return the value that `to_json` wrote as a text, if it did."""
    return float(value) if value in ("nan", "inf", "-inf") else value


def read_rows(path: Path) -> list[Row]:
    from pyarrow import parquet

    return [dict(row) for row in parquet.read_table(path).to_pylist()]


def _finished(
    work: Callable[[P], Row],
    points: dict[K, P],
    workers: int,
    executor: Executor | None,
    fail: Callable[[P, Exception], Row],
) -> Iterator[tuple[K, Row]]:
    """Yield the row of each point as soon as it is finished.

    fail: makes the row of a point at which a worker process ended, or raises the error.
    """
    if executor is None and workers < 2:
        yield from ((name, work(point)) for name, point in points.items())
        return
    waiting = dict(points)
    if executor is not None and (packed := pack_user_code()):
        work = partial(call_with_user_code, packed, work)
    while waiting:
        running = dict[Future[Row], K]()
        try:
            with processes(workers) if executor is None else nullcontext(executor) as pool:
                for name, row in _submitted(pool, work, waiting, running):
                    del waiting[name]
                    yield name, row
        except BrokenExecutor:
            # those that were submitted first are those that were worked on
            suspects = {name: points[name] for name in [*running.values()][:workers]}
            fatal = set[str]()
            for name, point in suspects.items():
                found = _in_a_process_of_its_own(work, point)
                if found is None:
                    fatal.add(_task(point))
                else:
                    del waiting[name]
                    yield name, found
            if not fatal:
                tasks = " or ".join(dict.fromkeys(map(_task, suspects.values())))
                message = f"a worker process was ended from outside while {tasks}"
                raise BrokenExecutor(message) from None
            for name in [name for name, point in waiting.items() if _task(point) in fatal]:
                point = waiting.pop(name)
                message = f"a worker process ended while {_task(point)}"
                yield name, fail(point, BrokenExecutor(message))
            if executor is not None and waiting:
                raise


def _submitted(
    pool: Executor, work: Callable[[P], Row], points: dict[K, P], running: dict[Future[Row], K]
) -> Iterator[tuple[K, Row]]:
    """Yield the rows of points on an executor; `running` holds those that are with it."""
    waiting = iter([*points.items()])
    while True:
        for name, point in islice(waiting, MAX_IN_FLIGHT - len(running)):
            running[pool.submit(work, point)] = name
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            row = future.result()
            yield running.pop(future), row


def _in_a_process_of_its_own(work: Callable[[P], Row], point: P) -> Row | None:
    """Return the row of a point; None if the process that works on it ends."""
    with processes(1) as pool:
        try:
            return pool.submit(work, point).result()
        except BrokenExecutor:
            return None


def _task(point: Any) -> str:
    """Return what is done with a point, in words; points of one task are of one program."""
    return getattr(point, "task", None) or f"working on {point}"


def _row_or_error(work: Callable[[P], Row], point: P) -> Row:
    values: Row = asdict(point)  # type: ignore[call-overload]
    code = {each[:12] for files in sources(to_json(values)).values() for each in files[-1:]}
    try:
        with refusing_exits():
            row = work(point)
        return {**row, "error": None} | ({"code": " ".join(sorted(code))} if code else {})
    except Exception as error:
        return _error_row(point, error)


def _error_row(point: Any, error: BaseException) -> Row:
    where = f"{line}: " if (line := user_line(error)) else ""
    return {**asdict(point), "error": f"{where}{type(error).__name__}: {with_notes(error)}"}


def _raise(point: Any, error: BaseException) -> Row:
    raise error


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """An executor of spawned processes that are gone at the end, however it comes."""
    others = set(active_children())
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
    """Unset the variable, unless a user has set it: other programs may need their folder."""
    name, value = SAFE_PATH
    if os.environ.get(name) == value:
        del os.environ[name]


def _start_worker(paths: list[tuple[str, str]]) -> None:
    """Leave Ctrl-C to the driver, end with it even if it is killed, and know what it imported.

    What user code prints goes to stderr, as stdout is for the driver's answer.
    """
    forget_safe_path()
    os.dup2(2, 1)
    guard_os_exit()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for path in paths:
        with suppress(ValueError):  # what cannot be imported is unknown here
            import_path(*path)
    driver = parent_process()
    assert driver is not None  # a worker is started by one

    def end_with_driver() -> None:
        driver.join()
        os._exit(1)

    Thread(target=end_with_driver, daemon=True).start()
