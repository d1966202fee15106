"""Notebooks of a user's own: a page is whole or says why not, and one costs no other anything."""

import json
import os
import py_compile
import re
import signal
from importlib.util import cache_from_source
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_output
from notebook_files import PARAMETERS, read, write

from kalahlab.report import build as builder
from kalahlab.report import manifest
from kalahlab.report.build import build
from kalahlab.report.export import read_book
from kalahlab.report.sources import plan

ARTIFACTS = "from kalahlab.report.artifacts import Artifacts\nartifacts = Artifacts(1, out)"
TABLE = 'import pandas as pd\nartifacts.table("rows", pd.DataFrame({"a": [1]}), "Rows.")'
PICTURE = """
circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
artifacts.figure("line", circle, "A line.")
"""
PAGE = """
class View:
    def _repr_mimebundle_(self):
        return {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
    def page(self, title):
        return "<p>moving</p>"
    def still(self):
        return "<svg/>"
artifacts.page("moving", View(), "It moves", "It moves.")
"""
# Cells that end their notebook, and what is said of each.
ENDS = {
    "exit": ("import sys; sys.exit(0)", "SystemExit: 0"),
    "raised": ("raise SystemExit", "SystemExit"),
    "gone": ("import os; os._exit(0)", "DeadKernelError: Kernel died"),
    "killed": (f"import os; os.kill(os.getpid(), {int(signal.SIGTERM)})", "DeadKernelError"),
    "quit": ("quit()", "DeadKernelError: the cell ended the kernel, as quit() does"),
    "silent": (
        "class Leave(Exception):\n    def _render_traceback_(self): return []\nraise Leave",
        "Leave",
    ),
    "magic": ("%nosuch", "UsageError: Line magic function `%nosuch` not found."),
    "late": ("depth", ""),
}


def stems(of):
    return {f"{number:02}_{name}": name for number, name in enumerate(of, 1)}


def edit(folder, stem, change):
    """Change a notebook's file like an editor: `change` is called with its JSON."""
    file = folder / f"{stem}.ipynb"
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")


def read_failures(out):
    """Return the error of each notebook that failed; assert that manifest, page and index agree."""
    index = BeautifulSoup((out / "index.html").read_text(encoding="utf-8"), "html.parser")
    listed = {
        element.a.text: element.code.text
        for element in index.select(".failure li")
        if element.a and element.code
    }
    for record in manifest.load_manifest(out):
        page = BeautifulSoup((out / f"{record.notebook}.html").read_text("utf-8"), "html.parser")
        assert [element.text for element in page.select("[role=alert] code")] == (
            [record.error] if record.error else []
        )
        assert listed.get(record.notebook) == record.error
        assert (record.status == "ok") == (record.error is None)
    return listed


@pytest.fixture(scope="module")
def early_ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ended")
    for stem, name in stems(ENDS).items():
        write(folder, stem, ENDS[name][0], "print('the ' + 'finding')")
        edit(folder, stem, lambda data: data["cells"][-1].update(outputs=[SAVED]))
    write(folder, "08_late", "depth", "print('the ' + 'finding')", "quit()")
    build(out=folder / "out", notebooks=folder, jobs=2, progress=lambda line: None)
    return folder


SAVED = new_output("stream", text="of an earlier run")


def test_a_page_is_whole_only_if_its_last_cell_ran(early_ends):
    errors = read_failures(early_ends / "out")
    assert errors.keys() == stems(ENDS).keys()
    for stem, name in stems(ENDS).items():
        last = name == "late"
        place = "stopped at code cell 4" if last else "stopped at code cell 2; 1 cell was not run"
        assert errors[stem].startswith(ENDS[name][1])
        assert place in errors[stem].replace("code cell 3", "code cell 4" if last else "")
        page = (early_ends / "out" / f"{stem}.html").read_text(encoding="utf-8")
        assert ("the finding" in page) == last
        assert "of an earlier run" not in page


