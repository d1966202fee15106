"""Rules for every file, and the modules that an import loads; import-linter has the layers."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from inspect import signature
from itertools import chain
from pathlib import Path

import pytest
from conftest import run_python
from packaging.specifiers import SpecifierSet

import kalahlab
from kalahlab.search import ALGORITHMS

ROOT = Path(__file__).parents[1]
OF_OTHERS = {"__pycache__", "vendor"}
OURS = {}
for name in ("app", "docs", "kalahlab", "notebooks", "tools"):
    files = (ROOT / name).rglob("*.*")
    OURS[name] = [file for file in files if not OF_OTHERS & {*file.parts}]
OTHERS = [*ROOT.glob("*.md"), *ROOT.glob("*.t*"), *ROOT.glob("requirements/*")]
TEXTS = [*chain(*OURS.values()), *OTHERS, *(ROOT / "data").glob("*.[cjm]*")]

MACHINE = re.compile(r"(?<![\w<.])/(?:home|work|tmp|usr|root|var|Users|opt|mnt|srv)/")
HOST = re.compile(r"\bhttps?://([^\s/\"'<>)\\]+)")
HOSTS = {"doi.org", "jfly.uni-koeln.de", "keepachangelog.com", "semver.org", "www.w3.org"}
HOSTS |= {"en.wikipedia.org", "github.com"}  # where Rawlings gave his values; grading cases
HOSTS |= {"dspace.mit.edu", "www.saildart.org"}  # sources without a DOI
"""Those that may be named: none is asked for anything."""
SKIPPED = re.compile(
    r"pytest\.(?:skip|importorskip|mark\.skip|mark\.xfail)(?!.*(?:platform|os\.name))"
)


def test_no_file_names_a_path_of_a_machine_or_a_host_to_load_from():
    assert len(TEXTS) > 150
    for file in TEXTS:
        text = file.read_bytes().decode("utf-8", errors="ignore")
        assert not MACHINE.search(text.replace(r"\n", "\n")), file
        assert set(HOST.findall(text)) <= HOSTS, file


def test_no_function_is_longer_than_50_lines():
    long = []
    for file in OURS["kalahlab"]:
        if file.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(file.read_bytes())):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and node.end_lineno - node.lineno >= 50:
                long.append((file, node.name))
    assert long == []


def test_no_test_is_skipped_for_want_of_something():
    """Allow to skip a test that is about another system."""
    for file in (ROOT / "tests").rglob("*.py"):
        assert not SKIPPED.search(file.read_text(encoding="utf-8")), file


def test_each_planted_fault_changes_one_line():
    faults = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["fault"]
    for fault in faults:
        assert (ROOT / fault["file"]).read_text(encoding="utf-8").count(fault["old"]) == 1, fault
        assert all((ROOT / test.partition("::")[0]).exists() for test in fault["tests"]), fault


HEAVY = {"IPython", "matplotlib", "numba", "numpy", "pandas", "papermill"}
ROOMS = "kalahlab.engine, kalahlab.search, kalahlab.trace, kalahlab.players"
ROOMS += ", kalahlab.parallel, kalahlab.experiments.settings"
HELP = "from kalahlab.cli import cli; cli(['--help'], standalone_mode=False)"


def test_importing_and_help_load_nothing_heavy():
    code = f"import {ROOMS}; {HELP}; import sys; print(*sys.modules)"
    assert not HEAVY & {*run_python(code).split()}


def test_every_pinned_release_runs_on_the_oldest_python():
    """Compare with 3.11.0: Debian's Python 3.11.2 once refused a pin that asked for 3.11.5."""
    pinned = {}
    for distribution in distributions():
        pinned[distribution.name] = distribution.metadata.get("Requires-Python", "")
    refused = {name for name, pythons in pinned.items() if "3.11.0" not in SpecifierSet(pythons)}
    assert len(pinned) > 100
    assert not refused


def test_the_package_offers_what_most_users_need_and_nothing_else():
    for name in kalahlab.PLACES:
        assert getattr(kalahlab, name).__name__ == name
        assert re.search(rf"\b{name}\b", kalahlab.__doc__)
    assert {name for name in dir(kalahlab) if not name.startswith("__")} == {*kalahlab.PLACES}
    with pytest.raises(AttributeError, match="alphabeta"):
        kalahlab.alphabeta  # noqa: B018


@pytest.mark.parametrize("name", ALGORITHMS)
def test_help_shows_how_a_search_is_called(name):
    parameters = list(signature(ALGORITHMS[name]).parameters)
    assert parameters == ["game", "state", "evaluator", "deep_enough", "order", "observer"]
    assert all(parameter in ALGORITHMS[name].__doc__ for parameter in parameters)


# Slow, because pdoc imports all that the rooms import.
def test_the_pages_of_the_interface_have_no_error(tmp_path):
    rooms = ["kalahlab.search", "kalahlab.widgets.explorer", "kalahlab.matches.estimates"]
    command = [sys.executable, "tools/api.py", str(tmp_path), *rooms]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Warn" not in ran.stderr
    assert "usage: api.py" in subprocess.check_output([*command[:2], "--help"], cwd=ROOT, text=True)
    for page, name in (("search/alpha_beta", "deep_enough"), ("widgets/explorer", 'id="explore"')):
        assert name in (tmp_path / "kalahlab" / f"{page}.html").read_text(encoding="utf-8")
