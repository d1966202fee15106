"""How programs write a board, and a player: the layouts and codes that the check tries."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Board, State, pits_of, side, stores

Counts = list[int]


@dataclass(frozen=True, repr=False)
class Layout(StableRepr):
    """A way to write a position as a value of Python.

    Attributes:
        name: The name, as in `--board`.
        description: What the value is, for a reader.
        write: Return the value of a position.
        read: Return the board of a value, None if the value is not in this layout.
        has_mover: True if the value tells who is to move.
        containers: What a board in this layout can be made of: keys of `CONTAINERS`.
    """

    name: str
    description: str
    write: Callable[[State], Any]
    read: Callable[[Any], Board | None]
    has_mover: bool = False
    containers: tuple[str, ...] = ("list", "tuple", "array")


def read_counts(value: Any) -> Counts | None:
    """Return a list or tuple of whole numbers as a list, None for another value."""
    if not isinstance(value, list | tuple):
        return None
    if {*map(type, value)} == {int}:
        return [*value]
    if not all(isinstance(count, int | float) and count == int(count) for count in value):
        return None
    return [int(count) for count in value]


def _write_rows(state: State) -> list[Counts]:
    half = len(state.board) // 2
    return [[*state.board[:half]], [*state.board[half:]]]


def _write_rows_apart(state: State) -> list[Counts]:
    board = state.board
    return [[*side(board, 0)], [*side(board, 1)], [*stores(board)]]


def _write_picture(state: State) -> list[Counts]:
    half = len(state.board) // 2
    return [[*state.board[half:]][::-1], [*state.board[:half]]]


def _read_ring(value: Any) -> Board | None:
    counts = read_counts(value)
    if counts is None or len(counts) < 4 or len(counts) % 2:
        return None
    return tuple(counts)


def _read_parts(value: Any, number: int) -> list[Counts] | None:
    """Return a list of lists of counts, None for another value."""
    if not isinstance(value, list | tuple) or len(value) != number:
        return None
    parts = [read_counts(part) for part in value]
    counts = [part for part in parts if part is not None]
    if len(counts) < number or len(counts[0]) != len(counts[1]):
        return None
    return counts


def _read_rows(value: Any) -> Board | None:
    parts = _read_parts(value, 2)
    return None if parts is None else (*parts[0], *parts[1])


def _read_rows_apart(value: Any) -> Board | None:
    parts = _read_parts(value, 3)
    if parts is None or len(parts[2]) != 2:
        return None
    south, north, (south_store, north_store) = parts
    return (*south, south_store, *north, north_store)


def _read_picture(value: Any) -> Board | None:
    parts = _read_parts(value, 2)
    return None if parts is None else (*parts[1], *parts[0][::-1])


def _read_state(value: Any) -> Board | None:
    if isinstance(value, list | tuple) and len(value) == 2:
        return _read_ring(value[0])
    return None


def freeze(value: Any) -> Any:
    """Return a value with tuples in place of its lists."""
    if not isinstance(value, list):
        return value
    return tuple([freeze(part) if isinstance(part, list) else part for part in value])


def _to_array(value: Any) -> Any:
    import numpy as np

    return np.array(value)


LAYOUTS = {
    "ring": Layout(
        "ring",
        "South's pits, South's store, North's pits, North's store",
        lambda state: [*state.board],
        _read_ring,
    ),
    "rows": Layout(
        "rows",
        "two rows, South's and North's, each with its store at the end",
        _write_rows,
        _read_rows,
    ),
    "rows-apart": Layout(
        "rows-apart",
        "South's pits, North's pits, and the two stores",
        _write_rows_apart,
        _read_rows_apart,
        containers=("list", "tuple"),
    ),
    "picture": Layout(
        "picture",
        "two rows as seen from South: North's store and pits from the left, South's and its store",
        _write_picture,
        _read_picture,
    ),
    "pair": Layout(
        "pair",
        "a board in ring order, and the player",
        lambda state: ([*state.board], state.player),
        _read_state,
        has_mover=True,
        containers=("list", "tuple"),
    ),
    "state": Layout(
        "state",
        "kalahlab's State(board, player)",
        lambda state: state,
        _read_state,
        has_mover=True,
        containers=("list",),
    ),
}
"""The layouts by name, the usual ones first."""

CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda value: value,
    "tuple": freeze,
    "array": _to_array,
}
"""What a board is made of: functions that convert a value of lists."""


@dataclass(frozen=True)
class Players:
    """How a program writes South and North."""

    south: Any
    north: Any

    def write(self, player: int) -> Any:
        return self.north if player else self.south

    def read(self, value: Any) -> int | None:
        """Return the player of a value, None if it is neither of the two."""
        if value == self.south:
            return 0
        return 1 if value == self.north else None

    def __str__(self) -> str:
        return f"{self.south!r} for South, {self.north!r} for North"


FLAGS = Players(True, False), Players(False, True)
NUMBERS = Players(0, 1), Players(1, 2), Players(1, -1), Players(1, 0), Players(2, 1)
WORDS = (
    Players("A", "B"),
    Players("south", "north"),
    Players("South", "North"),
    Players("max", "min"),
    Players("MAX", "MIN"),
    Players("player1", "player2"),
    Players("S", "N"),
)


def iter_players(hint: str) -> Iterator[Players]:
    """Yield codes of the two players; those that the parameter's name hints at come first."""
    groups = [FLAGS, NUMBERS, WORDS] if hint == "flag" else [NUMBERS, FLAGS, WORDS]
    for group in groups:
        yield from group


@dataclass(frozen=True, repr=False)
class Numbering(StableRepr):
    """How a program numbers pits, both ways.

    Attributes:
        name: The name, as in `--moves`.
        write: Return the program's number of a pit, for a player and the pits of a side.
        tells_mover: True if each number belongs to one player.
    """

    name: str
    write: Callable[[int, int, int], int]
    tells_mover: bool = False

    def read(self, number: Any, state: State) -> int | None:
        """Return the pit, from 0 from its owner's left; None for a number of none."""
        pits = pits_of(state.board)
        for pit in range(pits):
            if number == self.write(pit, state.player, pits):
                return pit
        return None


NUMBERINGS = (
    Numbering("0 to m-1 from the mover's left", lambda pit, player, pits: pit),
    Numbering("index in the ring", lambda pit, player, pits: player * (pits + 1) + pit, True),
    Numbering("1 to m from the mover's left", lambda pit, player, pits: pit + 1),
    Numbering("1 to 2m around the board", lambda pit, player, pits: player * pits + pit + 1, True),
    Numbering("0 to 2m-1 around the board", lambda pit, player, pits: player * pits + pit, True),
    Numbering(
        "0 to m-1 from South's left", lambda pit, player, pits: pits - 1 - pit if player else pit
    ),
    Numbering(
        "1 to m from South's left", lambda pit, player, pits: pits - pit if player else pit + 1
    ),
)