def test_a_notebook_that_ended_early_is_never_called_unchanged(early_ends, monkeypatch):
    plans, lines = [], []
    monkeypatch.setattr(builder, "run_all", lambda new, *_: plans.extend(new))
    build(out=early_ends / "out", notebooks=early_ends, progress=lines.append)
    assert {plan.source.stem for plan in plans} == stems(ENDS).keys()
    assert not [line for line in lines if "unchanged" in line]


def lose_attachment(folder, stem):
    def change(data):
        data["cells"].append(new_markdown_cell("See ![x](attachment:a.png)", id="m1"))

    write(folder, stem)
    edit(folder, stem, change)


def writer(*cells, parameters=PARAMETERS):
    return lambda folder, stem: write(folder, stem, *cells, parameters=parameters)


def as_bytes(data):
    return lambda folder, stem: (folder / f"{stem}.ipynb").write_bytes(data)


def without_kernel(folder, stem):
    write(folder, stem, "print(depth)")
    edit(folder, stem, lambda data: data["metadata"].pop("kernelspec"))


def with_mark(folder, stem):
    write(folder, stem, "print(depth)")
    file = folder / f"{stem}.ipynb"
    file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")


def without_source(folder, stem):
    write(folder, stem, "print(depth)")
    edit(folder, stem, lambda data: data["cells"][2].pop("source"))


def link_to_nothing(folder, stem):
    (folder / f"{stem}.ipynb").symlink_to(folder / "nothing")


UNKNOWN = '<div class="exercise not-answered-yet"><p>Exercise 99.9: how many?</p></div>'
# How a notebook is written, and what is said of it; nothing of one that is whole.
WRITTEN = {
    "good": (writer(ARTIFACTS, TABLE), ""),
    "pasted": (lose_attachment, "cell m1 shows attachment:a.png, which the cell does not have"),
    "page": (
        writer(ARTIFACTS, PAGE, "import pathlib; pathlib.Path(out, 'pages/moving.html').unlink()"),
        "03_page/pages/moving.html, which the notebook made, is gone",
    ),
    "table": (
        writer(ARTIFACTS, TABLE, "import pathlib; pathlib.Path(out, 'tables/rows.csv').unlink()"),
        "04_table/tables/rows.csv, which the notebook made, is gone",
    ),
    "list": (
        writer(ARTIFACTS, TABLE, "open(f'{out}/artifacts.json', 'w').write('[1')"),
        "05_list/artifacts.json was changed after artifacts wrote it",
    ),
    "empty": (writer(ARTIFACTS, TABLE.replace('{"a": [1]}', "")), ""),
    "mark": (with_mark, ""),
    "kernel": (without_kernel, ""),
    "json": (as_bytes(b'{"cells": ['), "09_json.ipynb is not a notebook: JSONDecodeError: "),
    "other": (as_bytes(b"[1]"), "10_other.ipynb is not a notebook: "),
    "source": (without_source, "11_source.ipynb is not a notebook: ValueError: cell 3 has no "),
    "nowhere": (link_to_nothing, "12_nowhere.ipynb cannot be read: No such file or directory"),
    "out": (writer(parameters="depth = 3"), "13_out.ipynb has no cell tagged 'parameters'"),
    "set": (writer(parameters="x = {1}\nout = None"), "14_set.ipynb has a parameter that is not "),
    "syntax": (writer(parameters="x = \nout = None"), "15_syntax.ipynb has a parameter that is "),
    "module": (writer("import nosuch"), "ModuleNotFoundError: No module named 'nosuch' (stopped "),
    "image": (
        writer("from IPython.display import Markdown\nMarkdown('![x](attachment:b.png)')"),
        "cell cell-0 shows attachment:b.png, which the cell does not have",
    ),
    "check": (
        writer(f"from IPython.display import HTML\nHTML({UNKNOWN!r})"),
        "cell cell-0 cannot be shown: KeyError: '99.9'",
    ),
}  # fmt: skip


