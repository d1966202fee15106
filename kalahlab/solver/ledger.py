"""Ledgers: proved bounds as lines of text, which can be stored, committed and merged.

A ledger is a folder with a file for each board and its rules, such as `kalah-6-standard.txt`. Each
line of a file is a bound:

    <6,0,0,9,0,0,9,9,13,10,0,9,8,2,0> >= 3 132674 8ca58817

The first part of a line is the position, in Kalah Game Protocol, with empty stores, seen from its
mover. The second part is `>=` or `<=`, and the third is the bound: the least or the greatest number
of stones that the mover gets from the position on, minus those that the opponent gets. The fourth
part is the number of nodes of the proof, or `moves` if the bound follows from the bounds of the
positions a move on. The last part is the CRC-32 of the text before it.

A line with `?` in place of `>=` is an open question: is the position worth at least the third part?
A search of as many nodes as the fourth part did not decide it.

The order of lines has no meaning: two ledgers are merged by appending one to the other.
"""

import os
import re
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, pits_of, side, stones_in_play, stores
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import STANDARD, Rules
from kalahlab.games.supported import from_file_name

SYNC_SECONDS = 1.0  # between two waits for the disk; a wait takes as long as a small piece
Bounds = tuple[int, int]  # the least and the greatest value
# Position, relation, margin, nodes: a line without its checksum. No ledger has longer numbers; the
# limits keep a damaged line from being read as an immense number.
LINE_PATTERN = re.compile(r"(<[\d,]{1,99}>) (>=|<=|\?) (-?\d{1,9}) (\d{1,18}|moves)")


class Line(NamedTuple):
    """A line of a ledger.

    Attributes:
        state: The position, with empty stores.
        relation: `>=`, `<=` or `?`.
        margin: The bound; with `?` the margin asked for.
        nodes: The nodes of the search, or 0 if the bound follows from those of the moves.
    """

    state: State
    relation: str
    margin: int
    nodes: int

    def __str__(self) -> str:
        nodes = self.nodes or "moves"
        bound = f"{format_board(self.state)} {self.relation} {self.margin} {nodes}"
        return f"{bound} {checksum(bound)}"

    @property
    def key(self) -> tuple[State, str, int]:
        """The line without its nodes, which differ from proof to proof."""
        return self.state, self.relation, self.margin


def checksum(bound: str) -> str:
    """Return the CRC-32 of a line without its checksum, as 8 hex digits."""
    return f"{crc32(bound.encode('ascii')):08x}"


def parse_line(text: str) -> Line:
    """Parse a line. Raise ValueError unless a ledger would write the line in just this way."""
    bound, _, check = text.rpartition(" ")
    match = LINE_PATTERN.fullmatch(bound)
    if match is None:
        example = "<2,0,0,3,0,1,2> >= 1 57 265491b0"
        raise ValueError(f"{text[:99]!r} is not a bound such as {example!r}")
    if check != checksum(bound):
        raise ValueError(
            f"{text[:99]!r} does not match its checksum; delete the line, "
            "and kalahlab solve --ledger FOLDER proves it again"
        )
    board, relation, margin, nodes_or_moves = match.groups()
    nodes = 0 if nodes_or_moves == "moves" else int(nodes_or_moves)
    line = Line(parse_board(board), relation, int(margin), nodes)
    if str(line) != text:
        raise ValueError(f"{text[:99]!r} must be written as {str(line)!r}")
    return line


def parse_file_name(file: Path) -> Kalah:
    """Return the game whose positions are in a ledger's file, by the file's name.

    The game has no stones, as positions of all openings are in one file.
    """
    match = re.fullmatch(r"kalah-([1-9][0-9]{0,8})-(.+)", file.stem)
    rules = from_file_name(match[2]) if match else None
    if match is None or rules is None:
        raise ValueError(
            f"{file.name!r} is not the name of a ledger's file, such as kalah-6-standard.txt"
        )
    return Kalah(int(match[1]), 0, rules)


def margin_step(rules: Rules) -> int:
    """Return the distance of a position's possible margins from one another.

    The margins have the parity of the stones in play, unless stones may stay on the board.
    """
    return 1 if rules.rest_to == "nobody" else 2


