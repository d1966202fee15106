"""What the kernels read and write while they search, play by and log.

One record is handed down at every node, by its address: an array is seven arguments.
"""

import struct
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
from numba import carray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import (
    MAX_PITS,
    ROW,
    TABLE_SIZE,
    Words,
    again,
    pointer_to,
    reverse_bytes,
    sowings,
    step,
    stones,
    words_at,
)
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, State, in_play, pits_of
from kalahlab.search.deep_enough import Depth
from kalahlab.search.observer import Observer

FIELDS = (
    *("address", "function"),  # its own, and of `leaf_value`
    *("pits", "stones", "store_first"),  # whether the first pit is in the highest byte
    *("to_finisher", "mover_ends", "majority"),  # a store above `majority` ends the game
    # there is memory for lines of `plies` sows
    *("max_player", "limit", "by_turn", "order", "prune", "null_windows", "plies"),
    *("generated", "expanded", "evaluated", "cutoffs", "recalled"),  # as in `Counts`
    # the transposition table: its entries, a power of 2 or 0, their words, and those in use
    *("entries", "entry_words", "used"),
    # Addresses. root: the pits, from 1, in the order in which the root tries them, or zeros
    # where `order` says it. moves: of each ply, in the order in which they are tried. scores:
    # by which a ply is ordered. learned: what an order has learned. lines, lengths: the best
    # line from each ply. sowing: the address of `sowing_tables`. table: see `table`.
    *("root", "moves", "scores", "learned", "lines", "lengths", "sowing", "table"),
    *("checksum", "entered"),  # the transcript
)
PLACES = {name: place for place, name in enumerate(FIELDS)}
COUNTS = slice(PLACES["generated"], PLACES["recalled"] + 1)
LOGGED = len(PLACES)  # where a record has what is entered into a transcript
BOARD_COLUMN = 4  # where in that the board starts
MULTIPLIER = 0x5851F42D4C957F2D
MASK = (1 << 64) - 1
RECORD = np.dtype(
    [
        *((name, np.int64) for name in FIELDS),
        # what is entered into a transcript of a node; the board has more places than are read
        *(("player", np.int64), ("sows", np.int64), ("alpha", np.float64), ("beta", np.float64)),
        ("board", np.int64, 2 * MAX_PITS + 2 + MAX_PITS),
    ]
)

NEVER = INFINITE = 1 << 62
MAX_PLIES = 512  # of a line of play that is followed; the textbook reaches about half of it
CAPTURE_EMPTY = 1 << 25  # the bit of each effect that says whether empty pits are captured
CEILING = 3 * TABLE_SIZE  # where the tables say how far a mover's value may narrow the window

Position = tuple[int, int, int, int, int]  # player, its own word and the other's, both stores


