"""User functions: their imports, that data beside them never runs, and that none ends a process."""

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import kalahlab
from kalahlab import cli
from kalahlab.user_code import UserModules

HERE = Path(__file__).parent
TOP = Path(kalahlab.__file__).parents[1]
INSIDE = (
    re.compile(rb"\n[ \t]+(?:import|from)[ \t]+([A-Za-z_]\w*)"),
    re.compile(rb"""import_?(?:_\w+)?\(["']([A-Za-z_]\w*)"""),
)
"""Two patterns: as one with an alternative, they take five times as long."""
NEVER = ("sitecustomize", "usercustomize")
"""Modules that Python itself imports, and no library."""


@pytest.fixture(autouse=True)
def restore_process(monkeypatch, tmp_path):
    monkeypatch.setattr(UserModules, "folders", [])
    exit_at_once = os._exit
    yield
    for module in (os, sys.modules[os.name]):
        module._exit = exit_at_once


@cache
def optional_imports():
    """Return the modules that libraries import inside of functions and that do not exist."""
    names = set()
    for file in Path(sysconfig.get_path("purelib")).rglob("*.py"):
        if {"test", "tests"} & {*file.parts}:  # a third of all files, which no command imports
            continue
        data = file.read_bytes()
        for pattern in INSIDE:
            names |= {name.decode() for name in pattern.findall(data)}
    names |= sys.stdlib_module_names  # of other systems
    return {name for name in names - {*sys.modules, *NEVER} if not find_spec(name)}


MINE = """
import pandas, bs4

from scale import FACTOR

def mobility(board, player):
    from shift import shift  # when it is called
    half = len(board) // 2
    value = FACTOR * (board[half - 1] - board[-1]) + shift()
    return value if player == 0 else -value

def first(game, state):
    from pack.moves import first
    return first(game, state)
"""
FILES = {
    "mine.py": MINE,
    "scale.py": "FACTOR = 2\n",
    "shift.py": "def shift():\n    return 0\n",
    "pack/__init__.py": "",
    "pack/moves.py": "def first(game, state):\n    return game.moves(state)[0]\n",
    "negamax.py": """
from kalahlab import Kalah

def search(state, depth):
    game = Kalah()
    if depth == 0 or game.is_over(state):
        return game.margin(state, state.player)
    values = []
    for move in game.moves(state):
        child = game.play(state, move)
        value = search(child, depth - 1)
        values.append(value if child.player == state.player else -value)
    return max(values)
""",
    "game.txt": "pits: 2\nstones: 1\n\n1. 2,1\n",
    "input.txt": "2\n1\n2\n2 2 2\n2 2 2\n0\n0\n",
    # The engine runs in another command: the worker would load it for seconds.
    # It is one point, for one worker: a second worker would import the same again.
    "games.toml": "algorithms = ['greedy']\ndepths = [1]\nevaluators = []\nopenings = 1\n"
    "backend = 'textbook'\n",
    "answers/ada.txt": 'name = "Ada"\n3.2 = 42\n',
}
"""Of a user: functions, one of which imports a module of theirs when it is called, and data."""
BOARD = "'<2,0,0,2,2,2,2>'"
COMMANDS = f"""
search {BOARD} --depth 2 --evaluator mine.mobility --tree tree.pdf
search {BOARD} --depth 2 --evaluator mine.mobility --backend engine --json
search {BOARD} --depth 2 --evaluator mine.mobility --tree sheet.html --unsolved
explore {BOARD} --evaluator mine.mobility --out tree.html
perft {BOARD} --depth 2
play {BOARD} --south mine.first --north alpha_beta:mine.mobility:1
review game.txt --seconds 1 --out review.html
match mine.first random:1 --openings 2 --out match
tournament mine.first random:1 level1 --openings 2
judge mine.first --starts fairkalah
serve mine.first
grid games.toml --evaluator mine.mobility --out games --workers 2
solve {BOARD} --database-stones 4
first-moves --pits 3 --stones 3
puzzles --number 1 --pits 3 --stones 3 --max-stones 8
betsy 3 x .........oxoxxooxo 1
cards --position '.,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program'
claims --source betsy
rules kgp
kgp connect --help
published
homework input.txt --out solved
check negamax.search --number 20
exercises --mark answers --csv marks.csv
exercises --out sheet.html --only 03_pruning
quiz answers
playground --out live.html
report --profile tiny --only 00_definitions --out report
new-notebook mine/01_cutoffs.ipynb --title 'Where are cutoffs?'
slides 00_definitions --report report
site --report report
pdf --report report
"""
RUN_ALL = """
import json, sys
if __name__ == "__main__":
    from kalahlab.cli import main
    for words in json.load(open(sys.argv[1])):
        sys.argv[1:] = words
        try:
            main()
        except SystemExit as end:
            print("ended", *words[:1], end.code or 0, flush=True)
"""


