"""The report builder, on notebooks of a few cells."""

import json
import os
import re
import signal
import sys
import threading
from contextlib import chdir, redirect_stdout
from inspect import getsource
from io import BytesIO, StringIO
from pathlib import Path
from random import Random

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from conftest import FORK_KERNELS, cases, run_python, start_python
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from notebook_files import read, write
from psutil import Process, pid_exists
from pypdf import PdfReader

from kalahlab.report import export, manifest, run
from kalahlab.report.artifacts import Artifacts
from kalahlab.report.build import build
from kalahlab.report.cells import to_html
from kalahlab.report.pages import find_remote, render_other_pages
from kalahlab.report.rendering import parse
from kalahlab.report.sources import plan
from kalahlab.report.tables import table_html

ARTIFACTS = """
import matplotlib.pyplot as plt
import pandas as pd
from kalahlab.report.artifacts import Artifacts
from kalahlab.report.style import use_style
use_style()
artifacts = Artifacts(1, out)
"""
FIGURE = """
fig, ax = plt.subplots()
ax.plot(range(depth))
artifacts.figure("line", ax, 'A line that rises & "stops".')
"""
PICTURE = """
circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
artifacts.figure("dot", circle, "A quarter of a <dot>.")
"""
OWN_MODULE = r"exec(compile('def ask():\n    1 / 0\nask()', '/home/mine.py', 'exec'))"
REMOTE = "from IPython.display import HTML\nHTML('<script src=\"https://x.org/x.js\"></script>')"
TABLE = """
rows = pd.DataFrame({"nodes": [1, 2], "share_%": [0.5, 0.123456789]})
artifacts.table("rows", rows, "Nodes & shares, in %")
"""
INTERPRETER = "import sys; print(sys.executable)"
PROMISED = {
    *("01_good/figures/line.svg", "01_good/figures/line.pdf"),
    *("01_good/figures/dot.svg", "01_good/figures/dot.pdf"),
    *("01_good/tables/rows.csv", "01_good/tables/rows.tex", "01_good/tables/rows.html"),
    *("01_good.html", "02_bad.html", "03_remote.html"),
    *("01_good.ipynb", "02_bad.ipynb", "03_remote.ipynb"),
    *("02_bad/figures/line.svg", "index.html", "figures.html", "references.html", manifest.FILE),
}


@pytest.fixture
def notebooks(tmp_path):
    (tmp_path / "notebooks").mkdir()
    return tmp_path / "notebooks"


def run_here(path, executed, *, parameters, resources, on_cell_start, on_cell_executed, **_):
    """Run a notebook like papermill, but in this process; printed texts are the only outputs."""
    notebook, names = nbformat.read(executed, 4), {}
    with chdir(resources["metadata"]["path"]):
        for index, cell in enumerate(notebook.cells):
            on_cell_start(cell, index)
            if cell.cell_type == "code":
                with redirect_stdout(StringIO()) as stream:
                    exec(cell.source, names)
                cell.outputs = [new_output("stream", text=stream.getvalue())]
                on_cell_executed(cell, index, {"content": {"status": "ok"}})
            names |= parameters
    nbformat.write(notebook, executed)


@pytest.fixture
def report(notebooks, tmp_path, monkeypatch):
    """Return a function that builds the report in `tmp_path / "out"`; kernel: with real kernels."""

    def report(*profile, kernel=False, **options):
        with monkeypatch.context() as patch:
            if not kernel:
                patch.setattr(run.papermill, "execute_notebook", run_here)
            options = {"out": tmp_path / "out", "notebooks": notebooks, "jobs": 1, **options}
            return build(*profile, **options)

    return report


@pytest.fixture(scope="module")
def example_build(tmp_path_factory):
    """Build a report of three notebooks: the second fails after the same figures, then a page."""
    folder, lines = tmp_path_factory.mktemp("built"), []
    write(folder, "01_good", ARTIFACTS, FIGURE, PICTURE, TABLE, INTERPRETER)
    write(folder, "02_bad", ARTIFACTS, FIGURE, PICTURE, TABLE, OWN_MODULE, "print('never')")
    write(folder, "03_remote", REMOTE)
    result = build(out=folder / "out", notebooks=folder, jobs=2, progress=lines.append)
    return folder / "out", result, lines