class Workspace(StableRepr):
    """A record, with the numbers given by the names of its fields, and what these point to."""

    def __init__(self, state: State, **given: Any) -> None:
        self.words = np.zeros(RECORD.itemsize // 8, np.int64)
        self.given, self.address = given, int(self.words.ctypes.data)
        given |= {"address": self.address, "max_player": state.player}
        given |= {"pits": pits_of(state.board), "stones": sum(state.board)}
        for name in given.keys() & PLACES.keys():
            self.words[PLACES[name]] = given[name]

    def line(self) -> tuple[int, ...]:
        pits, plies, memory = self.given["pits"], self.given["plies"], self.given["memory"]
        return tuple(memory[pits + plies + 1 :][: memory[pits]].tolist())


def room(game: Kalah, state: State, depth: Depth, root: Sequence[int] = ()) -> dict[str, Any]:
    """The rules, the depth, the order of the root's moves, and memory for lines so long."""
    pits, by_turn = pits_of(state.board), depth.unit == "turn"
    limit = min(depth.limit, MAX_PLIES + 1)  # a node there is no leaf: its line is too long
    # each extra turn banks a stone, so they are limited too
    plies = min(limit + in_play(state.board) * by_turn, MAX_PLIES)
    sizes = {"root": pits, "lengths": plies + 1, "lines": plies * plies, "scores": pits}
    sizes |= {"moves": plies * pits, "learned": 4 * plies + 2 * pits}
    memory = np.zeros(sum(sizes.values()), np.int64)
    memory[: len(root)] = root
    starts = accumulate(sizes.values(), lambda at, size: at + 8 * size, initial=memory.ctypes.data)
    rules = game.rules
    return {
        **dict(zip(sizes, starts, strict=False)),
        "memory": memory,
        "sowing": sowing_tables(pits, rules.capture_empty).ctypes.data,
        "to_finisher": rules.rest_to == "finisher",
        "mover_ends": rules.end == "mover",
        "majority": sum(state.board) // 2 if rules.early_stop else NEVER,
        "limit": limit,
        "by_turn": by_turn,
        "plies": plies,
    }


@inlined
def workspace_at(address: int) -> Any:
    return carray(pointer_to(address), (1,), RECORD)[0]


@inlined
def write_board(south: int, north: int, lead: int, w: Any, board: Words) -> None:
    """Write a position as a board. lead: South's store minus North's. All seven bytes of a side are
    written at a stroke; the next part goes over what is too much."""
    half = len(board) // 2
    in_stores = w.stones - stones(south) - stones(north)
    if w.store_first != 0:
        unused = 8 * (MAX_PITS + 2 - half)
        south, north = reverse_bytes(south) >> unused, reverse_bytes(north) >> unused
    for pit in range(MAX_PITS):
        board[pit] = south >> 8 * pit & 255
    for pit in range(MAX_PITS):
        board[half + pit] = north >> 8 * pit & 255
    board[half - 1] = (in_stores + lead) >> 1
    board[2 * half - 1] = (in_stores - lead) >> 1


@cache  # which keeps the tables as long as their address is in use
def sowing_tables(
    pits: int, capture_empty: bool, store_first: bool = False, prune: bool = True
) -> Words:
    """What `sown` reads, and the ceiling. store_first: the first pit is in the highest byte."""
    own, opp, effect = sowings(pits, tuple(range(pits))[:: -1 if store_first else 1])
    ceiling = INFINITE if prune else -INFINITE
    return np.concatenate((own, opp, effect | CAPTURE_EMPTY * capture_empty, [ceiling]))


def sown(own: int, opp: int, at: int, sowing: int) -> tuple[int, int, int, bool]:
    """(own, opp, stones banked, whether again) after a sow. at: the pit's entry in the tables."""
    words = words_at(sowing)
    effect = words[at + 2 * TABLE_SIZE]
    empty = effect & CAPTURE_EMPTY != 0
    own, opp, banked = step(own, opp, words[at], words[at + TABLE_SIZE], effect, empty)
    return own, opp, banked, again(effect)


def stones_in(position: Position, pit: int) -> int:
    return position[1] >> 8 * pit & 255


def played(position: Position, pit: int, w: Any) -> Position:
    """The position after a sow, swept if it ended the game."""
    player, own, opp, own_store, opp_store = position
    own, opp, banked, extra = sown(own, opp, pit * ROW + (own >> 8 * pit & 255), w.sowing)
    own_store += banked
    if not extra:
        player = 1 - player
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    if own == 0 or (opp == 0 and w.mover_ends == 0):
        rest, other = stones(own), stones(opp)
        if w.to_finisher != 0:
            rest, other = other, rest
        return player, 0, 0, own_store + rest, opp_store + other
    return player, own, opp, own_store, opp_store


def ended(position: Position, w: Any) -> bool:
    """Whether the game is over. A side that counts is not empty before it is swept."""
    return position[1] == 0 or max(position[3], position[4]) > w.majority


class Transcript(Observer):
    """Which nodes a search entered, as one number that both backends can compute.

    Each entered node is a row of whole numbers: the player to move, the sows below the root, the
    window as MAX sees it (the bits of two floats) and the board. All rows are folded in order into
    one 64-bit checksum. This observes a textbook search; a kernel has `log_row` for it.
    """

    def __init__(self) -> None:
        self.checksum = self.entered = 0

    def enter(self, node: Any, alpha: float, beta: float) -> None:
        self.entered += 1
        window = struct.unpack("2Q", struct.pack("2d", alpha + 0.0, beta + 0.0))  # -0.0 as 0.0
        for number in (node.state.player, node.sows, *window, *node.state.board):
            mixed = (self.checksum + number) * MULTIPLIER & MASK
            self.checksum = mixed ^ mixed >> 32

    def given(self) -> dict[str, Any]:
        """What a record needs for a kernel to go on with it."""
        return {"checksum": np.uint64(self.checksum).astype(np.int64), "entered": self.entered}

    def read(self, workspace: Workspace) -> None:
        self.entered = int(workspace.words[PLACES["entered"]])
        self.checksum = int(workspace.words[PLACES["checksum"]]) & MASK


def log_row(
    own: int, opp: int, ahead: int, player: int, sows: int, alpha: float, beta: float, address: int
) -> None:
    w = workspace_at(address)
    south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
    low, high = (alpha, beta) if player == w.max_player else (-beta, -alpha)
    w.player, w.sows, w.alpha, w.beta = player, sows, low + 0.0, high + 0.0
    row, width = words_at(address + 8 * LOGGED), BOARD_COLUMN + 2 * w.pits + 2
    write_board(south, north, lead, w, row[BOARD_COLUMN:width])
    checksum = w.checksum
    for place in range(width):
        checksum = (checksum + row[place]) * MULTIPLIER
        checksum ^= checksum >> 32 & 0xFFFFFFFF
    w.checksum = checksum
    w.entered += 1
