"""Files written whole or not at all, also if the process is killed or the disk is full."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A file to write, beside `path`, which takes its place at the end; gone on an error.

    One that is left by a process that was killed has a name that ends in `.part`.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
        os.chmod(name, 0o644)
        os.replace(name, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)
