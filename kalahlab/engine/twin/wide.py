"""Boards in arrays of 16-bit counts, for wide boards, many stones and relays.

The functions replace those of the same names in the general kernel. A position is the same tuple,
but with the address of a side in place of its word. A board has a slot of memory:

    counts 0-14, 15      South's pits and South's store
    counts 16-30, 31     North's pits and North's store
    count 32             1 if the game is over

The child of a position is written to the slot behind the slot of the position. So the boards of a
line lie one after the other, and a position is valid until its next sibling is made.
"""

from typing import Any

import numpy as np
from numba import carray
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import Words, count_captured, pointer_to, words_at
from kalahlab.engine.twin.table import TAG, claim, tag_of
from kalahlab.engine.twin.workspace import (
    MOST_PITS,
    Position,
    divide_rest,
    fold_row,
    is_to_be_swept,
    row_board,
    spread,
    workspace_at,
)
from kalahlab.games.kalah import (
    SOUTH,
    Kalah,
    State,
    pits_of,
    sowing_path,
    stores,
)
from kalahlab.games.rules import Rules

MAX_STONES = (1 << 15) - 1  # on the board, as a count has 16 bits
SIDE = 16  # the counts of a side
STORE = 15  # the place of the store in a side
OVER = 2 * SIDE
BOARD_WORDS = 2 * SIDE // 4  # a word has four counts
SIDE_WORDS = SIDE // 4
PITS_OF_LAST_WORD = (1 << 48) - 1  # the bits of the last word of a side but those of the store
SLOT_WORDS = 16  # a power of two, so that the address of a side gives that of the slot
SLOT_BYTES = 8 * SLOT_WORDS

Counts = NDArray[np.int16]


def fits(state: State) -> bool:
    """Return whether the arrays can hold a position, and no count is negative."""
    board = state.board
    is_board = len(board) % 2 == 0 and 1 <= pits_of(board) <= MOST_PITS
    return is_board and sum(board) <= MAX_STONES and min(board) >= 0


