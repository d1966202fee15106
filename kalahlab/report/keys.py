"""What a notebook's results depend on, as one key: equal keys, equal results."""

import hashlib
import json
import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from kalahlab import __version__

Parameters = Mapping[str, Any]

PACKAGES = (
    "numpy", "numba", "pandas", "matplotlib", "seaborn", "papermill", "nbconvert", "ipykernel",
)  # fmt: skip
READ = {".py", ".js", ".csv", ".json", ".toml", ".mplstyle"}
"""Endings of the package's files that can change a result; page templates cannot."""


def notebook_key(notebook: NotebookNode, parameters: Parameters, environment: str) -> str:
    """The key of one notebook: its cells (not their outputs), parameters and environment."""
    cells = [
        [cell.cell_type, cell.source, cell.metadata.get("tags", [])] for cell in notebook.cells
    ]
    text = json.dumps([cells, dict(parameters), environment], sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()


def joined(*keys: str) -> str:
    """The key of what depends on all of these."""
    return hashlib.sha256(" ".join(keys).encode()).hexdigest()


def environment_hash(package: Path) -> str:
    """The hash of what all notebooks depend on: the package, the data, the versions."""
    carried = package / "_data"
    data = carried if carried.is_dir() else package.parent / "data"
    digest = hashlib.sha256(json.dumps(versions()).encode())
    read = (file for file in _files(package) if file.suffix in READ)
    ours = {file for file in read if "_notebooks" not in file.parts}
    for file in sorted({*ours, *_files(data)}):
        digest.update(f"{file.relative_to(package.parent).as_posix()}\n".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(folder: Path) -> Iterable[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def versions() -> dict[str, str]:
    own = {"python": platform.python_version(), "kalahlab": __version__}
    return own | {name: version(name) for name in PACKAGES}


def commit(package: Path) -> str | None:
    """The checkout's commit, with `-dirty` if it was changed since; None outside of one."""
    if not (package.parent / ".git").exists():
        return None
    words = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.check_output(
            words, cwd=package.parent, text=True, stderr=subprocess.DEVNULL
        ).strip()
    except (OSError, subprocess.CalledProcessError):
        return None
