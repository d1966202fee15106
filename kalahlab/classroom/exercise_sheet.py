"""A sheet of exercises for a class, with the questions of the notebooks."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from kalahlab.data import notebooks_folder
from kalahlab.report.exercises import check, load_exercises, to_html
from kalahlab.report.rendering import base64, render
from kalahlab.report.sources import resolve_prefix

# The number of an exercise and the text below its heading: ("3.2", "Draw ..") for the cell
# `### Exercise 3.2`, `Draw ..`. The text ends at the next heading or at the end of the cell. The
# introduction, under the heading `## Exercises`, has the number "".
EXERCISE = re.compile(r"(?ms)^##(?:# Exercise ([\d.]+)| Exercises)$\s*(.*?)(?=^#|\Z)")
# The text of a link to a cell, such as "Figure 3.14", and the id of the cell.
CELL_LINK = re.compile(r"\[([^\]]+)\]\(#cell-id=([\w-]+)\)")
# A link, or a part for the screen only. Group 1 is printed: the text of a link, or nothing.
SCREEN_ONLY = re.compile(r'\[([^\]]+)\]\([^)]*\)|(?s:<span class="screen-only">.*?</span>)')


def render_sheet(notebooks: Collection[str] = (), solutions: bool = False) -> tuple[str, int]:
    """Render a sheet with the exercises of these notebooks, or of all notebooks if none is named.

    Args:
        notebooks: The names of notebooks, or their beginnings.
        solutions: Whether to print the solutions at the end.

    Returns:
        The page as HTML, and the number of questions on the page.

    Raises:
        ValueError: A name is not the beginning of exactly one notebook's name.
    """
    chapters = list(_iter_chapters(notebooks))
    html = render("sheet.html.j2", chapters=chapters, solutions=solutions, answers=load_exercises())
    return html, sum(len(questions) for *_, questions in chapters)


def find_notebooks(names: Collection[str]) -> dict[str, Path]:
    """Return the files of these notebooks by name, or of all notebooks if none is named.

    A name may be the beginning of a notebook's name, such as `03`. The files are in the order of
    the notebooks, whatever the order of `names`.

    Raises:
        ValueError: A name is not the beginning of exactly one notebook's name.
    """
    files = {file.stem: file for file in sorted(notebooks_folder().glob("[0-9]*.ipynb"))}
    if not names:
        return files
    chosen = [resolve_prefix("notebook", name, files) for name in names]
    return {name: file for name, file in files.items() if name in chosen}


def _iter_chapters(
    notebooks: Collection[str],
) -> Iterator[tuple[str, Markup, list[dict[str, Any]]]]:
    """Yield the title, the introduction and the questions of each notebook with questions.

    The title is text, the introduction HTML. `_make_question` describes a question.
    """
    for file in find_notebooks(notebooks).values():
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        # The first line of a notebook is the heading with the notebook's title.
        heading = "".join(cells[0]["source"]).partition("\n")[0]
        title = heading.lstrip("# ")
        texts = dict(_iter_texts(cells))
        questions = [
            _make_question(cells, number, text) for number, text in texts.items() if number
        ]
        if questions:
            yield title, _to_printable_html(texts[""]), questions


def _iter_texts(cells: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Yield the number and the text of each question.

    A question is in the source of a Markdown cell, or in the Markdown that a code cell prints. The
    introduction to the questions comes first; its number is "".
    """
    for cell in cells:
        sources = [cell["source"]]
        if cell["cell_type"] == "code":
            outputs = cell.get("outputs", ())
            sources = [output.get("data", {}).get("text/markdown", "") for output in outputs]
        for source in sources:
            yield from EXERCISE.findall("".join(source))


def _make_question(cells: Sequence[Any], number: str, text: str) -> dict[str, Any]:
    """Return a question for the template.

    Returns:
        A dictionary with these keys:
        - `number`: the number of the exercise
        - `html`: the text as HTML
        - `references`: the outputs to which the text refers, as HTML, by label (`Figure 3.14`)
        - `solution`: the solution as HTML
    """
    references = {
        label: _render_output(cells, cell_id) for label, cell_id in CELL_LINK.findall(text)
    }
    solution = _to_printable_html(check(number, ...).solution)  # `...`: without an answer
    return {
        "number": number,
        "html": _to_printable_html(text),
        "references": references,
        "solution": solution,
    }


def _to_printable_html(text: str) -> Markup:
    """Convert Markdown to HTML. Links become their text; parts for the screen are left out."""
    return Markup(to_html(SCREEN_ONLY.sub(r"\1", text)))


def _render_output(cells: Sequence[Any], cell_id: str) -> Markup:
    """Return the first figure, table or listing in the output of a cell as HTML, "" if none."""
    outputs = next(cell["outputs"] for cell in cells if cell.get("id") == cell_id)
    for output in outputs:
        # The notebook stores a text as a list of lines.
        data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
        if svg := data.get("image/svg+xml"):
            alt = escape(output["metadata"].get("image/svg+xml", {}).get("alt", cell_id))
            return Markup(f'<img src="data:image/svg+xml;base64,{base64(svg)}" alt="{alt}">')
        if "text/html" in data:
            return Markup(data["text/html"])
        if cell_id.startswith("listing"):  # printed without the first paragraph, the caption
            return Markup(to_html(data["text/markdown"].partition("\n\n")[2]))
    return Markup("")
