"""Proofs in pieces and their ledger."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalahlab.engine.endgame.database import Database, build, open_database
from kalahlab.engine.solver import proof_tree
from kalahlab.engine.solver.ledger import Ledger, Line, from_here, parse_line
from kalahlab.engine.solver.pieces import StartedPiece
from kalahlab.engine.solver.proof_tree import Answer, ProofTree
from kalahlab.engine.solver.solution import Progress
from kalahlab.engine.solver.solve import solve
from kalahlab.engine.solver.verify import Checked, game_of, verify
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah, State, in_play

NAME = "kalah-4-standard.txt"
PIECE = 1024
"""Nodes; so small that small boards take many pieces."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module")
def proved(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of Kalah(4, 4)."""
    out = tmp_path_factory.mktemp("ledger")
    solve(
        Kalah(4, 4).start(), line=False, database_stones=6, workers=1, ledger=out,
        piece_nodes=PIECE, folder=folder,
    )  # fmt: skip
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
def test_a_line_reads_back(line: Line) -> None:
    assert parse_line(str(line)) == line


@given(st.lists(counts, min_size=6, max_size=6), st.integers(0, 1), st.integers(-50, 50))
def test_what_lies_in_the_stores_is_in_the_margin(
    held: list[int], player: int, margin: int
) -> None:
    state = State(tuple(held), player)
    canonical, left = from_here(state, margin)
    assert in_play(canonical.board) == in_play(state.board) == sum(canonical.board)
    difference = held[2] - held[5]
    assert left == margin - (difference if player == SOUTH else -difference)


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(("pits", "stones"), [(2, 6), (3, 5), (4, 3), (4, 4)])
def test_in_pieces_a_board_is_worth_the_same(
    pits: int, stones: int, rules: str, folder: Path, tmp_path: Path
) -> None:
    start, preset = Kalah(pits, stones).start(), PRESETS[rules]
    sizes = {"database_stones": 5, "workers": 2, "folder": folder, "moves": True, "line": False}
    alone = solve(start, preset, **sizes)
    pieces = solve(start, preset, ledger=tmp_path, piece_nodes=PIECE, **sizes)
    assert (pieces.value, pieces.moves) == (alone.value, alone.moves)
    again = solve(start, preset, ledger=tmp_path, piece_nodes=PIECE, guess=4, **sizes)
    assert (again.value, again.moves) == (alone.value, alone.moves)


def test_workers_of_an_executor_keep_a_ledger_too(folder: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = solve(
            Kalah(4, 4).start(), line=False, database_stones=6, workers=2, ledger=tmp_path,
            piece_nodes=PIECE, executor=pool, folder=folder,
        )  # fmt: skip
    assert found.value == 2
    assert verify(tmp_path / NAME, sample=5, database_stones=4, folder=folder).holds


def test_a_ledger_cut_anywhere_is_gone_on_with(proved: Path, folder: Path, tmp_path: Path) -> None:
    whole = proved.read_bytes()
    for place in range(1, len(whole), len(whole) // 7):
        file = tmp_path / str(place) / NAME
        file.parent.mkdir()
        file.write_bytes(whole[:place])
        found = solve(
            Kalah(4, 4).start(), line=False, database_stones=6, workers=1, ledger=file.parent,
            piece_nodes=PIECE, folder=folder,
        )  # fmt: skip
        assert found.value == 2
        assert file.read_bytes()[: place - 200 if place > 200 else 0] in whole
        assert len(Ledger(file).pieces) >= len(Ledger(proved).pieces) // 2


def test_ledgers_are_merged_line_by_line(proved: Path, tmp_path: Path) -> None:
    whole = proved.read_text().splitlines(keepends=True)
    merged = tmp_path / NAME
    merged.write_text("".join([*whole[::2], *reversed(whole), *whole[1::2]]))
    root = Kalah(4, 4).start()
    assert Ledger(merged).bounds(root) == Ledger(proved).bounds(root) == (2, 2)


def test_a_line_that_is_none_is_named(proved: Path, tmp_path: Path) -> None:
    damaged = tmp_path / NAME
    damaged.write_text(proved.read_text().replace(">=", "=>", 1))
    with pytest.raises(ValueError, match=r"line \d+: '<4.*is not a bound such as '<2,"):
        Ledger(damaged)


def test_a_ledger_that_holds_is_said_to(proved: Path, folder: Path) -> None:
    found = verify(proved, sample=40, database_stones=4, folder=folder)
    assert found.holds
    assert found.claim == (2, 2)
    assert found.position == "<4,0,0,4,4,4,4,4,4,4,4>"
    assert found.without_table + found.with_table == min(40, found.used) > 5
    assert found.left == 0


def test_a_bound_that_is_false_is_not_believed(proved: Path, folder: Path, tmp_path: Path) -> None:
    """A needed piece says the opposite: the claim breaks, the piece is contradicted, or unused."""
    checked = Checked(game_of(proved), Ledger(proved), open_database(4, 4, folder=folder))
    assert checked.decide(Kalah(4, 4).start(), 2)
    assert checked.decide(Kalah(4, 4).start(), 3) is False
    needed, small = sorted(checked.used), verify_small(proved, folder)
    for line in needed[:: max(1, len(needed) // 4)]:
        yes = line.relation == ">="
        margin = line.margin + (-1 if yes else 1)
        false = tmp_path / NAME
        opposite = line._replace(relation="<=" if yes else ">=", margin=margin)
        false.write_text(proved.read_text().replace(str(line), str(opposite)))
        found = verify(false, sample=10**6, database_stones=4, folder=folder)
        assert not found.holds or found.small > small


def verify_small(file: Path, folder: Path) -> int:
    return verify(file, sample=0, database_stones=4, folder=folder).small


def test_without_a_piece_it_needs_a_claim_does_not_follow(
    proved: Path, folder: Path, tmp_path: Path
) -> None:
    lines = proved.read_text().splitlines(keepends=True)
    file = tmp_path / NAME
    file.write_text("".join(line for line in lines if " moves" in line))
    with pytest.raises(ValueError, match="holds no proved bound"):
        verify(file, folder=folder)
    checked = Checked(game_of(proved), Ledger(proved), open_database(4, 4, folder=folder))
    checked.decide(Kalah(4, 4).start(), 2)
    largest = max(checked.used, key=lambda line: in_play(line.state.board)).state
    file.write_text("".join(line for line in lines if parse_line(line.strip()).state != largest))
    found = verify(file, sample=0, database_stones=4, folder=folder)
    assert not found.implied or found.small > verify_small(proved, folder)


class Needed:
    """Answers what decides a yes at the start, (3, 2) with 4 asked for; all else runs for ever."""

    workers = 3

    def __init__(self, database: Database) -> None:
        self.database = database
        self.never = 0

    def submit(self, state: State, margin: int, limit: int) -> StartedPiece:
        future: Future[Answer] = Future()
        future.set_running_or_notify_cancel()
        value = self.database.margin(state)
        if in_play(state.board) == 12:
            future.set_result(Answer(None, limit))
        elif (value >= margin) == (margin > 0):  # margins of who moves second are negative here
            future.set_result(Answer(value, 1))
        else:
            self.never += 1
        return StartedPiece(future)

    def close(self) -> None: ...


def test_the_end_of_a_proof_waits_for_no_needless_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_tree, "STOP_SECONDS", 0.0)
    pieces, game = Needed(build(3, 12)), Kalah(3, 2)
    tree = ProofTree(game, lambda state: None, lambda state: 0.0, Ledger(), pieces, 1, 1)
    found = tree.bound(game.start(), 4)
    assert found is not None
    assert found >= 4
    assert pieces.never > 0


def test_a_question_is_told_with_its_pieces_and_what_is_to_come(
    folder: Path, tmp_path: Path
) -> None:
    heard: list[Progress] = []
    solve(
        Kalah(4, 4).start(), line=False, database_stones=6, workers=1, ledger=tmp_path,
        piece_nodes=PIECE, folder=folder, moves=True, progress=heard.append,
    )  # fmt: skip
    asked = [news.question for news in heard if news.question]
    assert {"at least +0", "at least +4", "at most +2"} & {each.claim for each in asked}
    assert all(each.done >= 0 and each.open >= 0 for each in asked)
    assert any(each.forecast is not None for each in asked)
    assert "pieces done" in str(asked[-1])
