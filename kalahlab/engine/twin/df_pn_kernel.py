"""The kernel of df-pn on packed boards: it visits the nodes of `search.df_pn` in the same order.

The table uses open addressing. An entry is (own pits, opponent's pits, tag, proof number, disproof
number); the tag holds the player and the own store, and is not 0. As in the textbook, no entry is
ever replaced: if the table fills up, the kernel raises `TableFull`, and the caller begins again
with a larger one.
"""

from functools import cache
from typing import Any

from kalahlab.engine.compiled import jit
from kalahlab.engine.packed import Words, words_at
from kalahlab.engine.twin.table import TableFull
from kalahlab.engine.twin.workspace import Position, is_over, make_move, spread, workspace_at

OWN, OPP, TAG, PN, DN, ENTRY_WORDS = range(6)
INFINITE = 1 << 62
MOST = 1 << 60  # a number beyond it cannot be added to others


def find(position: Position, w: Any) -> Words:
    """Return the entry of a position; its tag is 0 if the position has none."""
    player, own, opp, own_store, _ = position
    # The opponent's store follows from the rest: a game has the same number of stones throughout.
    tag = 1 + player + 2 * own_store
    index = spread(spread(spread(tag) + own) + opp)
    while True:
        # The number of entries is a power of 2, so `&` gives the remainder.
        entry = words_at(w.table + 8 * (index & (w.entries - 1)) * ENTRY_WORDS)
        if entry[TAG] == 0:
            return entry
        if entry[TAG] == tag and entry[OWN] == own and entry[OPP] == opp:
            return entry
        index += 1


def look_up(position: Position, at_least: int, address: int) -> tuple[int, int]:
    """Return the proof and disproof number of a position, as far as they are known."""
    w = workspace_at(address)
    if is_over(position, w):
        margin = position[3] - position[4]
        if position[0] != w.max_player:
            margin = -margin
        return (0, INFINITE) if margin >= at_least else (INFINITE, 0)
    entry = find(position, w)
    if entry[TAG] == 0:
        return 1, 1
    return entry[PN], entry[DN]


def store(position: Position, pn: int, dn: int, w: Any) -> None:
    """Write the numbers of a position into the table."""
    entry = find(position, w)
    if entry[TAG] == 0:
        if 4 * w.used >= 3 * w.entries:
            raise TableFull
        w.used += 1
        player, own, opp, own_store, _ = position
        entry[OWN], entry[OPP], entry[TAG] = own, opp, 1 + player + 2 * own_store
    entry[PN], entry[DN] = pn, dn


def add(first: int, second: int) -> int:
    """Return the sum of two numbers, either of which may be infinite."""
    if first == INFINITE or second == INFINITE:
        return INFINITE
    if first + second > MOST:
        raise OverflowError("proof numbers that are too large for compiled code")
    return first + second


def log_visit(position: Position, pn_limit: int, dn_limit: int, w: Any) -> None:
    """Fold a visit into the checksum of the record."""
    player, own, opp, own_store, _ = position
    checksum = w.checksum
    for number in (player, own, opp, own_store, pn_limit, dn_limit):
        checksum = spread(checksum + number)
    w.checksum = checksum
    w.entered += 1


def visit(position: Position, pn_limit: int, dn_limit: int, at_least: int, address: int) -> int:
    """Search below a position until one of its numbers reaches its limit.

    Returns:
        1 if the limit of nodes, `limit` of the record, is reached; else 0.
    """
    w = workspace_at(address)
    log_visit(position, pn_limit, dn_limit, w)
    if is_over(position, w):
        return 0
    if w.expanded >= w.limit:
        return 1
    w.expanded += 1
    for pit in range(w.pits):
        if (position[1] >> (8 * pit)) & 255 != 0:
            w.generated += 1
    is_or_node = position[0] == w.max_player
    # At an OR node `least` is the proof number and `total` the disproof number; at an AND node the
    # other way round.
    least_limit, total_limit = (pn_limit, dn_limit) if is_or_node else (dn_limit, pn_limit)
    while True:
        least, second, total, best_pit, best_total = INFINITE, INFINITE, 0, -1, 0
        for pit in range(w.pits):
            if (position[1] >> (8 * pit)) & 255 == 0:
                continue
            pn, dn = look_up(make_move(position, pit, w), at_least, address)
            child_least, child_total = (pn, dn) if is_or_node else (dn, pn)
            total = add(total, child_total)
            if best_pit < 0 or child_least < least:
                second = least
                least, best_pit, best_total = child_least, pit, child_total
            else:
                second = min(second, child_least)
        pn, dn = (least, total) if is_or_node else (total, least)
        store(position, pn, dn, w)
        if pn >= pn_limit or dn >= dn_limit or pn == 0 or dn == 0:
            return 0
        child_least = min(least_limit, add(second, 1))
        child_total = total_limit
        if total_limit != INFINITE:
            child_total = total_limit - (total - best_total)
        pn, dn = (child_least, child_total) if is_or_node else (child_total, child_least)
        if visit(make_move(position, best_pit, w), pn, dn, at_least, address) != 0:
            return 1


@cache
def kernel() -> Any:
    """Compile `visit`."""
    return jit(visit, "int64(UniTuple(int64, 5), int64, int64, int64, int64)")


@cache
def probe_kernel() -> Any:
    """Compile `look_up`."""
    return jit(look_up, "UniTuple(int64, 2)(UniTuple(int64, 5), int64, int64)")
