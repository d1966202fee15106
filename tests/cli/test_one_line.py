"""Each error is one line that names the value, or the file, and the fix."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random

import click
import pytest
from conftest import cases

import kalahlab
from kalahlab import cli
from kalahlab.evaluators import for_mover, validation
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.registry import GAMES
from kalahlab.search import ALGORITHMS, ORDERS, Depth

T = "<2,0,0,1,1,1,1>"
SEARCH = ("search", T, "--depth", "2")


def whole(text):
    """Return a text of the file, in which a repetition is [before, repeated, times, after]."""
    if isinstance(text, str):
        return text
    before, repeated, times, after = text
    return before + repeated * times + whole(after)


ODD = json.loads((Path(__file__).parent / "odd.json").read_text(encoding="utf-8"))
FILES = {name: whole(text) for name, text in ODD["files"].items()}
"""Files in the working folder; those of Python are a user's own modules."""
NUMBERS, TEXTS, PATHS, BOARDS, PLAYERS = (
    [*map(whole, ODD[name])] for name in ("numbers", "texts", "paths", "boards", "players")
)
SMALL = ODD["small"]
"""Values that keep a call short, of parameters whose default or usual value would not."""
NAMES = [*ALGORITHMS, *ORDERS, *EVALUATORS, *GAMES, "standard", "empty-capture", "sow", "turn"]
NAMES += ["quiescence", "engine", "textbook", "report", "published", "user", "program", "all"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}-cache")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr("kalahlab.names.IMPORTED", {})
    monkeypatch.setattr("builtins.input", lambda: (_ for _ in ()).throw(EOFError))
    return tmp_path


@cases(Path(__file__).with_name("refused.csv"))
def test_bad_input_is_refused_and_leaves_nothing(run, folder, case, words, value, fix):
    status, out, err = run(*shlex.split(words))
    assert (status, out, err.count("\n")) == (2, "", 1), case
    assert value in err
    assert fix in err
    assert ".part" not in err
    assert len(err) < 500
    before = {name.partition("/")[0] for name in FILES}
    after = {path.name for path in folder.iterdir()} - {"__pycache__"}
    assert after == before


def test_an_error_in_a_user_function_names_its_line(run, folder):
    status, _, err = run(*SEARCH, "--evaluator", "crashes.thing")
    assert (status, err.count("\n")) == (1, 1)
    assert f"{folder / 'crashes.py'}, line 2: IndexError: " in err
    assert "; the evaluator was given the board (" in err


def test_an_evaluator_that_ignores_the_player_is_noted_once(run, folder):
    for note in ("note: evaluator odd.south returns 1 for South and 1 for North on <2,0,0,1,", ""):
        status, _, err = run(*SEARCH, "--evaluator", "odd.south")
        assert (status, len(err.splitlines())) == (0, len(note.splitlines()))
        assert note in err
    for_mover(sys.modules["odd"].south)
    validation.CHECKED_CODE.clear()
    assert run(*SEARCH, "--evaluator", "odd.south")[2] == ""
    game = kalahlab.Kalah()
    with pytest.warns(UserWarning, match="^evaluator <lambda> returns 1 for South and 1 for North"):
        kalahlab.alpha_beta(game, game.start(), lambda board, player: int(board[3] == 8), Depth(1))


def test_a_bug_is_reported_and_its_traceback_on_request(run, monkeypatch):
    # Else a function of a library that another test has imported would be named as the cause.
    monkeypatch.setattr("kalahlab.names.IMPORTED", {})
    monkeypatch.setitem(EVALUATORS, "bad", eval("lambda board, player: board[99]"))
    status, _, err = run(*SEARCH, "--evaluator", "bad")
    assert (status, err.count("\n")) == (1, 1)
    assert "IndexError: tuple" in err
    assert "This is a bug" in err
    monkeypatch.setenv(cli.TRACEBACK, "1")
    monkeypatch.setattr(sys, "argv", ["kalahlab", *SEARCH, "--evaluator", "bad"])
    with pytest.raises(IndexError):
        cli.main()


WILD = dict.fromkeys(["x" * 200_000, "y " * 100_000, "'" * 200_000, "\x1b[31m" * 9], "<2,0,0,3,")
WILD[f"<1,0,0,{'9' * 5000},1>"] = "4,300 digits"


@pytest.mark.parametrize(("text", "fix"), WILD.items())
def test_a_long_or_wild_input_is_shortened_in_the_message(run, text, fix):
    status, _, err = run("perft", text, "--depth", "1")
    assert (status, err.count("\n")) == (2, 1)
    assert len(err) < 500
    assert "\x1b" not in err
    assert fix in err


