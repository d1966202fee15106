"""The list of a notebook's artifacts: read by the builder, which draws nothing itself."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CONTENTS = "artifacts.json"
# What an artifact is called before its number; an interactive page counts as a figure.
WORDS = {"figure": "Figure", "page": "Figure", "table": "Table", "listing": "Listing"}
Kind = Literal["figure", "table", "page", "listing", "finding"]


@dataclass(frozen=True)
class Item:
    """name: unique among its kind; for a finding, the id of the cell that shows it. text: a
    figure's description, a table's or listing's caption, a page's title, a finding's sentence.
    files: paths below the notebook's folder; a finding has its picture's. number: among those with
    the same word, from 1; 0 for a finding. caption: of a figure or a page."""

    kind: Kind
    name: str
    text: str
    files: tuple[str, ...]
    number: int = 0
    rows: int | None = None
    columns: int | None = None
    caption: str = ""


def contents(folder: Path) -> tuple[Item, ...]:
    """The artifacts in `folder`, in order, with paths from beside it; none if it has no list."""
    file = folder / CONTENTS
    rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    for row in rows:
        row["files"] = tuple(f"{folder.name}/{file}" for file in row["files"])
    return tuple(Item(**row) for row in rows)
