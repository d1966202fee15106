"""Follow docs/extending.md outside of the package, and run what the documents show."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from functools import reduce
from importlib import import_module
from itertools import pairwise
from operator import xor
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import nbformat
import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup
from cli_reference import format_reference
from conftest import cases, run_python
from describe_data import of_data
from PIL import Image

import kalahlab
from kalahlab.data import notebooks_folder
from kalahlab.draw.tree_svg import tree_svg
from kalahlab.evaluators import registry as evaluators
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments.grid_file import read_grid
from kalahlab.games import registry
from kalahlab.games.hand_tree import EXAMPLES
from kalahlab.report import datapackage
from kalahlab.report.build import build
from kalahlab.report.rendering import TITLE
from kalahlab.report.sources import plan
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.trace import Trace, record
from kalahlab.trace.explain import SO

ROOT = Path(__file__).parents[1]
RECIPES = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
NAMES = re.findall(r"This is(?: the whole of)? `(\w+\.py)`", RECIPES)
CODE = [
    code
    for code in re.findall(r"```python\n(.*?)```", RECIPES, re.DOTALL)
    if not re.search(r"\ndef (mobility|variant)\(", code)
]
FILES = dict(zip(NAMES, CODE, strict=True))
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted(path for path in (ROOT / "docs").glob("*.md") if path.stem != "cli")
TEXTS = README + "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
PYTHON = re.findall(r"```python\n(.*?)```", TEXTS, re.DOTALL)
FILES["mine.py"] = "".join(
    code for code in PYTHON if re.search(r"\ndef (mobility|variant)\(", code)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder outside of the package with the recipes' files, to run their commands in."""
    for name, code in FILES.items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    registry.GAMES.pop("nim", None)
    evaluators.EVALUATORS.pop("nim", None)


