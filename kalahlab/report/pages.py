"""The page of each notebook, which holds all it needs: it opens from a file, without a network."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
from markupsafe import Markup
from nbconvert.filters import markdown2html
from nbformat import NotebookNode

from kalahlab.draw.items import Item
from kalahlab.draw.labels import readable_prose
from kalahlab.report import cells
from kalahlab.report.manifest import Record
from kalahlab.report.numbering import Book, labelled, number_of
from kalahlab.report.outline import Heading, Outline
from kalahlab.report.references import bibliography
from kalahlab.report.rendering import render

LINK = re.compile(r'href="(\w+)\.(?:ipynb|md)(#[^"]*)?"')
"""A link from a notebook to another, or to a source. Cells are named as JupyterLab names them."""

NAMING = ("00_definitions",)
"""Pages on which readers learn what to type: names stay as the code has them."""

REFERENCES = "references"
"""The name of the page, and of the file in `notebooks/`, that lists the sources."""


@dataclass(frozen=True)
class Page:
    """A notebook's page before it is bound: its body, and what was read from it.

    finding: what the notebook found, as HTML; "" if it does not say. cited: the keys of the
    sources that it cites.
    """

    record: Record
    body: str
    headings: list[Heading]
    finding: str = ""
    cited: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The notebook's number."""
        return number_of(self.record.notebook)

    @property
    def found(self) -> Item | None:
        """The finding as it was kept."""
        return next(iter(self.record.made("finding")), None)


def read_book(records: Sequence[Record], out: Path) -> Book:
    """What the pages of the report in `out` may refer to."""
    labels = (each for record in records for each in labelled(_executed(record, out), record))
    return Book(tuple(labels), bibliography())


def read_page(record: Record, out: Path, book: Book | None = None) -> Page:
    """Turn an executed notebook of the report into a page.

    book: what the report shows; by default what this notebook does. A page that would load
    something from elsewhere is made without its outputs, and its record counts as failed.
    """
    book = book or read_book([record], out)
    notebook = _executed(record, out)
    cells.label(notebook, book.of(record.notebook))
    cells.embed(notebook, out / record.notebook)
    cells.fit_tables(notebook, as_code=record.notebook in NAMING)
    cited = cells.cited(notebook)
    cells.make_readable(notebook)
    body = cells.to_html(notebook)
    outline = Outline(body)
    if outline.remote:
        remote = outline.remote[0]
        why = f"the page would load {remote}; it must hold all it needs"
        record = replace(record, status="failed", error=record.error or why)
        body = cells.to_html(notebook, outputs=False)
    return Page(_titled(record, outline), body, outline.headings, _finding(record), cited)


def _titled(record: Record, outline: Outline) -> Record:
    # Notebooks open with "The question."; on the index that goes without saying.
    question = outline.lead.removeprefix("The question. ")
    return replace(record, title=outline.title or record.notebook, question=question)


def _executed(record: Record, out: Path) -> NotebookNode:
    notebook: NotebookNode = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
    return notebook


def _finding(record: Record) -> str:
    """The sentence that says what the notebook found, as HTML without a paragraph around it."""
    for item in record.made("finding"):
        html = markdown2html(readable_prose(item.text)).strip()
        return str(html).removeprefix("<p>").removesuffix("</p>")
    return ""


def bind(pages: Sequence[Page]) -> dict[str, str]:
    """File name -> HTML of each page, with its contents and its neighbours."""
    records: list[Record | None] = [None, *(page.record for page in pages), None]
    bound = {page.record.notebook for page in pages} | {REFERENCES}
    return {
        f"{page.record.notebook}.html": render(
            "notebook.html.j2",
            record=page.record,
            body=Markup(linked(_in_short(page), bound)),
            headings=[each for each in page.headings if each.id and each.level in (2, 3)],
            pages=pages,
            before=before,
            after=after,
        )
        for page, before, after in zip(pages, records, records[2:], strict=False)
    }


def _in_short(page: Page) -> str:
    """The body, with what the notebook found below its question."""
    answer = next((each.id for each in page.headings if each.text.startswith("The answer")), "")
    if not page.finding:
        return page.body
    box = render("in_short.html.j2", found=page.found, finding=Markup(page.finding), answer=answer)
    question, end, rest = page.body.partition("</p>")
    return f"{question}{end}\n{box}{rest}"


def linked(body: str, bound: Collection[str]) -> str:
    """The body with its links to notebooks leading to their pages, if these are bound too."""
    return LINK.sub(
        lambda found: f'href="{found[1]}.html{found[2] or ""}"' if found[1] in bound else "", body
    )
