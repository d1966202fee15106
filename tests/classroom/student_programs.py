"""Programs of students: right ones in many styles, and the same with mistakes."""

import importlib.util
import tomllib
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
STYLES = {
    "ring_lists": "alphabeta",
    "negamax_rows": "negamax",
    "tuple_players": "minimax",
    "class_search": "KalahSearch.minimax",
    "rotated": "search",
    "state_pairs": "value",
    "choosers": "best_move",
}
"""The search of each module in the folder `programs`."""


def read_table(name):
    return tomllib.loads((PROGRAMS / name).read_text(encoding="utf-8"))["program"]


WRONG, RIGHT = read_table("wrong.toml"), read_table("right.toml")


def load_program(style, replacements=(), name=None):
    """Return the search of a module of the folder `programs` with some of its text replaced."""
    file = PROGRAMS / f"{style}.py"
    source = file.read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    spec = importlib.util.spec_from_file_location("mine", file)
    module = importlib.util.module_from_spec(spec)
    exec(compile(source, file, "exec"), vars(module))
    value = module
    for part in (name or STYLES[style]).split("."):
        value = getattr(value, part)
    return value


def describe(program):
    return f"{program['style']} {' '.join(program.get('mistakes', ()))}"
