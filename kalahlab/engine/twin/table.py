"""The transposition table of the compiled searches, as exact as `kalahlab.search.table`.

The table uses open addressing. An entry is (tag, lower, upper, own, opp, own store, line of lower,
line of upper). The tag holds player, sows and turns; it is not 0, as a 0 there is an empty entry.
The bounds are floats from the mover's point of view. A line is 16-bit numbers, its length first. No
entry is ever replaced: if the table fills up, the search raises `TableFull`, and the caller begins
again with a larger table.
"""

from typing import Any

import numpy as np

from kalahlab.engine.packed import words_at
from kalahlab.engine.twin.workspace import MAX_PLIES, MULTIPLIER, Position

# NONE is no bound, as an answer of `probe`. The others are places in an entry; the tag is at 0.
NONE, LOWER, UPPER, OWN, OPP, STORE, LINE = range(7)


class TableFull(Exception):
    """Raised when a search needs more entries than its table has."""


def entry_words(plies: int) -> int:
    """Return the words of an entry with lines of up to `plies` moves."""
    return LINE + 2 * (plies // 4 + 1)


def find(position: Position, ply: int, turns: int, w: Any) -> int:
    """Return the address of a position's entry; make one if there is none."""
    player, own, opp, store, _ = position
    tag = 1 + player + 2 * (turns + (MAX_PLIES + 1) * ply)
    slot = tag
    # The opponent's store follows from these: a game has the same number of stones throughout.
    for word in (own, opp, store):
        slot = (slot + word) * MULTIPLIER
        slot ^= slot >> 32 & 0xFFFFFFFF  # the mask removes the copies of the sign
    while True:
        # the number of entries is a power of 2, so `&` gives the remainder
        address: int = w.table + 8 * (slot & w.entries - 1) * w.entry_words
        entry = words_at(address)
        if entry[0] == 0:
            if 4 * (w.used + 1) > 3 * w.entries:  # at most three quarters are used
                raise TableFull
            w.used += 1
            entry[0], entry[OWN], entry[OPP], entry[STORE] = tag, own, opp, store
            bounds = entry.view(np.float64)
            bounds[LOWER], bounds[UPPER] = -np.inf, np.inf
            return address
        if entry[0] == tag and entry[OWN] == own and entry[OPP] == opp and entry[STORE] == store:
            return address
        slot += 1


def probe(entry: int, alpha: float, beta: float, mover: int, w: Any) -> int:
    """Return the bound that answers a search with this window, else `NONE`.

    If both bounds answer the search, return the one that the textbook takes: the mover's lower
    bound in scout, MAX's lower bound in alpha-beta.
    """
    bounds = words_at(entry).view(np.float64)
    if bounds[LOWER] == bounds[UPPER] and w.null_windows == 0:
        return LOWER if mover == w.max_player else UPPER
    if bounds[LOWER] >= beta or bounds[LOWER] == bounds[UPPER]:
        return LOWER
    if bounds[UPPER] <= alpha:
        return UPPER
    return NONE


def recall(entry: int, bound: int, ply: int, w: Any) -> float:
    """Return the value of a bound; make the line of the bound the best line from this ply."""
    w.recalled += 1
    stored = line_of(entry, bound, w)
    line = words_at(w.lines + 8 * ply * w.plies)
    for index in range(stored[0]):
        line[index] = stored[1 + index]
    words_at(w.lengths)[ply] = stored[0]
    value: float = words_at(entry).view(np.float64)[bound]
    return value


def store(entry: int, ply: int, value: float, alpha: float, beta: float, w: Any) -> None:
    """Narrow the bounds by the result of a search with this window, as the textbook does."""
    # an infinite value is exact in any window
    if value > alpha or value == -np.inf:
        store_bound(entry, LOWER, ply, value, w)
    if value < beta or value == np.inf:
        store_bound(entry, UPPER, ply, value, w)


def store_bound(entry: int, bound: int, ply: int, value: float, w: Any) -> None:
    """Set a bound, and store the best line from this ply as the line of the bound."""
    words_at(entry).view(np.float64)[bound] = value
    stored = line_of(entry, bound, w)
    line = words_at(w.lines + 8 * ply * w.plies)
    stored[0] = words_at(w.lengths)[ply]
    for index in range(stored[0]):
        stored[1 + index] = line[index]


def line_of(entry: int, bound: int, w: Any) -> Any:
    """Return the line of a bound as an array: its length, and then its moves."""
    words = w.plies // 4 + 1  # a word has room for four of the numbers
    return words_at(entry + 8 * (LINE + (bound - LOWER) * words)).view(np.int16)
