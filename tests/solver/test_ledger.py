"""Tests of proofs in pieces, of their ledger, and of its checker."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import Future
from functools import cache
from itertools import product
from pathlib import Path
from runpy import run_path

import pandas as pd
import pytest
from conftest import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_package import package
from oracle import exact_moves

from kalahlab.data import data_file
from kalahlab.games.kalah import SOUTH, Kalah, State, side, stones_in_play
from kalahlab.games.supported import STORED
from kalahlab.judging.solved_positions import SolvedPosition
from kalahlab.solver import proof_tree
from kalahlab.solver.endgame.database import build, open_database
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import Ledger, Line, checksum, normalize_position, parse_line
from kalahlab.solver.proof_tree import ProofTree
from kalahlab.solver.prover import Answer, Piece, Workers, empty_counters
from kalahlab.solver.solve import solve
from kalahlab.solver.verify import Check, verify

pytestmark = pytest.mark.usefixtures("small_tables")
NAME = "kalah-4-standard.txt"
PIECE = 1024
"""Nodes; so small that small boards take many pieces."""


def prove(out, databases, **more):
    sizes = {"database_stones": 6, "workers": 1, "piece_nodes": PIECE, "folder": databases}
    return solve(Kalah(4, 4).start(), line=False, ledger=out, **sizes, **more).value


@pytest.fixture(scope="module")
def ledger_file(databases, tmp_path_factory):
    out = tmp_path_factory.mktemp("ledger")
    prove(out, databases)
    return out / NAME


counts = st.integers(0, 80)
lines = st.builds(
    Line,
    st.lists(counts, min_size=4, max_size=4).map(
        lambda pits: State((*pits[:2], 0, *pits[2:], 0), SOUTH)
    ),
    st.sampled_from([">=", "<=", "?"]),
    st.integers(-99, 99),
    st.integers(0, 10**12),
)


@given(lines)
def test_a_line_is_parsed_as_it_was_written(line):
    assert parse_line(str(line)) == line


@given(st.lists(counts, min_size=6, max_size=6), st.integers(0, 1), st.integers(-50, 50))
def test_a_normalized_margin_has_the_stores_taken_off(board, player, margin):
    state = State(tuple(board), player)
    canonical, normalized = normalize_position(state, margin)
    assert stones_in_play(canonical.board) == stones_in_play(state.board) == sum(canonical.board)
    difference = board[2] - board[5]
    if player != SOUTH:
        difference = -difference
    assert normalized == margin - difference


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize(("pits", "stones"), [(2, 6), (3, 5), (4, 3), (4, 4)])
def test_a_proof_in_pieces_finds_the_same_value(pits, stones, rules, databases, tmp_path):
    start, preset = Kalah(pits, stones).start(), STORED[rules]
    sizes = {"database_stones": 5, "workers": 2, "folder": databases, "moves": True, "line": False}
    alone = solve(start, preset, **sizes)
    pieces = solve(start, preset, ledger=tmp_path, piece_nodes=PIECE, **sizes)
    assert (pieces.value, pieces.moves) == (alone.value, alone.moves)
    again = solve(start, preset, ledger=tmp_path, piece_nodes=PIECE, guess=4, **sizes)
    assert (again.value, again.moves) == (alone.value, alone.moves)


def test_a_solve_resumes_from_a_ledger_that_is_cut_anywhere(ledger_file, databases, tmp_path):
    content = ledger_file.read_bytes()
    for place in range(1, len(content), len(content) // 4):
        file = tmp_path / str(place) / NAME
        file.parent.mkdir()
        file.write_bytes(content[:place])
        assert prove(file.parent, databases) == 2
        assert file.read_bytes()[: max(0, place - 200)] in content
        assert len(Ledger(file).pieces) >= len(Ledger(ledger_file).pieces) // 2


def test_a_line_is_in_the_file_before_the_proof_continues(tmp_path):
    file, start = tmp_path / NAME, Kalah(4, 4).start()
    ledger = Ledger(file)
    for bound, nodes in ((2, 7), (2, 0), (None, 9)):
        ledger.add_answer(start, 2, bound, nodes)
        again = Ledger(file)
        assert (again.pieces, again.inferred) == (ledger.pieces, ledger.inferred)
        assert again.nodes == ledger.nodes
    assert again.bounds(start) == (2, 32)
    assert again.was_open(start, 2, 9)
    assert not again.was_open(start, 2, 10)


def test_ledgers_are_merged_line_by_line(ledger_file, tmp_path):
    content = ledger_file.read_text().splitlines(keepends=True)
    merged = tmp_path / NAME
    merged.write_text("".join([*content[::2], *reversed(content), *content[1::2]]))
    root = Kalah(4, 4).start()
    assert Ledger(merged).bounds(root) == Ledger(ledger_file).bounds(root) == (2, 2)


def test_a_flipped_bit_or_a_line_cut_off_is_found_when_a_ledger_is_read(ledger_file, tmp_path):
    first, second, third = ledger_file.read_bytes().splitlines(keepends=True)[:3]
    content, file = first + second + third, tmp_path / NAME
    damaged = [(first + second[:length], 2) for length in range(1, len(second) - 1)]
    for index, bit in product(range(len(content)), range(8)):
        flipped = content[:index] + bytes([content[index] ^ 1 << bit]) + content[index + 1 :]
        damaged.append((flipped, content[:index].count(b"\n") + 1))
    for data, number in damaged:
        file.write_bytes(data)
        with pytest.raises(ValueError, match=f"{NAME}, line {number}: "):
            Ledger(file)
        assert file.read_bytes() == data


@cases(Path(__file__).with_name("refused_lines.csv"))
def test_a_ledger_with_an_impossible_line_is_refused(line, why, tmp_path):
    file = tmp_path / NAME
    file.write_text(f"{Line(Kalah(4, 4).start(), '>=', 2, 1)}\n{line}\n")
    with pytest.raises(ValueError, match=f"{NAME}, line 2: .*{why}"):
        Ledger(file)
    with pytest.raises(ValueError, match=f"{NAME}, line 2: .*{why}"):
        solve(Kalah(4, 4).start(), database_stones=6, ledger=tmp_path, folder=tmp_path)


def test_a_board_too_large_for_the_solver_is_not_verified(tmp_path):
    file = tmp_path / NAME
    file.write_text(f"{Line(Kalah(4, 40).start(), '>=', 0, 1)}\n")
    with pytest.raises(ValueError, match=f"{NAME}: '<4,0,0,40,.* at most 127"):
        verify(file, database_stones=4, folder=tmp_path)


@pytest.mark.parametrize("sample", [None, 5])
def test_a_ledger_is_verified_if_all_needed_pieces_are(ledger_file, databases, sample):
    result = verify(ledger_file, sample=sample, database_stones=4, folder=databases)
    assert (result.claim, result.position) == ((2, 2), "<4,0,0,4,4,4,4,4,4,4,4>")
    assert result.implied
    assert result.used > 12
    if sample is None:
        assert (result.proved, result.remaining, result.is_verified) == (result.used, 0, True)
        assert result.verdict.startswith("verified: ")
    else:
        assert (result.proved, result.remaining, result.is_verified) == (5, result.used - 5, False)
        assert result.verdict.startswith("not verified: 5 of ")


def test_a_verification_logs_what_it_proves_and_is_resumed_from_its_log(
    ledger_file, databases, tmp_path
):
    log = tmp_path / "new" / "folder" / NAME
    options = {"log": log, "database_stones": 4, "folder": databases}
    part = verify(ledger_file, sample=5, **options)
    assert (len(log.read_text().splitlines()), part.proved) == (5, 5)
    counts = []
    whole = verify(ledger_file, None, progress=lambda done, total: counts.append(done), **options)
    assert (counts[0], whole.is_verified) == (5, True)
    assert whole.nodes == sum(line.nodes for line in Ledger(log).pieces)
    assert verify(ledger_file, None, **options).nodes == whole.nodes


@pytest.mark.parametrize("honest", [True, False])
def test_a_false_bound_is_found(ledger_file, databases, tmp_path, honest):
    """Make six needed pieces false: too good a bound of its kind, or one of the other."""
    check = Check(Ledger(ledger_file), open_database(4, 4, folder=databases))
    assert check.is_at_least(Kalah(4, 4).start(), 2)
    assert check.is_at_least(Kalah(4, 4).start(), 3) is False
    needed, file = sorted(check.used), tmp_path / NAME
    with open_solver(4, database_stones=6, folder=databases, workers=1) as solver:
        for line in needed[:: len(needed) // 6][:6]:
            value = solver.value(line.state)
            if (line.relation == ">=") == honest:
                false_line = line._replace(relation=">=", margin=value + 2)
            else:
                false_line = line._replace(relation="<=", margin=value - 2)
            file.write_text(ledger_file.read_text().replace(str(line), str(false_line)))
            assert is_refused(file, databases)


def is_refused(file, databases):
    """Return whether a ledger is not verified, or contradicts itself when it is read."""
    try:
        return not verify(file, sample=None, database_stones=4, folder=databases).is_verified
    except ValueError as error:
        return "together at least" in str(error)


@cases(Path(__file__).with_name("false.csv"))
def test_a_false_ledger_of_one_line_is_refused(
    rules, bound, run, tmp_path,
    monkeypatch):  # fmt: skip
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / f"kalah-{bound[1]}-{rules}.txt"
    file.write_text(f"{bound}\n")
    status, out, err = run("solve", "--verify", str(file))
    assert (status, out) == (1, "")
    assert "not verified" in err
    assert f"{file.name}, line 1: " in err
    assert err.count("\n") == 1
    file.write_text(f"{with_checksum(bound)}\n")
    words = ("solve", "--verify", str(file), "--all", "--database-stones", "4")
    status, out, _ = run(*words, "--json")
    [result] = json.loads(out)["ledgers"]
    assert (status, result["verified"], result["used"]) == (1, False, 1)
    assert result["left"] + len(result["contradicted"]) == 1
    assert re.search("^verdict +not verified: 0 of 1 pieces", run(*words)[1], re.MULTILINE)


def test_with_more_nodes_a_false_piece_is_contradicted(databases, tmp_path):
    file, line = tmp_path / NAME, Line(Kalah(4, 4).start(), "<=", 0, 1)
    file.write_text(f"{line}\n")
    result = verify(file, database_stones=4, folder=databases, piece_nodes=100)
    assert (result.remaining, result.is_verified) == (1, False)
    result = verify(file, database_stones=4, folder=databases, piece_nodes=10**7)
    assert (result.contradicted, result.remaining, result.is_verified) == ([str(line)], 0, False)


@pytest.fixture
def endless(tmp_path):
    """Write a ledger of two needed pieces: one right and easy, one wrong, with a limit of years."""
    file, start = tmp_path / "kalah-6-standard.txt", Kalah(6, 6).start()
    file.write_text(f"{Line(start, '<=', 70, 1)}\n{Line(start, '>=', 20, 10**15)}\n")
    return file


def test_a_verification_that_is_stopped_reports_what_remains(endless, databases):
    def interrupt(done, total):
        if done:
            raise KeyboardInterrupt

    result = verify(endless, None, 4, databases, workers=2, progress=interrupt)
    assert (result.stopped, result.is_verified, result.used, result.remaining) == (
        True,
        False,
        2,
        1,
    )


def test_ctrl_c_ends_a_check_with_status_1(endless, tmp_path):
    words = f"solve --verify {endless} --all --database-stones 4 --json"
    process = subprocess.Popen(
        [sys.executable, "-m", "kalahlab", *words.split()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr.readline().startswith(endless.name)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    [result] = json.loads(out)["ledgers"]
    assert (process.returncode, result["verified"]) == (1, False)
    assert "Traceback" not in err


def test_without_a_piece_it_needs_a_claim_does_not_follow(ledger_file, databases, tmp_path):
    lines = ledger_file.read_text().splitlines(keepends=True)
    file = tmp_path / NAME
    file.write_text("".join(line for line in lines if " moves" in line))
    with pytest.raises(ValueError, match="contains no proved bound"):
        verify(file, folder=databases)
    check = Check(Ledger(ledger_file), open_database(4, 4, folder=databases))
    check.is_at_least(Kalah(4, 4).start(), 2)
    largest = max(check.used, key=lambda line: stones_in_play(line.state.board)).state
    file.write_text("".join(line for line in lines if parse_line(line.strip()).state != largest))
    result = verify(file, sample=0, database_stones=4, folder=databases)
    small = verify(ledger_file, sample=0, database_stones=4, folder=databases).small
    assert not result.implied or result.small > small


class Needed(Workers):
    """Workers that answer only what decides a yes at the start, (3, 2) with 4 asked for.

    All else runs for ever.
    """

    def __init__(self, database):
        super().__init__(lambda *question: Answer(None, 0), workers=3)
        self.database = database
        self.unanswered = 0

    def submit(self, state, margin, limit):
        future = Future()
        future.set_running_or_notify_cancel()
        value = self.database.probe(state)
        if stones_in_play(state.board) == 12:
            future.set_result(Answer(None, limit))
        elif (value >= margin) == (margin > 0):  # margins of the second player are negative here
            future.set_result(Answer(value, 1))
        else:
            self.unanswered += 1
        return Piece(future, empty_counters())


def test_the_end_of_a_proof_waits_for_no_needless_piece(monkeypatch):
    monkeypatch.setattr(proof_tree, "STOP_SECONDS", 0.0)
    pieces = Needed(build(3, 12))
    assert ProofTree(build(3, 1), Ledger(), pieces, 1).prove_bound(Kalah(3, 2).start(), 4) >= 4
    assert pieces.unanswered > 0


def test_progress_reports_an_open_question_and_the_nodes_to_go(databases, tmp_path, monkeypatch):
    monkeypatch.setattr("kalahlab.solver.solve.REPORT_SECONDS", 0)
    reports = []
    prove(tmp_path, databases, moves=True, progress=reports.append)
    pattern = (
        r"at (least|most) [+-]\d+\? [\d,]+ pieces done, [\d,]+ open(, about [\d,]+ nodes to go)?"
    )
    searching = [report for report in reports if report.stage == "search"]
    assert all(len({*report.bounds}) == 2 for report in searching if "?" in str(report))
    matches = list(filter(None, [re.search(pattern, str(report)) for report in searching]))
    assert {match[1] for match in matches} == {"least", "most"}
    assert any(match[2] for match in matches)


# The checker that imports nothing of this package.
FOLDER = Path(str(data_file("ledger")))
CHECK = FOLDER / "check.py"
checker = run_path(str(CHECK))


def check(*words, **env):
    command = [sys.executable, str(CHECK), *words]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | env)


@pytest.mark.parametrize(
    ("rules", "value", "pieces"),
    [("standard", "+4", "5,509"), ("empty-capture", "+2", "6,035")],
)
def test_the_values_follow_from_the_pieces(rules, value, pieces):
    process = check(str(FOLDER / f"kalah-6-{rules}.txt"))
    assert f"is worth {value} to the first player if" in process.stdout, process.stderr
    assert f"\n0 of {pieces} pieces are proved here, {pieces} are not; 0 " in process.stdout


def test_a_seed_draws_the_same_pieces_each_time_and_they_are_printed_as_in_the_file(ledger_file):
    words = (str(ledger_file), "--prove", "3", "--seed", "2149", "--positions", "1000")
    outputs = [check(*words).stdout, check(*words, PYTHONHASHSEED="1").stdout]
    first, again = (re.findall(r"^(<.*): .*positions", out, re.MULTILINE) for out in outputs)
    assert len(first) == 3
    assert first == again
    lines = ledger_file.read_text(encoding="ascii").splitlines()
    for piece in first:
        assert any(line.startswith(f"{piece} ") for line in lines), outputs
    assert re.search(r"^\d of \d+ pieces are proved here, \d+ are not; ", outputs[0], re.M)


def test_the_checker_imports_only_the_standard_library_and_is_short():
    tree = ast.parse(CHECK.read_bytes())
    imported = {node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names
    assert CHECK.read_text(encoding="utf-8").count("\n") <= 350


boards = st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 7, 13, 20]), min_size=12, max_size=12)
few = st.lists(st.integers(0, 11), max_size=8).map(
    lambda pits: [pits.count(pit) for pit in range(12)]
)


@pytest.mark.parametrize("rules", STORED)
@given(pits=boards.filter(lambda pits: any(pits[:6]) and any(pits[6:])))
def test_the_checker_sows_by_the_same_rules(rules, pits):
    game, state = Kalah(6, 6, STORED[rules]), State((*pits[:6], 0, *pits[6:], 0), SOUTH)
    moves = checker["children"](tuple(pits), rules == "empty-capture")
    for (gain, board, again), pit in zip(moves, game.moves(state), strict=True):
        after = game.play(state, pit)
        if game.is_over(after):
            assert (gain, sum(board)) == (game.margin(after, SOUTH), 0)
            continue
        canonical, missing = normalize_position(after)
        assert board == (*side(canonical.board, 0), *side(canonical.board, 1))
        assert again == (after.player == SOUTH)
        assert gain == (-missing if again else missing)


# Slow, because both the checker and minimax are plain Python.
@pytest.mark.parametrize("rules", STORED)
@given(pits=few.filter(lambda pits: any(pits[:6]) and any(pits[6:])))
@settings(max_examples=25)
def test_the_checkers_proofs_agree_with_minimax(rules, pits):
    row = SolvedPosition(rules, State((*pits[:6], 0, *pits[6:], 0), SOUTH), (None,) * 6)
    value = max(worth for worth in exact_moves(row) if worth is not None)
    for margin in (value - 1, value, value + 1):
        assert checker["prove_at_least"](tuple(pits), margin, rules != "standard", {}) == (
            value >= margin
        )


def with_checksum(bound):
    return f"{bound} {checksum(bound)}"


def replace_in_line(line, old, new):
    return with_checksum(line.rpartition(" ")[0].replace(old, new, 1))


def weaken(line):
    lower = re.sub(r">= (-?\d+)", lambda match: f">= {int(match[1]) - 2}", line)
    return with_checksum(lower.rpartition(" ")[0])


TAMPERED = {
    "a digit": (lambda lines: [lines[0].replace(",0,0,", ",0,0,1", 1), *lines[1:]], "checksum"),
    "half a line": (lambda lines: [lines[0][:20], *lines[1:]], "no bound"),
    "a short board": (lambda lines: [with_checksum("<4,0,0,1,2> >= 1 5"), *lines], "4 pits"),
    "another board": (
        lambda lines: [with_checksum("<6,0,0,3,3> >= 1 5")],
        "no bound on a position of Ka",
    ),
    "no start": (lambda lines: [x for x in lines if "0,4,4,4,4,4" not in x], "bound on the st"),
    "words": (lambda lines: ["worth four", *lines], "no bound"),
    "no pieces": (lambda lines: [x for x in lines if " moves " in x], "does not follow"),
    "no moves": (lambda lines: [x for x in lines if " moves " not in x], "does not follow"),
    "weaker": (lambda lines: [weaken(x) for x in lines], "does not follow"),
    "turned": (
        lambda lines: [replace_in_line(x, "<=", ">=") for x in lines],
        "contradict each other",
    ),
    "open": (lambda lines: [replace_in_line(x, "<=", "?") for x in lines], "does not follow"),
    "half of it": (lambda lines: lines[::2], "does not follow"),
}


@pytest.mark.parametrize("tamper", TAMPERED)
def test_a_tampered_ledger_is_refused(tamper, ledger_file, tmp_path, monkeypatch, capsys):
    """The message of `sys.exit` is printed, and the status is 1."""
    change, message = TAMPERED[tamper]
    lines = change(ledger_file.read_text(encoding="ascii").splitlines())
    (tmp_path / NAME).write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(sys, "argv", ["check.py", str(tmp_path / NAME)])
    with pytest.raises(SystemExit) as stop:
        checker["main"]()
    assert message in stop.value.code
    assert capsys.readouterr().out == ""


@cache
def load_pieces(file):
    """Return the lines of a ledger that are pieces, without the check that no two contradict."""
    lines = map(parse_line, file.read_text(encoding="ascii").splitlines())
    return [line for line in lines if line.nodes and line.relation != "?"]


def test_the_pieces_proved_again_are_pieces_of_the_certificate():
    for row in pd.read_csv(FOLDER.parent / "reproofs.csv").itertuples():
        ledger = FOLDER / f"kalah-6-{row.rules}.txt"
        pieces = {line.key for line in load_pieces(ledger)}
        pieces_again = load_pieces(ledger if row[2] == "first" else FOLDER / "second" / ledger.name)
        assert pieces.issuperset(line.key for line in pieces_again), row
        nodes = sum(line.nodes for line in pieces_again)
        assert (row.pieces, row.proved, row.nodes) == (len(pieces), len(pieces_again), nodes), row


def test_the_description_of_the_certificate_is_up_to_date():
    described = (FOLDER / "datapackage.json").read_text(encoding="utf-8")
    assert described == package(FOLDER), "run: python data/make/ledger_package.py data/ledger"
