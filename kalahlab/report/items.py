"""The list of a notebook's artifacts, which the builder reads without loading matplotlib."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CONTENTS = "artifacts.json"
# The word before the number of an artifact; an interactive page counts as a figure.
WORDS = {"figure": "Figure", "page": "Figure", "table": "Table", "listing": "Listing"}
Kind = Literal["figure", "table", "page", "listing", "finding"]


@dataclass(frozen=True)
class Item:
    """An artifact of a notebook.

    Attributes:
        kind: The kind.
        name: The name, unique among its kind; for a finding, the id of the cell that shows it.
        text: The description of a figure, the caption of a table or listing, the title of a page,
            the sentence of a finding.
        files: The paths of the files; for a finding, of the files of its picture. They are relative
            to the notebook's folder in `artifacts.json`, and relative to the folder of the report
            in an item from `load_items`.
        number: The number among artifacts with the same word, from 1; 0 for a finding.
        rows, columns: The number of rows and columns that a table shows; None for others.
        caption: The caption of a figure or a page, and what a finding rests on; "" for others.
    """

    kind: Kind
    name: str
    text: str
    files: tuple[str, ...]
    number: int = 0
    rows: int | None = None
    columns: int | None = None
    caption: str = ""


def format_label(kind: Kind, notebook: int, number: int) -> str:
    """Return the word and the number of an artifact, such as `Table 5.8`."""
    return f"{WORDS[kind]} {notebook}.{number}"


def load_items(folder: Path) -> tuple[Item, ...]:
    """Load the artifacts of a notebook from its folder, in the order in which they were made.

    Return an empty tuple if the folder has no list of artifacts.
    """
    file = folder / CONTENTS
    if not file.exists():
        return ()
    rows = json.loads(file.read_text(encoding="utf-8"))
    for row in rows:
        row["files"] = tuple(f"{folder.name}/{path}" for path in row["files"])
    return tuple(Item(**row) for row in rows)
