"""Conversion of the cells of an executed notebook to HTML, with captions, tables and pages."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from textwrap import indent
from typing import Any

from bs4 import Tag
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import InvalidNotebook
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from kalahlab.draw.labels import (
    IDENTIFIER,
    INLINE_CODE,
    replace_identifiers,
    replace_identifiers_in_prose,
)
from kalahlab.formatting import to_json
from kalahlab.report.exercises import load_exercises
from kalahlab.report.items import WORDS, Item
from kalahlab.report.manifest import Record
from kalahlab.report.rendering import TEMPLATES, base64, mark_code, parse, render

WIDGET = "application/vnd.jupyter.widget-view+json"
MARKDOWN, SCRIPT = "text/markdown", "application/javascript"
PICTURES = "image/svg+xml", "image/png", "image/jpeg"
# A citation: `[Knuth & Moore 1975, page 300](references.md#knuth1975)`.
CITED = re.compile(r"\]\(references\.md#([\w-]+)\)")
GOALS = re.compile(r"<p><strong>After this page you can.*?</ul>", re.DOTALL)
FOLLOWS = re.compile(r"<p>(?=<strong>What follows)")
# The kind of artifact that an output with a name shows, by the MIME type of its data.
KINDS = {"image/svg+xml": "figure", "text/html": "table", "text/markdown": "listing"}
MISSING = re.compile("missing attachment: (.*)")  # a message of nbconvert
FORMATS = {"csv": "CSV", "html": "HTML", "pdf": "PDF", "py": "Python", "svg": "SVG", "tex": "LaTeX"}
# The data of an output that a page shows. Its policy does not run an output's scripts.
SHOWN = {"text/html", MARKDOWN, "text/latex", "text/plain", *PICTURES}
UNSHOWN = (
    "<p><em>Here the notebook shows {}, which needs a running kernel; run it to see it.</em></p>"
)
EMPTY = "Output()"  # of ipywidgets, before anything is shown in it
UNANSWERED = re.compile(r'(<div class="exercise) not-answered-yet"><p>Exercise ([\d.]+):.*?</p>')


@dataclass(frozen=True)
class Label:
    """An artifact with its notebook.

    Attributes:
        is_shown: Whether its page shows it; otherwise only the list of all artifacts does.
    """

    item: Item
    notebook: str
    is_shown: bool

    @property
    def text(self) -> str:
        return f"{WORDS[self.item.kind]} {number_of(self.notebook)}.{self.item.number}"

    @property
    def anchor(self) -> str:
        return f"{self.item.kind}-{self.item.name}"

    @property
    def caption(self) -> str:
        return replace_identifiers_in_prose(self.item.caption or self.item.text)

    @property
    def description(self) -> str:
        return replace_identifiers(self.item.text)

    @property
    def alt(self) -> str:
        """The alternative text; the number of the figure if it would repeat the caption."""
        if self.description == self.caption:
            return self.text
        return self.description

    @property
    def files(self) -> list[tuple[str, str]]:
        return [(FORMATS[file.rpartition(".")[2]], file) for file in self.item.files]

    @property
    def is_folded(self) -> bool:
        """True if a table shows its first 15 rows (see `style.css`) until a reader opens it."""
        return (self.item.rows or 0) > 20

    @property
    def href(self) -> str:
        page = f"{self.notebook}.html#{self.anchor}"
        if not self.is_shown:
            return f"figures.html#{self.list_anchor}"
        return page

    @property
    def list_anchor(self) -> str:
        return f"{self.notebook}-{self.anchor}"


def attach_labels(notebook: NotebookNode, record: Record) -> list[Label]:
    """Attach a label for each artifact to the output that shows it, or the cell that names it."""
    outputs: dict[Any, NotebookNode] = {}
    for candidate in _iter_outputs(notebook):
        outputs.setdefault(_artifact(candidate), candidate)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    labels = []
    for item in record.items:
        if item.kind not in WORDS:
            continue
        output: NotebookNode | None = outputs.get((item.kind, item.name))
        name = re.compile(f"[\"']{item.name}[\"']")
        cell = next((cell for cell in cells if name.search(cell.source)), None)
        label = Label(item, record.notebook, bool(output or cell))
        labels.append(label)
        if output:
            output.metadata["label"] = label
        elif cell:
            cell.metadata.setdefault("artifact_labels", []).append(label)
    return labels


def _iter_outputs(notebook: NotebookNode) -> Iterator[NotebookNode]:
    for cell in notebook.cells:
        yield from cell.get("outputs", ())


def number_of(notebook: str) -> int:
    """Return the number of a notebook, 7 for `07_perfect_play`; 0 if its name has none."""
    match = re.match(r"\d+", notebook)
    if match is None:
        return 0
    return int(match[0])


def _artifact(output: NotebookNode) -> tuple[str, str] | None:
    """Return the kind and the name of the artifact that an output shows."""
    metadata = output.get("metadata", {})
    if page := metadata.get("page"):
        return "page", Path(page).stem
    for mime, kind in KINDS.items():
        if mime in metadata:
            return kind, metadata[mime].get("name")
    return None


def find_markdown(notebook: NotebookNode) -> list[tuple[NotebookNode, str]]:
    """Return the places of a notebook's Markdown, written or computed: the node and its key."""
    places = [(cell, "source") for cell in notebook.cells if cell.cell_type == "markdown"]
    for output in _iter_outputs(notebook):
        if MARKDOWN in output.get("data", {}):
            places.append((output.data, MARKDOWN))
    return places


