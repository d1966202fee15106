"""The notebooks as they are committed: what they refer to and cite is there; the guide is kept."""

import ast
import json
import re
from pathlib import Path

import nbformat
import outputs
import pandas as pd
import pytest
from conftest import cases
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from kalahlab.data import data_file, data_rows, notebooks_folder
from kalahlab.experiments.settings import MEASURED
from kalahlab.report.cells import attach_labels, citation_keys, find_markdown
from kalahlab.report.claims import (
    KINDS,
    MIME,
    ORIGINS,
    VERDICTS,
    ClaimList,
    claim,
    collect_claims,
    judge_by_steps,
    load_claims,
)
from kalahlab.report.items import Item
from kalahlab.report.manifest import Record
from kalahlab.report.pages import bibliography

ROOT = Path(__file__).parents[2]
NOTEBOOKS = {
    path.name: nbformat.read(path, as_version=4)
    for path in sorted(notebooks_folder().glob("*.ipynb"))
}
RENEW = "run: python tools/outputs.py"


@pytest.fixture(scope="module")
def numbers():
    return outputs.number_all_artifacts(notebooks_folder())


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_references_citations_and_captions_have_the_numbers_and_names_of_their_targets(
    name, numbers
):
    notebook, sources = NOTEBOOKS[name], bibliography()
    ids = {cell.id: cell.source for cell in notebook.cells}
    for id in numbers[name]:
        assert id in ids, f"the cell that makes it has the id {id}"
        assert f'"{id.partition("-")[2]}"' in ids[id]
    for cell in notebook.cells:
        assert outputs.renumber(cell.source, name, numbers) == cell.source, RENEW
        text = json.dumps([output.get("data", {}) for output in cell.get("outputs", ())])
        for word, printed in re.findall(
            r"\b(Figure|Table|Listing) (\d+\.\d+)\.(?=\*\*|[ <])", text
        ):
            if cell.id.startswith(word.lower()):
                assert printed == numbers[name][cell.id], RENEW
    for node, key in find_markdown(notebook):
        for text, source in re.findall(r"\[([^\[\]]+)\]\(references\.md#([\w-]+)\)", node[key]):
            assert text.startswith(sources[source]["citation"])


def test_every_source_of_the_data_is_listed_and_used():
    assert (notebooks_folder() / "references.md").read_text(
        "utf-8"
    ) == outputs.format_references(), RENEW
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    assert len(entries) == len(bibliography()), "two have the same id"
    used = {row["source"] for row in data_rows("claims.csv")}
    for notebook in NOTEBOOKS.values():
        used |= {*citation_keys(notebook)}
    for key, source in bibliography().items():
        for file in source["code"]:
            text = (ROOT / file).read_text(encoding="utf-8")
            assert source["authors"].partition(",")[0] in text, (
                f"{file} does not name the source {key}"
            )
        assert source["code"] or key in used, f"nothing cites {key}"


@cases(Path(__file__).with_name("renumbered.csv"))
def test_references_get_their_number(written, right):
    numbers = {"07_seven.ipynb": {"figure-rises": "7.1"}, "08_x.ipynb": {"table-a": "8.3"}}
    if right:
        assert outputs.renumber(written, "07_seven.ipynb", numbers) == right
    else:
        with pytest.raises(ValueError, match=r"07_seven.*cell-id=.* leads to no such cell"):
            outputs.renumber(written, "07_seven.ipynb", numbers)


def test_a_label_knows_where_its_artifact_is_shown():
    results = [
        new_output("display_data", {"text/html": ""}, metadata={"text/html": {"name": name}})
        for name in ("first", "order")
    ]
    cells = [
        new_markdown_cell("# Seven"),
        new_code_cell("", outputs=results),
        new_code_cell('artifacts.table("in-files", rows, caption)'),
    ]
    names = enumerate(["order", "in-files", "no"], 1)
    items = tuple(Item("table", name, "", (), n) for n, name in names)
    record = Record("07_seven", "smoke", {}, "", "ok", 3, 0.0, items)
    labels = attach_labels(new_notebook(cells=cells), record)
    assert [(output.reference, output.href) for output in labels] == [
        ("Table 7.1", "07_seven.html#table-order"),
        ("Table 7.2", "07_seven.html#table-in-files"),
        ("Table 7.3", "figures.html#07_seven-table-no"),
    ]
    assert [output.metadata.get("label") for output in results] == [None, labels[0]]
    assert cells[2].metadata["artifact_labels"] == [labels[1]]


LINES, IMPORTS = 15, 15
"""The most lines of a cell, blank ones too, and the most imports, one a line."""


@pytest.fixture(scope="module", params=NOTEBOOKS.values(), ids=NOTEBOOKS)
def notebook(request):
    return request.param


def tags(cell):
    return cell.metadata.get("tags", [])


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code" and not tags(cell)]


