"""A sheet of the exercises for a class: the questions as they stand in the notebooks."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from kalahlab.data import notebooks_folder
from kalahlab.exercises import check, to_html
from kalahlab.report.rendering import base64, render
from kalahlab.report.sources import begun

QUESTION = re.compile(r"^### Exercise ([\d.]+)$\s*(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"\[([^\]]+)\]\(#cell-id=([\w-]+)\)")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


class Question(NamedTuple):
    """shown: what a question refers to, as HTML by its label, such as `Figure 3.14`."""

    number: str
    html: Markup
    shown: dict[str, Markup]
    solution: Markup


def sheet(notebooks: Collection[str] = (), solutions: bool = False) -> tuple[str, int]:
    """The sheet, and how many questions it has; of these notebooks alone, if any are named."""
    chapters = list(_chapters(notebooks))
    html = render("sheet.html.j2", chapters=chapters, solutions=solutions)
    return html, sum(len(questions) for _, questions in chapters)


def notebooks_named(names: Collection[str]) -> dict[str, Path]:
    """The files of these notebooks by their names, of all if none is named."""
    files = {file.stem: file for file in sorted(notebooks_folder().glob("[0-9]*.ipynb"))}
    chosen = [begun("notebook", name, files) for name in names] or files
    return {name: file for name, file in files.items() if name in chosen}


def _chapters(notebooks: Collection[str]) -> Iterator[tuple[str, list[Question]]]:
    for file in notebooks_named(notebooks).values():
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        title = "".join(cells[0]["source"]).partition("\n")[0].lstrip("# ")
        if questions := [_question(cells, *each) for each in _texts(cells)]:
            yield title, questions


def _texts(cells: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The number and the text of each question, whether it is written or computed."""
    for cell in cells:
        shown = [output.get("data", {}) for output in cell.get("outputs", ())]
        computed = [data.get("text/markdown", "") for data in shown]
        for text in computed if cell["cell_type"] == "code" else [cell["source"]]:
            yield from QUESTION.findall("".join(text))


def _question(cells: Sequence[Any], number: str, text: str) -> Question:
    shown = {label: _output(cells, name) for label, name in SHOWN.findall(text)}
    texts = (LINK.sub(r"\1", each) for each in (text, check(number, ...).solution))
    question, solution = (Markup(to_html(each)) for each in texts)
    return Question(number, question, shown, solution)


def _output(cells: Sequence[Any], name: str) -> Markup:
    [cell] = [each for each in cells if each.get("id") == name]
    for output in cell["outputs"]:
        data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
        if drawn := data.get("image/svg+xml"):
            alt = escape(output["metadata"].get("image/svg+xml", {}).get("alt", name))
            return Markup(f'<img src="data:image/svg+xml;base64,{base64(drawn)}" alt="{alt}">')
        if "text/html" in data:
            return Markup(data["text/html"])
        if name.startswith("listing"):
            return Markup(to_html(data["text/markdown"]))
    return Markup("")
