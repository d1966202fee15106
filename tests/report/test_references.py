"""What the notebooks refer to and cite is there, under its number."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from kalahlab.data import data_file, data_rows, notebooks_folder
from kalahlab.draw.artifacts import Artifacts
from kalahlab.draw.items import Item
from kalahlab.report import outputs
from kalahlab.report.cells import cited, prose
from kalahlab.report.front import read_guide
from kalahlab.report.manifest import Record
from kalahlab.report.numbering import labelled
from kalahlab.report.pages import linked
from kalahlab.report.references import as_markdown, bibliography

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(notebooks_folder().glob("*.ipynb"))
RENEW = "run: python -m kalahlab.report.outputs"


def read(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def known():
    return outputs.all_numbers(notebooks_folder())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_reference_has_the_number_of_what_it_leads_to(path, known):
    notebook = read(path)
    ids = {cell.id: cell.source for cell in notebook.cells}
    for cell in notebook.cells:
        assert outputs.renumbered(cell.source, path.name, known) == cell.source, RENEW
    for id in known[path.name]:
        assert id in ids, f"the cell that makes it has the id {id}"
        assert f'"{id.partition("-")[2]}"' in ids[id]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_shown_has_the_number_that_references_have(path, known):
    for cell in read(path).cells:
        text = json.dumps([output.get("data", {}) for output in cell.get("outputs", ())])
        for word, number in re.findall(r"\b(Figure|Table|Listing) (\d+\.\d+)\.(?=\*\*|[ <])", text):
            if cell.id.startswith(word.lower()):
                assert number == known[path.name][cell.id], RENEW


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_citation_has_the_name_of_its_source(path):
    sources = bibliography()
    for node, at in prose(read(path)):
        for text, key in re.findall(r"\[([^\[\]]+)\]\(references\.md#([\w-]+)\)", node[at]):
            assert text.startswith(sources[key]["short"])


def test_the_list_of_sources_is_that_of_the_data():
    assert (notebooks_folder() / "references.md").read_text("utf-8") == as_markdown(), RENEW


def test_every_source_that_is_listed_is_used():
    """A notebook cites it, a file goes by it, or it is one of the documents that are judged."""
    judged = {row["source"] for row in data_rows("claims.csv")}
    used = judged | {key for path in NOTEBOOKS for key in cited(read(path))}
    for key, source in bibliography().items():
        for file in source["code"]:
            text = (ROOT / file).read_text(encoding="utf-8")
            assert source["by"].partition(",")[0] in text, f"{file} does not name the source {key}"
        assert source["code"] or key in used, f"nothing cites {key}"


def test_sources_are_written_as_they_are_in_the_file():
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    assert len({entry["id"] for entry in entries}) == len(entries)
    assert all({"id", "type", "title"} <= set(entry) for entry in entries)
    sources = bibliography()
    assert sources["knuth1975"]["short"] == "Knuth & Moore 1975"
    assert sources["plaat1996"]["short"] == "Plaat et al. 1996"
    assert sources["knuth1975"]["by"] == "Knuth, Donald E. and Moore, Ronald W."
    assert sources["knuth1975"]["place"] == "Artificial Intelligence 6(4), pages 293–326"
    assert sources["russell2009"]["place"] == "3rd edition, Prentice Hall"


def test_the_guide_names_notebooks_that_there_are():
    guide, stems = read_guide(notebooks_folder()), {path.stem for path in NOTEBOOKS}
    assert set(guide["abstract"]) <= stems
    assert len(guide["ways"]) == 3
    assert all(set(steps) <= stems for steps in guide["ways"].values())


FIGURE = 'artifacts.figure("rises", chart, "It rises.")'
TABLE = 'artifacts.table("rows", frame, "Rows.")'


def test_numbers_count_in_the_order_of_the_notebook():
    cells = [new_markdown_cell("# Seven"), *map(new_code_cell, (TABLE, FIGURE, FIGURE[:-2] + ")"))]
    page = new_code_cell('artifacts.page("board", board, "A board", "Play.")')
    found = outputs.numbers(new_notebook(cells=[*cells[:3], page]), "07_seven")
    assert found == {"table-rows": "7.1", "figure-rises": "7.1", "figure-board": "7.2"}


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("[Figure 1.9](#cell-id=figure-rises)", "[Figure 7.1](#cell-id=figure-rises)"),
        ("[Table](08_x.ipynb#cell-id=table-a)", "[Table 8.3](08_x.ipynb#cell-id=table-a)"),
        ("[a cell](#cell-id=07-03)", "[a cell](#cell-id=07-03)"),
    ],
)
def test_references_get_their_number(written, right):
    known = {"07_seven.ipynb": {"figure-rises": "7.1"}, "08_x.ipynb": {"table-a": "8.3"}}
    assert outputs.renumbered(written, "07_seven.ipynb", known) == right
    for id in ("figure-none", "table-rises"):
        with pytest.raises(ValueError, match=f"07_seven.*{id}.* leads to no such cell"):
            outputs.renumbered(f"[Figure](#cell-id={id})", "07_seven.ipynb", known)


def test_a_caption_has_the_number_of_its_notebook(tmp_path):
    for out in (None, str(tmp_path)):
        artifacts = Artifacts(7, out)
        circle = '<svg xmlns="http://www.w3.org/2000/svg"/>'
        assert artifacts.figure("a", circle, "A.").caption == "**Figure 7.1.** A."
        assert artifacts.figure("b", circle, "B.").caption == "**Figure 7.2.** B."
        assert artifacts.listing("b", linked, "L.").caption == "**Listing 7.1.** L."


def table(name):
    return new_output("display_data", {"text/html": ""}, metadata={"text/html": {"name": name}})


def test_a_label_knows_where_its_artifact_is_shown():
    cells = [
        new_markdown_cell("# Seven"),
        new_code_cell("", outputs=[table("first"), table("order")]),
        new_code_cell('artifacts.table("in-files", rows, caption)'),
    ]
    items = [
        Item("table", name, "", (), n) for n, name in enumerate(["order", "in-files", "no"], 1)
    ]
    record = Record("07_seven", "smoke", {}, "", "ok", 3, 0.0, tuple(items))
    labels = labelled(new_notebook(cells=cells), record)
    assert [(each.text, each.cell, each.output) for each in labels] == [
        ("Table 7.1", 1, 1),
        ("Table 7.2", 2, None),
        ("Table 7.3", None, None),
    ]
    assert [each.href for each in labels] == [
        "07_seven.html#table-order",
        "07_seven.html#table-in-files",
        "figures.html#07_seven-table-no",
    ]
