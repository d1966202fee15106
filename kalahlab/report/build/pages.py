"""The pages of the report: each notebook as HTML, and the index.

A page holds all it needs, so that it opens from a file and without a network.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

from kalahlab.report.build.manifest import Manifest, Record
from kalahlab.report.build.outline import Heading, Outline

TEMPLATES = Path(__file__).parent / "templates"
LIGHT_CODE, DARK_CODE = "xcode", "zenburn"
"""Pygments styles whose every colour has a contrast of 4.5 or more on our grounds."""
LINK = re.compile(r'href="(\w+)\.ipynb(#[^"]*)?"')
"""A link from a notebook to another, and to one of its cells as JupyterLab names it."""
WIDGET = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Page:
    """A notebook's page before it is bound: its body, and what was read from it."""

    record: Record
    body: str
    headings: list[Heading]


def read_page(record: Record, out: Path) -> Page:
    """Turn an executed notebook of the report into a page.

    A page that would load something from elsewhere loses its outputs, and its record
    says so and counts as failed.
    """
    notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
    embed(notebook, out / record.notebook)
    body = to_html(notebook)
    outline = Outline(body)
    if outline.remote:
        error = f"the page would load {outline.remote[0]}; it must hold all it needs"
        record = replace(record, status="failed", error=error)
        body = to_html(notebook, outputs=False)
    title = outline.title or record.notebook
    # Notebooks open with "The question."; on the index that goes without saying.
    question = outline.lead.removeprefix("The question. ")
    return Page(replace(record, title=title, question=question), body, outline.headings)


def embed(notebook: NotebookNode, folder: Path) -> None:
    """Put the pages of the artifacts in `folder` where their widgets stood, frame and all.

    A widget that has none needs a kernel, and is left out.
    """
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            metadata = output.get("metadata", {})
            if file := metadata.get("page"):
                html = escape((folder / file).read_text(encoding="utf-8"))
                title, height = escape(metadata["title"]), metadata["height"]
                frame = f'<iframe class="moving" style="height: {height}rem" title="{title}"'
                output.data = {"text/html": f'{frame} srcdoc="{html}"></iframe>'}
        if "outputs" in cell:
            cell.outputs = [each for each in cell.outputs if WIDGET not in each.get("data", ())]


def to_html(notebook: NotebookNode, outputs: bool = True) -> str:
    """The cells as HTML, without a page around them."""
    exporter = HTMLExporter(
        template_name="basic",
        template_file=str(TEMPLATES / "cells.html.j2"),
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_output=not outputs,
    )
    # What one cell printed comes in pieces, as the kernel happened to send it.
    exporter.register_preprocessor(CoalesceStreamsPreprocessor, enabled=True)
    return str(exporter.from_notebook_node(notebook)[0])


def bind(pages: Sequence[Page]) -> dict[str, str]:
    """File name -> HTML of each page, with its contents and its neighbours."""
    records: list[Record | None] = [None, *(page.record for page in pages), None]
    template = _environment().get_template("notebook.html.j2")
    bound = {page.record.notebook for page in pages}
    return {
        f"{page.record.notebook}.html": template.render(
            record=page.record,
            body=Markup(linked(page.body, bound)),
            headings=[each for each in page.headings if each.id and each.level in (2, 3)],
            before=before,
            after=after,
        )
        for page, before, after in zip(pages, records, records[2:], strict=False)
    }


def linked(body: str, bound: Collection[str]) -> str:
    """The body with its links to notebooks leading to their pages, if these are bound too."""
    return LINK.sub(
        lambda found: f'href="{found[1]}.html{found[2] or ""}"' if found[1] in bound else "", body
    )


def index(manifest: Manifest) -> str:
    """The HTML of the index."""
    template = _environment().get_template("index.html.j2")
    return template.render(manifest=manifest, ran=manifest.ran)


def counted(things: Iterable[tuple[int, str]]) -> str:
    """`[(1, "figure"), (2, "table"), (0, "page")]` as "1 figure, 2 tables"."""
    return ", ".join(f"{count} {thing}{'s' * (count > 1)}" for count, thing in things if count)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["style"] = Markup(_style())
    environment.filters["in_words"] = lambda name: name.replace("_", " ").replace("-", " ")
    environment.filters["counted"] = counted
    environment.filters["ending"] = lambda file: file.rpartition(".")[2]
    return environment


def _style() -> str:
    light, dark = (
        HtmlFormatter(style=name, nobackground=True).get_style_defs(".highlight")
        for name in (LIGHT_CODE, DARK_CODE)
    )
    own = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    return f"{own}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
