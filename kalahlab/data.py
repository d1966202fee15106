"""Access to the files of `data/` and to the notebooks, installed or in the repository."""

import csv
import gzip
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kalahlab.untrusted import decode_text

GZIP_MARK = b"\x1f\x8b"  # with which a gzipped file begins


def data_file(name: str) -> Traversable:
    """Return a file of `data/`: inside the installed package, or beside it in the repository."""
    installed = files("kalahlab") / "_data" / name
    if installed.is_file():
        return installed
    return Path(__file__).parents[1] / "data" / name


def notebooks_folder() -> Path:
    """Return the folder of notebooks in the installed package, or `notebooks/` of the checkout."""
    installed = Path(__file__).parent / "_notebooks"
    if installed.is_dir():
        return installed
    return Path(__file__).parents[1] / "notebooks"


def parse_table(content: bytes, file: object) -> "csv.DictReader[str]":
    """Return the rows of a CSV table, which may be gzipped like those of `data/`.

    Args:
        content: The bytes of the table.
        file: The name of the file in messages.

    Raises:
        ValueError: The bytes are not a text.
    """
    if content.startswith(GZIP_MARK):
        content = gzip.decompress(content)
    return csv.DictReader(decode_text(content, file).splitlines())


def data_rows(
    name: str, kind: Callable[[str], Any] = str, **kinds: Callable[[str], Any]
) -> list[dict[str, Any]]:
    """Return the rows of a CSV file of `data/`.

    Args:
        name: Its path in `data/`.
        kind: A function that converts the text of each cell.
        **kinds: Other functions for the cells of single columns, by the names of the columns.
    """
    lines = data_file(name).read_text("utf-8").splitlines()
    rows: list[dict[str, Any]] = []
    for texts in csv.DictReader(lines):
        row = {column: kinds.get(column, kind)(text) for column, text in texts.items()}
        rows.append(row)
    return rows
