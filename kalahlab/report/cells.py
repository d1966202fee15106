"""The cells of an executed notebook as HTML: captions, tables and interactive pages in place."""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode

from kalahlab.draw.labels import readable_prose
from kalahlab.exercises import exercises
from kalahlab.report import tables
from kalahlab.report.numbering import Label
from kalahlab.report.rendering import TEMPLATES, in_code, render

WIDGET = "application/vnd.jupyter.widget-view+json"
MARKDOWN = "text/markdown"
CITED = re.compile(r"\]\(references\.md#([\w-]+)\)")
"""A citation: `[Knuth & Moore 1975, page 300](references.md#knuth1975)`."""
GOALS = re.compile(r"<p><strong>After this page you can.*?</ul>", re.DOTALL)
FOLLOWS = re.compile(r"<p>(?=<strong>What follows)")
UNANSWERED = re.compile(r'(<div class="exercise) not-answered-yet"><p>Exercise ([\d.]+):.*?</p>')


def prose(notebook: NotebookNode) -> list[tuple[NotebookNode, str]]:
    """Where a notebook's Markdown is, written or computed: the node, and its key there."""
    places = [(cell, "source") for cell in notebook.cells if cell.cell_type == "markdown"]
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    return places + [(each.data, MARKDOWN) for each in outputs if MARKDOWN in each.get("data", {})]


def cited(notebook: NotebookNode) -> tuple[str, ...]:
    """The keys of the sources that a notebook cites, each once."""
    keys = (key for node, at in prose(notebook) for key in CITED.findall(node[at]))
    return tuple(dict.fromkeys(keys))


def make_readable(notebook: NotebookNode) -> None:
    """Write names of the code in computed sentences as people read them."""
    for node, at in prose(notebook):
        if at == MARKDOWN:
            node[at] = readable_prose(node[at])


def embed(notebook: NotebookNode, folder: Path) -> None:
    """Put the pages of the artifacts in `folder` where their widgets stood, frame and all.

    Beside each frame is the picture that is printed in its place. A widget that has none needs a
    kernel, and is left out. So are captions, which the page writes itself, and a notebook's
    finding, which stands at the top of its page.
    """
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            metadata = output.get("metadata", {})
            if file := metadata.get("page"):
                html = escape((folder / file).read_text(encoding="utf-8"))
                title, height = escape(metadata["title"]), metadata["height"]
                frame = f'<iframe class="moving" style="height: {height}rem" title="{title}"'
                drawn = _still((folder / metadata["still"]).read_text(encoding="utf-8"), title)
                output.data = {"text/html": f'{frame} srcdoc="{html}"></iframe>{drawn}'}
        if "outputs" in cell:
            cell.outputs = [each for each in cell.outputs if not _left_out(each)]


def _still(svg: str, title: str) -> str:
    data = b64encode(svg.encode()).decode("ascii")
    return f'<img class="still" src="data:image/svg+xml;base64,{data}" alt="{title}">'


def _left_out(output: NotebookNode) -> bool:
    said = output.get("metadata", {}).get(MARKDOWN, {})
    return "finding" in said or "caption" in said or WIDGET in output.get("data", ())


def label(notebook: NotebookNode, labels: Sequence[Label]) -> None:
    """Tell each output its number and caption, and each cell what it made only as files."""
    for each in labels:
        if each.cell is None:
            continue
        cell, told = notebook.cells[each.cell], _told(each)
        if each.output is None:
            cell.metadata.setdefault("kept", []).append(told)
        else:
            cell.outputs[each.output].metadata["label"] = told
            if each.item.kind == "listing":
                output = cell.outputs[each.output]
                output.data[MARKDOWN] = output.data[MARKDOWN].partition("\n\n")[2]


def _told(each: Label) -> dict[str, Any]:
    return {
        "kind": each.item.kind,
        "text": each.text,
        "id": each.anchor,
        "caption": str(in_code(each.caption)),
        "alt": each.alt,
        "files": each.files,
        "rows": each.item.rows,
    }


def fit_tables(notebook: NotebookNode, as_code: bool = False) -> None:
    """Make all tables fit for a page, and say which are long. as_code: see `tables.for_page`."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            if 'class="dataframe"' in html:
                told = output.metadata.get("label")
                output.data["text/html"] = tables.for_page(html, bool(told), as_code)
                if told:
                    told["rows"] = tables.rows_of(html)
                    told["long"] = told["rows"] > tables.LONGEST


def to_html(notebook: NotebookNode, outputs: bool = True) -> str:
    """The cells as HTML, without a page around them."""
    body = str(_exporter(outputs).from_notebook_node(notebook)[0])
    # On a phone, code and tables in prose scroll in their box: by the keyboard, too.
    for element in ("pre", "table"):
        body = body.replace(f"<{element}>", f'<{element} tabindex="0">')
    body = body.replace("<th></th>", "<td></td>")
    body = GOALS.sub(r'<div class="goals">\g<0></div>', body)
    body = FOLLOWS.sub('<p class="follows">', body)
    return UNANSWERED.sub(lambda found: f'{found[1]}">{_form(found[2])}', body)


def _form(number: str) -> str:
    """Where a reader answers an exercise, with what `exercises.js` needs to check it."""
    exercise = exercises()[number]
    told = {
        "answer": _printed(exercise.answer),
        "several": isinstance(exercise.answer, list),
        "set": exercise.same == "set",
        "hint": exercise.hint,
        "mistakes": [{**each, "answer": _printed(each["answer"])} for each in exercise.mistakes],
    }
    return render("exercise.html.j2", number=number, told=json.dumps(told, ensure_ascii=False))


def _printed(answer: Any) -> list[str]:
    """All that an answer has, as text."""
    return [str(each) for each in (answer if isinstance(answer, list) else [answer])]


@cache
def _exporter(outputs: bool) -> HTMLExporter:
    """One for all notebooks: each new one compiles its templates again."""
    exporter = HTMLExporter(
        template_name="basic",
        template_file=str(TEMPLATES / "cells.html.j2"),
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_output=not outputs,
    )
    # What one cell printed comes in pieces, as the kernel happened to send it.
    exporter.register_preprocessor(CoalesceStreamsPreprocessor, enabled=True)
    return exporter
