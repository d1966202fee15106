"""Where the files of `data/` are."""

import csv
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any


def data_file(name: str) -> Traversable:
    """A file of `data/`: inside an installed package, or beside it in the repository."""
    installed = files("kalahlab") / "_data" / name
    return installed if installed.is_file() else Path(__file__).parents[1] / "data" / name


def notebooks_folder() -> Path:
    """The notebooks that an installed package carries, or the checkout's `notebooks/`."""
    carried = Path(__file__).parent / "_notebooks"
    return carried if carried.is_dir() else Path(__file__).parents[1] / "notebooks"


def data_rows(
    name: str, kind: Callable[[str], Any] = str, **kinds: Callable[[str], Any]
) -> list[dict[str, Any]]:
    """The rows of a CSV file of `data/`, each text by its column's kind, or else by `kind`."""
    rows = csv.DictReader(data_file(name).read_text("utf-8").splitlines())
    return [{at: kinds.get(at, kind)(text) for at, text in row.items()} for row in rows]
