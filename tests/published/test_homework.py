"""The Mancala homework: its grading cases, its pseudo-code as a program, and refused files."""

import json
from pathlib import Path
from random import Random

import pytest
from conftest import cases
from hypothesis import example, given
from hypothesis import strategies as st
from pseudo_code import PseudoCode
from strategies import positions

from kalahlab.classroom.grader import LOG, NEXT_STATE, Files, check
from kalahlab.data import data_rows
from kalahlab.experiments.costs import measure_peak_kib
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.rules import Rules
from kalahlab.published import homework
from kalahlab.published.homework import Mancala, Problem, Program, read_problem


@pytest.fixture
def work(run, tmp_path):
    """Run the command on a text: (status, stdout, stderr, the files written by it)."""

    def work(text, *words):
        source, out = tmp_path / "input.txt", tmp_path / "out"
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        result = run("homework", str(source), "--out", str(out), *words)
        files = {}
        if out.exists():
            files = {file.name: file.read_bytes() for file in out.iterdir()}
        return *result, files

    return work


@pytest.mark.parametrize("case", [f"{number:02}" for number in range(1, 16)])
def test_the_grading_cases(work, oracles, case):
    folder = oracles / "homework" / case
    paths = [folder / name for name in (NEXT_STATE, LOG)]
    expected = {path.name: path.read_bytes() for path in paths if path.exists()}
    text = (folder / "input.txt").read_bytes()
    [row] = [row for row in data_rows("homework_cases.csv") if row["case"] == case]
    problem = read_problem(text.decode())
    assert problem == read_problem(row["input"].replace("/", "\n"))
    assert row["next_state"].replace("/", "\n").split() == expected[NEXT_STATE].decode().split()
    status, _, err, files = work(text, "--optional", "mark")
    assert (status, err, files) == (0, "", expected)
    right = Files(folder / NEXT_STATE, folder / LOG if LOG in expected else None)
    report = check([(problem, right)])
    assert (report.differences, report.explanations) == ((), ())
    plain = work(text)[3]
    for name, content in expected.items():
        lines = [line for line in content.splitlines(True) if not line.endswith(b"OPTIONAL\n")]
        assert plain[name] == b"".join(lines)


@st.composite
def inputs(draw):
    """Draw input files: empty and heavy pits, games over and nearly over, any stores."""
    n = draw(st.integers(3, 10))
    cutoff = draw(st.integers(1, {3: 4, 4: 3, 5: 2}.get(n, 1)))
    laps = st.integers(0, 60) | st.sampled_from((2 * n + 1, 4 * n + 2))
    light = (st.integers(0, 2), st.just(0) | st.integers(0, 8))
    pit = draw(st.sampled_from((*light, laps, st.integers(990, 1000))))
    row = st.lists(pit, min_size=n, max_size=n)
    rows = [draw(row | st.just([0] * (n - 1) + [1])) for _ in "AB"]
    if draw(st.integers(0, 9)) == 0:
        rows[draw(st.integers(0, 1))] = [0] * n
    stores = [[draw(st.integers(0, 40))] for _ in "AB"]
    head = [[draw(st.integers(1, 3))], [draw(st.integers(1, 2))], [cutoff]]
    return "".join(" ".join(map(str, line)) + "\n" for line in [*head, *rows, *stores])


@given(inputs(), st.booleans())
@example("3\n2\n9\n0 1 1\n1 0 0\n3\n0\n", True)  # a cut-off deeper than the game
@example("2\n1\n2\n0 0 0\n1 0 4\n0\n0\n", True)  # a game that is over
@example("3\n1\n1\n9 9 9\n4 4 4\n0\n0\n", True)  # all moves are equally good
@example("3\n2\n1\n4 4 4\n9 9 9\n0\n0\n", True)
def test_boards_and_logs_are_those_of_the_pseudo_code(text, mark):
    problem, other = read_problem(text), PseudoCode(text, mark)
    after, log = homework.render_files(problem, mark=mark)
    assert after == other.after
    assert log.splitlines() == other.log


@given(inputs())
def test_the_program_is_the_search_of_the_package(text):
    program = Program(read_problem(text))
    program.run()
    assert program.result == homework.solve(program.problem)


@given(positions(stones=40))
def test_the_program_sows_by_the_rules(position):
    game, state = position
    rules = Rules(
        capture="opposite" if game.rules.capture == "never" else game.rules.capture,
        rest_to="finisher" if game.rules.rest_to == "finisher" else "owner",
        end=game.rules.end,
    )
    ours, theirs = Kalah(game.pits, 0, rules), Mancala(game.pits, 0, rules)
    for move in ours.moves(state):
        assert theirs.play(state, move) == ours.play(state, move)


def test_line_ends_blanks_and_a_missing_last_line_end_do_not_matter(work):
    text = "3\n1\n2\n4 0 3 1\n1 0 2 2\n5\n0\n"
    wanted = work(text)
    for old, new in (("\n", "\r\n"), ("\n", " \t\n"), (" ", "   ")):
        assert work(text.replace(old, new)) == wanted
    for other in (text.rstrip("\n"), text + "\n \n", "\ufeff" + text):
        assert work(other) == wanted
    assert wanted[0] == 0
    assert wanted[3].keys() == {NEXT_STATE, LOG}
    assert not any(b"\r" in content for content in wanted[3].values())


def test_greedy_writes_no_log_and_binary_input_is_refused(work):
    assert "line 1: the task has" in work(b"\xff\xfe\x00\x01")[2]
    assert work("1\n2\n3\n0 0 1\n1 1 0\n0\n0\n")[3].keys() == {NEXT_STATE}
    assert json.loads(work("3\n1\n4\n0 2 1\n0 0 0\n1\n5\n", "--json")[1])["turn"] == []


def test_the_log_is_streamed():
    """Test pits of many stones, of which half give an extra turn."""
    pits, size, rng, board = 6, 0, Random(2), list[int]()
    for _ in "AB":
        row = [rng.randint(37, 49) for _ in range(pits)]
        for pit in rng.sample(range(pits), pits // 2):
            row[pit] -= (row[pit] - (pits - pit)) % (2 * pits + 1)
        board += [*row, 0]
    problem = Problem(homework.MINIMAX, 3, State(tuple(board), 0))

    def write(line):
        nonlocal size
        size += len(line)

    plain = measure_peak_kib(lambda: Program(problem).run())
    # a program that writes a log needs no memory for it
    logged = measure_peak_kib(lambda: Program(problem, write=homework.make_log_writer(write)).run())
    assert size > 100_000
    assert logged - plain < 16


@cases(Path(__file__).with_name("refused.csv"))
def test_a_bad_file_is_refused_in_one_line_and_nothing_is_written(work, text, line, fix):
    """Read a slash in the table as the end of a line, and # as a number of many digits."""
    status, out, err, files = work(text.replace("/", "\n").replace("#", "1" * 5000))
    assert (status, out, files) == (2, "", {})
    assert err.count("\n") == 1
    assert f"input.txt, line {line}" in err
    assert fix in err
    assert len(err) < 300
