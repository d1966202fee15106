"""The checker that imports nothing of ours: what follows from a ledger, and what does not."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import exact_moves

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import from_here
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah, State, side
from kalahlab.judging.judged import Judged

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


def test_it_imports_the_standard_library_only_and_is_short():
    tree = ast.parse(CHECK.read_bytes())
    loaded = {n.names[0].name for n in ast.walk(tree) if isinstance(n, ast.Import)}
    loaded |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert loaded <= sys.stdlib_module_names
    assert CHECK.read_text(encoding="utf-8").count("\n") <= 250


boards = st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 7, 13, 20]), min_size=12, max_size=12)
few = st.lists(st.sampled_from([0, 0, 0, 0, 0, 1, 2]), min_size=12, max_size=12)


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
    return f"{bound} {crc32(bound.encode()):08x}"


def changed(line, old, new):
    return signed(line.rpartition(" ")[0].replace(old, new, 1))


def weaker(line):
    lower = re.sub(r">= (-?\d+)", lambda found: f">= {int(found[1]) - 2}", line)
    return signed(lower.rpartition(" ")[0])


TAMPERED = {
    "a digit": (lambda lines: [lines[0].replace(" 9 1 ", " 8 1 "), *lines[1:]], "checksum"),
    "half a line": (lambda lines: [lines[0][:30], *lines[1:]], "no bound"),
    "a short board": (lambda lines: [signed("<6,0,0,1,2> >= 1 5"), *lines], "6 pits"),
    "words": (lambda lines: ["worth four", *lines], "no bound"),
    "no pieces": (lambda lines: [x for x in lines if " moves " in x], "does not follow"),
    "no moves": (lambda lines: [x for x in lines if " moves " not in x], "does not follow"),
    "weaker": (lambda lines: [weaker(x) for x in lines], "does not follow"),
    "turned": (lambda lines: [changed(x, "<=", ">=") for x in lines], "does not follow"),
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
