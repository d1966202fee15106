"""Conversion of the cells of an executed notebook to HTML, with captions, tables and pages."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import zip_longest
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
from kalahlab.report.items import WORDS, Item, format_label
from kalahlab.report.manifest import Record
from kalahlab.report.rendering import TEMPLATES, base64, mark_code, parse, render

WIDGET = "application/vnd.jupyter.widget-view+json"
MARKDOWN, SCRIPT = "text/markdown", "application/javascript"
PICTURES = "image/svg+xml", "image/png", "image/jpeg"
# A citation: `[Knuth & Moore 1975, page 300](references.md#knuth1975)`; group 1 is its key.
CITATION = re.compile(r"\]\(references\.md#([\w-]+)\)")
# An empty header of a table in Markdown; group 1 is the alignment of its column.
EMPTY_HEADER = re.compile(r"<th((?: style=[^>]*)?)></th>")
# nbconvert's HTML of the goals of a notebook, up to the end of their list.
GOALS = re.compile(r"<p><strong>After this page you can.*?</ul>", re.DOTALL)
OUTLOOK_TAG = re.compile(r"<p>(?=<strong>What follows)")
# An output that shows an artifact has the artifact's name in the metadata of one MIME type. This
# type tells the kind. Pages are not here: their outputs have another mark.
KIND_BY_MIME_TYPE = {"image/svg+xml": "figure", "text/html": "table", "text/markdown": "listing"}
# A message of nbconvert; group 1 is the name of the attachment.
MISSING_ATTACHMENT = re.compile("missing attachment: (.*)")
# The names of file formats by suffix, for the links to an artifact's files.
FORMATS = {"csv": "CSV", "html": "HTML", "pdf": "PDF", "py": "Python", "svg": "SVG", "tex": "LaTeX"}
# The MIME types of outputs that a page can show. Scripts are not among them: the content security
# policy of a page blocks them.
SHOWN_MIME_TYPES = {"text/html", MARKDOWN, "text/latex", "text/plain", *PICTURES}
PLACEHOLDER = (
    "<p><em>Here the notebook shows {}, which needs a running kernel; run it to see it.</em></p>"
)
EMPTY_WIDGET = "Output()"  # the text of an `Output` of ipywidgets in which nothing is shown
# What becomes code in a cell of a table: a setting, such as `end=mover`, or the name of a thing.
CODE = re.compile(rf"\b[a-z_]+=[a-z]+\b|{IDENTIFIER.pattern}")
# An exercise without an answer, as the notebook shows it; group 1 is its number. A page has a form
# in place of this sentence.
UNANSWERED = re.compile(r'<div class="exercise not-answered-yet"><p>Exercise ([\d.]+):.*?</p>')


@dataclass(frozen=True)
class Label:
    """An artifact as a page shows it: its number, its caption and the links to it.

    Attributes:
        item: The artifact.
        notebook: The name of its notebook.
        is_on_page: Whether the page of the notebook shows the label, at an output or a cell. If
            not, only the list of all artifacts shows it.
    """

    item: Item
    notebook: str
    is_on_page: bool

    @property
    def reference(self) -> str:
        """The word and the number of the artifact, such as `Figure 7.1`."""
        return format_label(self.item.kind, number_of(self.notebook), self.item.number)

    @property
    def anchor(self) -> str:
        return f"{self.item.kind}-{self.item.name}"

    @property
    def caption(self) -> str:
        """The caption on the page: that of a figure or page, or the text of a table or listing."""
        return replace_identifiers_in_prose(self.item.caption or self.item.text)

    @property
    def description(self) -> str:
        return replace_identifiers(self.item.text)

    @property
    def alt(self) -> str:
        """The text in place of the picture, for a screen reader.

        It is the description, or the reference if the description would repeat the caption.
        """
        if self.description == self.caption:
            return self.reference
        return self.description

    @property
    def files(self) -> list[tuple[str, str]]:
        """The format and the path of each file."""
        return [(FORMATS[file.rpartition(".")[2]], file) for file in self.item.files]

    @property
    def is_folded(self) -> bool:
        """Whether the page shows the caption alone until a reader asks for the rest.

        That is so for a listing, and for a table of more than 12 rows.
        """
        return self.item.kind == "listing" or (self.item.rows or 0) > 12

    @property
    def href(self) -> str:
        if not self.is_on_page:
            return f"figures.html#{self.list_anchor}"
        return f"{self.notebook}.html#{self.anchor}"

    @property
    def list_anchor(self) -> str:
        return f"{self.notebook}-{self.anchor}"


def attach_labels(notebook: NotebookNode, record: Record) -> list[Label]:
    """Attach a label for each artifact to the output that shows it, or the cell that names it.

    Return all labels, including the labels of artifacts that no output shows and no cell names.
    """
    # (kind, name) of an artifact -> the first output that shows it
    outputs: dict[tuple[str, str], NotebookNode] = {}
    for any_output in _iter_outputs(notebook):
        artifact = _find_artifact(any_output)
        if artifact is not None:
            outputs.setdefault(artifact, any_output)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    labels = []
    for item in record.items:
        if item.kind not in WORDS:
            continue
        output = outputs.get((item.kind, item.name))
        # If no output shows the artifact, the label is put at the first cell with the quoted name,
        # as in `figure("NAME", ...)`.
        quoted_name = re.compile(f"[\"']{item.name}[\"']")
        cell = next((cell for cell in cells if quoted_name.search(cell.source)), None)
        label = Label(item, record.notebook, is_on_page=bool(output or cell))
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


def _find_artifact(output: NotebookNode) -> tuple[str, str] | None:
    """Return the kind and the name of the artifact that an output shows; None if it shows none."""
    metadata = output.get("metadata", {})
    if page := metadata.get("page"):
        return "page", Path(page).stem
    for mime, kind in KIND_BY_MIME_TYPE.items():
        if name := metadata.get(mime, {}).get("name"):
            return kind, name
    return None


def find_markdown(notebook: NotebookNode) -> list[tuple[NotebookNode, str]]:
    """Return the places of Markdown in a notebook: its Markdown cells and outputs.

    Each place is a node of the notebook and the key at which the node has Markdown.
    """
    places = [(cell, "source") for cell in notebook.cells if cell.cell_type == "markdown"]
    for output in _iter_outputs(notebook):
        if MARKDOWN in output.get("data", {}):
            places.append((output.data, MARKDOWN))
    return places


def citation_keys(notebook: NotebookNode) -> tuple[str, ...]:
    """Return the keys of the cited sources in the order of their first citations."""
    keys: list[str] = []
    for node, key in find_markdown(notebook):
        keys += CITATION.findall(node[key])
    return tuple(dict.fromkeys(keys))


def convert_outputs(notebook: NotebookNode, folder: Path, keep_identifiers: bool) -> None:
    """Convert all outputs to data that a page can show, and remove those that a page leaves out.

    Args:
        notebook: Changed in place. `attach_labels` has been called with it.
        folder: The folder of the notebook's artifacts.
        keep_identifiers: Show identifiers in tables as they are, not as words.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if _is_kept(output)]
            for output in cell.outputs:
                _convert_output(output, folder, keep_identifiers)


