"""The list of a notebook's artifacts: read by the builder, which draws nothing itself."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CONTENTS = "artifacts.json"
Kind = Literal["figure", "table", "page"]


@dataclass(frozen=True)
class Item:
    """One artifact.

    text: a figure's description, a table's caption or a page's title. files: paths below
    the notebook's folder. rows, columns: a table's shape, None for anything else.
    """

    kind: Kind
    name: str
    text: str
    files: tuple[str, ...]
    rows: int | None = None
    columns: int | None = None


def contents(folder: Path) -> list[Item]:
    """The artifacts in `folder`, in order; none if it has no list of them."""
    file = folder / CONTENTS
    if not file.exists():
        return []
    rows = json.loads(file.read_text(encoding="utf-8"))
    return [Item(**{**row, "files": tuple(row["files"])}) for row in rows]