def normalize_position(state: State, margin: int = 0) -> tuple[State, int]:
    """Return a position with its mover as South and with empty stores, and its margin.

    The result's margin is `margin` minus the store difference (the mover's store minus the
    opponent's). For example, a mover who needs a margin of 5 and is 3 ahead in the stores needs 2
    more from the position on.

    Without `margin` the second result is minus the store difference: subtract it from the value of
    the normalized position to get the value of `state`.
    """
    board = state.board
    half = len(board) // 2
    south, north = board[: half - 1], board[half:-1]
    difference = board[half - 1] - board[-1]  # of the stores; this is called often, so no `stores`
    if state.player == SOUTH:
        return State((*south, 0, *north, 0), SOUTH), margin - difference
    return State((*north, 0, *south, 0), SOUTH), margin + difference


def is_start(state: State) -> bool:
    """Return whether all pits hold the same number of stones, and the stores are empty."""
    counts = {*side(state.board, SOUTH), *side(state.board, NORTH)}
    return len(counts) == 1 and not any(stores(state.board))


def progress_key(state: State, direction: str = "counterclockwise") -> tuple[int, int]:
    """Return a key that gets smaller with each move.

    Sorted by this key, a position comes after all positions that its moves lead to. A move that
    banks a stone leaves fewer stones in play. A move that banks none only moves stones towards the
    store on the side of its mover: to the right, or to the left if the direction is `clockwise`.
    """
    steps_right = 0  # of all stones, from the leftmost pit of their side
    for player in (SOUTH, NORTH):
        for pit, count in enumerate(side(state.board, player)):
            steps_right += pit * count
    steps_to_store = -steps_right if direction == "clockwise" else steps_right
    return stones_in_play(state.board), -steps_to_store


