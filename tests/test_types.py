"""The package for a user's type checker, the one source of its version, and its extras."""

import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import kalahlab
from kalahlab.solver.solve import OptionFields, Options
from kalahlab.widgets.explorer import Explorer, ExplorerTraits

ROOT = Path(__file__).parents[1]
RIGHT = """\
from kalahlab import Board, Depth, Explorer, Kalah, SearchSpec, alpha_beta, explore, minimax
from kalahlab import parse_board, parse_player, play_game, record, solve, store_difference

game = Kalah(pits=3, stones=2)
state = game.start()
search = game, state, store_difference, Depth(3)
result = alpha_beta(game, state, store_difference, Depth(3))
trace = record(minimax, game, state, store_difference, Depth(3), max_nodes=99)
spec = SearchSpec("alpha_beta", "e3", order="store_first")
log = play_game(game, parse_player("random:1"), parse_player("random:2", backend="engine"), state)
explore(state, rules=game.rules, depth=3, shows_first_cut=True)
Explorer(trace, titles=["one"])
Board(3, 2, south="random")
"""
TYPES = {
    "result.value": "float",
    "minimax(game, parse_board('<1,0,0,1,1>'), store_difference, Depth(3)).value": "float",
    "trace.result.value": "float",
    "spec.search(game, state, 2).value": "float",
    "log.margin": "int",
    "solve(state, moves=True, workers=1)": "kalahlab.solver.solve.Solution",
    "kalahlab.__version__": "str",
}
WRONG = [
    "alpha_beta(game, state, store_difference, depth=3)",
    "alpha_beta(game, state, Depth(3), store_difference)",
    "minimax(game, state, store_difference)",
    "record(alpha_beta, game, state, store_difference, depth=3)",
    "result.value.upper()",
    "kalahlab.alphabeta",
    "explore(state, 3)",
    *(f"kalahlab.{name}(movez=True)" for name in ("Kalah", "SearchSpec", "Board")),
    "kalahlab.Explorer(trace, movez=True)",
    "explore(state, movez=True)",
    "solve(state, movez=True)",
    "parse_board('<1,0,0,1,1>', movez=True)",
    "parse_player('random:1', movez=True)",
    "play_game(game, parse_player('random'), parse_player('random'), movez=True)",
    "store_difference(state.board, 0, movez=True)",
    "Depth(3, movez=True)",
    "record(alpha_beta, game, state, store_difference, Depth(3), movez=True)",
    "minimax(game, state, store_difference, Depth(3), movez=True)",
]


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """Run mypy on a user's file and return its messages by the lines of the file."""
    file = tmp_path_factory.mktemp("user") / "user.py"
    lines = ["import kalahlab", *RIGHT.splitlines(), *(f"reveal_type({name})" for name in TYPES)]
    lines += WRONG
    file.write_text("\n".join(lines))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    command += ["--cache-dir", str(ROOT / ".mypy_cache" / "user"), str(file)]
    result = subprocess.run(command, cwd=file.parent, capture_output=True, text=True)
    assert result.stderr == ""
    matches = re.findall(r"^user\.py:(\d+): (\w+): (.*)$", result.stdout, re.MULTILINE)
    by_line = {}
    for number, level, message in reversed(matches):  # a note comes after its error
        by_line[lines[int(number) - 1]] = (level, message)
    return by_line


def test_a_users_type_checker_accepts_what_is_right_and_knows_its_types(messages):
    assert not {*RIGHT.splitlines(), "import kalahlab"} & {*messages}
    seen = {name: messages[f"reveal_type({name})"] for name in TYPES}
    assert seen == {name: ("note", f'Revealed type is "{kind}"') for name, kind in TYPES.items()}


@pytest.mark.parametrize("line", WRONG)
def test_a_users_type_checker_refuses_what_is_wrong(messages, line):
    assert messages.get(line, ("accepted", ""))[0] == "error"


def test_each_name_of_the_package_is_checked():
    assert {name for name in kalahlab.PLACES if f"{name}(" in "\n".join(WRONG)} == {
        *kalahlab.PLACES
    }


def test_the_types_of_keywords_are_those_of_the_parameters():
    assert OptionFields.__annotations__.keys() == {field.name for field in fields(Options)}
    assert ExplorerTraits.__annotations__.keys() <= {*Explorer.class_trait_names()}


def test_the_version_has_one_source():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "kalahlab/__init__.py"


def test_workflows_install_existing_extras():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    files = [*ROOT.glob(".github/workflows/*.yml"), *ROOT.glob(".ci/*"), ROOT / "Makefile"]
    files += [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("kalahlab/**/*.py")]
    used = set()
    for file in filter(Path.is_file, files):
        pattern = r"(?:pip install|kalahlab)[^\n]*?\[([a-z, ]+)\]"
        for extras_in_text in re.findall(pattern, file.read_text()):
            used |= {(file.name, extra.strip()) for extra in extras_in_text.split(",")}
    assert any(file == "ci.yml" for file, _ in used)
    assert {(file, extra) for file, extra in used if extra not in extras} == set()
