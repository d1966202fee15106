"""Ledgers made by a forger, with right checksums, are refused, or all that is printed is true."""

import json
import re
import shlex
import sys
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from runpy import run_path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import exact_moves

from kalahlab.data import data_file
from kalahlab.games.kalah import SOUTH, Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.supported import STORED
from kalahlab.judging.solved_positions import SolvedPosition
from kalahlab.solver.ledger import checksum, normalize_position
from kalahlab.solver.solve import solve
from kalahlab.solver.verify import verify

pytestmark = pytest.mark.usefixtures("small_tables")
CHECK = run_path(str(data_file("ledger/check.py")))
BOARDS = [(2, 2), (3, 2)]
DATABASE = 1
"""Stones: so few that the pieces of small boards matter."""


@cache
def exact_values(state, rules):
    """Return the value of each pit by plain minimax, None if it is empty."""
    return exact_moves(SolvedPosition(rules, state, (None,) * (len(state.board) // 2 - 1)))


def exact(state, rules):
    return max(worth for worth in exact_values(state, rules) if worth is not None)


def with_checksum(bound):
    return f"{bound} {checksum(bound)}"


class Case(NamedTuple):
    """A start, its rules, and the bounds of an honest ledger, without their checksums."""

    game: Kalah
    rules: str
    bounds: tuple[str, ...]
    folder: Path

    @property
    def start(self):
        return format_board(self.game.start())

    @property
    def value(self):
        return exact(self.game.start(), self.rules)

    @property
    def total(self):
        return sum(self.game.start().board)

    @property
    def name(self):
        return f"kalah-{self.game.pits}-{self.rules}.txt"

    @property
    def pieces(self):
        """The bounds that were searched, without those of the start."""
        searched = [bound for bound in self.bounds if not bound.endswith("moves")]
        return [
            bound for bound in searched if "?" not in bound and not bound.startswith(self.start)
        ]

    def other_start(self, stones):
        return format_board(Kalah(self.game.pits, self.game.stones + stones).start())

    def board_of(self, mine, theirs):
        """Return a board with these stones in the first pits of each side."""
        pits = self.game.pits
        return format_board(State((mine, *[0] * pits, theirs, *[0] * pits), SOUTH))

    def after(self, pit):
        """Return the position after a pit of the start, from its mover, and its exact value."""
        after = self.game.play(self.game.start(), pit)
        canonical, _ = normalize_position(after)
        return format_board(canonical), exact(canonical, self.rules)

    def write(self, folder, bounds, name=""):
        file = folder / (name or self.name)
        file.write_text("".join(f"{with_checksum(bound)}\n" for bound in bounds))
        return file


@pytest.fixture(scope="module")
def honest(databases):
    @cache
    def honest(board, rules):
        game = Kalah(*board, STORED[rules])
        return Case(game, rules, tuple(honest_bounds(game, rules)), databases)

    return honest


def honest_bounds(game, rules):
    """Yield the bounds of the first positions, by moves, and pieces below them."""
    layer = [game.start()]
    for nodes in ("moves", "moves", "57"):
        next_layer = {}
        for state in layer:
            value = exact(state, rules)
            yield f"{format_board(state)} >= {value} {nodes}"
            yield f"{format_board(state)} <= {value} {nodes}"
            for pit in game.moves(state):
                after = game.play(state, pit)
                if not game.is_over(after):
                    next_layer[normalize_position(after)[0]] = None
        layer = [*next_layer]
    for state in layer:
        yield f"{format_board(state)} ? {exact(state, rules) + 2} 9"


def shift_margin(bound, by):
    """Return the bound with another margin."""
    board, relation, margin, nodes = bound.split(" ")
    return f"{board} {relation} {int(margin) + by} {nodes}"


def strengthen(bound, by=2):
    """Return a bound that is better than the true one."""
    return shift_margin(bound, by if ">=" in bound else -by)


def contradict(bound):
    """Return a bound of the other kind that contradicts this one."""
    return shift_margin(flip_relation(bound), 2 if "<=" in bound else -2)


def too_good_moves(case):
    """Return bounds of the moves that make them better than the start."""
    bounds = []
    for pit in range(case.game.pits):
        board, value = case.after(pit)
        if case.game.play(case.game.start(), pit).player == SOUTH:
            bounds.append(f"{board} >= {value + 4} 5")
        else:
            bounds.append(f"{board} <= {value - 4} 5")
    return bounds


def flip_relation(bound):
    return bound.replace(">=", "=>").replace("<=", ">=").replace("=>", "<=")


def circular_bounds(case):
    """Return too good bounds of the start and its moves, all of which follow from moves."""
    bounds = []
    for board, value in [(case.start, case.value), *map(case.after, range(case.game.pits))]:
        bounds.append(f"{board} >= {value + 2} moves")
        bounds.append(f"{board} <= {value + 2} moves")
    return bounds


def exchange_players(bound):
    board, rest = bound.split(" ", 1)
    pits, _, _, *counts = board[1:-1].split(",")
    half = int(pits)
    return f"<{pits},0,0,{','.join(counts[half:] + counts[:half])}> {rest}"


def as_piece(bound):
    return bound.replace(" moves", " 3")


def by_moves(bound):
    return " ".join([*bound.split(" ")[:3], "moves"])


def claim(case, by):
    """Return the start's value as two pieces, off by a number of stones."""
    return [f"{case.start} {relation} {case.value + by} 9" for relation in (">=", "<=")]


OTHER = {"standard": "empty-capture", "empty-capture": "standard"}
REFUSED = "refused when it is read, by each program"
FALSE = "read, but not verified"
FORGERIES = {
    # what is claimed
    "a larger start hides a false claim": (
        REFUSED,
        lambda c: [f"{c.start} >= {c.value + 2} 5", f"{c.other_start(1)} >= -3 3"],
    ),
    "a trivial line about a larger start hides a false claim": (
        REFUSED,
        lambda c: [
            f"{c.start} >= {c.value + 2} 5",
            f"{c.other_start(1)} >= {-c.total - 2 * c.game.pits} 3",
        ],
    ),
    "a smaller start has a false line": (
        REFUSED,
        lambda c: [*c.bounds, f"{c.other_start(-1)} >= {c.total - 2 * c.game.pits - 2} 3"],
    ),
    "two claims": (REFUSED, lambda c: [*c.bounds, f"{c.start} >= {c.value + 2} 5"]),
    "too good a claim": (FALSE, lambda c: claim(c, 2)),
    "too bad a claim": (FALSE, lambda c: claim(c, -2)),
    "a claim far off, in 10^17 nodes": (
        FALSE,
        lambda c: [f"{c.start} {relation} {c.value + 2} {10**17}" for relation in (">=", "<=")],
    ),
    "a claim between two values": (
        FALSE,
        lambda c: [f"{c.start} >= {c.value + 1} 5", f"{c.start} <= {c.value + 2} 5"],
    ),
    "a claim that says nothing": (
        REFUSED,
        lambda c: [f"{c.start} >= {-c.total} 5", f"{c.start} <= {c.total} 5"],
    ),
    "no claim": (REFUSED, lambda c: [bound for bound in c.bounds if c.start not in bound]),
    "nothing at all": (REFUSED, lambda c: []),
    "open questions only": (REFUSED, lambda c: [f"{c.start} ? {c.value} 5"]),
    # whose it is
    "the players are exchanged": (None, lambda c: [exchange_players(bound) for bound in c.bounds]),
    "all relations are turned": (None, lambda c: [flip_relation(bound) for bound in c.bounds]),
    "another board between": (REFUSED, lambda c: ["<5,0,0,1,1,1,1,1,1,1,1,1,1> >= 0 5", *c.bounds]),
    # how it follows
    "no pieces": (REFUSED, lambda c: [bound for bound in c.bounds if bound.endswith("moves")]),
    "the start alone, by its moves": (
        REFUSED,
        lambda c: [f"{c.start} {relation} {c.value + 2} moves" for relation in (">=", "<=")],
    ),
    "each follows from the others": (
        REFUSED,
        circular_bounds,
    ),
    "all are called pieces": (True, lambda c: [as_piece(bound) for bound in c.bounds]),
    "each bound is better": (None, lambda c: [strengthen(bound) for bound in c.bounds]),
    "each piece is better": (
        None,
        lambda c: [bound if bound.endswith("moves") else strengthen(bound) for bound in c.bounds],
    ),
    "open questions are called answered": (
        None,
        lambda c: [bound.replace("?", ">=") for bound in c.bounds],
    ),
    # duplicates and contradictions
    "each line twice": (True, lambda c: [*c.bounds, *c.bounds]),
    "another order": (True, lambda c: Random(1).sample(c.bounds, len(c.bounds))),
    "a contradicting duplicate below": (
        REFUSED,
        lambda c: [*c.bounds, *map(contradict, c.pieces[:1])],
    ),
    "a contradicting duplicate above": (
        REFUSED,
        lambda c: [*map(contradict, c.pieces[-1:]), *c.bounds],
    ),
    "a move contradicts its position": (REFUSED, lambda c: [*claim(c, 0), *too_good_moves(c)]),
    # boards that are none
    "more than all stones": (REFUSED, lambda c: [*c.bounds, f"{c.start} >= {c.total + 2} 5"]),
    "less than no stones": (REFUSED, lambda c: [*c.bounds, f"{c.start} <= {-c.total - 2} 5"]),
    "a finished board with a false value": (
        REFUSED,
        lambda c: [*c.bounds, f"{c.board_of(3, 0)} >= -1 5"],
    ),
    "a mover without stones": (REFUSED, lambda c: [*c.bounds, f"{c.board_of(0, 4)} >= 2 moves"]),
    "no stones at all": (REFUSED, lambda c: [*c.bounds, f"{c.board_of(0, 0)} >= 0 5"]),
    "full stores": (
        REFUSED,
        lambda c: [*c.bounds, c.board_of(2, 1).replace(",0,0,", ",1,1,", 1) + " >= -1 5"],
    ),
    "a pit too many": (REFUSED, lambda c: [*c.bounds, c.start.replace(">", ",1>") + " >= 0 5"]),
    "negative stones": (
        REFUSED,
        lambda c: [*c.bounds, c.board_of(2, 1).replace(",2,", ",-2,", 1) + " >= 0 5"],
    ),
    # how it is written
    "a huge margin": (REFUSED, lambda c: [*c.bounds, f"{c.start} >= {10**8} 5"]),
    "a margin of 30 digits": (REFUSED, lambda c: [*c.bounds, f"{c.start} <= {10**29} 5"]),
    "nodes of 30 digits": (REFUSED, lambda c: [*c.bounds, f"{c.start} >= {c.value} {10**29}"]),
    "no nodes": (REFUSED, lambda c: [f"{c.start} >= {c.value} 0", *c.bounds]),
    "leading zeros": (
        REFUSED,
        lambda c: [*c.bounds, c.board_of(2, 1).replace(",2,", ",02,", 1) + " >= -3 5"],
    ),
    "zero has a sign": (REFUSED, lambda c: [*c.bounds, f"{c.board_of(2, 1)} >= -0 5"]),
    "two spaces": (REFUSED, lambda c: [*c.bounds, f"{c.start}  >= {c.value} 5"]),
    "a space at the end": (REFUSED, lambda c: [*c.bounds, f"{c.start} >= {c.value} 5 "]),
    "a tab": (REFUSED, lambda c: [*c.bounds, f"{c.start}\t>= {c.value} 5"]),
    "another relation": (REFUSED, lambda c: [*c.bounds, f"{c.start} > {c.value} 5"]),
}


def run_check(capsys, monkeypatch, file, *words):
    """Run the checker that needs the standard library only; return its status and output."""
    monkeypatch.setattr(sys, "argv", ["check.py", str(file), *words])
    capsys.readouterr()
    try:
        CHECK["main"]()
        status = 0
    except SystemExit as stop:
        status = stop.code or 0
    return status, capsys.readouterr().out


WORTH = re.compile(
    r"^(?P<all>all that it needs is proved: )?Kalah\((\d+),(\d+)\) is worth (?P<value>[+-]\d+)"
    r" to the first player( if (?P<pieces>[\d,]+) pieces are true)?$",
    re.MULTILINE,
)


def check_says_the_truth(case, status, out):
    """Compare all that the checker prints with minimax; return whether it says all is proved."""
    moves, start = exact_values(case.game.start(), case.rules), case.game.start()
    proved = status == 0 and "all that it needs is proved" in out
    for match in WORTH.finditer(out):
        board = int(match[2]), int(match[3])
        if match["all"] or match["pieces"] == "0" or proved:
            assert int(match["value"]) == exact(Kalah(*board).start(), case.rules)
    for pit, low, high in re.findall(r"^sowing pit (\d) .* ([+-]\d+) to ([+-]\d+)", out, re.M):
        if proved:
            assert int(low) <= moves[int(pit) - 1] <= int(high)
    if status == 0 and not proved:
        assert re.search(r"^\d+ of \d+ pieces are proved here, [1-9]\d* are not;", out, re.M)
    assert exact(start, case.rules) == case.value
    return proved


def result_or_message(call):
    """Return the result of a call, or the message of its `ValueError`."""
    try:
        return call()
    except ValueError as error:
        return str(error)


def verify_file(case, file, database_stones=DATABASE, **more):
    """Return whether a file is verified, None if it is refused; compare its claim with minimax."""
    sizes = {"folder": case.folder, "workers": 1, "piece_nodes": 10**5}
    sizes["database_stones"] = database_stones
    result = result_or_message(lambda: verify(file, sample=None, **sizes, **more))
    if isinstance(result, str):
        assert file.name in result
        assert "\n" not in result
        return None
    if result.is_verified:
        state = parse_board(result.position)
        lower, upper = result.claim
        assert lower <= exact(state, case.rules) <= upper
        assert (lower, upper) != (-sum(state.board), sum(state.board))
    return result.is_verified


def solve_from_folder(case, folder):
    """Return whether a solve believes nothing of a folder, None if it is refused.

    It must be right then.
    """
    sizes = {"database_stones": DATABASE, "folder": case.folder, "workers": 1, "piece_nodes": 3}
    start = case.game.start()
    result = result_or_message(lambda: solve(start, case.rules, ledger=folder, **sizes))
    if isinstance(result, str):
        assert case.name in result or "make the ledger again" in result
        return None
    assert result.believed or result.value == case.value
    return not result.believed


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize("board", BOARDS)
def test_an_honest_ledger_is_verified_by_all(board, rules, honest, tmp_path, capsys, monkeypatch):
    case = honest(board, rules)
    assert len(case.pieces) > 3
    file = case.write(tmp_path, case.bounds)
    assert verify_file(case, file)
    assert verify_file(case, file, position=case.game.start())
    assert check_says_the_truth(case, *run_check(capsys, monkeypatch, file, "--prove", "9999"))
    assert solve(
        case.game.start(), case.rules, ledger=tmp_path, folder=case.folder
    ).believed == sum(1 for bound in case.bounds if "?" not in bound)


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_ledger_is_refused_or_true(
    forgery, board, rules, honest, tmp_path, capsys, monkeypatch
):
    case, (fate, forge) = honest(board, rules), FORGERIES[forgery]
    file = case.write(tmp_path, forge(case))
    before = file.read_bytes()
    status, out = run_check(capsys, monkeypatch, file)
    all_status, all_out = run_check(capsys, monkeypatch, file, "--prove", "99999")
    proved = (
        check_says_the_truth(case, status, out),
        check_says_the_truth(case, all_status, all_out),
    )
    ours = verify_file(case, file), verify_file(case, file, position=case.game.start())
    if fate == REFUSED:
        assert (status != 0, all_status != 0, ours[0]) == (True, True, None)
    elif fate == FALSE:
        assert (all_status != 0, *ours) == (True, False, False)
    elif fate:
        assert (*ours, proved[1]) == (True, True, True)
    assert file.read_bytes() == before
    solve_from_folder(case, tmp_path)


def change_a_line(bounds, draw):
    """Return the bounds with one line changed at random."""
    index = draw(st.integers(0, len(bounds) - 1))
    by = draw(st.integers(-4, 4))
    line = bounds[index]
    other = bounds[draw(st.integers(0, len(bounds) - 1))]
    ways = {
        "moved": [shift_margin(line, by)],
        "turned": [flip_relation(line)],
        "moved and turned": [shift_margin(flip_relation(line), by)],
        "gone": [],
        "searched": [as_piece(line)],
        "by moves": [by_moves(line)],
        "asked of another": [f"{other.split(' ')[0]} {line.split(' ', 1)[1]}"],
        "exchanged": [exchange_players(line)],
        "besides": [line, shift_margin(line, by)],
    }
    lines = ways[draw(st.sampled_from(sorted(ways)))]
    return [*bounds[:index], *lines, *bounds[index + 1 :]]


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize("board", BOARDS)
@given(data=st.data())
@settings(max_examples=15)
def test_after_any_changes_only_exact_values_are_verified(
    board, rules, honest, tmp_path_factory, data
):
    case = honest(board, rules)
    bounds = list(case.bounds)
    for _ in range(data.draw(st.integers(1, 6))):
        if bounds:
            bounds = change_a_line(bounds, data.draw)
    folder = tmp_path_factory.mktemp("forged")
    file = case.write(folder, bounds)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
        patch.setattr(sys, "argv", ["check.py", str(file), "--prove", "99999"])
        try:
            CHECK["main"]()
            status = 0
        except SystemExit:
            status = 1
    check_says_the_truth(case, status, out.getvalue())
    verify_file(case, file)
    verify_file(case, file, position=case.game.start())
    solve_from_folder(case, folder)


WRONG_NAMES = [
    "chess.txt",
    "kalah-03-standard.txt",
    "kalah-3-nim.txt",
    "kalah-3.txt",
    "3-standard.txt",
]


@pytest.mark.parametrize("name", WRONG_NAMES)
def test_a_file_without_the_name_of_a_ledger_is_refused(
    name, honest, tmp_path, capsys, monkeypatch
):
    case = honest((3, 2), "standard")
    file = case.write(tmp_path, case.bounds, name)
    assert verify_file(case, file) is None
    assert run_check(capsys, monkeypatch, file)[0] != 0


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize("board", BOARDS)
def test_the_name_of_the_file_gives_the_rules_and_no_folder_does(
    board, rules, honest, tmp_path, capsys, monkeypatch
):
    """Verify the bounds of one preset under the name of the other: true there, or not verified."""
    case, other = honest(board, rules), honest(board, OTHER[rules])
    folder = tmp_path / other.rules
    folder.mkdir()
    file = case.write(folder, case.bounds)
    assert verify_file(case, file)
    assert check_says_the_truth(case, *run_check(capsys, monkeypatch, file, "--prove", "9999"))
    file = case.write(folder, case.bounds, other.name)
    if case.value != other.value:
        assert not verify_file(other, file)
    assert check_says_the_truth(
        other, *run_check(capsys, monkeypatch, file, "--prove", "9999")
    ) == (verify_file(other, file) is True)


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize("board", BOARDS)
def test_a_ledger_of_another_number_of_pits_is_refused(
    board, rules, honest, tmp_path, capsys, monkeypatch
):
    case = honest(board, rules)
    file = case.write(tmp_path, case.bounds, case.name.replace(str(board[0]), str(board[0] + 1), 1))
    assert verify_file(case, file) is None
    assert run_check(capsys, monkeypatch, file)[0] != 0


def test_a_cut_off_tail_is_refused_and_other_line_ends_are_accepted(
    honest, tmp_path, capsys, monkeypatch
):
    case = honest((3, 2), "standard")
    file = case.write(tmp_path, case.bounds)
    content = file.read_bytes()
    last = len(content.splitlines(keepends=True)[-1])
    for cut in range(2, last):
        file.write_bytes(content[:-cut])
        assert verify_file(case, file) is None
        assert run_check(capsys, monkeypatch, file)[0] != 0
    file.write_bytes(content.replace(b"\n", b"\r\n"))
    assert verify_file(case, file)
    assert run_check(capsys, monkeypatch, file)[0] == 0
    for strange in (b"\0", b"\xff", b"\xd9\xa3", b"\x0b"):
        file.write_bytes(content + strange)
        assert verify_file(case, file) is None
        assert run_check(capsys, monkeypatch, file)[0] != 0


def test_a_ledger_of_several_starts_is_verified_for_the_one_that_is_named(
    honest, tmp_path, run, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    right, small = honest((3, 3), "standard"), honest((3, 2), "standard")
    file = right.write(tmp_path, [*right.bounds, f"{small.start} >= {small.value + 2} 5"])
    status, out, err = run("solve", "--verify", str(file), "--all")
    assert (status, out) == (1, "")
    assert "bounds on 2 starts" in err
    words = ("solve", "--verify", str(file), "--all", "--json", "--database-stones", "1")
    for stones, status in ((3, 0), (2, 1)):
        ended, out, _ = run(*words, "--pits", "3", "--stones", str(stones))
        [result] = json.loads(out)["ledgers"]
        assert (ended, result["verified"]) == (status, status == 0)
        assert result["position"] == format_board(Kalah(3, stones).start())
    status, _, err = run(*words, "--pits", "3", "--stones", "4")
    assert status == 1
    assert "has no bounds on <3,0,0,4,4,4,4,4,4>" in err.splitlines()[-1]


def test_a_solve_prints_what_it_believes_and_the_command_that_proves_it(
    honest, tmp_path, run, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    case, ledger = honest((3, 2), "standard"), tmp_path / "a ledger"
    ledger.mkdir()
    case.write(ledger, claim(case, 0))
    words = ("solve", "--pits", "3", "--stones", "2", "--database-stones", "1")
    words = (*words, "--ledger", str(ledger))
    status, out, err = run(*words, "--json")
    result = json.loads(out)
    assert (status, result["value"], result["believed"]) == (0, case.value, 2)
    [command] = re.findall(
        r"^2 bounds of the ledger were believed; to prove them again: kalahlab (.*)$", err, re.M
    )
    assert re.search(r"^believed +\d+$", run(*words)[1], re.MULTILINE)
    status, out, _ = run(*shlex.split(command), "--database-stones", "1")
    assert status == 0
    assert re.search(r"^position +<3,0,0,2,2,2,2,2,2>$", out, re.MULTILINE)
    ledger = tmp_path / "new"
    words = ("solve", "--pits", "3", "--stones", "2", "--ledger", str(ledger))
    status, out, err = run(*words)
    assert status == 0
    assert "believed" not in out + err


@pytest.mark.parametrize("rules", STORED)
@pytest.mark.parametrize("board", BOARDS)
def test_a_solve_that_contradicts_its_ledger_is_refused(board, rules, honest, tmp_path):
    case = honest(board, rules)
    case.write(tmp_path, claim(case, 2))
    sizes = {"database_stones": 1, "folder": case.folder, "line": False}
    with pytest.raises(ValueError, match=r"; make the ledger again$"):
        solve(case.game.start(), rules, ledger=tmp_path, moves=True, **sizes)


def test_a_ledger_is_not_its_own_log_and_pieces_proved_by_a_log_are_counted(honest, tmp_path):
    case = honest((3, 2), "standard")
    forged, log = case.write(tmp_path, claim(case, 2)), tmp_path / "log" / case.name
    assert verify_file(case, forged, log=forged) is None
    assert "cannot be the log" in result_or_message(
        lambda: verify(forged, log=log.with_name("kalah-3-empty-capture.txt"), folder=case.folder)
    )
    log.parent.mkdir()
    log.write_bytes(forged.read_bytes())
    result = verify(forged, None, DATABASE, case.folder, log=log)
    assert (result.used, result.logged) == (2, 2)
    assert "2 of 2 pieces proved again (2 of these by the log)" in result.verdict


def test_a_ledger_is_verified_with_a_database_of_no_stones(honest, tmp_path):
    case = honest((3, 2), "standard")
    assert verify_file(case, case.write(tmp_path, case.bounds), database_stones=0)


def test_a_board_too_large_for_the_solver_is_not_verified_by_its_moves(honest, tmp_path):
    case = honest((3, 2), "standard")
    file = case.write(tmp_path, [*case.bounds, "<3,0,0,90,1,1,90,1,1> >= 2 moves"])
    with pytest.raises(ValueError, match=f"{case.name}: '<3,0,0,90,.* at most 127"):
        verify(file, database_stones=1, folder=case.folder)


def test_no_forger_chooses_which_pieces_are_proved(honest, tmp_path, capsys, monkeypatch):
    """Change the nodes of the pieces: the draw must depend on the seed alone."""
    case = honest((3, 3), "standard")
    draws = []
    for seed, nodes in (("1", 1), ("1", 10**9), ("2", 1), ("", 1), ("", 1), ("", 1)):
        bounds = list(case.bounds)
        for index, bound in enumerate(bounds):
            if bound.endswith("57"):
                bounds[index] = f"{bound[:-2]}{nodes + index}"
        file = case.write(tmp_path, bounds)
        words = ("--seed", seed) if seed else ()
        status, out = run_check(capsys, monkeypatch, file, "--prove", "5", *words)
        assert status == 0
        draws.append(re.findall(r"^(<.*): true, ", out, re.MULTILINE))
        assert len(draws[-1]) == 5
        assert re.search(
            r"^5 of (\d+) pieces are proved here, [1-9]\d* are not;", out, re.MULTILINE
        )
        match = re.search(r"^5 pieces drawn by lot, --seed (\d+):$", out, re.MULTILINE)
        again = run_check(capsys, monkeypatch, file, "--prove", "5", "--seed", match[1])[1]
        assert re.findall(r"^(<.*): true, ", again, re.MULTILINE) == draws[-1]
    assert draws[0] == draws[1] != draws[2]
    assert len({*map(tuple, draws[3:])}) > 1


def test_a_piece_that_takes_too_long_is_reported_as_not_proved(
    honest, tmp_path, capsys, monkeypatch
):
    case = honest((3, 3), "standard")
    file = case.write(tmp_path, case.bounds)
    status, out = run_check(capsys, monkeypatch, file, "--prove", "99", "--positions", "100")
    tried, too_long = len(re.findall(r"^<", out, re.M)), out.count(": not proved, ")
    assert (status, tried > too_long > 0) == (0, True)
    assert f"\n{tried - too_long} of {tried} pieces are proved here, {too_long} are not;" in out
    assert "all that it needs is proved" not in out