def test_the_folder_holds_pages_notebooks_figures_and_tables(example_build):
    names = {
        path.relative_to(example_build[0]).as_posix() for path in example_build[0].rglob("*.*")
    }
    assert names >= PROMISED
    assert not any(name.startswith(".") for name in names)
    assert read(example_build[0], "01_good").cells[-1].outputs[0].text.strip() == sys.executable


def test_the_pdf_of_a_figure_has_text_in_a_small_font_of_outlines(example_build):
    [page] = PdfReader(example_build[0] / "01_good" / "figures" / "line.pdf").pages
    assert "0.00" in page.extract_text()
    [font] = page["/Resources"]["/Font"].values()
    assert font["/Subtype"] == "/Type0"
    file = font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFile2"].get_data()
    assert not {"GDEF", "GPOS", "GSUB", "MATH"} & {*TTFont(BytesIO(file)).keys()}


def test_failures_are_named_and_do_not_stop_other_notebooks(example_build):
    out, result, lines = example_build
    assert [record.notebook for record in result.failures] == ["02_bad", "03_remote"]
    where = "stopped at code cell 6, mine.py, line 2; 1 cell was not run"
    assert result.failures[0].error == f"ZeroDivisionError: division by zero ({where})"
    assert "https://x.org/x.js" in result.failures[1].error
    ended = sorted(line for line in lines if " cells, " in line)
    assert [line.partition(":")[0] for line in ended] == ["01_good", "02_bad", "03_remote"]
    assert "FAILED: ZeroDivisionError" in ended[1]
    index = (out / "index.html").read_text()
    assert "2 of 3" in index
    assert "ZeroDivisionError: division by zero" in index
    *_, failed, never = read(out, "02_bad").cells
    assert (failed.outputs[0].ename, never.outputs) == ("ZeroDivisionError", [])


def test_a_citation_has_the_year_and_the_commit_of_the_manifest_if_there_are_any():
    for year, commit in (("2031", "0123abc"), (None, None)):
        empty = manifest.Manifest("smoke", commit, {}, (), year=year)
        index = BeautifulSoup(render_other_pages(empty, [], {})["index.html"], "html.parser")
        [entry] = [element.text for element in index.select("pre") if "@misc" in element.text]
        assert ("  year = {2031},\n" in entry) == (year is not None)
        assert ("commit 0123abc}" in entry) == (commit is not None)


def test_the_manifest_lists_the_artifacts_and_names_no_machine(example_build):
    out, result, _ = example_build
    text = (out / manifest.FILE).read_text()
    stored = json.loads(text)
    assert stored == json.loads(result.to_json())
    assert manifest.load_manifest(out) == result.notebooks
    assert set(stored) == {"profile", "commit", "versions", "notebooks", "pages", "year"}
    good = stored["notebooks"][0]
    assert good["parameters"] == {"depth": 3}
    assert (good["title"], good["question"]) == ("The page of 01_good", "What does 01_good show?")
    assert [figure["name"] for figure in good["figures"]] == ["line", "dot"]
    assert good["figures"][0]["alt"] == 'A line that rises & "stops".'
    assert good["tables"][0]["caption"] == "Nodes & shares, in %"
    assert str(out.parent) not in text
    for unsaid in (str(out.parent), "papermill", "iopub"):
        assert unsaid not in (out / "02_bad.ipynb").read_text()


def test_pages_load_nothing_from_elsewhere_and_describe_each_picture(example_build):
    for page in example_build[0].glob("*.html"):
        html = page.read_text()
        assert [*find_remote(parse(html))] == []
        assert html.count("<img") == html.count(" alt=")
        assert "No description" not in html
    good = BeautifulSoup((example_build[0] / "01_good.html").read_text(), "html.parser")
    assert [" ".join(element.text.split()) for element in good.select("figcaption")] == [
        'Figure 1.1. A line that rises & "stops". SVG PDF',
        "Figure 1.2. A quarter of a <dot>. SVG PDF",
        "Table 1.1. Nodes & shares, in % CSV LaTeX HTML",
    ]
    # What is visible below a picture is not said again in its place.
    assert [element["alt"] for element in good.select("img")] == ["Figure 1.1", "Figure 1.2"]


