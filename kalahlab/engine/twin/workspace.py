"""The shared record of the compiled kernels: rules, limits, buffers, counters and transcript.

Each node passes on the record by its address, as an address is one argument and an array is seven.
"""

import struct
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import carray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import (
    CAPTURE_EMPTY,
    MAX_PITS,
    ROW,
    TABLE_SIZE,
    Words,
    is_extra_turn,
    pointer_to,
    reverse_bytes,
    sowings,
    step,
    step_by_rules,
    stones,
    words_at,
)
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, State, pits_of, stones_in_play
from kalahlab.games.rules import Rules
from kalahlab.search.deep_enough import Depth
from kalahlab.search.observer import Observer

# The names of a record's words, in order, group by group.
FIELDS = (
    # The addresses of the record itself and of `leaf_value`, and 1 if it also values the boards of
    # finished games.
    *("address", "function", "for_finished_games"),
    # The board: the pits of a side, all stones, and 1 if the first pit is in the highest byte.
    *("pits", "stones", "store_first"),
    # The rules: the place of `rest_to` in `RESTS`, 1 if the game only ends when the mover's side is
    # empty, the number of stones above which a store ends the game, and 1 if that sweeps the rest.
    *("rest_to", "mover_ends", "majority", "sweeps_majority"),
    # More rules, which only boards in arrays need; see the module `wide`. successors: the address
    # of `next_places`. The others are 1 or 0, as in `Rules`; captures: 0 if nothing is captured.
    *("successors", "relay", "skip_origin", "captures", "capture_empty", "capturer_stays"),
    *("again_on_store", "again_on_capture"),
    # The search: MAX, the depth limit, 1 if it counts turns, the move order, 1 to prune, 1 to
    # search with null windows, and the sows of the longest line for which there is memory.
    *("max_player", "limit", "by_turn", "order", "prune", "null_windows", "plies"),
    # The counts, as in `Counts`.
    *("generated", "expanded", "evaluated", "cutoffs", "recalled"),
    # The transposition table: the number of entries, which is 0 or a power of 2, the words of an
    # entry, and the number of entries in use.
    *("entries", "entry_words", "used"),
    # Addresses of arrays. root: the pits, from 1, in the order in which the root tries them, or
    # zeros to follow `order`. moves: for each ply, the pits in the order in which they are tried.
    # scores: the scores of the moves of the ply that is being ordered. learned: the memory of
    # orders that learn. lines and lengths: the best line from each ply. sowing: see
    # `sowing_tables`. table: see the module `table`.
    *("root", "moves", "scores", "learned", "lines", "lengths", "sowing", "table"),
    # The transcript: its checksum, and the number of nodes entered.
    *("checksum", "entered"),
)
MOST_PITS = 15  # of a side, on boards in arrays; see the module `wide`
ZEROS: dict[str, Any] = dict.fromkeys(FIELDS, 0)
PLACES = {name: place for place, name in enumerate(FIELDS)}
COUNTS = slice(PLACES["generated"], PLACES["recalled"] + 1)
ROW_PLACE = len(PLACES)  # the place in a record of the row that is entered into a transcript
BOARD_COLUMN = 4  # the place in this row where the board starts
MULTIPLIER = 0x5851F42D4C957F2D  # an odd number that spreads the bits of what is hashed
MASK = (1 << 64) - 1  # for Python, whose products do not wrap
RECORD = np.dtype(
    [
        *((name, np.int64) for name in FIELDS),
        # The row of a node in a transcript. `write_board` may write beyond the end of a board of up
        # to `MAX_PITS` pits a side; there is room for a board of the module `wide`.
        *(("player", np.int64), ("sows", np.int64), ("alpha", np.float64), ("beta", np.float64)),
        ("board", np.int64, 2 * MOST_PITS + 2),
    ]
)