def citation_keys(notebook: NotebookNode) -> tuple[str, ...]:
    """Return the keys of the cited sources, each once, in the order of their first citation."""
    keys: list[str] = []
    for node, key in find_markdown(notebook):
        keys += CITED.findall(node[key])
    return tuple(dict.fromkeys(keys))


def prepare(notebook: NotebookNode, folder: Path, as_code: bool) -> None:
    """Convert all outputs, which have their labels, to what a page can show.

    Args:
        notebook: Changed in place.
        folder: The folder of the notebook's artifacts.
        as_code: Whether names that have a label are shown as code.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if _is_shown(output)]
            for output in cell.outputs:
                _convert_output(output, folder, as_code)


def _is_shown(output: NotebookNode) -> bool:
    """Return False for an empty widget, and for a caption or a finding: the page writes these."""
    if not {"finding", "caption"}.isdisjoint(output.get("metadata", {}).get(MARKDOWN, ())):
        return False
    return bool(output.get("data", {}).get("text/plain") != EMPTY)


def _convert_output(output: NotebookNode, folder: Path, as_code: bool) -> None:
    """Convert an output to what a page can show.

    A widget becomes its page and its still image; tables and sentences are written for readers. A
    sentence replaces what a page cannot show: another widget, a script.
    """
    data, metadata = output.get("data", {}), output.get("metadata", {})
    html = data.get("text/html", "")
    if metadata.get("page"):
        output.data = {"text/html": _embed_page(metadata, folder)}
    elif data and (WIDGET in data or SCRIPT in data or not SHOWN & {*data}):
        match = re.match(r"<?([A-Za-z_][\w.]*)", data.get("text/plain", ""))
        name = match[1].rpartition(".")[2] if match else "an output"
        output.data = {"text/html": UNSHOWN.format(escape(name))}
    elif "<script" in html:
        data["text/html"] += UNSHOWN.format("a script")
    elif 'class="dataframe"' in html:
        data["text/html"] = for_page(html, "label" in metadata, as_code)
    elif MARKDOWN in data:
        text = data[MARKDOWN]
        if "label" in metadata:  # a listing, whose caption the page writes
            text = text.partition("\n\n")[2]
        data[MARKDOWN] = replace_identifiers_in_prose(text)


def _embed_page(metadata: NotebookNode, folder: Path) -> str:
    """Return a frame with a widget's page, and its still image for print."""
    html = escape((folder / metadata["page"]).read_text(encoding="utf-8"))
    title, height = escape(metadata["title"]), metadata["height"]
    frame = f'<iframe class="moving" style="height: {height}rem" title="{title}"'
    still = base64((folder / metadata["still"]).read_text(encoding="utf-8"))
    image = f'<img class="still" src="data:image/svg+xml;base64,{still}" alt="{title}">'
    return f'{frame} srcdoc="{html}"></iframe>{image}'


def find_unshowable(notebook: NotebookNode, folder: Path) -> dict[str, str]:
    """Return a message for each cell that no page can show, by the id of the cell."""
    messages = {}
    for cell in notebook.cells:
        alone = new_notebook(cells=[deepcopy(cell)])
        try:
            prepare(alone, folder, False)
            parse(to_html(alone))
        except Exception as error:  # cells come from anybody
            messages[cell.id] = f"cell {cell.id} {_why_unshowable(error)}"
    return messages


def _why_unshowable(error: Exception) -> str:
    attachment = MISSING.fullmatch(str(error))
    if isinstance(error, InvalidNotebook) and attachment:
        return f"shows attachment:{attachment[1]}, which the cell does not have"
    if isinstance(error, FileNotFoundError):
        return f"shows the page {Path(error.filename).name}, which is gone"
    return f"cannot be shown: {type(error).__name__}: {str(error)[:200]}"


