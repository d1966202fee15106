"""What the notebooks refer to and cite is there; numbers count in the order of the page."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from kalahlab.data import data_file, data_rows
from kalahlab.report.build.book import Book, citations, references
from kalahlab.report.build.cells import prose
from kalahlab.report.build.front import read_guide
from kalahlab.report.build.manifest import Record
from kalahlab.report.build.numbering import WORDS, numbered, shown_in
from kalahlab.report.build.references import bibliography
from kalahlab.report.build.sources import notebooks_folder
from kalahlab.report.draw.items import Item

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(notebooks_folder().glob("*.ipynb"))
KEEPS = {"figure": "Figure", "svg": "Figure", "page": "Figure", "table": "Table"}
KEEPS |= {"listing": "Listing"}


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def kept(source: str) -> Iterator[tuple[str, str | None]]:
    """What a cell keeps: the word for it and its name, None if that is computed."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("artifacts"), attr=method)):
                if method in KEEPS:
                    name = node.args[0]
                    literal = isinstance(name, ast.Constant)
                    yield KEEPS[method], str(name.value) if literal else None


def names(notebook: nbformat.NotebookNode) -> set[tuple[str, str]]:
    """All figures, tables and listings: from the source, and computed names from the outputs."""
    found = set()
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        outputs = {(WORDS[shown[0]], shown[1]) for shown in map(shown_in, cell.outputs) if shown}
        found |= outputs | {(word, name) for word, name in kept(cell.source) if name}
    return found


@pytest.fixture(scope="module")
def known() -> dict[str, set[tuple[str, str]]]:
    return {path.stem: names(read(path)) for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_reference_leads_to_something(path, known):
    for node, at in prose(read(path)):
        for to in references(node[at], path.stem):
            assert to.notebook in known, f"{path.name} refers to {to.notebook}, which is not there"
            assert (to.word, to.name) in known[to.notebook], (
                f"{path.name} refers to {to.word} {to.name!r} of {to.notebook}, which has "
                f"{sorted(name for word, name in known[to.notebook] if word == to.word)}; a name "
                "that is computed is known from the committed outputs only: execute it again"
            )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_source_that_is_cited_is_listed(path):
    cited = {key for node, at in prose(read(path)) for key, _ in citations(node[at])}
    assert cited <= set(bibliography())


def test_every_source_that_is_listed_is_used():
    """A notebook cites it, a file goes by it, or it is one of the documents that are judged."""
    judged = {row["source"] for row in data_rows("claims.csv")}
    notebooks = [read(path) for path in NOTEBOOKS]
    cited = {
        key for each in notebooks for node, at in prose(each) for key, _ in citations(node[at])
    }
    for key, source in bibliography().items():
        for file in source.code:
            text = (ROOT / file).read_text(encoding="utf-8")
            assert source.authors[0][0] in text, f"{file} does not name the source {key}"
        assert source.code or key in cited | judged, f"nothing cites {key}"


def test_sources_are_written_as_they_are_in_the_file():
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    assert len({entry["id"] for entry in entries}) == len(entries)
    assert all({"id", "type", "title"} <= set(entry) for entry in entries)
    sources = bibliography()
    assert sources["knuth1975"].short == "Knuth & Moore 1975"
    assert sources["plaat1996"].short == "Plaat et al. 1996"
    assert sources["knuth1975"].by == "Knuth, Donald E. and Moore, Ronald W."
    assert sources["knuth1975"].place == "Artificial Intelligence 6(4), pages 293–326"
    assert sources["russell2009"].place == "3rd edition, Prentice Hall"


def test_the_guide_names_notebooks_that_there_are():
    guide, stems = read_guide(notebooks_folder()), {path.stem for path in NOTEBOOKS}
    assert set(guide.abstract) <= stems
    assert len(guide.ways) == 3
    assert all(set(steps) <= stems for steps in guide.ways.values())


def picture(name):
    return new_output("display_data", {"image/png": ""}, metadata={"image/png": {"name": name}})


def table(name):
    return new_output("display_data", {"text/html": ""}, metadata={"text/html": {"name": name}})


def frame(name):
    return new_output("display_data", {"text/html": ""}, metadata={"page": f"pages/{name}.html"})


def made(*kinds_and_names: str) -> tuple[Item, ...]:
    return tuple(
        Item(kind, name, f"The {kind} {name}.", (f"{kind}s/{name}.svg",))
        for kind, name in map(str.split, kinds_and_names)
    )


@pytest.fixture
def book() -> Book:
    cells = [
        new_markdown_cell("# Seven"),
        new_code_cell("", outputs=[picture("late"), table("order"), picture("early")]),
        new_code_cell('artifacts.table("in-files", rows, caption)'),
        new_code_cell("", outputs=[frame("board")]),
    ]
    items = made("figure early", "figure late", "page board", "table in-files", "table order")
    record = Record("07_seven", "smoke", {}, "", "ok", 3, 0.0, (*items, *made("table nowhere")))
    labels = numbered(new_notebook(cells=cells), record)
    return Book(tuple(labels), bibliography(), {"07_seven", "08_eight"})


def test_numbers_count_in_the_order_of_the_page(book):
    said = {(label.item.kind, label.item.name): label.text for label in book.labels}
    assert said == {
        ("figure", "late"): "Figure 7.1",
        ("figure", "early"): "Figure 7.2",
        ("page", "board"): "Figure 7.3",
        ("table", "order"): "Table 7.1",
        ("table", "in-files"): "Table 7.2",
        ("table", "nowhere"): "Table 7.3",
    }
    places = {label.item.name: (label.cell, label.output) for label in book.labels}
    assert places["order"] == (1, 1)
    assert places["in-files"] == (2, None)
    assert places["nowhere"] == (None, None)


@pytest.mark.parametrize(
    ("written", "resolved"),
    [
        ("In [Figure](#early) it", "In [Figure 7.2](#figure-early) it"),
        ("[Figure](#board)", "[Figure 7.3](#page-board)"),
        ("[Table](07_seven.ipynb#order)", "[Table 7.1](#table-order)"),
        ("[Table](#nowhere)", "[Table 7.3](figures.html#07_seven-table-nowhere)"),
        ("`[Figure](#early)` in code", "`[Figure](#early)` in code"),
        ("```\n[@nobody]\n```", "```\n[@nobody]\n```"),
        ("[a term](00_definitions.ipynb#ply)", "[a term](00_definitions.ipynb#ply)"),
        ("[Figure](09_nine.ipynb#x)", "Figure “x” of 09_nine"),
        (
            "so [@knuth1975, page 300; @pearl1980]",
            "so \\[[Knuth & Moore 1975, page 300](references.html#knuth1975); "
            "[Pearl 1980](references.html#pearl1980)\\]",
        ),
    ],
)
def test_references_get_their_number_and_their_link(book, written, resolved):
    assert book.resolved(written, "07_seven") == resolved


def test_a_reference_from_another_page_leads_there(book):
    assert book.resolved("[Table](07_seven.ipynb#order)", "08_eight") == (
        "[Table 7.1](07_seven.html#table-order)"
    )


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("[Figure](#order)", "Figure 'order' is not in 07_seven; there are board, early, late"),
        ("[Listing](08_eight.ipynb#x)", "Listing 'x' is not in 08_eight; there are none"),
        ("[@nobody, page 1]", "source 'nobody' is not in data/references.json; there are"),
        ("[@nobody page 1]", r"\[@nobody page 1\] is no citation; write \[@key\]"),
    ],
)
def test_what_is_not_there_is_named(book, written, message):
    with pytest.raises(ValueError, match=message):
        book.resolved(written, "07_seven")