def all_outputs(notebook):
    outputs = []
    for cell in notebook.cells:
        outputs += cell.get("outputs", [])
    return outputs


def test_it_begins_with_a_question_and_ends_with_the_answer(notebook):
    first, *_, heading, last = notebook.cells
    assert re.match(r"# .*\?\n\n\*\*The question\.\*\* ", first.source)
    is_glossary = first.source.startswith("# What do the report's words")
    assert is_glossary or "(00_definitions.ipynb)" in first.source
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
        captions = [
            output for output in cell.outputs if output.get("metadata", {}).get("text/markdown")
        ]
        assert captions or not re.search(r"artifacts\.(figure|page)\(", cell.source), cell.source
    for output in all_outputs(notebook):
        data = output.get("data", {})
        assert "image/png" not in data
        if "image/svg+xml" in data:
            alt = output.metadata["image/svg+xml"]["alt"]
            assert len(alt.split()) > 4, "it says what is to be seen"


def test_no_output_is_of_this_moment_and_nothing_but_the_kernel_is_noted(notebook):
    for output in all_outputs(notebook):
        data = {"text": output.get("text", ""), **output.get("data", {})}
        for text in map(str, data.values()):
            heads = re.findall(r"<th[^>]*>(.*?)</th>", text)
            assert not {name.replace("_", " ") for name in MEASURED} & set(heads)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert set(notebook.metadata.language_info) == {"name"}
    assert not any("execution" in cell.metadata for cell in notebook.cells)


FIRST, SECOND, THIRD = load_claims().index[:3]


@pytest.fixture
def write_executed(tmp_path):
    """Return a function that writes a notebook with a cell for each thing that it shows."""

    def write(stem, *things):
        cells = []
        for number, thing in enumerate(things):
            output = new_output("display_data", thing._repr_mimebundle_())
            cells.append(new_code_cell(id=f"cell-{number}", outputs=[output]))
        path = tmp_path / f"{stem}.ipynb"
        nbformat.write(new_notebook(cells=cells), path)
        return path

    return write


def test_a_claim_is_judged_once_and_quotes_its_document_and_cell(write_executed):
    both = ClaimList([claim(SECOND, False, "9 of 10."), claim(THIRD, "open", "No seconds.")])
    paths = [write_executed("01_one", claim(FIRST, True, "All 3.")), write_executed("02_two", both)]
    claims_table = collect_claims(paths).set_index("id")
    columns = ["verdict", "why", "notebook", "cell"]
    assert claims_table.loc[FIRST, columns].tolist() == ["reproduced", "All 3.", "01_one", "cell-0"]
    assert claims_table.loc[SECOND, columns].tolist() == ["refuted", "9 of 10.", "02_two", "cell-0"]
    assert claims_table.loc[THIRD, "verdict"] == "open"
    assert set(claims_table.drop([FIRST, SECOND, THIRD])["verdict"]) <= {"not judged", "reviewed"}
    assert list(claims_table.index) == list(load_claims().index)
    twice = [write_executed(stem, claim(FIRST, True, "So.")) for stem in ("01_one", "02_two")]
    with pytest.raises(ValueError, match=f"judged twice: {FIRST}"):
        collect_claims(twice)
    bundle = claim(FIRST, True, "All 3.")._repr_mimebundle_()
    assert load_claims().loc[FIRST, "quote"] in bundle["text/markdown"]
    assert bundle[MIME] == [{"id": FIRST, "verdict": "reproduced", "why": "All 3."}]


def test_more_is_better_unless_a_step_is_clearly_worse():
    gains = [([9], [1, 0]), ([9, 9], [1, -1]), ([9, -9], [1, 1]), ([9, 0], [1, 1])]

    def make_rows(values):
        return pd.DataFrame({"gain": values, "p": [not gain for gain in values]})

    for verdict, (whole, steps) in zip(VERDICTS, gains, strict=False):
        assert judge_by_steps(make_rows(whole), make_rows(steps), "gain") == verdict


def test_a_requirement_is_met_or_not():
    table = load_claims()
    requirement = table.index[table["kind"] == "requirement"][0]
    assert claim(requirement, True, "So.").verdict == "met"
    assert claim(requirement, False, "So.").verdict == "not met"
    assert claim(FIRST, False, "So.").verdict == "refuted"


def test_each_claim_has_a_source_a_place_and_a_kind():
    table = load_claims()
    assert table.index.is_unique
    assert set(table["kind"]) <= set(KINDS)
    assert (table[["source", "place", "quote", "claim"]] != "").all(axis=None)
    assert (table["quote"].str.split().str.len() <= 25).all()
    assert pd.Series(table.index).str.partition("-")[0].eq(table["source"].to_numpy()).all()
    is_conclusion = table["kind"] == "conclusion"
    assert set(table["origin"][is_conclusion]) == set(ORIGINS)
    assert (table["origin"][~is_conclusion] == "").all()
