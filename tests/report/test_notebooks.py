"""What the guide asks of a notebook, asked of each as it is committed, outputs and all."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from kalahlab.experiments import MEASURED

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
LINES, IMPORTS = 15, 15
"""The most lines of a cell, blank ones too, and the most imports, one a line."""


@pytest.fixture(scope="module", params=sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def tags(cell):
    return cell.metadata.get("tags", [])


def code(notebook):
    """The cells with code, that of the parameters apart."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and not tags(cell)]


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_it_begins_with_a_question_and_ends_with_the_answer(notebook):
    first, *_, heading, last = notebook.cells
    assert re.match(r"# .*\?\n\n\*\*The question\.\*\* ", first.source)
    own = first.source.startswith("# What do the report's words")
    assert own or "(00_definitions.ipynb)" in first.source
    assert heading.source == "## The answer"
    assert [list(output.data) for output in last.outputs] == [["text/markdown", "text/plain"]]


def test_it_has_one_cell_of_parameters_which_sets_names_only(notebook):
    [cell] = [cell for cell in notebook.cells if "parameters" in tags(cell)]
    assert all(isinstance(node, ast.Assign) for node in ast.parse(cell.source).body)
    assert re.search(r"^out = None\b", cell.source, re.MULTILINE)


def test_its_cells_are_short(notebook):
    for cell in code(notebook):
        nodes = ast.parse(cell.source).body
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        assert nodes[: len(imports)] == imports, "imports come first"
        assert all(node.lineno == node.end_lineno for node in imports), cell.source
        assert len(imports) <= IMPORTS, cell.source
        assert nodes == imports or len(cell.source.splitlines()) <= LINES, cell.source


def test_a_picture_is_an_svg_above_its_caption_and_described(notebook):
    for cell in code(notebook):
        captions = [each for each in cell.outputs if each.get("metadata", {}).get("text/markdown")]
        assert captions or not re.search(r"artifacts\.(figure|page)\(", cell.source), cell.source
    for output in outputs(notebook):
        data = output.get("data", {})
        assert "image/png" not in data
        if "image/svg+xml" in data:
            alt = output.metadata["image/svg+xml"]["alt"]
            assert len(alt.split()) > 4, "it says what is to be seen"


def test_no_output_is_of_this_moment_and_nothing_but_the_kernel_is_noted(notebook):
    for output in outputs(notebook):
        data = {"text": output.get("text", ""), **output.get("data", {})}
        for text in map(str, data.values()):
            heads = re.findall(r"<th[^>]*>(.*?)</th>", text)
            assert not {name.replace("_", " ") for name in MEASURED} & set(heads)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert set(notebook.metadata.language_info) == {"name"}
    assert not any("execution" in cell.metadata for cell in notebook.cells)


def test_links_lead_to_notebooks_and_cells_that_there_are(notebook):
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    texts += [str(output.get("data", {}).get("text/html", "")) for output in outputs(notebook)]
    for name, anchor in re.findall(r"[(\"](\w+)\.ipynb(?:#cell-id=([\w-]+))?[)\"]", "".join(texts)):
        target = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
        assert not anchor or anchor in {cell.id for cell in target.cells}
