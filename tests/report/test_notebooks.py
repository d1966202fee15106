"""What the guide asks of a notebook, asked of each as it is committed, outputs and all."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from kalahlab.experiments import MEASURED

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
LINES, IMPORTS = 15, 15
"""The most lines of a cell, blank ones too, and the most imports, one a line."""


@pytest.fixture(scope="module", params=sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> NotebookNode:
    return nbformat.read(request.param, as_version=4)


def code(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells with code, that of the parameters apart."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and not tags(cell)]


def tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def outputs(notebook: NotebookNode) -> Iterator[NotebookNode]:
    for cell in notebook.cells:
        yield from cell.get("outputs", [])


def is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def test_it_begins_with_a_question_and_ends_with_the_answer(notebook: NotebookNode) -> None:
    first, *_, heading, last = notebook.cells
    assert re.match(r"# .*\?\n\n\*\*The question\.\*\* ", first.source)
    assert heading.source == "## The answer"
    assert [list(output.data) for output in last.outputs] == [["text/markdown", "text/plain"]]


def test_it_has_one_cell_of_parameters_which_sets_names_only(notebook: NotebookNode) -> None:
    [cell] = [cell for cell in notebook.cells if "parameters" in tags(cell)]
    assert all(isinstance(node, ast.Assign) for node in ast.parse(cell.source).body)
    assert re.search(r"^out = None\b", cell.source, re.MULTILINE)


def test_its_cells_are_short(notebook: NotebookNode) -> None:
    for cell in code(notebook):
        nodes = ast.parse(cell.source).body
        imports = [node for node in nodes if is_import(node)]
        assert nodes[: len(imports)] == imports, "imports come first"
        assert all(node.lineno == node.end_lineno for node in imports), cell.source
        assert len(imports) <= IMPORTS, cell.source
        assert nodes == imports or len(cell.source.splitlines()) <= LINES, cell.source


def test_a_picture_is_an_svg_above_its_caption(notebook: NotebookNode) -> None:
    for cell in code(notebook):
        assert not any("image/png" in output.get("data", {}) for output in cell.outputs)
        if re.search(r"artifacts\.(figure|page)\(", cell.source):
            assert any(output.metadata.get("text/markdown") for output in cell.outputs), cell.source


def test_every_picture_is_described(notebook: NotebookNode) -> None:
    for output in outputs(notebook):
        data, metadata = output.get("data", {}), output.get("metadata", {})
        if "image/svg+xml" in data:
            assert len(metadata["image/svg+xml"]["alt"].split()) > 4, "it says what is to be seen"


def test_no_output_is_of_this_moment(notebook: NotebookNode) -> None:
    for output in outputs(notebook):
        data = {"text": output.get("text", ""), **output.get("data", {})}
        for text in map(str, data.values()):
            heads = re.findall(r"<th[^>]*>(.*?)</th>", text)
            assert not {name.replace("_", " ") for name in MEASURED} & set(heads)


def test_nothing_but_the_kernel_is_noted_about_its_making(notebook: NotebookNode) -> None:
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert set(notebook.metadata.language_info) == {"name"}
    assert not any("execution" in cell.metadata for cell in notebook.cells)


def test_links_lead_to_notebooks_and_cells_that_there_are(notebook: NotebookNode) -> None:
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    texts += [str(output.get("data", {}).get("text/html", "")) for output in outputs(notebook)]
    for name, anchor in re.findall(r"[(\"](\w+)\.ipynb(?:#cell-id=([\w-]+))?[)\"]", "".join(texts)):
        target = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
        assert not anchor or anchor in {cell.id for cell in target.cells}


def test_it_leads_to_the_definitions(notebook: NotebookNode) -> None:
    own = notebook.cells[0].source.startswith("# What do the report's words")
    assert own or "(00_definitions.ipynb)" in notebook.cells[0].source
