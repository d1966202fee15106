"""A sheet of the exercises for a class: the questions as they stand in the notebooks."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from kalahlab.data import notebooks_folder
from kalahlab.exercises import check, exercises, to_html
from kalahlab.report.rendering import base64, render
from kalahlab.report.sources import begun

TEXT = re.compile(r"(?ms)^##(?:# Exercise ([\d.]+)| Exercises)$\s*(.*?)(?=^#|\Z)")
SHOWN = re.compile(r"\[([^\]]+)\]\(#cell-id=([\w-]+)\)")
NOT_PRINTED = re.compile(r'\[([^\]]+)\]\([^)]*\)|(?s:<span class="screen-only">.*?</span>)')


def sheet(notebooks: Collection[str] = (), solutions: bool = False) -> tuple[str, int]:
    """The sheet, and how many questions it has; of these notebooks alone, if any are named."""
    chapters = list(_chapters(notebooks))
    html = render("sheet.html.j2", chapters=chapters, solutions=solutions, answers=exercises())
    return html, sum(len(questions) for *_, questions in chapters)


def notebooks_named(names: Collection[str]) -> dict[str, Path]:
    """The files of these notebooks by their names, of all if none is named."""
    files = {file.stem: file for file in sorted(notebooks_folder().glob("[0-9]*.ipynb"))}
    chosen = [begun("notebook", name, files) for name in names] or files
    return {name: file for name, file in files.items() if name in chosen}


def _chapters(notebooks: Collection[str]) -> Iterator[tuple[str, Markup, list[dict[str, Any]]]]:
    for file in notebooks_named(notebooks).values():
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        title = "".join(cells[0]["source"]).partition("\n")[0].lstrip("# ")
        texts = dict(_texts(cells))
        if questions := [_question(cells, number, texts[number]) for number in texts if number]:
            yield title, _html(texts[""]), questions


def _texts(cells: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The number and the text of each question, written or computed; first "", what precedes."""
    for cell in cells:
        shown = [each.get("data", {}).get("text/markdown", "") for each in cell.get("outputs", ())]
        for text in shown if cell["cell_type"] == "code" else [cell["source"]]:
            yield from TEXT.findall("".join(text))


def _question(cells: Sequence[Any], number: str, text: str) -> dict[str, Any]:
    """shown: what it refers to, as HTML by its label, such as `Figure 3.14`."""
    shown = {label: _output(cells, name) for label, name in SHOWN.findall(text)}
    solution = _html(check(number, ...).solution)
    return {"number": number, "html": _html(text), "shown": shown, "solution": solution}


def _html(text: str) -> Markup:
    return Markup(to_html(NOT_PRINTED.sub(r"\1", text)))


def _output(cells: Sequence[Any], name: str) -> Markup:
    for output in next(each["outputs"] for each in cells if each.get("id") == name):
        data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
        if drawn := data.get("image/svg+xml"):
            alt = escape(output["metadata"].get("image/svg+xml", {}).get("alt", name))
            return Markup(f'<img src="data:image/svg+xml;base64,{base64(drawn)}" alt="{alt}">')
        if "text/html" in data:
            return Markup(data["text/html"])
        if name.startswith("listing"):
            return Markup(to_html(data["text/markdown"].partition("\n\n")[2]))
    return Markup("")