def gather_code(notebook: NotebookNode) -> None:
    """Let each run of code cells show its code once, at the first output or at the end.

    The cells with parameters are a run of their own: the defaults, and the values of this run.

    Args:
        notebook: Changed in place: the metadata of a code cell gets `shown_sources`, the list of
            the sources that the page shows there.
    """
    sources: list[str] = []
    for cell, following in zip_longest(notebook.cells, notebook.cells[1:]):
        if cell.cell_type != "code":
            continue
        sources.append(cell.source)
        cell.metadata["shown_sources"] = []
        is_last = following is None or following.cell_type != "code"
        has_output = cell.outputs or "artifact_labels" in cell.metadata
        if is_last or has_output or _has_parameters(cell) != _has_parameters(following):
            cell.metadata["shown_sources"] = [source for source in sources if source.strip()]
            sources = []


def _has_parameters(cell: NotebookNode) -> bool:
    return any("parameters" in tag for tag in cell.metadata.get("tags", ()))


def _is_kept(output: NotebookNode) -> bool:
    """Return whether a page shows the output in its cell.

    A page leaves out empty widgets. It shows captions and findings elsewhere.
    """
    markdown_metadata = output.get("metadata", {}).get(MARKDOWN, ())
    if "finding" in markdown_metadata or "caption" in markdown_metadata:
        return False
    is_empty_widget = output.get("data", {}).get("text/plain") == EMPTY_WIDGET
    return not is_empty_widget


