"""Figures, tables and listings by number: Figure 7.2 is the second figure of notebook 07."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from kalahlab.draw.items import WORDS, Item, Kind
from kalahlab.draw.labels import readable, readable_prose
from kalahlab.report.manifest import Record
from kalahlab.report.references import Source

KINDS: dict[str, Kind] = {
    "image/svg+xml": "figure",
    "text/html": "table",
    "text/markdown": "listing",
}
"""What an output shows that carries a name, by the type of its data."""
FORMATS = {"csv": "CSV", "html": "HTML", "pdf": "PDF", "py": "Python", "svg": "SVG", "tex": "LaTeX"}


@dataclass(frozen=True)
class Label:
    """An artifact and where its notebook shows it.

    cell: the place, in the notebook, of the cell that makes it, None if that cannot be told.
    output: the place of the output that shows it, None if it is only in files.
    """

    item: Item
    notebook: str
    cell: int | None
    output: int | None

    @property
    def text(self) -> str:
        """Its number: "Figure 7.2"."""
        return f"{WORDS[self.item.kind]} {number_of(self.notebook)}.{self.item.number}"

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return f"{self.item.kind}-{self.item.name}"

    @property
    def caption(self) -> str:
        """What is written beside the number."""
        return readable_prose(self.item.caption or self.item.text)

    @property
    def description(self) -> str:
        """What the picture shows."""
        return readable(self.item.text)

    @property
    def alt(self) -> str:
        """What stands for the picture above its caption. What this says is not said twice."""
        return self.description if self.description != self.caption else self.text

    @property
    def files(self) -> list[tuple[str, str]]:
        """Its files, each with the name of its format."""
        return [(FORMATS[file.rpartition(".")[2]], file) for file in self.item.files]

    @property
    def href(self) -> str:
        """Where it stands in the report: on its page, or only in the list of all."""
        page = "figures" if self.cell is None else self.notebook
        return f"{page}.html#{self.anchor if page != 'figures' else self.list_anchor}"

    @property
    def list_anchor(self) -> str:
        """Its id in the list of all figures and tables."""
        return f"{self.notebook}-{self.anchor}"


@dataclass(frozen=True)
class Book:
    """What a report shows, and the sources that it may cite."""

    labels: tuple[Label, ...] = ()
    sources: dict[str, Source] = field(default_factory=dict)

    def of(self, notebook: str) -> list[Label]:
        """The labels of a notebook, in the order of its page."""
        return [label for label in self.labels if label.notebook == notebook]


def labelled(notebook: NotebookNode, record: Record) -> list[Label]:
    """The artifacts of an executed notebook, in the order in which it made them."""
    return [
        Label(item, record.notebook, *_place(notebook, item))
        for item in record.items
        if item.kind in WORDS
    ]


def number_of(notebook: str) -> int:
    """The number of a notebook, 7 for `07_perfect_play`; 0 if its name has none."""
    found = re.match(r"\d+", notebook)
    return int(found[0]) if found else 0


def shown_in(output: dict[str, Any]) -> tuple[Kind, str] | None:
    """The kind and the name of the artifact that an output shows, None if it shows none."""
    metadata = output.get("metadata", {})
    if page := metadata.get("page"):
        return "page", page.rpartition("/")[2].removesuffix(".html")
    for mime, kind in KINDS.items():
        if mime in output.get("data", {}) and (name := _name(metadata, mime)):
            return kind, name
    return None


def _name(metadata: dict[str, Any], mime: str) -> str:
    return str(metadata.get(mime, {}).get("name", ""))


def _place(notebook: NotebookNode, item: Item) -> tuple[int | None, int | None]:
    """Of the output that shows it; else of the cell that names it."""
    for cell, output, shown in _shown(notebook.cells):
        if shown == (item.kind, item.name):
            return cell, output
    named = re.compile(rf"""["']{re.escape(item.name)}["']""")
    code = ((n, cell.source) for n, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    return next((n for n, source in code if named.search(source)), None), None


def _shown(
    cells: Sequence[NotebookNode],
) -> Iterator[tuple[int, int, tuple[Kind, str] | None]]:
    for n, cell in enumerate(cells):
        for m, output in enumerate(cell.get("outputs", ())):
            yield n, m, shown_in(output)
