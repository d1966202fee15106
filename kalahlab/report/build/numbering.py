"""The numbers of figures, tables and listings: Figure 7.2 is the second one of notebook 07.

They count in the order of the page, each kind of its own. An interactive page counts as a figure.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from kalahlab.report.build.manifest import Record
from kalahlab.report.draw.items import Item, Kind
from kalahlab.report.draw.labels import readable, readable_prose
from kalahlab.words import tables

FIGURE = "Figure"
WORDS: dict[Kind, str] = {
    "figure": FIGURE,
    "page": FIGURE,
    "table": "Table",
    "listing": "Listing",
}
KINDS: dict[str, Kind] = {
    "image/png": "figure",
    "image/svg+xml": "figure",
    "text/html": "table",
    "text/markdown": "listing",
}
"""What an output shows that carries a name, by the type of its data."""
FORMATS = {"csv": "CSV", "html": "HTML", "pdf": "PDF", "py": "Python", "svg": "SVG", "tex": "LaTeX"}


@dataclass(frozen=True)
class Label:
    """An artifact with its number.

    text: "Figure 7.2". cell: the place, in the notebook, of the cell that makes it, None if that
    cannot be told. output: the place of the output that shows it, None if it is only in files.
    """

    item: Item
    notebook: str
    text: str
    cell: int | None
    output: int | None

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return f"{self.item.kind}-{self.item.name}"

    @property
    def caption(self) -> str:
        """What is written beside the number: for figures, what `data/words/captions.toml` has."""
        written = tables("captions").get(self.notebook, {}).get(self.item.name)
        if written and WORDS[self.item.kind] == FIGURE:
            return str(written)
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


def numbered(notebook: NotebookNode, record: Record) -> list[Label]:
    """The artifacts of an executed notebook, in the order of its page."""
    items = [item for item in record.items if item.kind in WORDS]
    at = {(item.kind, item.name): _place(notebook, item) for item in items}
    items.sort(
        key=lambda item: [float("inf") if n is None else n for n in at[item.kind, item.name]]
    )
    number, counts, labels = number_of(record.notebook), Counter[str](), []
    for item in items:
        counts[word := WORDS[item.kind]] += 1
        text = f"{word} {number}.{counts[word]}"
        labels.append(Label(item, record.notebook, text, *at[item.kind, item.name]))
    return labels


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
