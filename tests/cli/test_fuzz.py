"""Random command lines, good, odd and hostile: each ends in few lines, and none in a traceback."""

import sys
from random import Random

import click
import pytest

from kalahlab import cli
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.registry import GAMES
from kalahlab.search import ALGORITHMS, ORDERS

SEED, CALLS = 1, 300

HEAVY = {"report", "pdf", "site", "playground", "claims"}
"""Commands that take long where nothing is wrong: something always is."""

NUMBERS = ["0", "1", "2", "3", "-1", "1.5", "1e9", "", "nan", "inf", "x", "\u0661", "1_0", "0x10"]
NUMBERS += ["9" * length for length in (3, 10, 20, 400, 5000)] + ["-" + "9" * 30]
TEXTS = ["", " ", "-", "--", "a\nb", "a\x1b[31mb\x07", "\ud800", "π🎲", "é" * 300, "a b " * 30_000]
TEXTS += ["x" * 120_000, "'", "..", "%s{0}", "$(x)", "\x00"[:0] + "\x7f"]
PATHS = ["json.loads", "builtins.len", "math.pi", "os.sep", "os.nothing", "no.such", ".", "a..b"]
PATHS += ["broken.thing", "raises.thing", "odd.thing", "odd.NUMBER", "kalahlab.cli", "odd.crash"]
BOARDS = [
    "<2,0,0,1,1,1,1>", "<3,0,0,2,2,2,2,2,2>", "<1,3,0,1,1>", "<2,0,5,0,0,1,1>", "<1,0,0,0,0>",
    "<1,0,0,999999999999,1>", f"<1,0,0,{'9' * 5000},1>", "<0,0,0>", "<-1,0,0>", "<2,0,0,1,1,1>",
    "<" + "1," * 50_000 + "1>", "<1000000000000,0,0,1,1>", "((1 2) 3)", "(" * 50_000, "aima-5.2",
    "......x.ox o 197", "." * 10, ".,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program",
]  # fmt: skip
PLAYERS = [
    "random:1", "random", "level1", "level3:x", "script:1,2", "script:", "perfect", "person",
    "alpha_beta:store_difference:1", "minimax:e3:2:turn", "alpha_beta:e1:50n", "greedy:e2:1",
    "alpha_beta:e3:999999999999", "alpha_beta:e3:2:ties=" + "9" * 40, "alpha_beta:e3:0",
    "alpha_beta:e3:2@third", "minimax:e2", ":::::", "alpha_beta:json.loads:1",
]  # fmt: skip
NAMES = [*ALGORITHMS, *ORDERS, *EVALUATORS, *GAMES, "standard", "empty-capture", "sow", "turn"]
NAMES += ["quiescence", "engine", "textbook", "report", "published", "user", "program", "all"]
FILES = {
    "deep.json": "[" * 100_000,
    "deep.toml": "algorithms = " + "[" * 100_000,
    "ties.toml": 'algorithms = ["greedy"]\nevaluators = ["e1"]\ndepths = [1]\npits = 1\n'
    "stones = 1\nties = 99999999999999999999999",
    "digits.toml": "depths = " + "9" * 5000,
    "digits.json": '{"nodes": [' + "9" * 5000 + "]}",
    "odd.json": '{"nodes": [1, null, {}], "principal": 3}',
    "binary": "\x00\x01\udcff\udcfe",
    "empty": "",
    "game.txt": "pits: 2\nstones: 1\n\n1. 1 1\n",
    "huge.txt": "pits: 1000000000000\nstones: 1000000000000\n\n1. 1 1\n",
    "input.txt": "2\n1\n2\n2 2\n2 2\n0\n0\n",
    "set.txt": "#name=" + "x" * 100_000 + "&options=" + "[" * 100_000,
    "broken.py": "def thing(:\n",
    "raises.py": "thing = 1 / 0\n",
    "odd.py": "NUMBER = 3\ndef crash(*words):\n    return words[99]\n",
}
"""Files in the working folder; those of Python are a user's own modules."""

SMALL = {
    "depth": "2", "pits": "2", "stones": "1", "openings": "1", "number": "1", "workers": "1",
    "max_stones": "4", "budget": "10", "limit": "5", "sample": "1", "table_bytes": "1MB",
    "memory_bytes": "100MB", "database_stones": "2", "seconds": "0.2",
}  # fmt: skip
"""What keeps a call short where its value would be good or is not given."""


def good(parameter: click.Parameter, chance: Random) -> str:
    """A value that may well be right."""
    name = parameter.name or ""
    if name in SMALL:
        return SMALL[name]
    if isinstance(parameter.type, click.Choice):
        return chance.choice([*map(str, parameter.type.choices)])
    for pool, names in (
        (BOARDS, {"board", "position"}),
        (PLAYERS, {"player", "players", "south", "north", "one", "other"}),
        (["page.html", "made", "no/such/place"], {"out", "tree", "save", "ledger"}),
        ([*FILES, "."], {"file", "files", "input", "student", "trace", "game", "verify", "report"}),
    ):
        if name in names:
            return chance.choice(pool)
    return chance.choice(NAMES)


def odd(parameter: click.Parameter, chance: Random) -> str:
    """A value that may be of any kind."""
    pools = [NUMBERS, TEXTS, PATHS, BOARDS, PLAYERS, NAMES, [*FILES, ".", "/dev/null", "none.x"]]
    return chance.choice(chance.choice(pools))


def words_of(name: str, command: click.Command, chance: Random) -> list[str]:
    """A command line; one or two of its values are odd."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    words = [name]
    share = chance.choice((0.1, 0.3, 0.8))
    for option in options:
        # which would wait, or pack a page with a Python of its own
        if option.name in ("scheduler", "live") or (name, option.name) == ("openings", "out"):
            continue
        if option.required or option.name in SMALL or chance.random() < 0.3:
            value = (odd if chance.random() < share else good)(option, chance)
            words += [option.opts[-1]] if option.is_flag else [option.opts[-1], value]
    for argument in arguments:
        for _ in range(chance.choice((0, 1, 2)) if argument.nargs == -1 else 1):
            if argument.required or chance.random() < 0.8:
                words.append((odd if chance.random() < share else good)(argument, chance))
    if name in HEAVY:
        words += chance.choice([["--nonsense"], ["--out"], ["extra", "words"]])
    return words


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the files, and a cache of its own."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr("builtins.input", lambda: (_ for _ in ()).throw(EOFError))
    return tmp_path


def check(run, words):
    """What holds of every call."""
    status, out, err = run(*words)
    shown = [word if len(word) < 200 else f"{word[:100]}… ({len(word)})" for word in words]
    assert status in (0, 1, 2), (shown, status, err)
    assert "Traceback" not in out + err, shown
    lines = [line for line in err.splitlines() if line.startswith("kalahlab: ")]
    assert len(lines) <= 1, (shown, err)
    assert max(map(len, lines), default=0) < 500, (shown, err)
    assert "This is a bug" not in err or any(path in " ".join(words) for path in PATHS), (
        shown, err,
    )  # fmt: skip


def test_no_call_ends_in_a_traceback(run, folder):
    chance = Random(SEED)
    commands = sorted(cli.cli.commands.items())
    for call in range(CALLS):
        check(run, words_of(*commands[call % len(commands)], chance))