NO_INPUT = {
    "play --south person --north random": "after 0 moves; --save FILE saves the game",
    "play --pits 3 --stones 2 --south person --north random:1 --save g.txt": "g.txt has the game",
    "review -": "line 1: ",
}


@pytest.mark.parametrize("words", NO_INPUT)
def test_an_input_that_has_no_line_ends_a_command_with_a_message(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    with open(os.devnull, encoding="utf-8") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        status, out, err = run(*words.split())
    *_, last = (out + err).splitlines()
    assert (status, last.startswith("kalahlab: ")) == (2, True)
    assert NO_INPUT[words] in last
    assert "play" not in words or "the input ended before the game, " in last


@cases(Path(__file__).with_name("shell.csv"))
def test_a_process_without_input_or_folder_ends_with_a_message(tmp_path, words, message):
    (tmp_path / "gone").mkdir()
    env = os.environ | {"PYTHONPATH": str(Path(kalahlab.__file__).parents[1])}
    prefix = "cd gone && rmdir ../gone && " if "folder no longer exists" in message else ""
    script = f"{prefix}{sys.executable} -c 'from kalahlab.cli import main; main()' {words}"
    result = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=env, capture_output=True)
    *_, last = (result.stdout + result.stderr).decode().splitlines()
    assert (result.returncode, last.startswith("kalahlab: ")) == (2, True)
    assert message in last
    assert b"Traceback" not in result.stderr


SEED, CALLS = 1, 300

HEAVY = {"report", "pdf", "site", "playground", "claims"}
"""Commands that take long without an error, so that they always get one."""

POOLS = {
    ("board", "position"): BOARDS,
    ("player", "players", "south", "north", "one", "other"): PLAYERS,
    ("out", "tree", "save", "ledger"): ["page.html", "made", "no/such/place"],
    ("file", "files", "input", "student", "game", "verify", "report"): [*FILES, "."],
}
"""Values that may well be right, for the parameters of these names."""
GOOD = {}
for names, pool in POOLS.items():
    GOOD |= dict.fromkeys(names, pool)
ANY = [NUMBERS, TEXTS, PATHS, BOARDS, PLAYERS, NAMES, [*FILES, ".", "/dev/null", "none.x"]]


def value_of(parameter, share, rng):
    """Return a value that may be right, or in this share of cases one of any kind."""
    name = parameter.name or ""
    if rng.random() < share:
        return rng.choice(rng.choice(ANY))
    if name in SMALL:
        return SMALL[name]
    if isinstance(parameter.type, click.Choice):
        return rng.choice([*map(str, parameter.type.choices)])
    return rng.choice(GOOD.get(name, NAMES))


def words_of(name, command, rng):
    """Return a command line; one or two of its values are odd."""
    words = [name]
    share = rng.choice((0.1, 0.3, 0.8))
    for parameter in command.params:
        # These would wait, or pack a page with its own Python.
        if parameter.name in ("scheduler", "live"):
            continue
        if (name, parameter.name) == ("first-moves", "out"):
            continue
        if parameter.name in ("pits", "stones") and command.params[0].name == "board" and words[1:]:
            continue  # the board has these
        is_option = isinstance(parameter, click.Option)
        probability = 0.3 if is_option else 0.8
        count = rng.choice((0, 1, 2)) if parameter.nargs == -1 else 1
        for _ in range(count):
            is_needed = parameter.required or parameter.name in SMALL
            if is_needed or rng.random() < probability:
                if is_option:
                    words.append(parameter.opts[-1])
                if not (is_option and parameter.is_flag):
                    words.append(value_of(parameter, share, rng))
    if name in HEAVY:
        words += rng.choice([["--nonsense"], ["--out"], ["extra", "words"]])
    return words


def check(run, words):
    """Check what is true of every call: its status, and at most one short line of error."""
    status, out, err = run(*words)
    short_words = [f"{word[:200]} ({len(word)})" for word in words]
    assert status in (0, 1, 2), (short_words, status, err)
    assert "Traceback" not in out + err, short_words
    lines = [line for line in err.splitlines() if line.startswith("kalahlab: ")]
    assert len(lines) <= 1, (short_words, err)
    assert max(map(len, lines), default=0) < 500, (short_words, err)
    assert "This is a bug" not in err or any(path in " ".join(words) for path in PATHS), (
        short_words, err,
    )  # fmt: skip


def test_no_call_ends_in_a_traceback(run, folder):
    rng = Random(SEED)
    commands = sorted(cli.cli.commands.items())
    for call in range(CALLS):
        check(run, words_of(*commands[call % len(commands)], rng))
