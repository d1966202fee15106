"""The pages in front of the notebooks' and behind them: index, list of figures, references."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.numbering import Book, Label
from kalahlab.report.pages import REFERENCES, Page, linked
from kalahlab.report.rendering import render

GUIDE = "guide.toml"
TITLE = "kalahlab: an executable report on game-tree search in Kalah"
LICENCE = "Program, texts and figures may be used, changed and passed on under the MIT licence."


@dataclass(frozen=True)
class Guide:
    """How to read the report: `guide.toml`, beside the notebooks.

    abstract: the notebooks whose findings are the abstract. ways: for whom -> which notebooks in
    which order, each with a word on what for.
    """

    abstract: Sequence[str] = ()
    ways: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_guide(folder: Path) -> Guide:
    """The guide to the notebooks in a folder; an empty one if it has none."""
    file = folder / GUIDE
    if not file.exists():
        return Guide()
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return Guide(read["abstract"], read["ways"])


@dataclass(frozen=True)
class Entry:
    """A notebook on the index: its finding's sentence as HTML, and the picture that shows it."""

    record: Record
    number: int
    finding: Markup
    cell: str
    picture: Label | None


def bind(manifest: Manifest, pages: Sequence[Page], book: Book, guide: Guide) -> dict[str, str]:
    """File name -> HTML of the pages that are no notebook's."""
    entries = {page.record.notebook: _entry(page, book) for page in pages}
    abstract = [entries[stem] for stem in guide.abstract if stem in entries]
    return {
        "index.html": render(
            "index.html.j2",
            manifest=manifest,
            entries=entries,
            abstract=[entry for entry in abstract if entry.finding],
            ways=guide.ways,
            pages=pages,
            licence=LICENCE,
            citation=_citation(manifest),
        ),
        "figures.html": render(
            "figures.html.j2",
            pages=pages,
            labels={page.record.notebook: book.of(page.record.notebook) for page in pages},
        ),
        f"{REFERENCES}.html": render(
            "references.html.j2", pages=pages, sources=book.sources.values(), cited=cited(pages)
        ),
    }


def _citation(manifest: Manifest) -> str:
    """How this very report is cited: title, version, commit."""
    said = f"version {manifest.versions['kalahlab']}"
    commit = f", commit {manifest.commit[:12]}" if manifest.commit else ""
    return f"kalahlab contributors, “{TITLE}”, {said}{commit}."


def cited(pages: Iterable[Page]) -> dict[str, list[Record]]:
    """The pages that cite each source, by its key."""
    found: dict[str, list[Record]] = {}
    for page in pages:
        for key in page.cited:
            found.setdefault(key, []).append(page.record)
    return found


def _entry(page: Page, book: Book) -> Entry:
    stems = {label.notebook for label in book.labels} | {page.record.notebook, REFERENCES}
    stem, found = page.record.notebook, page.found
    html = linked(page.finding.replace('href="#', f'href="{stem}.html#'), stems)
    return Entry(
        page.record, page.number, Markup(html), found.name if found else "", _picture(page, book)
    )


def _picture(page: Page, book: Book) -> Label | None:
    """The picture of the finding; else the first that the page shows."""
    pictures = [label for label in book.of(page.record.notebook) if label.item.kind == "figure"]
    of_finding = [
        each for each in pictures if page.found and each.item.files[0] in page.found.files
    ]
    return next(iter(of_finding or pictures), None)