@pytest.fixture
def folder(tmp_path):
    """Write a user's files, and beside them a module of each name that a library would import."""
    names = optional_imports()
    assert {"lxml", "chardet", "html5lib", "msvcrt", "numexpr", "bottleneck"} <= names
    code = (
        f"import sys\nprint(__name__, sys.orig_argv, file=open({str(tmp_path / 'ran')!r}, 'a'))\n"
    )
    files = {}
    for name in names:
        files[f"{name}.py" if name < "l" else f"{name}/__init__.py"] = code
    folder = tmp_path / "class"
    for file, text in {**files, **FILES}.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    return folder


def run_python(folder, *words):
    """Run Python; return its result, and the modules that ran although they are only data."""
    env = {**os.environ, "PYTHONPATH": str(TOP)}
    command = [sys.executable, *map(str, words)]
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    wrong = folder.parent / "ran"
    wrong.touch()
    return result, wrong.read_text()


# Slow, because it runs every command, and a report, a site and a PDF take seconds each.
def test_no_file_beside_those_of_a_user_runs_whatever_its_name(folder):
    calls = [shlex.split(line) for line in COMMANDS.strip().splitlines()]
    assert {words[0] for words in calls} == {*cli.cli.commands}
    (folder.parent / "all.py").write_text(RUN_ALL)
    (folder.parent / "calls.json").write_text(json.dumps(calls))
    result, wrong = run_python(folder, folder.parent / "all.py", folder.parent / "calls.json")
    assert wrong == "", result.stderr
    ends = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith("ended ")]
    # The file of answers is no quiz set.
    assert ends == [[words[0], "1" if words[0] == "quiz" else "0"] for words in calls], (
        result.stderr
    )


def test_no_such_file_runs_if_python_is_started_with_the_module(folder):
    words = "match mine.first random:1 --openings 1 --workers 2"  # one pair, for one worker
    assert run_python(folder, "-m", "kalahlab", *words.split())[1] == ""