OWNER, FINISHER, LEADER, NOBODY = range(4)
RESTS = ("owner", "finisher", "leader", "nobody")
INFINITE = 1 << 62  # more than any number of stones
MAX_PLIES = 512  # the longest line that is searched; the textbook's recursion reaches about half
# The place of the ceiling, behind the three sowing tables. `raise_alpha` in the fast kernel raises
# alpha at most to the ceiling.
CEILING = 3 * TABLE_SIZE
# The place of the four numbers to which the fast kernel adds the counts of a search.
TOTALS = CEILING + 1

# The player to move, the words of this player and of the opponent, and the stores of the two.
Position = tuple[int, int, int, int, int]


class Workspace(StableRepr):
    """A record for a search from a position, and behind it the buffers of the search.

    Args:
        state: The position.
        plies: The sows of the longest line for which there is memory.
        **fields: Further numbers of the record, by the names of `FIELDS`, and arrays that the
            workspace keeps alive, as their addresses are among the numbers.
    """

    def __init__(self, state: State, plies: int = 0, **fields: Any) -> None:
        pits = pits_of(state.board)
        places, size = buffer_places(pits, plies)
        self.words = np.zeros(size, np.int64)
        self.address: int = self.words.ctypes.data
        self._fields = fields
        self._length_place, self._line_place = places["lengths"], places["lines"]
        # In the order of `FIELDS`; names of arrays come after them.
        numbers = ZEROS | fields
        numbers |= {name: self.address + 8 * place for name, place in places.items()}
        numbers |= {"address": self.address, "max_player": state.player, "plies": plies}
        numbers |= {"pits": pits, "stones": sum(state.board)}
        # One assignment, as each takes as long as ten numbers in a list.
        self.words[:ROW_PLACE] = [*numbers.values()][:ROW_PLACE]

    def order_root(self, pits: Sequence[int]) -> None:
        """Let the root try pits, which are counted from 1, in this order."""
        place = self._length_place - len(pits)  # the buffer of the root ends there
        self.words[place : self._length_place] = pits

    def line_from_root(self) -> tuple[int, ...]:
        """Return the best line from the root."""
        # The first length and the first line are those from the root.
        begin, length = self._line_place, self.words[self._length_place]
        return tuple(self.words[begin : begin + length].tolist())


@cache
def buffer_places(pits: int, plies: int) -> tuple[dict[str, int], int]:
    """Return the places of the buffers behind a record, by name, and the words of all together."""
    sizes = {"root": pits, "lengths": plies + 1, "lines": plies * plies, "scores": pits}
    # `learned` has four killers for each ply, and then a number for each pit of both players.
    sizes |= {"moves": plies * pits, "learned": 4 * plies + 2 * pits}
    places: dict[str, int] = {}
    place = RECORD.itemsize // 8
    for name, size in sizes.items():
        places[name] = place
        place += size
    return places, place


def search_fields(game: Kalah, state: State, depth: Depth) -> dict[str, int]:
    """Return the numbers of a `Workspace` for the rules, and for a search to a depth."""
    # At ply MAX_PLIES kernels raise RecursionError for a node that is not a leaf.
    limit = plies = min(depth.limit, MAX_PLIES + 1)
    by_turn = depth.unit == "turn"
    if by_turn:  # each extra turn banks a stone, so there are at most as many as stones in play
        plies += stones_in_play(state.board)
    rules = game.rules
    return {
        **rule_fields(rules, sum(state.board)),
        "limit": limit,
        "by_turn": by_turn,
        "plies": min(plies, MAX_PLIES),
    }


def rule_fields(rules: Rules, stones_on_board: int) -> dict[str, int]:
    """Return the fields of a `Workspace` for the rules that are not in the sowing tables."""
    majority = INFINITE
    if rules.majority != "ignore":
        majority = stones_on_board // 2
    return {
        "rest_to": RESTS.index(rules.rest_to),
        "mover_ends": int(rules.end == "mover"),
        "majority": majority,
        "sweeps_majority": int(rules.majority == "sweep"),
    }


@inlined
def workspace_at(address: int) -> Any:
    """Return the record at an address."""
    return carray(pointer_to(address), (1,), RECORD)[0]


