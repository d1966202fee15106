"""Atomic file writes: a file is complete or absent, also if a process is killed or a disk is full.

While a process writes, its file has a name that ends in `.part`, and is locked. The next process
that writes to the same folder removes the parts of processes that were killed. (Windows lacks
these locks; there the parts remain.)
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
from typing import Any, BinaryIO, TextIO

from kalahlab.formatting import to_json

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

PREFIX = ".kalahlab-"  # of the name of a file that is being written


def checksum(value: Any) -> str:
    """Return the SHA-256 of a value as JSON stores it, to verify what is read again later."""
    stored = json.loads(to_json(value, default=repr))
    return hashlib.sha256(to_json(stored, sort_keys=True).encode()).hexdigest()


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a new file to write, which replaces `path` at the end, or is removed on an error.

    An existing file keeps its mode, and a symbolic link stays one. If `path` is a pipe, a terminal
    or the output of this process, the new file is copied to it at the end.

    Raises:
        OSError: The file cannot be written, or `path` is a folder, another device or protected. The
            error names `path`.
    """
    target = Path(os.path.realpath(path))
    status = _status(path)
    is_stream = status is not None and _is_stream(status)
    if is_stream:
        folder, mode = Path(tempfile.gettempdir()), 0o600
    elif status is not None:
        folder, mode = target.parent, stat.S_IMODE(status.st_mode)
    else:
        folder, mode = target.parent, 0o666
    try:
        _clean_once(folder)
        with _part_file(folder, PREFIX, mode) as part:
            yield part
            if is_stream:
                with _open_stream(path) as stream:
                    stream.write(part.read_bytes())
                return
            if status is not None:
                os.chmod(part, mode)
            os.replace(part, target)
    except OSError as error:
        names_path = error.filename and not Path(str(error.filename)).name.startswith(PREFIX)
        if names_path or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_stream(status: os.stat_result) -> bool:
    return not stat.S_ISREG(status.st_mode) or _output(status) is not None


def _open_stream(path: Path) -> BinaryIO:
    handle = _output(path.stat())
    if handle is None:
        return path.open("wb")
    return os.fdopen(os.dup(handle), "wb")  # continues where the output of this process ends


def write_atomic(path: Path, text: str | bytes) -> None:
    """Write a whole file, or none; see `atomic_write`."""
    with atomic_write(path) as part:
        part.write_bytes(text if isinstance(text, bytes) else text.encode())


@contextmanager
def temporary_folder(prefix: str, where: Path | None = None) -> Iterator[Path]:
    """Yield a new folder, which is removed at the end.

    Args:
        prefix: The beginning of its name.
        where: The folder that contains it; by default that of the system.
    """
    where = where or Path(tempfile.gettempdir())
    remove_leftovers(where, prefix)
    with _part_file(where, prefix, 0o600) as part:
        folder = part.with_suffix("")
        folder.mkdir(0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)


def remove_leftovers(folder: Path, prefix: str = PREFIX) -> None:
    """Remove the parts, files and folders, of processes that were killed."""
    for part in folder.glob(f"{prefix}*.part"):
        with suppress(OSError), part.open("rb") as file:
            _lock(file.fileno(), wait=False)  # fails while a process writes it
            if part.with_suffix("").is_dir():
                shutil.rmtree(part.with_suffix(""))
            part.unlink()


_clean_once = cache(remove_leftovers)  # once a process, as a grid writes a file for each point


@contextmanager
def _part_file(folder: Path, prefix: str, mode: int) -> Iterator[Path]:
    """Yield a new file that is locked, and remove it at the end if it still exists."""
    while True:
        part = folder / f"{prefix}{secrets.token_hex(4)}.part"
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        with suppress(OSError):  # some file systems have no locks
            _lock(handle, wait=True)
        if part.exists():
            break
        os.close(handle)  # another process removed it before it was locked
    if os.name == "nt":
        os.close(handle)  # Windows cannot move an open file
    try:
        yield part
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)
        if os.name != "nt":
            os.close(handle)


def _lock(handle: int, wait: bool) -> None:
    """Lock an open file for this process.

    Raises:
        OSError: The system has no locks, or another process has it and `wait` is false.
    """
    if fcntl is None:
        raise OSError("this system has no such locks")
    operation = fcntl.LOCK_EX
    if not wait:
        operation |= fcntl.LOCK_NB
    fcntl.flock(handle, operation)


def _status(path: Path) -> os.stat_result | None:
    """Return the status of a path, None if nothing is there.

    Raises:
        OSError: It is a folder, a device or a socket, or must not be written.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(f"{str(path)!r} is a folder; name a file")
    if stat.S_ISBLK(status.st_mode) or stat.S_ISSOCK(status.st_mode):
        raise OSError(f"{str(path)!r} is a device or a socket; name a file")
    if not os.access(path, os.W_OK):
        raise PermissionError(f"{str(path)!r} must not be written; name another file")
    return status


def _output(status: os.stat_result) -> int | None:
    """Return the handle, 1 or 2, if a file is the output or error stream of this process."""
    for handle in (1, 2):
        with suppress(OSError):  # it is closed
            if os.path.samestat(status, os.fstat(handle)):
                return handle
    return None


@contextmanager
def open_atomic(path: Path) -> Iterator[TextIO]:
    """Yield a text file to write, which appears when it is complete; see `kalahlab.files`."""
    with atomic_write(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file
