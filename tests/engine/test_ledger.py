"""Proofs in pieces, their ledger, and its checker."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import Future
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
from kalahlab.engine.endgame.database import build, open_database
from kalahlab.engine.solver import proof_tree
from kalahlab.engine.solver.exact import open_solver
from kalahlab.engine.solver.ledger import Ledger, Line, checksum, from_here, parse_line
from kalahlab.engine.solver.proof_tree import ProofTree
from kalahlab.engine.solver.prover import Answer, Piece, Workers, no_counters
from kalahlab.engine.solver.solve import solve
from kalahlab.engine.solver.verify import Check, verify
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah, State, in_play, side
from kalahlab.judging.judged import Judged

NAME = "kalah-4-standard.txt"
PIECE = 1024
"""Nodes; so small that small boards take many pieces."""


def prove(out, databases, **more):
    sizes = {"database_stones": 6, "workers": 1, "piece_nodes": PIECE, "folder": databases}
    return solve(Kalah(4, 4).start(), line=False, ledger=out, **sizes, **more).value


@pytest.fixture(scope="module")
def proved(databases, tmp_path_factory):
    out = tmp_path_factory.mktemp("ledger")
    prove(out, databases)
    return out / NAME


counts = st.integers(0, 80)
lines = st.builds(
    Line,
    st.lists(counts, min_size=4, max_size=4).map(
        lambda held: State((*held[:2], 0, *held[2:], 0), SOUTH)
    ),
    st.sampled_from([">=", "<=", "?"]),
    st.integers(-99, 99),
    st.integers(0, 10**12),
)


@given(lines)
def test_a_line_reads_back(line):
    assert parse_line(str(line)) == line


@given(st.lists(counts, min_size=6, max_size=6), st.integers(0, 1), st.integers(-50, 50))
def test_what_lies_in_the_stores_is_in_the_margin(held, player, margin):
    state = State(tuple(held), player)
    canonical, left = from_here(state, margin)
    assert in_play(canonical.board) == in_play(state.board) == sum(canonical.board)
    difference = held[2] - held[5]
    assert left == margin - (difference if player == SOUTH else -difference)


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(("pits", "stones"), [(2, 6), (3, 5), (4, 3), (4, 4)])
def test_in_pieces_a_board_is_worth_the_same(pits, stones, rules, databases, tmp_path):
    start, preset = Kalah(pits, stones).start(), PRESETS[rules]
    sizes = {"database_stones": 5, "workers": 2, "folder": databases, "moves": True, "line": False}
    alone = solve(start, preset, **sizes)
    pieces = solve(start, preset, ledger=tmp_path, piece_nodes=PIECE, **sizes)
    assert (pieces.value, pieces.moves) == (alone.value, alone.moves)
    again = solve(start, preset, ledger=tmp_path, piece_nodes=PIECE, guess=4, **sizes)
    assert (again.value, again.moves) == (alone.value, alone.moves)


def test_a_ledger_cut_anywhere_is_gone_on_with(proved, databases, tmp_path):
    whole = proved.read_bytes()
    for place in range(1, len(whole), len(whole) // 7):
        file = tmp_path / str(place) / NAME
        file.parent.mkdir()
        file.write_bytes(whole[:place])
        assert prove(file.parent, databases) == 2
        assert file.read_bytes()[: place - 200 if place > 200 else 0] in whole
        assert len(Ledger(file).pieces) >= len(Ledger(proved).pieces) // 2


def test_a_line_is_in_the_file_before_the_proof_goes_on(tmp_path):
    file, start = tmp_path / NAME, Kalah(4, 4).start()
    ledger = Ledger(file)
    for bound, nodes in ((2, 7), (2, 0), (None, 9)):
        ledger.keep(start, 2, bound, nodes)
        again = Ledger(file)
        assert (again.pieces, again.inferred) == (ledger.pieces, ledger.inferred)
        assert again.nodes == ledger.nodes
    assert again.bounds(start) == (2, 32)
    assert again.was_open(start, 2, 9)
    assert not again.was_open(start, 2, 10)


def test_ledgers_are_merged_line_by_line(proved, tmp_path):
    whole = proved.read_text().splitlines(keepends=True)
    merged = tmp_path / NAME
    merged.write_text("".join([*whole[::2], *reversed(whole), *whole[1::2]]))
    root = Kalah(4, 4).start()
    assert Ledger(merged).bounds(root) == Ledger(proved).bounds(root) == (2, 2)


def test_a_flipped_bit_or_a_line_cut_off_is_found_when_a_ledger_is_read(proved, tmp_path):
    first, second, third = proved.read_bytes().splitlines(keepends=True)[:3]
    whole, file = first + second + third, tmp_path / NAME
    damaged = [(first + second[:length], 2) for length in range(1, len(second) - 1)]
    for at, bit in product(range(len(whole)), range(8)):
        flipped = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
        damaged.append((flipped, whole[:at].count(b"\n") + 1))
    for data, number in damaged:
        file.write_bytes(data)
        with pytest.raises(ValueError, match=f"{NAME}, line {number}: "):
            Ledger(file)
        assert file.read_bytes() == data


@cases(Path(__file__).with_name("refused_lines.csv"))
def test_a_ledger_with_such_a_line_is_refused(line, why, tmp_path):
    file = tmp_path / NAME
    file.write_text(f"{Line(Kalah(4, 4).start(), '>=', 2, 1)}\n{line}\n")
    with pytest.raises(ValueError, match=f"{NAME}, line 2: .*{why}"):
        Ledger(file)
    with pytest.raises(ValueError, match=f"{NAME}, line 2: .*{why}"):
        solve(Kalah(4, 4).start(), database_stones=6, ledger=tmp_path, folder=tmp_path)


def test_a_board_that_the_solver_cannot_hold_is_not_verified(tmp_path):
    file = tmp_path / NAME
    file.write_text(f"{Line(Kalah(4, 40).start(), '>=', 0, 1)}\n")
    with pytest.raises(ValueError, match=f"{NAME}: '<4,0,0,40,.* at most 127"):
        verify(file, database_stones=4, folder=tmp_path)


@pytest.mark.parametrize("sample", [None, 5])
def test_a_ledger_is_verified_if_all_that_it_needs_is(proved, databases, sample):
    found = verify(proved, sample=sample, database_stones=4, folder=databases)
    assert (found.claim, found.position) == ((2, 2), "<4,0,0,4,4,4,4,4,4,4,4>")
    assert found.implied
    assert found.used > 12
    assert (found.proved, found.left) == ((5, found.used - 5) if sample else (found.used, 0))
    assert found.verified == (sample is None)
    assert found.verdict.startswith("not verified: 5 of " if sample else "verified: ")


def test_what_is_proved_again_is_kept_in_a_folder_and_gone_on_from(proved, databases, tmp_path):
    kept, options = tmp_path / "new" / "folder" / NAME, {"database_stones": 4, "folder": databases}
    part = verify(proved, sample=5, log=kept, **options)
    assert (len(kept.read_text().splitlines()), part.proved) == (5, 5)
    counts = []
    whole = verify(proved, None, log=kept, progress=lambda done, of: counts.append(done), **options)
    assert (counts[0], whole.verified) == (5, True)
    assert whole.nodes == sum(line.nodes for line in Ledger(kept).pieces)
    assert verify(proved, None, log=kept, **options).nodes == whole.nodes


@pytest.mark.parametrize("honest", [True, False])
def test_a_bound_that_is_false_is_found(proved, databases, tmp_path, honest):
    """Twelve needed pieces, each made false: too good a bound of its kind, or one of the other."""
    check = Check(Ledger(proved), open_database(4, 4, folder=databases))
    assert check.follows(Kalah(4, 4).start(), 2)
    assert check.follows(Kalah(4, 4).start(), 3) is False
    needed, file = sorted(check.used), tmp_path / NAME
    with open_solver(4, database_stones=6, folder=databases, workers=1) as solver:
        for line in needed[:: len(needed) // 12][:12]:
            lower = (line.relation == ">=") == honest
            value = solver.value(line.state)
            false = (">=", value + 2) if lower else ("<=", value - 2)
            opposite = line._replace(relation=false[0], margin=false[1])
            file.write_text(proved.read_text().replace(str(line), str(opposite)))
            assert is_refused(file, databases)


def is_refused(file, databases):
    """Whether a ledger is not verified, or contradicts itself when it is read."""
    try:
        return not verify(file, sample=None, database_stones=4, folder=databases).verified
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
    file.write_text(f"{signed(bound)}\n")
    words = ("solve", "--verify", str(file), "--all", "--database-stones", "4")
    status, out, _ = run(*words, "--json")
    [found] = json.loads(out)["ledgers"]
    assert (status, found["verified"], found["used"]) == (1, False, 1)
    assert found["left"] + len(found["contradicted"]) == 1
    assert re.search("^verdict +not verified: 0 of 1 pieces", run(*words)[1], re.MULTILINE)


def test_with_more_nodes_a_false_piece_is_contradicted(databases, tmp_path):
    file, line = tmp_path / NAME, Line(Kalah(4, 5).start(), "<=", 0, 1)
    file.write_text(f"{line}\n")
    found = verify(file, database_stones=9, folder=databases)
    assert (found.left, found.verified) == (1, False)
    found = verify(file, database_stones=9, folder=databases, piece_nodes=10**7)
    assert (found.contradicted, found.left, found.verified) == ([str(line)], 0, False)


@pytest.fixture
def endless(tmp_path):
    """A ledger of two needed pieces: one is right and easy, one wrong, with a limit of years."""
    file, start = tmp_path / "kalah-6-standard.txt", Kalah(6, 6).start()
    file.write_text(f"{Line(start, '<=', 70, 1)}\n{Line(start, '>=', 20, 10**15)}\n")
    return file


def test_a_check_that_is_stopped_says_what_is_left(endless, databases):
    def interrupt(done, of):
        if done:
            raise KeyboardInterrupt

    found = verify(endless, None, 4, databases, workers=2, progress=interrupt)
    assert (found.stopped, found.verified, found.used, found.left) == (True, False, 2, 1)


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
    [found] = json.loads(out)["ledgers"]
    assert (process.returncode, found["verified"]) == (1, False)
    assert "Traceback" not in err


def test_without_a_piece_it_needs_a_claim_does_not_follow(proved, databases, tmp_path):
    lines = proved.read_text().splitlines(keepends=True)
    file = tmp_path / NAME
    file.write_text("".join(line for line in lines if " moves" in line))
    with pytest.raises(ValueError, match="holds no proved bound"):
        verify(file, folder=databases)
    check = Check(Ledger(proved), open_database(4, 4, folder=databases))
    check.follows(Kalah(4, 4).start(), 2)
    largest = max(check.used, key=lambda line: in_play(line.state.board)).state
    file.write_text("".join(line for line in lines if parse_line(line.strip()).state != largest))
    found = verify(file, sample=0, database_stones=4, folder=databases)
    small = verify(proved, sample=0, database_stones=4, folder=databases).small
    assert not found.implied or found.small > small


class Needed(Workers):
    """Answers what decides a yes at the start, (3, 2) with 4 asked for; all else runs for ever."""

    def __init__(self, database):
        super().__init__(lambda *question: Answer(None, 0), workers=3)
        self.database = database
        self.never = 0

    def submit(self, state, margin, limit):
        future = Future()
        future.set_running_or_notify_cancel()
        value = self.database.known(state)
        if in_play(state.board) == 12:
            future.set_result(Answer(None, limit))
        elif (value >= margin) == (margin > 0):  # margins of who moves second are negative here
            future.set_result(Answer(value, 1))
        else:
            self.never += 1
        return Piece(future, no_counters())


def test_the_end_of_a_proof_waits_for_no_needless_piece(monkeypatch):
    monkeypatch.setattr(proof_tree, "STOP_SECONDS", 0.0)
    pieces = Needed(build(3, 12))
    assert ProofTree(build(3, 1), Ledger(), pieces, 1).bound(Kalah(3, 2).start(), 4) >= 4
    assert pieces.never > 0


def test_an_open_question_is_told_with_what_is_to_come(databases, tmp_path, monkeypatch):
    monkeypatch.setattr("kalahlab.engine.solver.solve.REPORT_SECONDS", 0)
    heard = []
    prove(tmp_path, databases, moves=True, progress=heard.append)
    told = r"at (least|most) [+-]\d+\? [\d,]+ pieces done, [\d,]+ open(, about [\d,]+ nodes to go)?"
    found = [re.search(told, str(news)) for news in heard if news.stage == "search"]
    assert all(len({*news.bounds}) == 2 for news in heard if "?" in str(news)), "it is open"
    assert {"least", "most"} == {each[1] for each in found if each}
    assert any(each and each[2] for each in found)


# The checker that imports nothing of ours: what follows from a ledger, and what does not.
FOLDER = Path(str(data_file("ledger")))
CHECK = FOLDER / "check.py"
LINES = (FOLDER / "kalah-6-standard.txt").read_text(encoding="ascii").splitlines()
checker = run_path(str(CHECK))


def check(*words):
    return subprocess.run([sys.executable, str(CHECK), *words], capture_output=True, text=True)


@pytest.mark.parametrize(("rules", "value"), [("standard", "+4"), ("empty-capture", "+2")])
def test_the_values_follow_from_the_pieces(rules, value):
    ran = check(str(FOLDER / f"kalah-6-{rules}.txt"))
    assert f"is worth {value} to the first player if" in ran.stdout, ran.stderr


def test_a_seed_draws_the_same_pieces_each_time_and_they_are_told_as_in_the_file(monkeypatch):
    words = (str(FOLDER / "kalah-6-standard.txt"), "--prove", "3", "--seed", "2149")
    ran = [check(*words, "--positions", "1000")]
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    ran += [check(*words, "--positions", "1000")]
    first, again = (re.findall(r"^(<.*): .*positions", each.stdout, re.MULTILINE) for each in ran)
    assert len(first) == 3
    assert first == again
    assert all(any(line.startswith(f"{said} ") for line in LINES) for said in first), ran
    assert "\n1 of 5,509 pieces are proved here, 5,508 are not; 0 others are " in ran[0].stdout


def test_it_imports_the_standard_library_only_and_is_short():
    tree = ast.parse(CHECK.read_bytes())
    loaded = {n.names[0].name for n in ast.walk(tree) if isinstance(n, ast.Import)}
    loaded |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert loaded <= sys.stdlib_module_names
    assert CHECK.read_text(encoding="utf-8").count("\n") <= 350


boards = st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 7, 13, 20]), min_size=12, max_size=12)
few = st.lists(st.integers(0, 11), max_size=12).map(lambda at: [at.count(pit) for pit in range(12)])


@pytest.mark.parametrize("rules", PRESETS)
@given(pits=boards.filter(lambda pits: any(pits[:6]) and any(pits[6:])))
def test_its_rules_are_ours(rules, pits):
    game, state = Kalah(6, 6, PRESETS[rules]), State((*pits[:6], 0, *pits[6:], 0), SOUTH)
    moves = checker["children"](tuple(pits), rules == "empty-capture")
    for (gain, board, again), pit in zip(moves, game.moves(state), strict=True):
        after = game.play(state, pit)
        if game.over(after):
            assert (gain, sum(board)) == (game.margin(after, SOUTH), 0)
            continue
        seen, ours = from_here(after)
        assert board == (*side(seen.board, 0), *side(seen.board, 1))
        assert (gain, again) == (-ours if after.player == SOUTH else ours, after.player == SOUTH)


@pytest.mark.parametrize("rules", PRESETS)
@given(pits=few.filter(lambda pits: any(pits[:6]) and any(pits[6:])))
@settings(deadline=None)
def test_it_proves_what_minimax_says(rules, pits):
    row = Judged(rules, State((*pits[:6], 0, *pits[6:], 0), SOUTH), (None,) * 6)
    value = max(worth for worth in exact_moves(row) if worth is not None)
    for margin in (value - 1, value, value + 1):
        assert checker["proved"](tuple(pits), margin, rules != "standard", {}) == (value >= margin)


def signed(bound):
    return f"{bound} {checksum(bound)}"


def changed(line, old, new):
    return signed(line.rpartition(" ")[0].replace(old, new, 1))


def weaker(line):
    lower = re.sub(r">= (-?\d+)", lambda found: f">= {int(found[1]) - 2}", line)
    return signed(lower.rpartition(" ")[0])


TAMPERED = {
    "a digit": (lambda lines: [lines[0].replace("<= 4 ", "<= 2 "), *lines[1:]], "checksum"),
    "half a line": (lambda lines: [lines[0][:30], *lines[1:]], "no bound"),
    "a short board": (lambda lines: [signed("<6,0,0,1,2> >= 1 5"), *lines], "6 pits"),
    "another board": (lambda lines: [signed("<4,0,0,3,3> >= 1 5")], "no bound on a position of Ka"),
    "no start": (lambda lines: [x for x in lines if "0,6,6,6,6,6" not in x], "bound on the st"),
    "words": (lambda lines: ["worth four", *lines], "no bound"),
    "no pieces": (lambda lines: [x for x in lines if " moves " in x], "does not follow"),
    "no moves": (lambda lines: [x for x in lines if " moves " not in x], "does not follow"),
    "weaker": (lambda lines: [weaker(x) for x in lines], "does not follow"),
    "turned": (lambda lines: [changed(x, "<=", ">=") for x in lines], "contradict each other"),
    "open": (lambda lines: [changed(x, "<=", "?") for x in lines], "does not follow"),
    "half of it": (lambda lines: lines[::2], "does not follow"),
}


@pytest.mark.parametrize("tamper", TAMPERED)
def test_a_tampered_ledger_is_refused(tamper, tmp_path):
    change, said = TAMPERED[tamper]
    (tmp_path / "kalah-6-standard.txt").write_text("\n".join(change(LINES)) + "\n")
    ran = check(str(tmp_path / "kalah-6-standard.txt"))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert said in ran.stderr


def test_what_was_proved_again_are_pieces_of_the_certificate():
    for row in pd.read_csv(FOLDER.parent / "reproofs.csv").itertuples():
        ledger = FOLDER / f"kalah-6-{row.rules}.txt"
        pieces = {line[:3] for line in Ledger(ledger).pieces}
        proved = Ledger(ledger if row[2] == "first" else FOLDER / "second" / ledger.name).pieces
        assert pieces.issuperset(line[:3] for line in proved), row
        nodes = sum(line.nodes for line in proved)
        assert (row.pieces, row.proved, row.nodes) == (len(pieces), len(proved), nodes), row


def test_the_certificate_is_described_as_it_is():
    there = (FOLDER / "datapackage.json").read_text(encoding="utf-8")
    assert there == package(FOLDER), "run: python data/make/ledger_package.py data/ledger"
