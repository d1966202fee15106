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
        name: Unique among its kind; for a finding, the id of the cell that shows it.
        text: A figure's description, a table's or listing's caption, a page's title, a finding's
            sentence.
        files: The paths, in the stored list relative to the notebook's folder, from `contents`
            relative to the folder around that; for a finding, those of its picture.
        number: The number among artifacts with the same word, from 1; 0 for a finding.
        rows, columns: The number of rows and columns that a table shows; None for others.
        caption: The caption of a figure or a page; "" for others, whose caption is `text`.
    """

    kind: Kind
    name: str
    text: str
    files: tuple[str, ...]
    number: int = 0
    rows: int | None = None
    columns: int | None = None
    caption: str = ""


def contents(folder: Path) -> tuple[Item, ...]:
    """Return the artifacts in `folder`, in order, with paths relative to the folder around it.

    Return an empty tuple if the folder has no list.
    """
    file = folder / CONTENTS
    if not file.exists():
        return ()
    rows = json.loads(file.read_text(encoding="utf-8"))
    for row in rows:
        row["files"] = tuple(f"{folder.name}/{path}" for path in row["files"])
    return tuple(Item(**row) for row in rows)
