"""A new notebook: it runs, keeps the rules of a page of the report, and its list is complete."""

import re
from pathlib import Path

import pytest
import test_notebooks as rules
from bs4 import BeautifulSoup
from notebook_files import read

from kalahlab.data import notebooks_folder
from kalahlab.report import manifest
from kalahlab.report.new_notebook import CHECKLIST, list_steps, write_new_notebook

ROOT = Path(__file__).parents[2]


def test_it_runs_keeps_the_rules_of_a_page_and_its_report_is_built(run, tmp_path):
    folder = tmp_path / "mine"
    file = folder / "07_cutoffs.ipynb"
    status, text, _ = run("new-notebook", str(file), "--title", "Where are  cutoffs?")
    assert (status, text.splitlines()[0]) == (0, f"wrote {file}")
    size = ["-p", "07.depths=[1,2]", "-p", "07.pits=3"]
    assert run("report", "--notebooks", str(folder), *size)[0] == 0
    [record] = manifest.load_manifest(folder / "report")
    assert (record.title, record.notes) == ("Where are cutoffs?", ())
    index = BeautifulSoup((folder / "report" / "index.html").read_text("utf-8"), "html.parser")
    assert "At depth 2 alpha-beta visits" in index.text
    assert not index.select(".hero fieldset"), "without a guide there is no tree of Kalah"
    notebook = read(folder / "report", file.stem)
    notebook.cells[0].source += "(00_definitions.ipynb)"  # which is not in this folder
    rules.test_it_begins_with_a_question_and_ends_with_the_answer(notebook)
    rules.test_its_cells_are_short(notebook)
    rules.test_a_picture_is_an_svg_above_its_caption_and_described(notebook)
    numbers = rules.outputs.number_all_artifacts(folder)
    for cell in notebook.cells:
        assert rules.outputs.renumber(cell.source, file.name, numbers) == cell.source


@pytest.mark.parametrize(("name", "title", "message"), [
    ("question.ipynb", "Why?", "give two digits and a name, such as 01_question.ipynb"),
    ("01_Ä.ipynb", "Why?", "give two digits and a name, such as 01_question.ipynb"),
    ("00_new.ipynb", "Why?", "but 00_definitions.ipynb has this number; give another one"),
    ("00_definitions.ipynb", "Why?", "but 00_definitions.ipynb has this number; give another one"),
    ("01_new.ipynb", "Because", "--title is 'Because'; ask a question that ends with '?'"),
])  # fmt: skip
def test_another_name_or_title_is_refused_in_one_line(run, tmp_path, name, title, message):
    (tmp_path / "00_definitions.ipynb").write_text("theirs")
    status, _, err = run("new-notebook", str(tmp_path / name), "--title", title)
    assert (status, err.count("\n")) == (2, 1)
    assert message in err
    assert [file.read_text() for file in tmp_path.iterdir()] == ["theirs"]


def test_a_page_of_the_report_gets_the_checklist_of_the_documentation(tmp_path):
    steps = "\n".join(list_steps(notebooks_folder() / "18_new.ipynb"))
    for path in re.findall(r"`([\w./]+/[\w./]*)`", steps):
        assert (ROOT / path).exists(), path
    assert '`check("18.1", ...)`' in steps
    document = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    for place, what in CHECKLIST.items():
        assert f"| {place} | {what} |\n" in document
    (tmp_path / "00_definitions.ipynb").touch()
    write_new_notebook(tmp_path / "18_new.ipynb", "Why?")
    assert "(00_definitions.ipynb)" in read(tmp_path, "18_new").cells[0].source
