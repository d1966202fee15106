"""What goes wrong is told in one line that names the value, or the file, and the fix."""

import csv
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import kalahlab
from kalahlab import cli
from kalahlab.evaluators.kalah import EVALUATORS

T = "<2,0,0,1,1,1,1>"
SEARCH = ("search", T, "--depth", "2")
MODULES = {
    "raises.py": "x = 1\nthing = 1 / 0\n",
    "broken.py": "def thing(:\n",
    "misses.py": "import nothing_of_this_name\n",
    "crashes.py": "def thing(board, player):\n    return board[99]\n",
    "deep.json": "[" * 100_000,
    "deep.toml": "algorithms = " + "[" * 100_000,
    "ties.toml": 'algorithms = ["greedy"]\nevaluators = ["e1"]\ndepths = [1]\nties = 1' + "0" * 30,
    "digits.toml": "depths = " + "9" * 5000,
    "odd.toml": "marbles = 3",
}
with (Path(__file__).parent / "refused.csv").open(encoding="utf-8") as lines:
    REFUSED = {row.pop("case"): [*row.values()] for row in csv.DictReader(lines)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the modules and files."""
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in MODULES:
        sys.modules.pop(name.partition(".")[0], None)


@pytest.mark.parametrize(("words", "value", "fix"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_and_leaves_nothing(run, folder, words, value, fix):
    status, out, err = run(*shlex.split(words))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert value in err
    assert fix in err
    assert ".part" not in err
    assert len(err) < 500
    assert {each.name for each in folder.iterdir()} - {"__pycache__"} == {*MODULES}


def test_an_error_in_a_users_function_is_told_by_its_line(run, folder):
    status, _, err = run(*SEARCH, "--evaluator", "crashes.thing")
    assert (status, err.count("\n")) == (1, 1)
    assert f"{folder / 'crashes.py'}, line 2: IndexError: " in err


def test_a_bug_is_told_and_shown_if_asked_for(run, monkeypatch):
    monkeypatch.setitem(EVALUATORS, "bad", len)
    status, _, err = run(*SEARCH, "--evaluator", "bad")
    assert (status, err.count("\n")) == (1, 1)
    assert "TypeError: len() takes" in err
    assert "This is a bug" in err
    monkeypatch.setenv(cli.TRACEBACK, "1")
    monkeypatch.setattr(sys, "argv", ["kalahlab", *SEARCH, "--evaluator", "bad"])
    with pytest.raises(TypeError):
        cli.main()


WILD = dict.fromkeys(["x" * 200_000, "y " * 100_000, "'" * 200_000, "\x1b[31m" * 9], "<2,0,0,3,")
WILD[f"<1,0,0,{'9' * 5000},1>"] = "4,300 digits"


@pytest.mark.parametrize(("text", "fix"), WILD.items())
def test_a_long_or_wild_input_is_not_echoed_whole(run, text, fix):
    status, _, err = run("perft", text, "--depth", "1")
    assert (status, err.count("\n")) == (2, 1)
    assert len(err) < 500
    assert "\x1b" not in err
    assert fix in err


@pytest.mark.parametrize("out", ["report", "report/site"])
def test_a_site_is_not_copied_into_itself(run, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    for part in ("report", "api"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "index.html").touch()
    status, _, err = run("site", "--out", out)
    assert (status, err.count("\n")) == (2, 1)
    assert f"'{out}' would put 'report' into itself" in err


SHELL = {
    "play --south person --north random <&-": "the input ended",
    "play --south person --north random </dev/null": "the input ended",
    "review - <&-": "line 1: ",
    "review - </dev/null": "line 1: ",
    f"explore '{T}' --depth 1 --out p.html": "the working folder is gone",
}


@pytest.mark.parametrize(("words", "said"), SHELL.items())
def test_without_input_or_folder_a_process_says_so(tmp_path, words, said):
    """A shell's script, in a working folder that is gone."""
    (tmp_path / "gone").mkdir()
    env = os.environ | {"PYTHONPATH": str(Path(kalahlab.__file__).parents[1])}
    leave = "cd gone && rmdir ../gone && " if "gone" in said else ""
    script = f"{leave}{sys.executable} -c 'from kalahlab.cli import main; main()' {words}"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=env, capture_output=True)
    *_, last = (done.stdout + done.stderr).decode().splitlines()
    assert (done.returncode, last.startswith("kalahlab: ")) == (2, True)
    assert said in last
    assert b"Traceback" not in done.stderr
