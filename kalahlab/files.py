"""Files written whole or not at all, also if the process is killed or the disk is full.

What a process works on has a name that ends in `.part`, and is locked for as long as it lives.
What one that was killed has left is removed by the next that writes to the same folder. (Windows
lacks these locks; there it stays.)
"""

import hashlib
import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from kalahlab.formatting import to_json

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

PREFIX = ".kalahlab-"  # of a file that is being written


def checksum(value: Any) -> str:
    """The SHA-256 of what JSON keeps of a value, for what is read again to be checked by."""
    kept = json.loads(to_json(value, default=repr))
    return hashlib.sha256(to_json(kept, sort_keys=True).encode()).hexdigest()


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A file to write, which takes the place of `path` at the end; it is gone on an error.

    A file that is there keeps its mode, and a symbolic link stays one. To a pipe, a terminal or
    this process's output the file is copied at the end. Other devices, folders and what must not
    be written are refused. An `OSError` names `path`.
    """
    target, there = Path(os.path.realpath(path)), _status(path)
    streamed = there is not None and (not stat.S_ISREG(there.st_mode) or _output(there) is not None)
    folder = Path(tempfile.gettempdir()) if streamed else target.parent
    mode = 0o600 if streamed else stat.S_IMODE(there.st_mode) if there else 0o666
    try:
        _clean_once(folder)
        with _held(folder, PREFIX, mode) as part:
            yield part
            if streamed:
                handle = _output(path.stat())  # that goes on where it has come to
                with path.open("wb") if handle is None else os.fdopen(os.dup(handle), "wb") as out:
                    out.write(part.read_bytes())
                return
            if there:
                os.chmod(part, mode)
            os.replace(part, target)
    except OSError as error:
        named = error.filename and not Path(str(error.filename)).name.startswith(PREFIX)
        if named or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def write(path: Path, text: str | bytes) -> None:
    with atomic_write(path) as part:
        part.write_bytes(text if isinstance(text, bytes) else text.encode())


@contextmanager
def temporary_folder(prefix: str, where: Path | None = None) -> Iterator[Path]:
    """A new folder, removed at the end. where: that it is in; by default the system's."""
    where = where or Path(tempfile.gettempdir())
    remove_leftovers(where, prefix)
    with _held(where, prefix, 0o600) as part:
        folder = part.with_suffix("")
        folder.mkdir(0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)


def remove_leftovers(folder: Path, prefix: str = PREFIX) -> None:
    for part in folder.glob(f"{prefix}*.part"):
        with suppress(OSError), part.open("rb") as file:
            _lock(file.fileno(), wait=False)  # or a process has it
            if part.with_suffix("").is_dir():
                shutil.rmtree(part.with_suffix(""))
            part.unlink()


_clean_once = cache(remove_leftovers)  # once a process: a grid writes a file a point


@contextmanager
def _held(folder: Path, prefix: str, mode: int) -> Iterator[Path]:
    while True:
        part = folder / f"{prefix}{secrets.token_hex(4)}.part"
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        with suppress(OSError):  # there are file systems without locks
            _lock(handle, wait=True)
        if part.exists():
            break
        os.close(handle)  # who removes leftovers was quicker than the lock
    if os.name == "nt":
        os.close(handle)  # what is open cannot be moved there
    try:
        yield part
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)
        if os.name != "nt":
            os.close(handle)


def _lock(handle: int, wait: bool) -> None:
    """`OSError` if there are no locks, or another has it and is not waited for."""
    if fcntl is None:
        raise OSError("this system has no such locks")
    fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _status(path: Path) -> os.stat_result | None:
    """What is at a path, None if nothing is; `OSError` if it must not be written to."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(f"{str(path)!r} is a folder; name a file")
    if stat.S_ISBLK(there.st_mode) or stat.S_ISSOCK(there.st_mode):
        raise OSError(f"{str(path)!r} is a device or a socket; name a file")
    if not os.access(path, os.W_OK):
        raise PermissionError(f"{str(path)!r} must not be written; name another file")
    return there


def _output(there: os.stat_result) -> int | None:
    """Which of standard output and standard error a file is; None if it is neither."""
    for handle in (1, 2):
        with suppress(OSError):  # it is closed
            if os.path.samestat(there, os.fstat(handle)):
                return handle
    return None