@inlined
def write_board(south: int, north: int, lead: int, w: Any, board: Words) -> None:
    """Write a position as a board. `lead` is South's store minus North's.

    The loops always write seven pits of a side, as a constant number is faster. What they write
    beyond the last pit is overwritten by the next part of the board, or is never read.
    """
    half = len(board) // 2
    in_stores = w.stones - stones(south) - stones(north)
    if w.store_first != 0:
        # the reversed pits are in the highest bytes; the bits below them are unused
        unused = 8 * (MAX_PITS + 2 - half)
        south, north = reverse_bytes(south) >> unused, reverse_bytes(north) >> unused
    for pit in range(MAX_PITS):
        board[pit] = (south >> (8 * pit)) & 255
    for pit in range(MAX_PITS):
        board[half + pit] = (north >> (8 * pit)) & 255
    # the sum and the difference of the stores give each store
    board[half - 1] = (in_stores + lead) >> 1
    board[2 * half - 1] = (in_stores - lead) >> 1


@cache  # keeps the tables alive as long as their address is in use
def sowing_tables(pits: int, rules: Rules, store_first: bool = False, prune: bool = True) -> Words:
    """Return the tables for `sow`, one after the other, and then the ceiling; see `CEILING`.

    Args:
        pits: The pits of a side.
        rules: The rules of a sow; see `sowings`.
        store_first: Put the first pit into the highest byte.
        prune: Let the ceiling raise alpha.
    """
    places = tuple(range(pits))
    if store_first:
        places = places[::-1]
    own, opp, effect = sowings(pits, places, rules)
    ceiling = INFINITE if prune else -INFINITE
    return np.concatenate((own, opp, effect, [ceiling]))


@cache
def sowing_address(pits: int, rules: Rules) -> int:
    """Return the address of `sowing_tables`."""
    return int(sowing_tables(pits, rules).ctypes.data)


def sow(own: int, opp: int, index: int, sowing: int) -> tuple[int, int, int, bool]:
    """Sow a pit, given its entry in the tables.

    Returns:
        The two words, the stones banked, and True if the same player moves again.
    """
    words = words_at(sowing)
    effect = words[index + 2 * TABLE_SIZE]
    own_sown, opp_sown = words[index], words[index + TABLE_SIZE]
    capture_empty = (effect & CAPTURE_EMPTY) != 0
    own, opp, banked = step(own, opp, own_sown, opp_sown, effect, capture_empty)
    return own, opp, banked, is_extra_turn(effect)


def stones_in(position: Position, pit: int) -> int:
    """Return the number of stones in a pit of the player to move."""
    own = position[1]
    return (own >> (8 * pit)) & 255


def sow_by_rules(own: int, opp: int, index: int, sowing: int) -> tuple[int, int, int, int, bool]:
    """Sow a pit under any rules, given its entry in the tables.

    Returns:
        The two words, the stones that the mover and that the opponent banks, and True if the same
        player moves again.
    """
    words = words_at(sowing)
    own_sown, opp_sown = words[index], words[index + TABLE_SIZE]
    return step_by_rules(own, opp, own_sown, opp_sown, words[index + 2 * TABLE_SIZE])


def make_move(position: Position, pit: int, w: Any) -> Position:
    """Return the position after a sow; swept if the game ended, unless nobody gets the rest."""
    player, own, opp, own_store, opp_store = position
    index = pit * ROW + stones_in(position, pit)
    own, opp, banked, lost, again = sow_by_rules(own, opp, index, w.sowing)
    own_store += banked
    opp_store += lost
    if not again:
        player = 1 - player
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    if is_to_be_swept(own == 0, opp == 0, own_store, opp_store, w):
        own_rest, opp_rest = divide_rest(stones(own), stones(opp), own_store, opp_store, w)
        return player, 0, 0, own_store + own_rest, opp_store + opp_rest
    return player, own, opp, own_store, opp_store


