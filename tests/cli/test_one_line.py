"""What goes wrong is told in one line that names the value, or the file, and the fix."""

import os
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

TOLD = {
    "pits": (["solve", "--pits", "1000000000", "--stones", "1"], "1000000000 pits", "100"),
    "stones": (["openings", "--pits", "1", "--stones", "1" + "0" * 12], "stones", "100,000"),
    "stones of a board": (["perft", "<1,0,0,99999999,1>", "--depth", "1"], "100000000", "100,000"),
    "depth": (["perft", T, "--depth", "9999999999"], "9999999999", "1000 or less"),
    "limit": (["play", "--south", "random", "--north", f"greedy:e2:{10**12}"], "limit", "or less"),
    "ties": ([*SEARCH, "--ties", "9" * 30], "9" * 30, "at most 9223372036854775807"),
    "ties of a grid": (["grid", "ties.toml", "--out", "g"], "ties.toml, ties is 1000", "at most"),
    "size": (["solve", T, "--memory", "9" * 400], "is more than", "use 1e+18"),
    "rules": ([*SEARCH, "--rules", "os.system"], "unknown rules 'os.system'", "empty-capture"),
    "leaf": ([*SEARCH, "--leaf", "json.loads"], "unknown leaf 'json.loads'", "quiescence"),
    "evaluator": ([*SEARCH, "--evaluator", "math.pi"], "'math.pi' is no evaluator", "float"),
    "digits": (["perft", f"<1,0,0,{'9' * 5000},1>", "--depth", "1"], "number", "4,300 digits"),
    "digits of a grid": (["grid", "digits.toml", "--out", "g"], "number", "4,300 digits"),
    "key of a grid": (["grid", "odd.toml", "--out", "g"], "odd.toml", "'marbles'"),
    "deep JSON": (["explore", "--trace", "deep.json", "--out", "p"], "deep.json", "too deeply"),
    "deep TOML": (["grid", "deep.toml", "--out", "g"], "deep.toml", "too deeply"),
    "no folder": ([*SEARCH, "--tree", "no/t.svg"], "no/t.svg: ", "No such file"),
    "import raises": ([*SEARCH, "--evaluator", "raises.thing"], "raises.py, line 2", "division"),
    "import is no Python": ([*SEARCH, "--order", "broken.thing"], "broken.py, line 1", "invalid"),
    "import misses": ([*SEARCH, "--evaluator", "misses.it"], "misses.py, line 1", "nothing_of"),
}  # fmt: skip


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


@pytest.mark.parametrize(("words", "value", "fix"), TOLD.values(), ids=TOLD)
def test_bad_input_is_told(run, folder, words, value, fix):
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert value in err
    assert fix in err
    assert ".part" not in err
    assert len(err) < 500


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


@pytest.mark.parametrize("text", ["x" * 200_000, "y " * 100_000, "'" * 200_000, "\x1b[31m" * 9])
def test_a_long_or_wild_input_is_not_echoed_whole(run, text):
    status, _, err = run("perft", text, "--depth", "1")
    assert (status, err.count("\n")) == (2, 1)
    assert len(err) < 500
    assert "\x1b" not in err
    assert "for example <2,0,0,3,3,3,3>" in err


@pytest.mark.parametrize("out", ["report", "report/site"])
def test_a_site_is_not_copied_into_itself(run, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    for part in ("report", "api"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "index.html").touch()
    status, _, err = run("site", "--out", out)
    assert (status, err.count("\n")) == (2, 1)
    assert f"'{out}' would put 'report' into itself" in err


def ended(script, cwd):
    """The status and what is printed of a shell script with the command line as $K."""
    env = os.environ | {"PYTHONPATH": str(Path(kalahlab.__file__).parents[1])}
    env["K"] = f"{sys.executable} -c 'from kalahlab.cli import main; main()'"
    command = ["sh", "-c", script]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [("play --south person --north random", "the input ended"), ("review -", "line 1: ")],
)
@pytest.mark.parametrize("stdin", ["<&-", "</dev/null"])
def test_no_input_is_told(tmp_path, words, said, stdin):
    status, shown = ended(f'eval "$K {words} {stdin}"', tmp_path)
    assert (status, shown.splitlines()[-1].startswith("kalahlab: ")) == (2, True)
    assert said in shown.splitlines()[-1]
    assert "Traceback" not in shown


def test_a_working_folder_that_is_gone_is_told(tmp_path):
    (tmp_path / "gone").mkdir()
    script = "cd gone && rmdir ../gone && eval \"$K explore '$T' --depth 1 --out p.html\""
    status, shown = ended(script.replace("$T", T), tmp_path)
    assert (status, shown.count("\n")) == (2, 1)
    assert "the working folder is gone" in shown
