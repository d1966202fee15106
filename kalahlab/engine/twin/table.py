"""The transposition table of the compiled searches, as exact as `kalahlab.search.table`.

The table uses open addressing. An entry is (tag, lower bound, upper bound, own pits, opponent's
pits, own store, line of the lower bound, line of the upper bound). The tag holds player, sows and
turns. A tag of 0 marks an empty entry, so 1 is added to the tags of positions. The bounds are
floats from the mover's point of view. A line is 16-bit numbers, its length first. No entry is ever
replaced: if the table fills up, the search raises `TableFull`, and the caller begins again with a
larger table.
"""

from typing import Any

import numpy as np

from kalahlab.engine.packed import words_at
from kalahlab.engine.twin.workspace import MAX_PLIES, Position, spread

TAG, LOWER, UPPER, OWN, OPP, STORE, LINE = range(7)  # places in an entry
NONE = 0  # the answer of `probe` if no bound does; other answers are LOWER and UPPER


class TableFull(Exception):
    """Raised when a search needs more entries than its table has."""


def entry_words(plies: int) -> int:
    """Return the words of an entry with lines of up to `plies` moves."""
    return LINE + 2 * line_words(plies)


def line_words(plies: int) -> int:
    """Return the words of a line: room for its length and `plies` moves, four numbers a word."""
    return plies // 4 + 1


def find(position: Position, ply: int, turns: int, w: Any) -> int:
    """Return the address of a position's entry; make one if there is none."""
    player, own, opp, store, _ = position
    tag = tag_of(player, ply, turns)
    # The opponent's store follows from the rest: a game has the same number of stones throughout.
    index = tag
    for word in (own, opp, store):
        index = spread(index + word)
    while True:
        # the number of entries is a power of 2, so `&` gives the remainder
        address: int = w.table + 8 * (index & (w.entries - 1)) * w.entry_words
        entry = words_at(address)
        if entry[TAG] == 0:
            claim(entry, tag, w)
            entry[OWN], entry[OPP], entry[STORE] = own, opp, store
            return address
        if entry[TAG] == tag and entry[OWN] == own and entry[OPP] == opp and entry[STORE] == store:
            return address
        index += 1


def tag_of(player: int, ply: int, turns: int) -> int:
    """Return the tag of a position, which is not 0."""
    return 1 + player + 2 * (turns + (MAX_PLIES + 1) * ply)


def claim(entry: Any, tag: int, w: Any) -> None:
    """Give an empty entry its tag, and bounds that say nothing."""
    if 4 * (w.used + 1) > 3 * w.entries:  # at most three quarters are used
        raise TableFull
    w.used += 1
    entry[TAG] = tag
    bounds = entry.view(np.float64)
    bounds[LOWER], bounds[UPPER] = -np.inf, np.inf


def probe(address: int, alpha: float, beta: float, mover: int, w: Any) -> int:
    """Return the bound of an entry that answers a search with this window, else `NONE`.

    If both bounds answer the search, return the one that the textbook takes: the mover's lower
    bound in scout, MAX's lower bound in alpha-beta.
    """
    bounds = words_at(address).view(np.float64)
    if bounds[LOWER] == bounds[UPPER] and w.null_windows == 0:
        return LOWER if mover == w.max_player else UPPER
    if bounds[LOWER] >= beta or bounds[LOWER] == bounds[UPPER]:
        return LOWER
    if bounds[UPPER] <= alpha:
        return UPPER
    return NONE


def recall(address: int, bound: int, ply: int, w: Any) -> float:
    """Return the value of a bound; make the line of the bound the best line from this ply."""
    w.recalled += 1
    stored = line_of(address, bound, w)
    line = words_at(w.lines + 8 * ply * w.plies)
    for index in range(stored[0]):
        line[index] = stored[1 + index]
    words_at(w.lengths)[ply] = stored[0]
    value: float = words_at(address).view(np.float64)[bound]
    return value


def store(address: int, ply: int, value: float, alpha: float, beta: float, w: Any) -> None:
    """Narrow the bounds by the result of a search with this window, as the textbook does."""
    # an infinite value is exact in any window
    if value > alpha or value == -np.inf:
        store_bound(address, LOWER, ply, value, w)
    if value < beta or value == np.inf:
        store_bound(address, UPPER, ply, value, w)


def store_bound(address: int, bound: int, ply: int, value: float, w: Any) -> None:
    """Set a bound, and store the best line from this ply as the line of the bound."""
    words_at(address).view(np.float64)[bound] = value
    stored = line_of(address, bound, w)
    line = words_at(w.lines + 8 * ply * w.plies)
    stored[0] = words_at(w.lengths)[ply]
    for index in range(stored[0]):
        stored[1 + index] = line[index]


def line_of(address: int, bound: int, w: Any) -> Any:
    """Return the line of a bound as an array: its length, and then its moves."""
    place = LINE + (bound - LOWER) * line_words(w.plies)
    return words_at(address + 8 * place).view(np.int16)