def _convert_output(output: NotebookNode, folder: Path, keep_identifiers: bool) -> None:
    """Convert an output to data that a page can show.

    A widget that has been saved as a page is replaced with a frame that shows this page. A
    placeholder replaces any other widget or script. HTML that contains a script is kept, with a
    placeholder after it. In tables and Markdown, identifiers become words.
    """
    data, metadata = output.get("data", {}), output.get("metadata", {})
    html = data.get("text/html", "")
    is_shown = bool(SHOWN_MIME_TYPES & set(data)) and WIDGET not in data and SCRIPT not in data
    if metadata.get("page"):
        output.data = {"text/html": _embed_page(metadata, folder)}
    # Printed text and errors have no data, and stay as they are.
    elif data and not is_shown:
        # Group 1 is the class in a repr such as `Slider(1)` or `<module.Plot object>`.
        match = re.match(r"<?([A-Za-z_][\w.]*)", data.get("text/plain", ""))
        name = match[1].rpartition(".")[2] if match else "an output"
        output.data = {"text/html": PLACEHOLDER.format(escape(name))}
    elif "<script" in html:
        data["text/html"] += PLACEHOLDER.format("a script")
    elif 'class="dataframe"' in html:
        data["text/html"] = format_table(html, "label" in metadata, keep_identifiers)
    elif MARKDOWN in data:
        text = data[MARKDOWN]
        if "label" in metadata:
            # A listing begins with its caption, a paragraph which the template writes.
            text = text.partition("\n\n")[2]
        data[MARKDOWN] = replace_identifiers_in_prose(text)


def _embed_page(metadata: NotebookNode, folder: Path) -> str:
    """Return a frame with the page of a widget, and a still image of the widget for print."""
    widget_page = escape((folder / metadata["page"]).read_text(encoding="utf-8"))
    title, height = escape(metadata["title"]), metadata["height"]
    frame = f'<iframe class="moving" style="height: {height}rem" title="{title}"'
    still = base64((folder / metadata["still"]).read_text(encoding="utf-8"))
    image = f'<img class="still" src="data:image/svg+xml;base64,{still}" alt="{title}">'
    return f'{frame} srcdoc="{widget_page}"></iframe>{image}'


def find_unshowable(notebook: NotebookNode, folder: Path) -> dict[str, str]:
    """Return a message for each cell that cannot be converted to HTML, by the id of the cell."""
    messages = {}
    for cell in notebook.cells:
        alone = new_notebook(cells=[deepcopy(cell)])
        try:
            # Any value of `keep_identifiers` does: a cell that fails with one fails with the other.
            convert_outputs(alone, folder, keep_identifiers=False)
            parse(to_html(alone))
        except Exception as error:  # users write cells, so any error is possible
            messages[cell.id] = f"cell {cell.id} {_why_unshowable(error)}"
    return messages


def _why_unshowable(error: Exception) -> str:
    """Return why a cell cannot be converted, to follow `cell ID` in a sentence."""
    attachment = MISSING_ATTACHMENT.fullmatch(str(error))
    if isinstance(error, InvalidNotebook) and attachment:
        return f"shows attachment:{attachment[1]}, which the cell does not have"
    if isinstance(error, FileNotFoundError):
        return f"shows the page {Path(error.filename).name}, which is gone"
    return f"cannot be shown: {type(error).__name__}: {str(error)[:200]}"


def hide(cell: NotebookNode) -> None:
    """Remove the outputs of a cell that cannot be converted; turn Markdown into its source text."""
    if cell.cell_type == "code":
        cell.outputs = []
    else:
        cell.source = indent(cell.source, "    ")  # a block of code, in Markdown


