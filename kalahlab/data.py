"""Where the files of `data/` are."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def data_file(name: str) -> Traversable:
    """A file of `data/`: inside an installed package, or beside it in the repository."""
    installed = files("kalahlab") / "_data" / name
    return installed if installed.is_file() else Path(__file__).parents[1] / "data" / name
