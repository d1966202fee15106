"""Figures, tables and listings by number: Figure 7.2 is the second figure of notebook 07."""

import re
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from kalahlab.draw.items import WORDS, Item
from kalahlab.draw.labels import readable, readable_prose
from kalahlab.report.manifest import Record

KINDS = {"image/svg+xml": "figure", "text/html": "table", "text/markdown": "listing"}
"""What an output shows that carries a name, by the type of its data."""
FORMATS = {"csv": "CSV", "html": "HTML", "pdf": "PDF", "py": "Python", "svg": "SVG", "tex": "LaTeX"}


@dataclass(frozen=True)
class Label:
    """An artifact, the place of the cell that makes it, None if that cannot be told, and that of
    the output that shows it, None if it is only in files."""

    item: Item
    notebook: str
    cell: int | None
    output: int | None

    @property
    def text(self) -> str:
        return f"{WORDS[self.item.kind]} {number_of(self.notebook)}.{self.item.number}"

    @property
    def anchor(self) -> str:
        return f"{self.item.kind}-{self.item.name}"

    @property
    def caption(self) -> str:
        return readable_prose(self.item.caption or self.item.text)

    @property
    def description(self) -> str:
        return readable(self.item.text)

    @property
    def alt(self) -> str:
        """What stands for the picture above its caption, which is not said twice."""
        return self.description if self.description != self.caption else self.text

    @property
    def files(self) -> list[tuple[str, str]]:
        return [(FORMATS[file.rpartition(".")[2]], file) for file in self.item.files]

    @property
    def folded(self) -> bool:
        """Whether a table shows its first 15 rows (see `style.css`) until it is opened."""
        return (self.item.rows or 0) > 20

    @property
    def href(self) -> str:
        """Where it stands in the report: on its page, or only in the list of all."""
        if self.cell is None:
            return f"figures.html#{self.list_anchor}"
        return f"{self.notebook}.html#{self.anchor}"

    @property
    def list_anchor(self) -> str:
        return f"{self.notebook}-{self.anchor}"


def labelled(notebook: NotebookNode, record: Record) -> list[Label]:
    return [
        Label(item, record.notebook, *_place(notebook, item))
        for item in record.items
        if item.kind in WORDS
    ]


def number_of(notebook: str) -> int:
    """The number of a notebook, 7 for `07_perfect_play`; 0 if its name has none."""
    found = re.match(r"\d+", notebook)
    return int(found[0]) if found else 0


def _shows(output: dict[str, Any], item: Item) -> bool:
    metadata = output.get("metadata", {})
    if page := metadata.get("page"):
        return (item.kind, f"{item.name}.html") == ("page", page.rpartition("/")[2])
    return any(
        (kind, metadata.get(mime, {}).get("name")) == (item.kind, item.name)
        for mime, kind in KINDS.items()
        if mime in output.get("data", {})
    )


def _place(notebook: NotebookNode, item: Item) -> tuple[int | None, int | None]:
    """Of the output that shows it; else of the cell that names it."""
    for n, cell in enumerate(notebook.cells):
        for m, output in enumerate(cell.get("outputs", ())):
            if _shows(output, item):
                return n, m
    named = re.compile(rf"""["']{re.escape(item.name)}["']""")
    code = ((n, cell.source) for n, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    return next((n for n, source in code if named.search(source)), None), None