def test_the_folder_is_on_no_path_while_and_after_user_code_is_imported(run, folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = [*sys.path]
    (folder / "path.py").write_text(
        "import sys\nSEEN = [*sys.path]\ndef f(board, player): return 0"
    )
    assert run("search", "<2,0,0,2,2,2,2>", "--depth", "1", "--evaluator", "path.f")[0] == 0
    assert sys.modules["path"].SEEN == sys.path == before


ENDS = {
    "sys.exit(0)": "calls sys.exit(0)",
    "sys.exit()": "calls sys.exit(None)",
    "quit()": "calls sys.exit(None)",
    "os._exit(0)": "calls os._exit(0)",
    "posix._exit(0)": "calls os._exit(0)",
    "raise KeyboardInterrupt": "raises KeyboardInterrupt",
    "raise EOFError": "EOFError",
    "raise GeneratorExit": "raises GeneratorExit",
    "click.get_current_context().exit()": "Exit",
}
PARTS = {
    "evaluator": "def f(board, player):",
    "algorithm": "def f(game, state, evaluator, deep_enough, order=None, observer=None):",
    "order": "def f(tree, node, children):",
    "player": "def f(game, state):",
    "game": "from kalahlab.games.registry import *\n"
    "class Ends(kalah.Kalah):\n  def moves(self, state):",
}
GAME = """
def g(board, player): return 0
f = GameType("ends", ("South", "North"), Ends, None, str, str, "")
"""
CALLS = f"""
search {BOARD} --depth 2 --evaluator ends.f
search {BOARD} --depth 2 --algorithm ends.f
search {BOARD} --depth 2 --order ends.f
search --pits 2 --stones 2 --depth 2 --game ends.f --evaluator ends.g
perft --pits 2 --stones 2 --depth 2 --game ends.f
explore {BOARD} --evaluator ends.f --out tree.html
explore {BOARD} --algorithm ends.f --out tree.html
play {BOARD} --south ends.f --north random:1
play {BOARD} --south alpha_beta:ends.f:2 --north random:1
match ends.f random:1 --openings 1
match alpha_beta:ends.f:1 random:1 --openings 1
tournament ends.f random:1 --openings 1
judge ends.f --board 4,4
"""


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("words", CALLS.strip().splitlines())
def test_user_code_that_ends_the_process_is_an_error(run, tmp_path, monkeypatch, words, end):
    part = next((part for part in PARTS if f"--{part} ends.f" in words), "player")
    if "alpha_beta:ends.f" in words:
        part = "evaluator"
    name, after = "f", ""
    if part == "game":
        name, after = "moves", GAME
    code = f"import click, os, posix, sys\n{PARTS[part]}\n    {end}\n{after}"
    (tmp_path / "ends.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*shlex.split(words))
    line = code[: code.index(f"    {end}")].count("\n") + 1
    answer = " ".join((out + err).split())
    assert f"{tmp_path / 'ends.py'}, line {line}" in answer
    assert ENDS[end] in answer
    command, is_player = words.split()[0], part == "player"
    if is_player and command in ("match", "tournament"):  # a fault, which loses the games
        assert status == 0, err
        assert "Faults decided 2 of 2 games." in answer
    elif is_player and command == "judge":
        assert status == 2, err
    else:
        assert status == 1, err
        assert f", in {name}: RuntimeError: " in answer or "EOFError" in end or "click" in end


NEXT_CALLS = {
    "match alpha_beta:stops.f:1 random:1 --openings 1": "board, player",
    "match stops.f:e3:1 random:1 --openings 1": "game, state, *more, **named",
    "play --south stops.f --north random:1": "game, state",
}


@pytest.mark.parametrize("words", NEXT_CALLS)
def test_user_code_that_ends_a_loop_of_the_package_is_named(run, tmp_path, monkeypatch, words):
    code = f"def f({NEXT_CALLS[words]}):\n    return next(pit for pit in () if pit)\n"
    (tmp_path / "stops.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    status, _, err = run(*shlex.split(words))
    assert status == 1
    assert f"{tmp_path / 'stops.py'}, line 2, in f: RuntimeError: " in err
    assert "raises StopIteration; it must return, or raise an error" in err


@pytest.mark.parametrize("end", [*ENDS][:-1])
def test_a_module_that_ends_the_process_when_it_is_imported_is_named(
    run, tmp_path, monkeypatch, end
):
    (tmp_path / "ends.py").write_text(f"import click, os, posix, sys\n{end}\n")
    monkeypatch.chdir(tmp_path)
    status, out, err = run("search", "--depth", "1", "--evaluator", "ends.f")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{tmp_path / 'ends.py'}, line 2: " in err
    assert "EOFError" in end or "write that below: if __name__ == '__main__':" in err


def test_ctrl_c_while_user_code_runs_is_an_interruption(run, tmp_path, monkeypatch):
    code = "import os, signal\ndef f(board, player): os.kill(os.getpid(), signal.SIGINT)\n"
    (tmp_path / "pressed.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    status, out, err = run("search", "--depth", "1", "--evaluator", "pressed.f")
    assert (status, out, err.strip()) == (130, "", "kalahlab: interrupted")


def test_a_process_that_user_code_forks_may_end(run, tmp_path, monkeypatch):
    code = "import os\ndef f(board, player):\n"
    code += "    if (child := os.fork()) == 0:\n        os._exit(3)\n"
    code += "    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) - 3\n"
    (tmp_path / "forks.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    words = ("search", "--pits", "1", "--stones", "1", "--depth", "1", "--evaluator", "forks.f")
    status, out, err = run(*words, "--json")
    assert (status, json.loads(out or "{}").get("value")) == (0, 0), err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_user_code_prints_is_not_in_the_answer(tmp_path, monkeypatch, capfd, workers):
    code = "print('loud at import')\ndef f(game, state):\n"
    code += "    print('loud')\n    return game.moves(state)[0]\n"
    (tmp_path / "loud.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    words = ("match", "loud.f", "random:1", "--openings", "2", "--workers", workers, "--json")
    monkeypatch.setattr(sys, "argv", ["kalahlab", *words])
    with pytest.raises(SystemExit):
        cli.main()
    out, err = capfd.readouterr()  # with what other processes write
    assert json.loads(out)["pairs"] == 2
    assert "loud\n" in err
    assert "loud at import\n" in err