def test_unchanged_notebooks_are_not_run_again(report, notebooks, tmp_path):
    write(notebooks, "01_one", "print(depth)")
    write(notebooks, "02_two", "print(depth)")
    assert report().ran == ("01_one", "02_two")
    assert report().ran == ()

    # Saved outputs are no change; a parameter, a cell, a lost file and `force` are.
    saved = read(notebooks, "02_two")
    saved.cells[-1].execution_count = 9
    nbformat.write(saved, notebooks / "02_two.ipynb")
    assert report().ran == ()
    assert report(parameters=["02_two.depth=4"]).ran == ("02_two",)
    write(notebooks, "02_two", "print(depth + 1)")
    result = report(only=["01_one"], force=True)
    assert result.ran == ("01_one",)
    assert [record.notebook for record in result.notebooks] == ["01_one", "02_two"]
    (tmp_path / "out" / "01_one.ipynb").unlink()
    assert report().ran == ("01_one", "02_two")


def test_a_users_evaluator_is_imported_again_when_it_changes(
    report, notebooks, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    look = (
        "from kalahlab.evaluators.registry import import_evaluator\n"
        "print(import_evaluator(judge)([], 0))"
    )
    write(notebooks, "01_own", look, parameters="judge = 'e1'\nout = None")
    for value in (3, 40):  # of the same second and size, Python would not read it anew
        body = f"def worth(board, player):\n    return {value}\n"
        (tmp_path / "own_module.py").write_text(body, encoding="utf-8")
        report(parameters=['01_own.judge="own_module.worth"'], kernel=True)
        assert f"{value}\n" in read(tmp_path / "out", "01_own").cells[-1].outputs[0].text


def test_two_runs_give_the_same_figures(example_build):
    first, second = (example_build[0] / stem for stem in ("01_good", "02_bad"))
    files = [path.relative_to(first) for path in first.rglob("*.*")]
    assert len(files) >= 7
    for file in files:
        assert (second / file).read_bytes() == (first / file).read_bytes(), file


# Builds one report again and again, killed at each of its moves. Only the first run needs a kernel:
# in the others the cells are run here.
KILLED = """
import os, shutil, signal, sys
from contextlib import chdir, redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from kalahlab.report import manifest, run
from kalahlab.report.build import build

notebooks, out, whole = (Path(word) for word in sys.argv[1:])
move, moves = os.replace, 0

def replaced(source, target):
    global moves
    moves += 1
    if moves == last:
        os.kill(os.getpid(), signal.SIGKILL)
    move(source, target)

def build_for(name):
    parameters = [f"01_one.name={name}"]
    return build(out=out, notebooks=notebooks, parameters=parameters, progress=print)

def holds(name):
    return any(name in f"{file} {file.read_bytes()}" for file in out.rglob("*.*") if file.is_file())

os.replace, last = replaced, None
manifest.environment_hash = manifest.commit = lambda package: 'the same, and quicker'
manifest.commit_year = manifest.commit
manifest.versions = lambda versions=manifest.versions(): versions
build_for("firstly")
of_a_kernel, moves = moves, 0
shutil.rmtree(out)
run.papermill.execute_notebook = run_here
build_for("firstly")
assert moves == of_a_kernel, "other files are moved"
shutil.copytree(out, whole)

killed = signal.SIGKILL
while killed:
    last = (last or 0) + 1
    shutil.rmtree(out)
    shutil.copytree(whole, out)
    moves = 0
    child = os.fork()
    if not child:
        build_for("secondly")
        os._exit(0)
    killed = os.waitpid(child, 0)[1]
    moves = last  # so this one is not killed
    build_for("firstly")
    hidden = [file.name for file in out.iterdir() if file.name.startswith(".")]
    print("killed" if killed else "ended", holds("firstly"), holds("secondly"), hidden, flush=True)
"""
MARKED = """
import pandas as pd
from kalahlab.report.artifacts import Artifacts
artifacts = Artifacts(1, out)
circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
artifacts.figure(name, circle.replace("<circle", f"<title>{name}</title><circle"), f"Of {name}.")
artifacts.table("rows", pd.DataFrame({name: [1]}), f"The rows of {name}")
"""


def test_a_build_killed_at_any_move_shows_nothing_of_other_parameters(notebooks, tmp_path):
    write(notebooks, "01_one", MARKED, "print(name)", parameters="name = ''\nout = None")
    folders = [str(path) for path in (notebooks, tmp_path / "out", tmp_path / "whole")]
    code = FORK_KERNELS + getsource(run_here) + KILLED
    lines = [line for line in run_python(code, *folders).splitlines() if line.endswith("]")]
    assert lines == ["killed True False []"] * (len(lines) - 1) + ["ended True False []"]
    assert len(lines) > 10


def test_no_record_is_read_that_a_flipped_bit_changed(example_build, tmp_path):
    whole = (example_build[0] / manifest.FILE).read_bytes()
    records, rng, found_out = manifest.load_manifest(example_build[0]), Random(0), 0
    for _ in range(100):
        index = rng.randrange(len(whole))
        flipped = whole[:index] + bytes([whole[index] ^ 1 << rng.randrange(8)]) + whole[index + 1 :]
        (tmp_path / manifest.FILE).write_bytes(flipped)
        lines = []
        read_records = manifest.load_manifest(tmp_path, lines.append)
        assert all(record in records for record in read_records)
        assert len(lines) == (1 if len(read_records) < 3 else 0)
        found_out += len(lines)
    assert found_out > 80, "the others are in no record"


def test_changed_files_are_made_again_and_not_printed(report, notebooks, tmp_path):
    out, lines = tmp_path / "out", []
    write(notebooks, "01_one", MARKED, "print(name)", parameters="name = 'firstly'\nout = None")
    report()
    changed = "01_one: its files have changed since they were made"
    damaged = "a record of manifest.json is damaged: its notebook is run again"
    messages = {"01_one.ipynb": changed, "01_one/tables/rows.csv": changed, manifest.FILE: damaged}
    for file, line in (messages | {"01_one.html": "01_one: unchanged"}).items():
        (out / file).write_text((out / file).read_text().replace("firstly", "secondly"))
        with pytest.raises(ValueError, match=r"does not match its manifest\.json"):
            export.read_book(out)
        lines.clear()
        assert report(progress=lines.append).ran == (() if "unchanged" in line else ("01_one",))
        assert lines[0] == line
        assert len(export.read_book(out)["chapters"]) == 2
        assert "secondly" not in (out / file).read_text()


# Begins a build for each line of its input, in a process of its own that has all imports.
BEGUN = """
import os, sys
from pathlib import Path
from kalahlab import cli
from kalahlab.report import build

notebooks, out = sys.argv[1:]
build.notebooks_folder = lambda: Path(notebooks)
sys.argv = ["kalahlab", "report", "--out", out]
while sys.stdin.readline():
    child = os.fork()
    if not child:
        cli.main()
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_the_next_build_removes_the_leftovers_of_a_killed_one(
    report, notebooks, tmp_path, monkeypatch
):
    out, temporary, begun = (tmp_path / name for name in ("out", "temporary", "begun"))
    temporary.mkdir()

    def find_leftovers():
        hidden = [path.name for path in out.iterdir() if path.name.startswith(".")]
        return hidden + [path.name for path in temporary.iterdir()]

    write(notebooks, "01_one", f"import time; open({str(begun)!r}, 'w'); time.sleep(3600)")
    words = [str(notebooks), str(out)]
    with start_python(FORK_KERNELS + BEGUN, *words, TMPDIR=str(temporary)) as process:
        for how, status in ((signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)):
            print(file=process.stdin, flush=True)
            number = int(process.stdout.readline())
            while not begun.exists():
                assert pid_exists(number)
                threading.Event().wait(0.01)
            os.kill(number, how)
            assert int(process.stdout.readline()) == status
            begun.unlink()
            assert bool(find_leftovers()) == (how == signal.SIGKILL)
    write(notebooks, "01_one", "print(1)")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert not report().failures
    assert find_leftovers() == []


def test_notebooks_run_in_parallel_and_an_interrupt_keeps_finished_ones_only(
    report, notebooks, tmp_path, monkeypatch
):
    monkeypatch.setattr(run, "PROGRESS_INTERVAL_S", 0.05)
    both, lines = r"02_endless: cell 2 of 2, \d+ s; 03_endless: cell 2 of 2, \d+ s", []
    write(notebooks, "01_quick", "print(depth)")
    for stem in ("02_endless", "03_endless", "04_never"):
        write(notebooks, stem, "import time; time.sleep(3600)")

    def interrupt(line):
        lines.append(line)
        if re.fullmatch(both, line) or len(lines) > 20_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report(jobs=2, progress=interrupt, kernel=True)
    assert re.fullmatch(both, lines[-1])
    assert not [child for child in Process().children() if "ipykernel" in str(child.cmdline())]
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["01_quick.ipynb", "manifest.json"]


def test_profiles_set_order_and_parameters_and_the_user_overrides_them(report, notebooks, tmp_path):
    for stem in ("01_one", "02_two", "03_three"):
        values = "depth = 1\nnames = []\nout = None"
        write(notebooks, stem, "print(depth, names)", parameters=values)
    (notebooks / "profiles.toml").write_text(
        'longest = ["03_three", "02_two"]\n[default."01_one"]\ndepth = 5\nnames = ["a"]\n'
    )
    planned = plan(notebooks, "default", None, ())
    assert [entry.source.stem for entry in planned] == ["03_three", "02_two", "01_one"]
    result = report(only=["01_one"], parameters=["01_one.names=['b', 'c']"])
    assert result.notebooks[0].parameters == {"depth": 5, "names": ["b", "c"]}
    for file, place in {"01_one": "profile default, names = [", "index": "these pages: 01"}.items():
        text = BeautifulSoup((tmp_path / "out" / f"{file}.html").read_text(), "html.parser").text
        assert text.count(place) == 2, "in the sentence and in the note of BibTeX"
        assert re.search(r"@misc{kalahlab\w*-default-\w{6},", text)
    assert read(tmp_path / "out", "01_one").cells[-1].outputs[0].text == "5 ['b', 'c']\n"


def test_an_import_path_that_cannot_be_used_is_refused_before_anything_runs(
    notebooks, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    write(notebooks, "01_one", "1", parameters='evaluators = ["e3"]\nout = None')
    Path("mine.py").write_text("def mobility(board, player):\n    return 7\n")
    (planned,) = plan(notebooks, "default", None, ["01.evaluators=['mine.mobility']"])
    assert re.fullmatch("[0-9a-f]{12}", planned.changed["SHA-256 of mine.py"])
    assert capsys.readouterr().err.startswith(
        "note: evaluator mine.mobility returns 7 for South and"
    )
    Path("two.py").write_text("from mine import mobility\n")
    (planned,) = plan(notebooks, "default", None, ["01.evaluators=['two.mobility']"])
    assert {"SHA-256 of mine.py", "SHA-256 of two.py"} < planned.changed.keys()
    Path("one.py").write_text("def mobility(board):\n    return 7\n")
    for name in ("mine.mobilty", "other.mobility", "one.mobility"):
        with pytest.raises(
            ValueError, match=f"^01_one.evaluators: {name} cannot be used: .*(Error: | board)"
        ):
            plan(notebooks, "default", None, [f"01_one.evaluators=['{name}']"])
    when_called = "def mobility(board, player):\n    os._exit(0)\n"
    for name, code in (("leaves", "sys.exit()\n"), ("stops", when_called)):  # imported, or asked
        Path(f"{name}.py").write_text(f"import os, sys\n{code}")
        with pytest.raises(
            ValueError,
            match=rf"cannot be used: \S+{name}.py, line \d+.*: RuntimeError: .* calls ",
        ):
            plan(notebooks, "default", None, [f"01_one.evaluators=['{name}.mobility']"])


def test_a_profile_may_build_some_notebooks_only_and_the_index_says_so(report, notebooks, tmp_path):
    for stem in ("01_one", "02_two"):
        write(notebooks, stem, "1")
    (notebooks / "profiles.toml").write_text('[smoke]\nonly = ["02_two"]\n')
    guide = '[ways."For one"]\n01_one = "why"\n[ways."For all"]\n01_one = "a"\n02_two = "b"\n'
    (notebooks / "guide.toml").write_text(guide)
    assert report("smoke").ran == ("02_two",)
    index = parse((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))
    assert "1 of 2 pages" in index.select(".unbuilt")[0].text
    assert [element.text for element in index.select(".starts :is(h3, a)")] == [
        "For all",
        "The page of 02_two",
    ]
    assert report("smoke", only=["01"]).ran == ("01_one",)
    index = parse((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))
    assert not index.select(".unbuilt")
    assert len(index.select(".starts a")) == 3


@cases(Path(__file__).parent / "slips.csv")
def test_an_error_in_any_profile_or_notebook_is_refused_before_anything_is_written(
    report, notebooks, tmp_path, profiles, parameters, message
):
    write(notebooks, "01_one", "print(depth)", parameters=parameters)
    (notebooks / "profiles.toml").write_text(profiles)
    with pytest.raises(ValueError, match=re.escape(message)):
        report()
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_named(report, notebooks, tmp_path):
    write(notebooks, "01_one")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "theirs" / "01_one").mkdir(parents=True)
    refused = {
        tmp_path / "file": "cannot be written",
        tmp_path / "file" / "below": "cannot be written",
        notebooks: "where the notebooks are",
        tmp_path / "theirs": "is not part of a report",
    }
    for out, message in refused.items():
        with pytest.raises(ValueError, match=f"{re.escape(repr(str(out)))}.*{message}"):
            report(out=out)
    assert (tmp_path / "file").read_text() == "mine"


def test_tags_in_a_line_of_prose_keep_their_content():
    bound = to_html(new_notebook(cells=[new_markdown_cell("*b*<sup>⌈*d*/2⌉</sup> leaves")]))
    assert "<em>b</em><sup>⌈<em>d</em>/2⌉</sup> leaves" in bound


@pytest.mark.parametrize("rule", ["-", ":-", "-:"])
def test_a_table_in_prose_has_no_empty_header(rule):
    html = parse(to_html(new_notebook(cells=[new_markdown_cell(f"||b|\n|{rule}|-|\n|1|2|")])))
    assert [cell.name for cell in html.select("thead tr > *")] == ["td", "th"]


def test_artifacts_without_a_folder_writes_nothing_and_shows_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Dot &amp; all</title></svg>'
    both = [Artifacts(1), Artifacts(1, "files")]
    first, second = (
        artifacts.table("rows", pd.DataFrame({"a": [1]}), "Rows") for artifacts in both
    )
    assert table_html(first) == table_html(second)
    first, second = (artifacts.figure("dot", svg, "A dot.") for artifacts in both)
    assert first == second
    assert first.metadata["image/svg+xml"]["alt"] == "Dot & all"
    assert 'role="img" aria-label="Dot &amp; all"' in first.data["image/svg+xml"]
    assert [path.name for path in tmp_path.iterdir()] == ["files"]


def test_a_name_is_a_file_name_serves_once_and_a_picture_needs_a_caption(tmp_path):
    artifacts = Artifacts(1, str(tmp_path))
    for name in ("Two Words", "../up", "", "a--b", "é"):
        with pytest.raises(ValueError, match="is not allowed; use lower-case"):
            artifacts.table(name, pd.DataFrame(), "Nothing")
    artifacts.table("rows", pd.DataFrame({"a": [1]}), "Rows")
    with pytest.raises(ValueError, match="'rows' is used twice"):
        artifacts.table("rows", pd.DataFrame({"a": [2]}), "Other rows")
    with pytest.raises(ValueError, match="not well-formed"):
        artifacts.figure("dot", "<svg", "A dot.")
    with pytest.raises(ValueError, match="'line' has no caption"):
        artifacts.figure("line", Figure(), " ")


def test_a_notebook_that_reads_others_outputs_runs_after_them(report, notebooks, tmp_path):
    reads = "import pathlib\nprint([*map(str, pathlib.Path(executed or 'none').glob('*.ipynb'))])"
    write(notebooks, "01_reads", reads, parameters="executed = None\nout = None")
    write(notebooks, "02_shows", "print(depth)")
    assert report().ran == ("01_reads", "02_shows")
    assert "02_shows.ipynb" in (tmp_path / "out" / "01_reads.html").read_text()
    assert report().ran == ()
    assert report(parameters=["02_shows.depth=4"]).ran == ("01_reads", "02_shows")
    write(notebooks, "02_shows", f"print(depth, open({str(tmp_path / 'late')!r}).read())")
    assert [record.notebook for record in report().failures] == ["02_shows"]
    (tmp_path / "late").touch()
    assert report().ran == ("01_reads", "02_shows")


@given(st.integers(0, 40), st.sampled_from(["", " in Kalah(6,4) by MTD(f)", " [a b c](#d-e)"]))
def test_a_finding_has_at_most_25_words_of_which_a_link_has_its_text_alone(count, more):
    sentence = " ".join(["word"] * count) + more
    words = count + {"": 0, " in": 4, " [a": 3}[more[:3]]
    artifacts = Artifacts(1)
    if 0 < words <= 25:
        artifacts.finding("it", sentence)
    else:
        expected = "has no caption" if words == 0 else f"the finding has {words} words"
        with pytest.raises(ValueError, match=expected):
            artifacts.finding("it", sentence)


@pytest.mark.parametrize("brackets", ["(n = 4)", "[0.1, 0.2]"])
def test_a_finding_has_no_brackets(brackets):
    with pytest.raises(ValueError, match=re.escape(f"the finding has brackets: {brackets!r}; ")):
        Artifacts(1).finding("it", f"It is so {brackets} in Kalah(6,4).")