def test_a_notebook_that_fails_in_any_way_costs_its_own_page_only(tmp_path):
    (tmp_path / "guide.toml").write_text('abstract = ["09_json"]\n[ways."All"]\n09_json = "why"\n')
    for stem, name in stems(WRITTEN).items():
        WRITTEN[name][0](tmp_path, stem)
    lines = []
    result = build(
        out=tmp_path / "out",
        notebooks=tmp_path,
        jobs=2,
        parameters=["09_json.depth=4"],
        progress=lines.append,
    )
    errors = read_failures(tmp_path / "out")
    assert [record.notebook for record in result.notebooks] == [*stems(WRITTEN)]
    assert errors.keys() == {stem for stem, name in stems(WRITTEN).items() if WRITTEN[name][1]}
    for stem, error in errors.items():
        assert error.startswith(WRITTEN[stems(WRITTEN)[stem]][1])
        assert str(tmp_path) not in error
        assert f"{stem}: " in "\n".join(line for line in lines if "FAILED" in line)
    assert (tmp_path / "out" / "01_good" / "tables" / "rows.csv").is_file()
    assert {"index.html", "search.html", "datapackage.json"} <= {
        file.name for file in (tmp_path / "out").iterdir()
    }


def test_a_guide_that_is_not_toml_is_refused_before_anything_runs(tmp_path):
    write(tmp_path, "01_one")
    (tmp_path / "guide.toml").write_text("abstract = [")
    with pytest.raises(ValueError, match=r"^guide\.toml is not TOML: "):
        build(out=tmp_path / "out", notebooks=tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_cell_may_raise_if_tagged_and_injected_cells_are_not_counted(tmp_path):
    for stem, tags in (("01_may", ["raises-exception"]), ("02_must_not", [])):
        write(tmp_path, stem, "1/0", "print('after')")
        edit(tmp_path, stem, lambda data, tags=tags: data["cells"][2]["metadata"].update(tags=tags))
    write(tmp_path, "03_skips", "1/0", "print('after')")
    edit(
        tmp_path,
        "03_skips",
        lambda data: data["cells"][2]["metadata"].update(tags=["skip-execution"]),
    )
    build(out=tmp_path / "out", notebooks=tmp_path, jobs=2, progress=lambda line: None)
    assert read_failures(tmp_path / "out") == {
        "02_must_not": "ZeroDivisionError: division by zero "
        "(stopped at code cell 2; 1 cell was not run)"
    }
    may = (tmp_path / "out" / "01_may.html").read_text(encoding="utf-8")
    assert "ZeroDivisionError" in may
    assert "papermill" not in may
    assert read(tmp_path / "out", "01_may").cells[-1].outputs[0].text == "after\n"


@pytest.mark.parametrize("out", ["out = None", "out: str | None = None", "out : 'a text'=None"])
def test_parameters_with_types_are_parameters(tmp_path, out):
    values = f"depth: int = 3  # in sows; 2 or more\nname: str\n{out}"
    write(tmp_path, "01_typed", "print(depth)", parameters=values)
    (planned,) = plan(tmp_path, "default", None, ["01_typed.depth=5"])
    assert (planned.parameters, planned.changed, planned.changes) == ({"depth": 5},) * 3
    with pytest.raises(ValueError, match="depth is 1; give 2 or more"):
        plan(tmp_path, "default", None, ["01_typed.depth=1"])
    with pytest.raises(ValueError, match="depth is 'a'; give a whole number"):
        plan(tmp_path, "default", None, ["01_typed.depth=a"])


def test_a_typed_parameter_is_set_and_is_in_the_manifest_and_the_citation(tmp_path):
    values = "depth: int = 3\nout: str | None = None"
    write(tmp_path, "01_typed", "print('depth', depth)", parameters=values)
    out = tmp_path / "out"
    build(out=out, notebooks=tmp_path, parameters=["01.depth=5"], progress=lambda line: None)
    assert read(out, "01_typed").cells[-1].outputs[0].text == "depth 5\n"
    assert manifest.load_manifest(out)[0].parameters == {"depth": 5}
    assert "depth = 5" in (out / "01_typed.html").read_text(encoding="utf-8")


PROSE = """
See [Figure 1.1](#cell-id=figure-line), [a part](#A-part), [another](#No-part),
[Table 2.1](02_linked.ipynb#cell-id=table-rows), [its figure](02_linked.ipynb#cell-id=figure-line),
[a source](references.md#knuth1975), [none](references.md#nobody) and [no page](07_no.ipynb#x).
"""


def drop_ids(data):
    data["nbformat_minor"] = 2
    for cell in data["cells"]:
        del cell["id"]


def test_each_build_reports_broken_links(tmp_path):
    for stem in ("01_lost", "02_linked"):
        write(tmp_path, stem, ARTIFACTS, PICTURE, "artifacts.finding('found', 'It is.')")
        edit(tmp_path, stem, lambda data: data["cells"].append(new_markdown_cell(PROSE, id="m1")))
    edit(tmp_path, "01_lost", drop_ids)
    edit(tmp_path, "02_linked", lambda data: data["cells"][3].update(id="figure-line"))
    edit(tmp_path, "02_linked", lambda data: data["cells"][4].update(id="found"))
    others = [
        "cell {} refers to #No-part, which leads nowhere",
        "cell {} refers to 02_linked.ipynb#cell-id=table-rows, which no cell has; give the cell of "
        "the table the id table-rows",
        "cell {} refers to references.md#nobody, which leads nowhere",
    ]
    lost = [
        "cell 6 refers to #cell-id=figure-line, which no cell has; give the cell of the figure the "
        "id figure-line",
        *(text.format("6") for text in others),
        "the finding refers to #cell-id=found, which no cell has; give the cell that is meant the "
        "id found",
    ]
    for count in (2, 0):
        lines = []
        result = build(out=tmp_path / "out", notebooks=tmp_path, jobs=2, progress=lines.append)
        assert (len(result.ran), result.failures) == (count, [])
        notes = {
            record.notebook: [*record.notes] for record in manifest.load_manifest(tmp_path / "out")
        }
        assert notes == {"01_lost": lost, "02_linked": [text.format("m1") for text in others]}
        for stem, texts in notes.items():
            page = (tmp_path / "out" / f"{stem}.html").read_text(encoding="utf-8")
            paragraphs = BeautifulSoup(page, "html.parser").select("[role=note] p")
            assert [text.text for text in paragraphs] == texts
            assert {f"{stem}: {line}" for line in texts} <= {*lines}


OTHERS = """
from IPython.display import HTML, Javascript, display
from ipywidgets import IntSlider, Output
display(IntSlider(3), Output())
display({"application/vnd.plotly.v1+json": {}}, raw=True)
display(Javascript("alert(1)"))
display(HTML("<p>A part.</p><script>alert(2)</script>"))
"""


def test_outputs_that_need_a_kernel_are_replaced_by_a_sentence(tmp_path):
    write(tmp_path, "01_widgets", OTHERS)
    build(out=tmp_path / "out", notebooks=tmp_path, progress=lambda line: None)
    html = (tmp_path / "out" / "01_widgets.html").read_text(encoding="utf-8")
    output = BeautifulSoup(html, "html.parser").select(".outputs")[-1]
    words = re.findall(r"Here the notebook shows (.*?), which needs a running kernel", output.text)
    assert words == ["IntSlider", "an output", "Javascript", "a script"]
    assert "alert(1)" not in output.text
    assert not read_failures(tmp_path / "out")


def test_the_command_builds_the_report_of_a_folder(run, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    out = folder / "report"
    write(
        folder, "01_mine", ARTIFACTS, PICTURE, "artifacts.finding('cell-1', 'It is mine.', 'line')"
    )
    (folder / "profiles.toml").write_text("[tiny.01_mine]\ndepth = 2\n")
    status, text, _ = run("report", "--notebooks", str(folder), "--profile", "tiny")
    assert (status, text) == (0, f"open {out / 'index.html'}\n")
    assert manifest.load_manifest(out)[0].parameters == {"depth": 2}
    index = BeautifulSoup((out / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert "It is mine." in index.text
    assert not index.select(".hero fieldset, .doors a"), "the guide of the package is not theirs"
    front = BeautifulSoup(read_book(out)["front"], "html.parser")
    (picture,) = front.select(".findings img")
    path = Path(unquote(str(picture["src"]).removeprefix("file://")))
    assert path == out.resolve() / "01_mine/figures/line.svg", "the book shows the picture"


def save_at_once(file, text):
    """Save a module as if always in the same second, with the bytecode of the first one saved."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{text:60}\n")
    os.utime(file, (1, 1))
    if not Path(cache_from_source(file)).exists():
        py_compile.compile(file)


def test_cells_import_modules_beside_the_notebook_and_run_again_if_one_changes(tmp_path):
    save_at_once(tmp_path / "helper.py", "from parts import deeper; answer = lambda: deeper.ANSWER")
    save_at_once(tmp_path / "parts/__init__.py", "")
    save_at_once(tmp_path / "parts/deeper.py", "ANSWER = 42")
    save_at_once(tmp_path / "unused.py", "1")
    for stem, code in (("01_imports", "import helper\nprint(helper.answer())"), ("02_not", "1")):
        write(tmp_path, stem, f"%matplotlib inline\n{code}")
    out = tmp_path / "out"
    for file, text, answer, ran in (
        ("unused.py", "2", "42\n", ("01_imports", "02_not")),
        ("unused.py", "3", "42\n", ()),
        ("parts/deeper.py", "ANSWER = 43", "43\n", ("01_imports",)),
        ("helper.py", "def answer(): return 44", "44\n", ("01_imports",)),
    ):
        save_at_once(tmp_path / file, text)
        result = build(out=out, notebooks=tmp_path, jobs=2, progress=lambda line: None)
        assert (result.ran, result.failures) == (ran, [])
        assert read(out, "01_imports").cells[-1].outputs[-1].text == answer


def test_a_module_beside_the_notebook_that_is_not_python_fails_its_notebook_only(tmp_path):
    (tmp_path / "broken.py").write_text("def (\n")
    write(tmp_path, "01_good", "1")
    write(tmp_path, "02_bad", "import broken")
    build(out=tmp_path / "out", notebooks=tmp_path, jobs=2, progress=lambda line: None)
    failures = read_failures(tmp_path / "out")
    assert [*failures] == ["02_bad"]
    assert failures["02_bad"].startswith("SyntaxError: ")


REFUSED = {
    "absent": ({}, "no notebooks in {!r}, which is no folder; give one that has "),
    "empty": ({"x.txt": ""}, "no notebooks in {!r}; put files such as 01_question.ipynb into it"),
    "other": ({"a.ipynb": ""}, "no notebooks in {!r} begin with a number; rename a.ipynb to 01_a"),
    "wrong": ({"01_a.ipynb": "x"}, "01_a.ipynb is not a notebook: JSONDecodeError: "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_folder_without_a_notebook_is_an_error_in_one_line(run, tmp_path, name):
    files, message = REFUSED[name]
    for file, text in files.items():
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / file).write_text(text)
    status, _, err = run("report", "--notebooks", str(tmp_path / name))
    assert (status, err.count("\n")) == (2, 1)
    assert message.format(str(tmp_path / name)) in err
    assert not (tmp_path / name / "report").exists()