class Ledger(StableRepr):
    """Proved bounds of positions with empty stores, in memory and, if there is a file, on disk.

    `add` writes a line to the file before it returns. If the last wait for the disk was at least
    `SYNC_SECONDS` ago, `add` also waits for the disk. Else the line is on disk after the next wait,
    or when the system writes it.

    Args:
        file: The file; it need not exist.
        resume: Continue the file: make its folder, and remove a last line that has no end because
            its writer was killed.
        rules: The rules of a ledger without a file. The name of a file says its rules.

    Attributes:
        pieces: The lines of bounds that were searched.
        inferred: The positions with bounds that follow from their moves.
        read: The number of bounds from the file, which are not proved again.

    Raises:
        ValueError: The file is not a ledger, or its bounds contradict each other. The message names
            the line or the position.
    """

    def __init__(
        self, file: Path | None = None, resume: bool = False, rules: Rules = STANDARD
    ) -> None:
        if file is not None:
            rules = parse_file_name(file).rules
        self._step = margin_step(rules)
        self._bounds: dict[State, Bounds] = {}
        # The open questions, (position, margin), and the most nodes that did not decide them.
        self._open: dict[tuple[State, int], int] = {}
        self._file = file
        self._synced = 0.0  # the time of the last wait for the disk
        self.pieces: list[Line] = []
        self.inferred: set[State] = set()
        self.read = 0
        if file is not None and resume:
            file.parent.mkdir(parents=True, exist_ok=True)
        if file is not None and file.exists():
            self._read(file, resume)

    @property
    def nodes(self) -> int:
        """The nodes of all pieces and of all questions that stayed open."""
        return sum(line.nodes for line in self.pieces) + sum(self._open.values())

    def bounds(self, state: State) -> Bounds:
        """Return the proved bounds of the mover's final margin, which includes the stores.

        At first the bounds are the margins if all stones in play go to one of the players.
        """
        canonical, offset = normalize_position(state)
        total = stones_in_play(state.board)
        lower, upper = self._bounds.get(canonical, (-total, total))
        return lower - offset, upper - offset

    def narrow(self, state: State, lower: int, upper: int) -> None:
        """Add bounds in memory only, without a line.

        `lower` is rounded up, and `upper` down, to a possible margin; see `margin_step`.

        Raises:
            ValueError: The bounds contradict those proved before.
        """
        canonical, offset = normalize_position(state)
        parity = stones_in_play(state.board) % 2
        known_lower, known_upper = self.bounds(canonical)
        lower += offset
        upper += offset
        lower += (lower - parity) % self._step
        upper -= (upper - parity) % self._step
        lower, upper = max(lower, known_lower), min(upper, known_upper)
        if lower > upper:
            raise ValueError(
                f"the bounds on {format_board(canonical)} contradict each other: "
                f"together at least {lower} and at most {upper}; make the ledger again"
            )
        self._bounds[canonical] = lower, upper

    def _check_consistency(self, game: Kalah) -> None:
        """Raise ValueError for a position whose bounds contradict those of its moves."""
        checked: dict[State, Bounds] = {}

        def bounds_of_move(state: State, move: int) -> Bounds:
            """Return the bounds of a move's value to the mover of `state`."""
            after = game.play(state, move)
            if game.is_over(after):
                margin = game.margin(after, state.player)
                return margin, margin
            canonical, offset = normalize_position(after)
            total = stones_in_play(after.board)
            lower, upper = checked.get(canonical, (-total, total))
            lower, upper = lower - offset, upper - offset
            if after.player != state.player:
                lower, upper = -upper, -lower
            return lower, upper

        key = partial(progress_key, direction=game.rules.direction)
        for state in sorted(self._bounds, key=key):  # so that successors come first
            lower, upper = self._bounds[state]
            moves = [bounds_of_move(state, move) for move in game.moves(state)]
            # The mover gets at least the lower bound of any move, and at most the highest of the
            # moves' upper bounds.
            lower = max(lower, max(move_lower for move_lower, _ in moves))
            upper = min(upper, max(move_upper for _, move_upper in moves))
            if lower > upper:
                raise ValueError(
                    f"the bounds on {format_board(state)} and on its moves contradict each other: "
                    f"together at least {lower} and at most {upper}; make the ledger again"
                )
            checked[state] = lower, upper

    def was_open(self, state: State, margin: int, limit: int) -> bool:
        """Return whether a search of at least `limit` nodes left a question open.

        Args:
            state: The position, normalized.
            margin: The margin asked for.
            limit: The limit of nodes.
        """
        return self._open.get((state, margin), 0) >= limit

    def add_answer(self, state: State, margin: int, bound: int | None, nodes: int) -> None:
        """Add a line with the answer to "is the position worth at least `margin`?".

        Args:
            state: The position, normalized.
            margin: The margin asked for.
            bound: The bound that was proved, or None if the question stayed open.
            nodes: The nodes of the proof; 0 if the moves imply the bound.
        """
        if bound is None:
            self.add(Line(state, "?", margin, nodes))
        elif bound >= margin:
            self.add(Line(state, ">=", bound, nodes))
        else:
            self.add(Line(state, "<=", bound, nodes))

    def add(self, line: Line) -> None:
        """Add a line, also to the file if there is one."""
        self._remember(line)
        if self._file is None:
            return
        # Each line is one write without a buffer: if the process is killed, no earlier line is
        # lost.
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
        total = stones_in_play(line.state.board)
        if line.relation == ">=":
            self.narrow(line.state, line.margin, total)
        else:
            self.narrow(line.state, -total, line.margin)
        if line.nodes:
            self.pieces.append(line)
        else:
            self.inferred.add(line.state)

    def _read(self, file: Path, resume: bool) -> None:
        game = parse_file_name(file)
        data = file.read_bytes()
        if resume:  # cut off a last line that has no end
            data = data[: data.rfind(b"\n") + 1]
            os.truncate(file, len(data))
        for number, text in enumerate(data.splitlines(), start=1):
            try:
                # Other bytes become text, so that the message can show the line.
                line = parse_line(text.decode("ascii", "backslashreplace"))
                if pits_of(line.state.board) != game.pits or any(stores(line.state.board)):
                    raise ValueError(
                        f"{format_board(line.state)} is not a board of {game.pits} pits a side (as "
                        "by the file's name) with empty stores"
                    )
                if game.is_over(line.state):
                    raise ValueError(
                        f"on {format_board(line.state)} the game is over; delete the line"
                    )
                self._remember(line)
                if line.relation != "?":
                    self.read += 1
            except ValueError as error:
                raise ValueError(f"{file}, line {number}: {error}") from None
        try:
            self._check_consistency(game)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