def hide(cell: NotebookNode) -> None:
    """Remove the outputs of a cell that no page can show; show prose as its source."""
    if cell.cell_type == "code":
        cell.outputs = []
    else:
        cell.source = indent(cell.source, "    ")  # a block of code, in Markdown


def for_page(html: str, captioned: bool, as_code: bool = False) -> str:
    """Return a table as a page shows it; HTML without exactly one table is returned unchanged.

    Args:
        html: The output of a cell.
        captioned: Whether the page has a caption for it, so that its own is removed.
        as_code: Whether names that have a label are shown as code.
    """
    page = parse(html)
    tables = page.select("table")
    if len(tables) != 1:
        return html
    [table] = tables
    if captioned and table.caption:
        table.caption.decompose()
    for header in table.select("thead th"):
        if not header.get_text(strip=True):
            header.name, header.attrs = "td", {}
    _merge_row_headers(table)
    for text in table.find_all(string=re.compile(f"`|{IDENTIFIER.pattern}")):
        if not text.find_parent("code"):
            coded = "".join(_mark_code(part, as_code) for part in INLINE_CODE.split(str(text)))
            text.replace_with(parse(coded))
    return str(page)


def _merge_row_headers(table: Tag) -> None:
    """Let a row header span the rows below it whose headers repeat it, and so are empty."""
    last: dict[int, Tag] = {}  # level -> the last header that is not empty
    for row in table.select("tbody tr"):
        for level, header in enumerate(row.find_all("th", recursive=False)):
            if header.get_text(strip=True) or level not in last:
                last[level] = header
                continue
            rows = int(str(last[level].get("rowspan", "1"))) + 1
            last[level].attrs |= {"rowspan": str(rows), "scope": "rowgroup"}
            header.decompose()


def _mark_code(part: str, as_code: bool) -> str:
    """Return a part of a table's text as HTML, in which quoted parts and names are code."""
    if len(part) > 2 and part.startswith("`"):
        return f"<code>{escape(part[1:-1])}</code>"
    text = escape(part if as_code else replace_identifiers(part), quote=False)
    return IDENTIFIER.sub(lambda match: f"<code>{match[0]}</code>", text)


def to_html(notebook: NotebookNode, outputs: bool = True) -> str:
    """Return the cells as the body of a page, in which each exercise has its form."""
    # HTMLExporter's own method parses the page twice, for a theme that is not used here.
    body = TemplateExporter.from_notebook_node(_exporter(outputs), notebook)[0]
    # On a phone, code and tables in prose scroll in their box; the focus lets keys do so, too.
    for element in ("pre", "table"):
        body = body.replace(f"<{element}>", f'<{element} tabindex="0">')
    body = body.replace("<th></th>", "<td></td>")
    body = GOALS.sub(r'<div class="goals">\g<0></div>', body)
    body = FOLLOWS.sub('<p class="follows">', body)
    return UNANSWERED.sub(lambda match: f'{match[1]}">{_form(match[2])}', body)


def _form(number: str) -> str:
    """Return the form in which a reader answers an exercise, with the data for `exercises.js`."""

    def to_texts(answer: Any) -> list[str]:
        answers = answer if isinstance(answer, list) else [answer]
        return [str(answer) for answer in answers]

    exercise = load_exercises()[number]
    checks = {
        "answer": to_texts(exercise.answer),
        "several": isinstance(exercise.answer, list),
        "set": exercise.same == "set",
        "form": exercise.form,
        "hint": exercise.hint,
        "mistakes": [
            {**mistake, "answer": to_texts(mistake["answer"])} for mistake in exercise.mistakes
        ],
    }
    return render("exercise.html.j2", number=number, checks=to_json(checks, ensure_ascii=False))


@cache
def _exporter(outputs: bool) -> HTMLExporter:
    """Return the exporter of all notebooks: each new one would compile its templates again."""
    exporter = HTMLExporter(
        template_name="basic",
        template_file=str(TEMPLATES / "cells.html.j2"),
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_output=not outputs,
    )
    exporter.register_filter("mark_code", mark_code)
    highlight = Highlight2HTML(pygments_lexer="ipython3", parent=exporter)
    exporter.register_filter("highlight_code", highlight)
    # The kernel sends the printed text of one cell in several pieces.
    exporter.register_preprocessor(CoalesceStreamsPreprocessor, enabled=True)
    return exporter
