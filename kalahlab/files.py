"""Atomic file writes: a file is complete or absent, also if a process is killed or a disk is full.

A process writes to a part: a locked file whose name ends in `.part`. The next process that writes
to the same folder removes the parts of processes that were killed. (Windows lacks these locks;
there the parts remain.)
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

PART_PREFIX = ".kalahlab-"  # the beginning of the name of a part


def checksum(value: Any) -> str:
    """Return the SHA-256 of a value, to verify a file that stores the value as JSON.

    A value and the result of reading its JSON have the same checksum.
    """
    # As in a file, tuples become lists, and keys become texts.
    stored = json.loads(to_json(value, default=repr))
    return hashlib.sha256(to_json(stored, sort_keys=True).encode()).hexdigest()


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a new file to write, which replaces `path` at the end and is removed on an error.

    An existing file keeps its mode, and a symbolic link remains a link. If `path` is a pipe, a
    terminal or the output of this process, the new file is not moved but copied to it at the end.

    Raises:
        OSError: The file cannot be written, or `path` is a folder, a device or protected. The
            error names `path`.
    """
    target = Path(os.path.realpath(path))
    status = _find_status(path)
    is_stream = status is not None and _is_stream(status)
    if is_stream:  # the part is copied, not moved, so it need not be beside `path`
        folder, mode = Path(tempfile.gettempdir()), 0o600
    elif status is not None:
        folder, mode = target.parent, stat.S_IMODE(status.st_mode)
    else:
        folder, mode = target.parent, 0o666
    try:
        _clean_once(folder)
        with _part_file(folder, PART_PREFIX, mode) as part:
            yield part
            if is_stream:
                with _open_stream(path) as stream:
                    stream.write(part.read_bytes())
                return
            if status is not None:
                os.chmod(part, mode)  # the part was made with the mode less the umask
            os.replace(part, target)
    except OSError as error:
        if error.errno is None:  # it has its own message, and comes from the caller's block
            raise
        is_about_part = Path(str(error.filename)).name.startswith(PART_PREFIX)
        if error.filename and not is_about_part:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_stream(status: os.stat_result) -> bool:
    """Return whether a file must be written in place: a pipe, a terminal, this process's output."""
    return not stat.S_ISREG(status.st_mode) or _find_output_handle(status) is not None


def _open_stream(path: Path) -> BinaryIO:
    """Open a file for which `_is_stream` is true, to write in place."""
    handle = _find_output_handle(path.stat())
    if handle is None:
        return path.open("wb")
    return os.fdopen(os.dup(handle), "wb")  # continues where the output of this process ends


def write_atomic(path: Path, text: str | bytes) -> None:
    """Write a whole file: bytes, or a text as UTF-8; see `atomic_write`."""
    with atomic_write(path) as part:
        part.write_bytes(text if isinstance(text, bytes) else text.encode())


@contextmanager
def temporary_folder(prefix: str, where: Path | None = None) -> Iterator[Path]:
    """Yield a new folder, which is removed at the end.

    Args:
        prefix: The beginning of the name of the new folder.
        where: The folder that contains the new one; by default the system's temporary folder.
    """
    where = where or Path(tempfile.gettempdir())
    remove_leftovers(where, prefix)
    # The locked part beside the folder shows other processes that the folder is in use.
    with _part_file(where, prefix, 0o600) as part:
        folder = part.with_suffix("")
        folder.mkdir(0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)


def remove_leftovers(folder: Path, prefix: str = PART_PREFIX) -> None:
    """Remove the parts of processes that were killed, with their temporary folders."""
    for part in folder.glob(f"{prefix}*.part"):
        with suppress(OSError), part.open("rb") as file:
            _lock(file.fileno(), wait=False)  # raises OSError while a process has the part open
            if part.with_suffix("").is_dir():
                shutil.rmtree(part.with_suffix(""))
            part.unlink()


# Once for each process and folder is enough: a grid writes a file for each of its many points.
_clean_once = cache(remove_leftovers)


@contextmanager
def _part_file(folder: Path, prefix: str, mode: int) -> Iterator[Path]:
    """Yield a new, locked file, and remove the file at the end if it still exists."""
    while True:  # until a new part exists and is locked
        part = folder / f"{prefix}{secrets.token_hex(4)}.part"
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        with suppress(OSError):  # some file systems have no locks
            _lock(handle, wait=True)
        if part.exists():
            break
        # Before it was locked, `remove_leftovers` of another process removed it. Try another one.
        os.close(handle)
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
        OSError: The system has no locks, or another process has locked the file and `wait` is
            false.
    """
    if fcntl is None:
        raise OSError("this system has no file locks")
    operation = fcntl.LOCK_EX
    if not wait:
        operation |= fcntl.LOCK_NB
    fcntl.flock(handle, operation)


def _find_status(path: Path) -> os.stat_result | None:
    """Return the status of a path that is to be written, None if nothing exists there.

    Raises:
        OSError: The path is a folder, a device or a socket, or must not be written.
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
        raise PermissionError(f"{str(path)!r} is write-protected; name another file")
    return status


def _find_output_handle(status: os.stat_result) -> int | None:
    """Return the handle, 1 or 2, if a file is the output or error stream of this process.

    Returns None for any other file.
    """
    for handle in (1, 2):
        with suppress(OSError):  # the stream is closed
            if os.path.samestat(status, os.fstat(handle)):
                return handle
    return None


@contextmanager
def open_atomic(path: Path) -> Iterator[TextIO]:
    """Yield an open text file in place of the path that `atomic_write` yields."""
    with atomic_write(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file