@pytest.fixture
def outside(folder, monkeypatch):
    """Let Python import the recipes' files, too, as it does in their folder."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    return folder


COMMANDS = [
    line for line in re.findall(r"^kalahlab .*$", RECIPES, re.MULTILINE) if "mine." not in line
]


@pytest.mark.parametrize("command", COMMANDS)
def test_its_commands_work(command, folder, run):
    status, out, error = run(*shlex.split(command)[1:])
    assert (status, error) == (0, "")
    assert out
    for file in re.findall(r"--(?:out|tree) (\S+)", command):
        assert (folder / file).stat().st_size > 1000


# Slow, because the kernels of a new evaluator are compiled.
def test_an_evaluator_is_a_function_and_a_line(tmp_path):
    """Test the new evaluator like the others, in a copy of the package that has no other change."""
    package, tests = Path(kalahlab.__file__).parent, Path(__file__).parent
    copy = tmp_path / "kalahlab"
    shutil.copytree(package / "evaluators", copy / "evaluators")
    for part in package.iterdir():
        if part.name != "evaluators":
            (copy / part.name).symlink_to(part)
    (tmp_path / "data").symlink_to(package.parent / "data")
    module = copy / "evaluators" / "kalah.py"
    function, line = FILES["mobility.py"], '    "more_mobile": more_mobile,\n}\n'
    text = module.read_text(encoding="utf-8").replace(
        "EVALUATORS = {", f"{function}\n\nEVALUATORS = {{"
    )
    assert text.endswith("}\n")
    module.write_text(text.removesuffix("}\n") + line, encoding="utf-8")
    files = [tests / name for name in ("evaluators/test_evaluators.py", "engine/test_engine.py")]
    names = "more_mobile or symmetric"  # the second one is of all evaluators
    # Without a folder, pytest would delete those of earlier runs.
    chosen = ("-k", names, "-o", "addopts=", "-p", "no:cacheprovider")
    chosen += ("--basetemp", str(tmp_path / "of pytest"))
    code = (
        "import sys, pytest, kalahlab.draw.labels as labels\n"
        "print(labels.__file__, labels.replace_identifiers('more_mobile'))\n"
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *chosen, *map(str, files)],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tests,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout
    assert f"{copy / 'draw' / 'labels.py'} more mobile" in process.stdout
    assert " 2 passed" in process.stdout


@pytest.mark.parametrize("heaps", [(1, 2), (1, 1), (1, 2, 3), (2, 2, 1), (3, 1, 4)])
def test_searches_of_nim_agree_with_its_theory(heaps, outside, run):
    """Check Bouton's theorem: the mover wins if and only if the heaps' exclusive or is not 0."""
    text, value = ",".join(map(str, heaps)), 1 if reduce(xor, heaps) else -1
    algorithms = [("--algorithm", name) for name in ("alpha_beta", "scout_table", "plain.plain")]
    for game, options in [*(("nim.NIM", option) for option in algorithms), ("nim", ())]:
        status, out, _ = run("search", text, "--game", game, "--depth", "8", "--json", *options)
        answer = json.loads(out)
        assert (status, answer["value"]) == (0, value)
        assert answer["move"] == answer["pv"][0] == answer["pv"][0].lower()


def test_nim_is_played_and_counted(outside, run):
    players = ("--south", "alpha_beta:zero:9", "--north", "random:3")
    log = json.loads(run("play", "1,2,4", "--game", "nim.NIM", *players, "--json")[1])
    assert (log["winner"], log["margin"]) == ("first", 1)
    assert log["movers"][:2] == ["first", "second"]
    assert sum(int(move[1:]) for move in log["moves"]) == 7
    counted = json.loads(run("perft", "1,2", "--game", "nim.NIM", "--depth", "3", "--json")[1])
    assert counted["leaves"] == [3, 5, 5]
    script = ("--south", "script:a1,b1", "--north", "script:b1")
    _, out, _ = run("play", "1,2", "--game", "nim.NIM", *script)
    assert out.endswith("3. first plays b1\n-\n-\n\nfirst wins by 1\n")


def test_nim_is_recorded_and_drawn(outside, run):
    nim = import_module("nim")
    game, state = nim.NIM.read("1,2,3")
    assert registry.game_type_of_game(game) is nim.NIM
    trace = record(alpha_beta, game, state, nim.zero, Depth(6))
    assert trace.cuts
    assert Trace.from_json(trace.to_json()).table().equals(trace.table())
    for boards in (False, True):
        assert ElementTree.fromstring(tree_svg(trace, boards=boards, depth=2)).tag.endswith("svg")
    words = ("explore", "1,2,3", "--game", "nim.NIM", "--depth", "6", "--out", "page.html")
    status, out, _ = run(*words, "--json")
    assert (status, json.loads(out)["nodes"]) == (0, [len(list(trace.visits()))])


@pytest.mark.parametrize("tree", EXAMPLES.values(), ids=EXAMPLES)
def test_the_algorithm_is_minimax(tree, outside):
    args = (tree, tree.start(), written_value, Depth(9))
    assert import_module("plain").plain(*args) == minimax(*args)


@cases(Path(__file__).parent / "refused_of_nim.csv")
def test_unsupported_commands_are_refused(words, message, outside, run):
    status, out, err = run(*words.split(), "--depth", "2")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def copy_part(part, folder):
    return shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))


def replace_text(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_one_line_adds_a_column_and_one_file_has_the_front_pages_sentences(tmp_path):
    notebooks = copy_part("notebooks", tmp_path)
    [line] = [line for line in RECIPES.splitlines() if '"evaluated":' in line]
    notebook = nbformat.read(notebooks / "05_grid.ipynb", 4)
    [cell] = [cell for cell in notebook.cells if cell.source.startswith("costs = ")]
    cell.source = cell.source.replace('        "ratio":', f'{line}\n        "ratio":')
    del notebook.cells[[cell.id for cell in notebook.cells].index("table-nodes") + 1 :]
    nbformat.write(notebook, notebooks / "05_grid.ipynb")
    ways = tomllib.loads((notebooks / "guide.toml").read_text(encoding="utf-8"))["ways"].values()
    page, sentence = next(iter(next(iter(ways)).items()))
    line = f'{page} = "{sentence}"'
    replace_text(notebooks / "guide.toml", line, '05_grid = "many more games"')
    build("tiny", tmp_path / "report", only=["05_grid"], notebooks=notebooks)
    table = pd.read_csv(tmp_path / "report" / "05_grid" / "tables" / "nodes.csv")
    assert (table["evaluated"] > 0).all()
    assert "many more games" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_one_file_has_the_sentence_that_explains_a_cut(tmp_path):
    package, _ = copy_part("kalahlab", tmp_path), copy_part("data", tmp_path)
    sentence = SO.removeprefix(", so {untried} ")
    replace_text(package / "trace" / "explain.py", sentence, "do not count.")
    code = (
        "from kalahlab.draw.tree_svg import tree_svg\n"
        "from kalahlab.evaluators.tree import written_value\n"
        "from kalahlab.games.hand_tree import AIMA_5_2 as tree\n"
        "from kalahlab.search import Depth, alpha_beta\n"
        "from kalahlab.trace import record\n"
        "from kalahlab.widgets.models.packing import pack\n"
        "trace = record(alpha_beta, tree, tree.start(), written_value, Depth(9))\n"
        "print(trace.why(trace.cuts[0]), tree_svg(trace), pack(trace, '')['words'], sep='\\0')"
    )
    for text in run_python(code, PYTHONPATH=str(tmp_path), PYTHONSAFEPATH="1").split("\0"):
        assert "do not count" in text
        assert sentence not in text


README_COMMANDS = []
for block in re.findall(r"```sh\n(.*?)```", TEXTS, re.DOTALL):
    for line in dict.fromkeys(block.splitlines()):
        is_command = line.startswith("kalahlab ") and not line.startswith("kalahlab report")
        if is_command and line not in COMMANDS:
            README_COMMANDS.append(line)


@pytest.mark.parametrize("code", PYTHON)
def test_its_python_runs(code, outside):
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})


@pytest.mark.parametrize("line", README_COMMANDS)
def test_the_commands_of_the_readme_work(line, run, folder):
    status, out, _ = run(*shlex.split(line, comments=True)[1:])
    assert (status, out != "") == (0, True)


@pytest.mark.parametrize("line", re.findall(r"^kalahlab report .*", TEXTS, re.MULTILINE))
def test_its_reports_have_known_pages_and_parameters(line):
    """Plan them only. The tests of the report run pages."""
    words = shlex.split(line)
    only = [value for name, value in pairwise(words) if name == "--only"]
    parameters = [value for name, value in pairwise(words) if name == "-p"]
    assert plan(notebooks_folder(), "default", only, parameters)


def test_its_grid_is_one(tmp_path):
    [text] = re.findall(r"```toml\n(.*?)```", TEXTS, re.DOTALL)
    (tmp_path / "games.toml").write_text(text, encoding="utf-8")
    assert len(read_grid(tmp_path / "games.toml")) == 2 * 3 * 3 * 2 * 4


def test_the_table_of_rooms_names_all_rooms():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    names = re.findall(r"`(\w+)`", " ".join(rows))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    assert set(names) == {*" | ".join(layers).split(" | ")}


def test_the_readme_is_short_and_its_links_lead_somewhere():
    assert len(README.split()) <= 450
    for document in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCUMENTS):
        text = re.sub(r"`[^`]*`", "", document.read_text(encoding="utf-8"))
        for file, anchor in re.findall(r"\]\(([\w./-]+)(?:#([\w-]+))?\)", text):
            target = document.parent / file
            assert target.exists(), (document.name, file)
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.M) if anchor else []
            anchors = [heading.lower().replace(" ", "-") for heading in headings]
            assert not anchor or anchor in anchors, (document.name, file, anchor)


def test_the_reference_of_the_commands_is_their_help():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert text == format_reference(), "run: python tools/cli_reference.py"


def test_its_picture_moves_and_is_small():
    file = ROOT / re.search(r"\]\((docs/[\w-]+\.gif)\)", README)[1]
    assert file.stat().st_size < 1_000_000
    assert Image.open(file).n_frames > 10


def test_the_app_refuses_a_host_that_is_not_this_machine():
    """Check the setting of Voilà's Jupyter handlers, which by default allow any host."""
    [recipe] = re.findall(r"^app:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "JUPYTER_CONFIG_PATH=$(CURDIR)/app " in recipe
    settings = json.loads((ROOT / "app" / "voila.json").read_text())["Voila"]["tornado_settings"]
    assert settings == {"allow_remote_access": False}


def test_the_description_of_data_is_up_to_date():
    text = (ROOT / "data" / datapackage.FILE).read_text(encoding="utf-8")
    assert text == of_data(ROOT / "data"), "run: python data/make/describe_data.py data"
    schema = (ROOT / "tests" / "oracles" / "tabular-data-package.json").read_text()
    jsonschema.validate(json.loads(text), json.loads(schema))
    files = json.loads(text)["resources"]
    for resource in files:
        assert all(field.get("description") for field in resource["schema"]["fields"])
    names = [resource["path"] for resource in files]
    assert names == sorted(p.name for p in (ROOT / "data").iterdir() if ".csv" in p.name)


@pytest.mark.parametrize("stem", sorted(path.stem for path in ROOT.glob("notebooks/[0-9]*")))
def test_each_column_of_a_table_is_described(stem):
    for cell in nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4).cells:
        for name in re.findall(r'artifacts\.table\(\s*"([^"]+)"', cell.source):
            html = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
            heads = BeautifulSoup(html, "html.parser").select("thead th")
            for head in filter(None, (output.get_text() for output in heads)):
                file = f"{stem}/tables/{name}.csv"
                spelled = (head, head.replace(" ", "_"), head.replace("alpha beta", "alpha_beta"))
                assert any(datapackage.describe_column(file, output) for output in spelled), (
                    file,
                    head,
                )


@cases(Path(__file__).parent / "types_of_columns.csv")
def test_a_column_has_the_type_of_its_values(values, kind):
    assert datapackage.field(values.split("/"))["type"] == kind
    assert datapackage.describe_column("", "Elo low")["description"].startswith(
        "the low end of the 95%"
    )


def test_the_citation_file_has_the_standard_form():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert (cited["cff-version"], cited["license"]) == ("1.2.0", "MIT")
    assert str(cited["version"]) == kalahlab.__version__
    assert cited["title"].startswith(TITLE)
    assert all(author.get("name") or author.get("family-names") for author in cited["authors"])