def next_places(pits: int, rules: Rules) -> NDArray[np.int64]:
    """Return, for each place of a slot, the place of the next stone of a sow of South."""
    half = pits + 1
    layout = rules.sow_opponent_store, rules.direction
    path = sowing_path(SOUTH, 0, pits, False, *layout)
    places = []
    for index in path:
        place = index % half
        if place == pits:
            place = STORE
        places.append(place + SIDE * (index // half))
    successors = np.zeros(2 * SIDE, np.int64)
    successors[places] = places[1:] + places[:1]
    return successors


def allocate_boards(game: Kalah, state: State, plies: int) -> tuple[dict[str, Any], Position]:
    """Allocate the boards of a line of up to `plies` sows, and write the root to the first.

    Returns:
        The fields of a `Workspace`, with the arrays that it keeps alive, and the root.
    """
    rules, player = game.rules, state.player
    memory = np.zeros((plies + 3) * SLOT_WORDS, np.int64)
    first = -memory.ctypes.data % SLOT_BYTES // 8  # the first word whose address is that of a slot
    write_root(state, memory[first : first + SLOT_WORDS].view(np.int16))
    successors = next_places(pits_of(state.board), rules)
    fields = {
        "boards": memory,
        "places": successors,
        "successors": successors.ctypes.data,
        "relay": rules.relay,
        "skip_origin": rules.skip_origin,
        "captures": rules.capture != "never",
        "capture_empty": rules.capture == "always",
        "capturer_stays": rules.capturing_stone == "stays",
        "again_on_store": rules.again_on_store,
        "again_on_capture": rules.again_on_capture,
    }
    slot = memory.ctypes.data + 8 * first
    own_store, opp_store = stores(state.board)
    if player != SOUTH:
        own_store, opp_store = opp_store, own_store
    own, opp = slot + 2 * SIDE * player, slot + 2 * SIDE * (1 - player)
    return fields, (player, own, opp, own_store, opp_store)


def write_root(state: State, counts: Counts) -> None:
    """Write a board to the counts of a slot."""
    half = len(state.board) // 2
    for player in range(2):
        side = state.board[player * half : (player + 1) * half]
        counts[SIDE * player : SIDE * player + half - 1] = side[:-1]
        counts[SIDE * player + STORE] = side[-1]


@inlined
def counts_at(address: int) -> Counts:
    """Return the counts of the slot, or of its rest from a side on, at an address."""
    return carray(pointer_to(address), (OVER + 1,), np.int16)


def stones_in(position: Position, pit: int) -> int:
    """Return the number of stones in a pit of the player to move."""
    return int(counts_at(position[1])[pit])


def is_over(position: Position, w: Any) -> bool:
    """Return whether the game is over, which `make_move` has written to the slot."""
    slot = position[1] & -SLOT_BYTES
    return bool(counts_at(slot)[OVER])


def make_move(position: Position, pit: int, w: Any) -> Position:
    """Write the board after a sow to the next slot, and return its position."""
    player, own, opp, _, _ = position
    slot = own & -SLOT_BYTES
    before, after = words_at(slot), words_at(slot + SLOT_BYTES)
    for word in range(BOARD_WORDS):
        after[word] = before[word]
    counts = counts_at(slot + SLOT_BYTES)
    # The mover's places are 0 to 15; in the slot North's are behind South's.
    flip = SIDE * player
    last = sow_counts(counts, flip, pit, w)
    captured = capture(counts, flip, last, w)
    again = (last == STORE and w.again_on_store != 0) or (captured != 0 and w.again_on_capture != 0)
    if not again:
        player = 1 - player
        own, opp = opp, own
        flip ^= SIDE
    own, opp = own + SLOT_BYTES, opp + SLOT_BYTES
    own_store, opp_store = finish(counts, own, opp, flip, w)
    return player, own, opp, own_store, opp_store


def sow_counts(counts: Counts, flip: int, pit: int, w: Any) -> int:
    """Sow a pit, and go on in a relay; return the place of the last stone, as the mover sees it."""
    successors = words_at(w.successors)
    last = pit
    while True:
        origin = last
        held = counts[origin ^ flip]
        counts[origin ^ flip] = 0
        while held != 0:
            last = successors[last]
            if last == origin and w.skip_origin != 0:
                last = successors[last]
            counts[last ^ flip] += 1
            held -= 1
        if w.relay == 0 or last & (SIDE - 1) == STORE or counts[last ^ flip] == 1:
            return last


def capture(counts: Counts, flip: int, last: int, w: Any) -> int:
    """Capture if the last stone lies alone in a pit of the mover; return the stones banked."""
    if w.captures == 0 or last >= STORE or counts[last ^ flip] != 1:
        return 0
    opposite = (SIDE + w.pits - 1 - last) ^ flip
    captured = count_captured(counts[opposite], w.capture_empty != 0)
    if captured == 0:
        return 0
    counts[opposite] = 0
    if w.capturer_stays != 0:
        captured -= 1
    else:
        counts[last ^ flip] = 0
    counts[STORE ^ flip] += captured
    return int(captured)


def has_no_stones(side: int) -> bool:
    """Return whether all pits of the side at an address are empty."""
    words = words_at(side)
    bits = words[SIDE_WORDS - 1] & PITS_OF_LAST_WORD
    for place in range(SIDE_WORDS - 1):
        bits |= words[place]
    return bool(bits == 0)


def take_stones(side: int) -> int:
    """Empty all pits of the side at an address, and return their stones."""
    counts = counts_at(side)
    taken = 0
    for pit in range(STORE):
        taken += counts[pit]
        counts[pit] = 0
    return taken


def finish(counts: Counts, own: int, opp: int, flip: int, w: Any) -> tuple[int, int]:
    """Note whether the game is over, and sweep if so; return the stores of mover and opponent."""
    own_is_empty, opp_is_empty = has_no_stones(own), has_no_stones(opp)
    own_store, opp_store = counts[STORE ^ flip], counts[(SIDE + STORE) ^ flip]
    if is_to_be_swept(own_is_empty, opp_is_empty, own_store, opp_store, w):
        own_rest, opp_rest = take_stones(own), take_stones(opp)
        own_rest, opp_rest = divide_rest(own_rest, opp_rest, own_store, opp_store, w)
        own_store += own_rest
        opp_store += opp_rest
        counts[STORE ^ flip], counts[(SIDE + STORE) ^ flip] = own_store, opp_store
        own_is_empty = True
    side_ends = own_is_empty or (opp_is_empty and w.mover_ends == 0)
    counts[OVER] = side_ends or max(own_store, opp_store) > w.majority
    return own_store, opp_store


def copy_board(side: int, pits: int, board: Words) -> None:
    """Copy a board, given the address of a side, to an array for an evaluator or a transcript."""
    counts = counts_at(side & -SLOT_BYTES)
    half = pits + 1
    for pit in range(pits):
        board[pit] = counts[pit]
        board[half + pit] = counts[SIDE + pit]
    board[pits] = counts[STORE]
    board[half + pits] = counts[SIDE + STORE]


def log_row(
    own: int, opp: int, ahead: int, player: int, sows: int, alpha: float, beta: float, address: int
) -> None:
    """Enter a node into the transcript of the record at an address."""
    pits = workspace_at(address).pits
    copy_board(own, pits, row_board(address, pits))
    fold_row(player, sows, alpha, beta, address)


def find(position: Position, ply: int, turns: int, w: Any) -> int:
    """Return the address of a position's entry in the table; make one if there is none.

    The board is at the end of the entry, behind the lines.
    """
    board = words_at(position[1] & -SLOT_BYTES)
    tag = tag_of(position[0], ply, turns)
    index = tag
    for place in range(BOARD_WORDS):
        index = spread(index + board[place])
    board_place = w.entry_words - BOARD_WORDS
    while True:
        address: int = w.table + 8 * (index & (w.entries - 1)) * w.entry_words
        entry = words_at(address)
        if entry[TAG] == 0:
            claim(entry, tag, w)
            for place in range(BOARD_WORDS):
                entry[board_place + place] = board[place]
            return address
        is_same = entry[TAG] == tag
        for place in range(BOARD_WORDS):
            is_same &= entry[board_place + place] == board[place]
        if is_same:
            return address
        index += 1
