"""What was proved, bound by bound, as text that can be kept, committed and merged.

A ledger is a folder with a file for each board and its rules, `kalah-6-standard.txt`. A line of it
is a bound:

    <6,0,0,9,0,0,9,9,13,10,0,9,8,2,0> >= 3 132674 8ca58817

the position in Kalah Game Protocol with empty stores, seen from its mover; what its mover gets from
here on, minus what the other gets, at least (`>=`) or at most (`<=`); the nodes that it took, or
`moves` if it follows from the bounds of the positions a move on; the CRC-32 of all that stands
before. `?` in place of `>=` says that these nodes did not decide whether it is at least that much.

The order of lines means nothing: two ledgers are merged by putting one below the other.
"""

import os
import re
import time
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from kalahlab.engine.supported import solved_presets
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, in_play, pits_of, side, stores
from kalahlab.games.notation import format_board, parse_board

SYNC_SECONDS = 1.0  # between two waits for the disk, which take as long as a small piece
Bounds = tuple[int, int]  # a value is at least and at most
LINE = re.compile(r"(<[\d,]{1,99}>) (>=|<=|\?) (-?\d{1,9}) (\d{1,18}|moves)")


class Line(NamedTuple):
    """A position with empty stores, `>=`, `<=` or `?`, a margin, and nodes, 0 for moves."""

    state: State
    relation: str
    margin: int
    nodes: int

    def __str__(self) -> str:
        how = self.nodes or "moves"
        bound = f"{format_board(self.state)} {self.relation} {self.margin} {how}"
        return f"{bound} {checksum(bound)}"


def checksum(bound: str) -> str:
    return f"{crc32(bound.encode('ascii')):08x}"


def parse_line(text: str) -> Line:
    bound, _, check = text.rpartition(" ")
    if not (found := LINE.fullmatch(bound)):
        example = "<2,0,0,3,0,1,2> >= 1 57 265491b0"
        raise ValueError(f"{text[:99]!r} is not a bound such as {example!r}")
    if check != checksum(bound):
        raise ValueError(
            f"{text[:99]!r} is not as it was written, by its checksum; "
            "take it out, and kalahlab solve --ledger FOLDER proves it again"
        )
    nodes = 0 if found[4] == "moves" else int(found[4])
    line = Line(parse_board(found[1]), found[2], int(found[3]), nodes)
    if str(line) != text:
        raise ValueError(f"{text[:99]!r} is not written as {str(line)!r}")
    return line


def game_of(file: Path) -> Kalah:
    presets = solved_presets()
    found = re.fullmatch(r"kalah-([1-9][0-9]{0,8})-(.+)", file.stem)
    if not found or found[2] not in presets:
        raise ValueError(
            f"{file.name!r} is not the name of a ledger's file, as kalah-6-standard.txt"
        )
    return Kalah(int(found[1]), 0, presets[found[2]])


def from_here(state: State, margin: int = 0) -> tuple[State, int]:
    """A position seen from its mover, its stores empty, and a margin less the store difference."""
    own, opp = side(state.board, state.player), side(state.board, 1 - state.player)
    banked = stores(state.board)
    difference = banked[state.player] - banked[1 - state.player]
    return State((*own, 0, *opp, 0), SOUTH), margin - difference


def is_start(state: State) -> bool:
    """Return whether all pits hold the same number of stones, and the stores none."""
    held = {*side(state.board, SOUTH), *side(state.board, NORTH)}
    return len(held) == 1 and not any(stores(state.board))


def progress(state: State) -> tuple[int, int]:
    """Return a key that falls with each move: sort by it to have positions after those that follow.

    A move that banks nothing moves stones to the right, on the side of its mover, and no others.
    """
    sides = side(state.board, SOUTH), side(state.board, NORTH)
    return in_play(state.board), -sum(pit * held for pits in sides for pit, held in enumerate(pits))


