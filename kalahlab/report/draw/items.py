"""The list of what lies on a shelf: read by the builder, which draws nothing itself."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CONTENTS = "shelf.json"
Kind = Literal["figure", "table", "page"]


@dataclass(frozen=True)
class Item:
    """One thing on the shelf.

    text: a figure's description, a table's caption or a page's title. files: paths below
    the shelf. rows, columns: a table's shape, None for anything else.
    """

    kind: Kind
    name: str
    text: str
    files: tuple[str, ...]
    rows: int | None = None
    columns: int | None = None


def contents(folder: Path) -> list[Item]:
    """What lies on the shelf in `folder`, in order; nothing if it has no shelf."""
    file = folder / CONTENTS
    if not file.exists():
        return []
    rows = json.loads(file.read_text(encoding="utf-8"))
    return [Item(**{**row, "files": tuple(row["files"])}) for row in rows]
