"""The check of a student's program: right programs in many styles, and the same with mistakes."""

import importlib.util
from pathlib import Path

import pytest

from kalahlab.classroom.program_check import check_program

PROGRAMS = Path(__file__).parent / "programs"
STYLES = {
    "ring_lists": "alphabeta",
    "negamax_rows": "negamax",
    "tuple_players": "minimax",
    "class_search": "KalahSearch.minimax",
    "rotated": "search",
    "state_pairs": "value",
}
"""The search of each module in the folder `programs`."""


def load_program(style, source=None, name="mine"):
    """Return the search of a module of the folder `programs`, or of another text of it."""
    file = PROGRAMS / f"{style}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    code = compile(source or file.read_text(encoding="utf-8"), file, "exec")
    exec(code, vars(module))
    value = module
    for part in STYLES[style].split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("style", STYLES)
def test_right_programs_are_accused_of_nothing(style):
    report = check_program(load_program(style), number=150)
    assert report.is_right, report
    assert report.mistakes == ()
