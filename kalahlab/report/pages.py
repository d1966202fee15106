"""The page of each notebook, which holds all it needs: it opens from a file, without a network."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
from markupsafe import Markup
from nbconvert.filters import markdown2html

from kalahlab.draw.items import Item
from kalahlab.draw.labels import readable_prose
from kalahlab.report import cells
from kalahlab.report.manifest import Record
from kalahlab.report.numbering import Label, labelled, number_of
from kalahlab.report.outline import Heading, Outline
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

    labels: its figures, tables and listings. cited: the keys of the sources that it cites.
    """

    record: Record
    body: str
    headings: list[Heading]
    labels: list[Label]
    cited: tuple[str, ...]

    @property
    def number(self) -> int:
        return number_of(self.record.notebook)

    @property
    def found(self) -> Item | None:
        """What the notebook found, if it says so."""
        return next(iter(self.record.made("finding")), None)

    @property
    def finding(self) -> str:
        """The sentence of that as HTML without a paragraph around it, or nothing."""
        html = str(markdown2html(readable_prose(self.found.text))).strip() if self.found else ""
        return html.removeprefix("<p>").removesuffix("</p>")

    @property
    def picture(self) -> Label | None:
        """The picture of the finding; else the first that the page shows."""
        pictures = [label for label in self.labels if label.item.kind == "figure"]
        files = self.found.files if self.found else ()
        return next((each for each in pictures if each.item.files[0] in files), None) or next(
            iter(pictures), None
        )


def read_page(record: Record, out: Path) -> Page:
    """Turn an executed notebook of the report into a page.

    A page that would load something from elsewhere is made without its outputs, and its record
    counts as failed.
    """
    notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
    labels = labelled(notebook, record)
    cells.prepare(notebook, labels, out / record.notebook, record.notebook in NAMING)
    body = cells.to_html(notebook)
    outline = Outline(body)
    if outline.remote:
        why = f"the page would load {outline.remote[0]}; it must hold all it needs"
        record = replace(record, status="failed", error=record.error or why)
        body = cells.to_html(notebook, outputs=False)
    # Notebooks open with "The question."; on the index that goes without saying.
    question = outline.lead.removeprefix("The question. ")
    record = replace(record, title=outline.title or record.notebook, question=question)
    return Page(record, body, outline.headings, labels, cells.cited(notebook))


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
    if not page.found:
        return page.body
    box = render("in_short.html.j2", found=page.found, finding=Markup(page.finding), answer=answer)
    question, end, rest = page.body.partition("</p>")
    return f"{question}{end}\n{box}{rest}"


def linked(body: str, bound: Collection[str]) -> str:
    """The body with its links to notebooks leading to their pages, if these are bound too."""
    return LINK.sub(
        lambda found: f'href="{found[1]}.html{found[2] or ""}"' if found[1] in bound else "", body
    )