class Ledger(StableRepr):
    """Proved bounds of positions with empty stores, in memory and, if there is a file, in it.

    A line is in the file before `add` returns, and on disk within `SYNC_SECONDS` or by the next
    line. resume: a line without an end was cut off while it was written, and is taken away; a
    folder is made. `ValueError` names the line of a file that is no ledger. read: how many bounds
    came from the file; nobody proved them again.
    """

    def __init__(self, file: Path | None = None, resume: bool = False) -> None:
        self._bounds: dict[State, Bounds] = {}
        self._open: dict[tuple[State, int], int] = {}
        self._file = file
        self._synced = 0.0
        self.pieces: list[Line] = []
        self.inferred: set[State] = set()
        self.read = 0
        if file is not None and resume:
            file.parent.mkdir(parents=True, exist_ok=True)
        if file is not None and file.exists():
            self._read(file, resume)

    @property
    def nodes(self) -> int:
        return sum(line.nodes for line in self.pieces) + sum(self._open.values())

    def bounds(self, state: State) -> Bounds:
        """What is proved; at first, that each stone goes to one of the two. Stores count."""
        (canonical, missing), total = from_here(state), in_play(state.board)
        lower, upper = self._bounds.get(canonical, (-total, total))
        return lower - missing, upper - missing

    def narrow(self, state: State, lower: int, upper: int) -> None:
        """Remember bounds without a line; from here, margins are odd if the stones in play are.

        Raises `ValueError` if nothing lies between them and those that are known.
        """
        (canonical, missing), odd = from_here(state), in_play(state.board) % 2
        known, lower, upper = self.bounds(canonical), lower + missing, upper + missing
        lower, upper = lower + (lower % 2 != odd), upper - (upper % 2 != odd)
        lower, upper = max(lower, known[0]), min(upper, known[1])
        if lower > upper:
            raise ValueError(
                f"what is said of {format_board(canonical)} contradicts itself: "
                f"together at least {lower} and at most {upper}; make the ledger again"
            )
        self._bounds[canonical] = lower, upper

    def _check_consistency(self, game: Kalah) -> None:
        """Raise `ValueError` for a position whose bounds contradict those of its moves."""
        found: dict[State, Bounds] = {}

        def worth(state: State, move: int) -> Bounds:
            """Return what a move is worth to its mover."""
            after = game.play(state, move)
            if game.over(after):
                margin = game.margin(after, state.player)
                return margin, margin
            canonical, missing = from_here(after)
            lower, upper = found.get(canonical, (-in_play(after.board), in_play(after.board)))
            lower, upper = lower - missing, upper - missing
            return (lower, upper) if after.player == state.player else (-upper, -lower)

        for state in sorted(self._bounds, key=progress):
            moves = [worth(state, move) for move in game.moves(state)]
            lower = max(self._bounds[state][0], *(least for least, _ in moves))
            upper = min(self._bounds[state][1], max(most for _, most in moves))
            if lower > upper:
                raise ValueError(
                    f"what is said of {format_board(state)} and of its moves contradicts itself: "
                    f"together at least {lower} and at most {upper}; make the ledger again"
                )
            found[state] = lower, upper

    def was_open(self, state: State, margin: int, limit: int) -> bool:
        return self._open.get((state, margin), 0) >= limit

    def keep(self, state: State, margin: int, bound: int | None, nodes: int) -> None:
        """Enter what is proved of "at least `margin`?", or None. nodes: 0 if the moves imply it."""
        relation = "?" if bound is None else ">=" if bound >= margin else "<="
        self.add(Line(state, relation, margin if bound is None else bound, nodes))

    def add(self, line: Line) -> None:
        self._remember(line)
        if self._file is None:
            return
        with self._file.open("ab", buffering=0) as out:
            out.write(f"{line}\n".encode("ascii"))
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                os.fsync(out.fileno())
                self._synced = time.monotonic()

    def _remember(self, line: Line) -> None:
        if line.relation == "?":
            key = line.state, line.margin
            self._open[key] = max(line.nodes, self._open.get(key, 0))
            return
        total = in_play(line.state.board)
        at_least = line.relation == ">="
        self.narrow(line.state, *((line.margin, total) if at_least else (-total, line.margin)))
        if line.nodes:
            self.pieces.append(line)
        else:
            self.inferred.add(line.state)

    def _read(self, file: Path, resume: bool) -> None:
        game, data = game_of(file), file.read_bytes()
        if resume:
            data = data[: data.rfind(b"\n") + 1]
            os.truncate(file, len(data))
        for number, text in enumerate(data.splitlines(), start=1):
            try:
                line = parse_line(text.decode("ascii", "backslashreplace"))
                if pits_of(line.state.board) != game.pits or any(stores(line.state.board)):
                    raise ValueError(
                        f"{format_board(line.state)} is not a board of {game.pits} pits a side, as "
                        "the file's name says, with empty stores"
                    )
                if game.over(line.state):
                    raise ValueError(f"on {format_board(line.state)} the game is over; take it out")
                self._remember(line)
                self.read += line.relation != "?"
            except ValueError as error:
                raise ValueError(f"{file}, line {number}: {error}") from None
        try:
            self._check_consistency(game)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
