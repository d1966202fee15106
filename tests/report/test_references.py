"""What the notebooks refer to and cite is there, under its number."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from conftest import cases
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from kalahlab.data import data_file, data_rows, notebooks_folder
from kalahlab.draw.items import Item
from kalahlab.report import outputs
from kalahlab.report.cells import cited, prose
from kalahlab.report.manifest import Record
from kalahlab.report.numbering import labelled
from kalahlab.report.references import as_markdown, bibliography

ROOT = Path(__file__).parents[2]
NOTEBOOKS = {
    path.name: nbformat.read(path, as_version=4)
    for path in sorted(notebooks_folder().glob("*.ipynb"))
}
RENEW = "run: python -m kalahlab.report.outputs"


@pytest.fixture(scope="module")
def known():
    return outputs.all_numbers(notebooks_folder())


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_references_citations_and_captions_have_the_number_and_the_name_of_what_is_there(
    name, known
):
    notebook, sources = NOTEBOOKS[name], bibliography()
    ids = {cell.id: cell.source for cell in notebook.cells}
    for id in known[name]:
        assert id in ids, f"the cell that makes it has the id {id}"
        assert f'"{id.partition("-")[2]}"' in ids[id]
    for cell in notebook.cells:
        assert outputs.renumbered(cell.source, name, known) == cell.source, RENEW
        text = json.dumps([output.get("data", {}) for output in cell.get("outputs", ())])
        for word, number in re.findall(r"\b(Figure|Table|Listing) (\d+\.\d+)\.(?=\*\*|[ <])", text):
            if cell.id.startswith(word.lower()):
                assert number == known[name][cell.id], RENEW
    for node, at in prose(notebook):
        for text, key in re.findall(r"\[([^\[\]]+)\]\(references\.md#([\w-]+)\)", node[at]):
            assert text.startswith(sources[key]["short"])


def test_the_list_of_sources_is_that_of_the_data():
    assert (notebooks_folder() / "references.md").read_text("utf-8") == as_markdown(), RENEW


def test_every_source_that_is_listed_is_used():
    """A notebook cites it, a file goes by it, or it is one of the documents that are judged."""
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    assert len(entries) == len(bibliography()), "two have the same id"
    judged = {row["source"] for row in data_rows("claims.csv")}
    used = judged | {key for notebook in NOTEBOOKS.values() for key in cited(notebook)}
    for key, source in bibliography().items():
        for file in source["code"]:
            text = (ROOT / file).read_text(encoding="utf-8")
            named = source["by"].partition(",")[0]
            assert named in text, f"{file} does not name the source {key}"
        assert source["code"] or key in used, f"nothing cites {key}"


@cases(Path(__file__).with_name("renumbered.csv"))
def test_references_get_their_number(written, right):
    known = {"07_seven.ipynb": {"figure-rises": "7.1"}, "08_x.ipynb": {"table-a": "8.3"}}
    if right:
        assert outputs.renumbered(written, "07_seven.ipynb", known) == right
    else:
        with pytest.raises(ValueError, match=r"07_seven.*cell-id=.* leads to no such cell"):
            outputs.renumbered(written, "07_seven.ipynb", known)


def test_a_label_knows_where_its_artifact_is_shown():
    shown = [
        new_output("display_data", {"text/html": ""}, metadata={"text/html": {"name": name}})
        for name in ("first", "order")
    ]
    cells = [
        new_markdown_cell("# Seven"),
        new_code_cell("", outputs=shown),
        new_code_cell('artifacts.table("in-files", rows, caption)'),
    ]
    names = enumerate(["order", "in-files", "no"], 1)
    items = tuple(Item("table", name, "", (), n) for n, name in names)
    record = Record("07_seven", "smoke", {}, "", "ok", 3, 0.0, items)
    labels = labelled(new_notebook(cells=cells), record)
    assert [(each.text, each.cell, each.output, each.href) for each in labels] == [
        ("Table 7.1", 1, 1, "07_seven.html#table-order"),
        ("Table 7.2", 2, None, "07_seven.html#table-in-files"),
        ("Table 7.3", None, None, "figures.html#07_seven-table-no"),
    ]