def format_table(html: str, remove_caption: bool, keep_identifiers: bool = False) -> str:
    """Format the table in the output of a cell.

    HTML with no table or with several tables is returned unchanged. In a table, empty column
    headers become plain cells, and repeated row headers become one header. Names become words or
    code.

    Args:
        html: The output of a cell.
        remove_caption: Remove the caption of the table, because the template writes one.
        keep_identifiers: Show identifiers as they are, not as words.
    """
    soup = parse(html)
    tables = soup.select("table")
    if len(tables) != 1:
        return html
    [table] = tables
    if remove_caption and table.caption:
        table.caption.decompose()
    for header in table.select("thead th"):
        if not header.get_text(strip=True):
            header.name, header.attrs = "td", {}
    _merge_row_headers(table)
    for text in table.find_all(string=re.compile(f"`|{CODE.pattern}")):
        if not text.find_parent("code"):
            # Each part is text in backticks, such as "`x`", or text without backticks.
            parts = INLINE_CODE.split(str(text))
            formatted = "".join(_format_cell_text(part, keep_identifiers) for part in parts)
            text.replace_with(parse(formatted))
    return str(soup)


def _merge_row_headers(table: Tag) -> None:
    """Let each row header span the rows below it that have an empty header at the same level.

    `tables.table_html` writes an empty header in place of one that repeats the one above.
    """
    # level -> the header that spans the current row; level 0 is the leftmost column of headers
    spanning_headers: dict[int, Tag] = {}
    for row in table.select("tbody tr"):
        for level, header in enumerate(row.find_all("th", recursive=False)):
            if header.get_text(strip=True) or level not in spanning_headers:
                spanning_headers[level] = header
                continue
            spanning = spanning_headers[level]
            row_count = int(str(spanning.get("rowspan", "1"))) + 1
            spanning.attrs |= {"rowspan": str(row_count), "scope": "rowgroup"}
            header.decompose()


def _format_cell_text(part: str, keep_identifiers: bool) -> str:
    """Return a part of a cell's text as HTML.

    Text in backticks becomes code. In other text, a name with a label becomes this label, and a
    name without one, or a setting such as `end=mover`, becomes code. With `keep_identifiers`, all
    names become code.
    """
    if len(part) > 2 and part.startswith("`"):
        return f"<code>{escape(part[1:-1])}</code>"
    if not keep_identifiers:
        part = replace_identifiers(part)
    # The names that are left have no label, or keep their spelling.
    return CODE.sub(lambda match: f"<code>{match[0]}</code>", escape(part, quote=False))


def to_html(notebook: NotebookNode, outputs: bool = True) -> str:
    """Return the cells as the body of a page, in which each exercise has its form."""
    # HTMLExporter's own method is slower: it parses the page twice, for a theme that is not used
    # here. Its base class does not.
    body, _resources = TemplateExporter.from_notebook_node(_exporter(outputs), notebook)
    # On a phone, code and tables in prose scroll in their box; with a tabindex, also by keys.
    for element in ("pre", "table"):
        body = body.replace(f"<{element}>", f'<{element} tabindex="0">')
    # Markdown tables may have empty headers, which a screen reader would announce.
    body = EMPTY_HEADER.sub(r"<td\1></td>", body)
    body = GOALS.sub(r'<div class="goals">\g<0></div>', body)
    body = OUTLOOK_TAG.sub('<p class="follows">', body)
    return UNANSWERED.sub(lambda match: f'<div class="exercise">{_form(match[1])}', body)


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
    """Return the exporter for all notebooks; it is cached, as it compiles its templates."""
    exporter = HTMLExporter(
        template_name="basic",
        template_file=str(TEMPLATES / "cells.html.j2"),
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_output=not outputs,
        optimistic_validation=True,  # once, not after each of 13 preprocessors
    )
    exporter.register_filter("mark_code", mark_code)
    highlight = Highlight2HTML(pygments_lexer="ipython3", parent=exporter)
    exporter.register_filter("highlight_code", highlight)
    # The kernel sends the printed text of one cell in several pieces.
    exporter.register_preprocessor(CoalesceStreamsPreprocessor, enabled=True)
    return exporter