def is_to_be_swept(
    own_is_empty: bool, opp_is_empty: bool, own_store: int, opp_store: int, w: Any
) -> bool:
    """Return whether the game has ended and somebody gets the rest."""
    if w.rest_to == NOBODY:
        return False
    if own_is_empty or (opp_is_empty and w.mover_ends == 0):
        return True
    has_majority: bool = max(own_store, opp_store) > w.majority
    return has_majority and w.sweeps_majority != 0


def divide_rest(own: int, opp: int, own_store: int, opp_store: int, w: Any) -> tuple[int, int]:
    """Return the stones that the mover and the opponent get, given those in their pits."""
    if w.rest_to == FINISHER:
        return opp, own
    if w.rest_to == LEADER and own_store > opp_store:
        return own + opp, 0
    if w.rest_to == LEADER and own_store < opp_store:
        return 0, own + opp
    return own, opp


def is_over(position: Position, w: Any) -> bool:
    """Return whether the game is over. Both sides are empty after a sweep."""
    _, own, opp, own_store, opp_store = position
    if own == 0 or (opp == 0 and w.mover_ends == 0):
        return True
    has_majority: bool = max(own_store, opp_store) > w.majority
    return has_majority


def spread(number: int) -> int:
    """Return a number whose bits all depend on all lower bits of the argument."""
    product = number * MULTIPLIER
    return product ^ ((product >> 32) & 0xFFFFFFFF)  # the mask removes the copies of the sign


class Transcript(Observer):
    """A checksum of the nodes that a search entered, which both backends can compute.

    Each entered node is a row of whole numbers: the player to move, the sows from the root to the
    node, the window from MAX's point of view (the bits of two floats) and the board. All rows are
    folded in order into one 64-bit checksum. A textbook search calls `enter`, as the transcript is
    its observer. Kernels call `log_row` instead.
    """

    def __init__(self) -> None:
        self.checksum = self.entered = 0

    def enter(self, node: Any, alpha: float, beta: float) -> None:
        self.entered += 1
        window = struct.pack("2d", alpha + 0.0, beta + 0.0)  # + 0.0 turns -0.0 into 0.0
        window_bits = struct.unpack("2Q", window)
        for number in (node.state.player, node.sows, *window_bits, *node.state.board):
            mixed = ((self.checksum + number) * MULTIPLIER) & MASK
            self.checksum = mixed ^ (mixed >> 32)

    def record_fields(self) -> dict[str, Any]:
        """Return the fields of a record with which a kernel continues this transcript."""
        return {"checksum": np.uint64(self.checksum).astype(np.int64), "entered": self.entered}

    def load_events(self, workspace: Workspace) -> None:
        """Take over checksum and number of nodes from a kernel that continued this transcript."""
        self.entered = int(workspace.words[PLACES["entered"]])
        self.checksum = int(workspace.words[PLACES["checksum"]]) & MASK


def log_row(
    own: int, opp: int, ahead: int, player: int, sows: int, alpha: float, beta: float, address: int
) -> None:
    """Enter a node into the transcript of the record at an address; see `Transcript`."""
    w = workspace_at(address)
    south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
    write_board(south, north, lead, w, row_board(address, w.pits))
    fold_row(player, sows, alpha, beta, address)


def row_board(address: int, pits: int) -> Words:
    """Return the board in the row of the record at an address."""
    return words_at(address + 8 * (ROW_PLACE + BOARD_COLUMN))[: 2 * pits + 2]


def fold_row(player: int, sows: int, alpha: float, beta: float, address: int) -> None:
    """Complete the row, whose board is there, and fold it into the checksum."""
    w = workspace_at(address)
    low, high = (alpha, beta) if player == w.max_player else (-beta, -alpha)
    # + 0.0 turns -0.0 into 0.0, as `Transcript.enter` does
    w.player, w.sows, w.alpha, w.beta = player, sows, low + 0.0, high + 0.0
    row = words_at(address + 8 * ROW_PLACE)
    checksum = w.checksum
    for place in range(BOARD_COLUMN + 2 * w.pits + 2):
        checksum = spread(checksum + row[place])
    w.checksum = checksum
    w.entered += 1
