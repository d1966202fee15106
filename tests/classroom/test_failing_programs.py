"""The check of a student's program that crashes, never ends, or changes what it is given."""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress

import psutil
import pytest
from conftest import start_python
from student_programs import load_program

from kalahlab.classroom.program_check.calls import Caller
from kalahlab.classroom.program_check.check import check_program

SECONDS = 0.3
"""The processor time of a call that ends: it takes a few milliseconds."""
ENDLESS = f"does not return within {SECONDS} seconds"


@pytest.fixture(autouse=True)
def wait_briefly(monkeypatch):
    """Look at the processor time of a call more often, as an endless one uses up all of it."""
    monkeypatch.setattr("kalahlab.classroom.program_check.calls.WAIT_SECONDS", 0.1)


class PlainBoard:
    def __init__(self, state):
        self.ring = [*state.board]


def make_counted_list(state):
    return [[*state.board], 0]


FAULTS = {
    "raise KeyError(board[3])": ("raises KeyError: 2", "crash"),
    "sys.exit('enough')": ("calls sys.exit('enough')", "crash"),
    "os._exit(3)": ("ends Python with os._exit(3)", "crash"),
    "return alphabeta(board, depth, alpha, beta, maximizing)": ("RecursionError", "crash"),
    "while True: pass": (ENDLESS, "endless"),
    "input()": ("raises EOFError", "crash"),
    "return 'draw'": ("returns 'draw'", "crash"),
    "return float('nan')": ("returns nan", "crash"),
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_program_that_fails_is_told_how_and_where(code):
    old = "    if depth == 0 or is_game_over(board):"
    fault = f"    import os, sys\n    if board[3] == 2 and depth == 2:\n        {code}\n{old}"
    search = load_program("ring_lists", [(old, fault)])
    report = check_program(search, number=80, seconds=SECONDS)
    output, mistake = FAULTS[code]
    example = report.search_example
    assert output in example.given
    assert example.state.board[3] == 2
    assert report.mistakes == (mistake,)


def test_a_program_that_never_returns_or_is_no_search_is_refused(monkeypatch):
    for module in ("calls", "recognise"):
        monkeypatch.setattr(f"kalahlab.classroom.program_check.{module}.MOST_LATE", 2)
    old = "    if depth == 0 or is_game_over(board):"
    search = load_program("ring_lists", [(old, f"    while True:\n        pass\n{old}")])
    with pytest.raises(ValueError, match=ENDLESS):
        check_program(search, seconds=SECONDS)
    with pytest.raises(ValueError, match=r"not understood: .* were tried"):
        check_program(lambda board, depth: "text")
    with pytest.raises(ValueError, match="no parameter"):
        check_program(lambda: 0)


def test_a_program_that_changes_its_board_or_keeps_answers_is_told():
    def changes(board, depth, maximizing):
        value = right(board, depth, -1000, 1000, maximizing)
        if depth:
            board[2] += 1
        return value

    def remembers(board, depth, maximizing):
        key = tuple(board), maximizing
        if key not in table:
            table[key] = right(board, depth, -1000, 1000, maximizing)
        return table[key]

    right, table = load_program("ring_lists"), {}
    assert check_program(changes, number=60).mistakes == ("argument-changed",)
    assert "depends-on-earlier-calls" in check_program(remembers, number=150).mistakes


def test_a_board_of_a_plain_class_is_changed_only_by_a_program_that_changes_it():
    def keeps(board, depth, maximizing):
        return right(board.ring, depth, -1000, 1000, maximizing)

    def changes(board, depth, maximizing):
        value = keeps(board, depth, maximizing)
        board.ring = []
        return value

    def counts(board, depth, maximizing):
        board.calls = getattr(board, "calls", 0) + 1
        return keeps(board, depth, maximizing)

    def counts_in_a_list(board, depth, maximizing):
        board[-1] += 1
        return right(board[0], depth, -1000, 1000, maximizing)

    right = load_program("ring_lists")
    assert check_program(keeps, number=60, board=PlainBoard).is_right
    assert check_program(counts, number=60, board=PlainBoard).is_right
    assert check_program(counts_in_a_list, number=60, board=make_counted_list).is_right
    assert check_program(changes, number=60, board=PlainBoard).mistakes == ("argument-changed",)


ENDS = {
    "ends Python with os._exit(3)": lambda: os._exit(3),
    "ends Python by the signal SIGKILL": lambda: os.kill(os.getpid(), signal.SIGKILL),
}


@pytest.mark.parametrize("problem", ENDS)
def test_calls_that_are_made_at_once_have_outcomes_until_one_ends_the_process(problem):
    def count_down(number):
        return number or ENDS[problem]()

    with Caller([count_down], 10) as caller:
        outcomes = caller.call_all(0, [(number,) for number in (3, 2, 1, 0, 5)])
    assert [outcome.value for outcome in outcomes] == [3, 2, 1, None]
    assert outcomes[-1].problem == problem


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups")
def test_what_a_program_starts_ends_with_its_process(tmp_path):
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)

    def start():
        with (tmp_path / "alive").open("w") as held:
            return subprocess.Popen(["sleep", "10000"], stdout=held).pid

    with Caller([start], 10) as caller:
        child = caller.call(0, ()).value
    try:
        assert select.select([reader], [], [], 30)[0], "the process still runs"
        assert os.read(reader, 1) == b""
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.close(reader)


def test_a_caller_ends_with_the_process_that_was_killed():
    code = "import os\nfrom kalahlab.classroom.program_check.calls import Caller\n"
    code += "caller = Caller([os.getpid], 10)\n"
    code += "print(caller.call(0, ()).value, flush=True)\ninput()\n"
    with start_python(code) as process:
        child = psutil.Process(int(process.stdout.readline()))
        process.kill()
        child.wait(60)  # raises TimeoutExpired
