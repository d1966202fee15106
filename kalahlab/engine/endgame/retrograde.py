"""Endgame values by retrograde analysis: of each position with few stones, without recursion.

A move that banks a stone leads to fewer stones in play, to values that are there already. A
move that banks none leaves its stones on the mover's own side and lowers that half-board's
rank. So with N ascending, and within a pair of blocks {s, N - s} the rows of the smaller
side in ascending order, each row needs finished ones only:

    low(x, y)   the owner of row x moves:    after a quiet move, -high(x', y) with x' < x
    high(x, y)  the owner of column y moves: after a quiet move, -low(x, y')

A whole row is computed at a time. For the mover `low`, a move of x acts on the row of all y
in the same way. For `high`, the moves of all y are sorted beforehand into classes that
gain, pass on and land alike, so that each class is one loop without branches.

Values are the stones that the mover will bank from here to the end minus the opponent's;
when a side is empty, the owner keeps the rest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, kernel
from kalahlab.engine.endgame.layout import Layout, half_boards, places, rank
from kalahlab.engine.packed import (
    MAX_PITS,
    NOWHERE,
    ROW,
    Sowings,
    again,
    gain,
    landing,
    sowings,
    stones,
)

LOWEST = -127
"""Below every value; what a position is worth before its moves are looked at."""

QUIET, AGAIN, LONE = 0, 1, 2
"""How a sow ends: anywhere else, in the own store, or alone in the own pit LONE + pit."""

RANK = (1 << 24) - 1
"""`emptied` keeps a rank in its low 24 bits and the pit's stones above."""


class Halves(NamedTuple):
    """What is known of each half-board by itself, listed by stones and then by rank.

    begin: by stones, the first half-board of so many. words: the pits. spread: at
    spread_begin[stones, d] + rank, the rank after d stones were sown onto the side.
    emptied: at begin * pits + pit * halves + rank, the rank after the pit was captured, and
    its stones above `RANK`.
    classes: by stones, rows (how it ends, stones banked, stones passed on, first move, end)
    that end with a row of -1. origin, quiet, lone: by move, the ranks before it, after it,
    and after it if it captured.
    """

    begin: NDArray[np.int64]
    words: NDArray[np.int64]
    spread_begin: NDArray[np.int64]
    spread: NDArray[np.uint32]
    emptied: NDArray[np.uint32]
    classes: NDArray[np.int64]
    origin: NDArray[np.uint32]
    quiet: NDArray[np.uint32]
    lone: NDArray[np.uint32]


class Sources(NamedTuple):
    """All that the values of a block are computed from: those that are there, and the tables."""

    values: NDArray[np.int8]
    layout: Layout
    tables: Halves
    sowing: Sowings
    capture_empty: bool


def halves_bytes(pits: int, count: int) -> int:
    """Memory that `Halves` takes for up to `count` stones."""
    boards = half_boards(pits, count)
    spread = half_boards(pits + 1, count)
    return 8 * boards + 4 * spread + 16 * pits * boards + 40 * (count + 1) * (pits * count + 2)


@inlined
def ending(after: int, effect: int) -> int:
    """`QUIET`, `AGAIN` or `LONE` + pit byte, given the mover's word after the sow."""
    if again(effect):
        return AGAIN
    if landing(effect) != NOWHERE and after >> landing(effect) & 127 == 1:
        return LONE + landing(effect) // 8
    return QUIET


@inlined
def open_classes(
    cursor: NDArray[np.int64], base: int, first: int, classes: NDArray[np.int64]
) -> None:
    """Turn the classes' sizes into their first moves, and list the classes that occur."""
    listed = 0
    for kind in range(cursor.size):
        size = cursor[kind]
        cursor[kind] = first
        if size:
            classes[listed, 0] = kind // (base * base)
            classes[listed, 1] = kind // base % base
            classes[listed, 2] = kind % base
            classes[listed, 3] = first
            classes[listed, 4] = first + size
            listed += 1
            first += size


@kernel()
def list_words(count: int, layout: Layout, tables: Halves) -> None:
    """Put each half-board of `count` stones where its rank says."""
    first, begin = MAX_PITS - layout.pits, tables.begin[count]
    word, used = 0, 0
    while True:  # an odometer over all pits but the last, which holds the rest
        whole = word + (count - used << 8 * (MAX_PITS - 1))
        tables.words[begin + rank(whole, layout.ranks)] = whole
        place = first
        while place < MAX_PITS - 1:
            if used < count:
                word += 1 << 8 * place
                used += 1
                break
            digit = word >> 8 * place & 127
            word -= digit << 8 * place
            used -= digit
            place += 1
        if place == MAX_PITS - 1:
            return


@kernel()
def list_changes(count: int, layout: Layout, tables: Halves) -> None:
    """What the opponent's moves do to half-boards of `count` stones."""
    pits, boards, begin = layout.pits, layout.halves[count], tables.begin[count]
    first = MAX_PITS - pits
    for index in range(boards):
        word = tables.words[begin + index]
        for passed in range(layout.stones - count + 1):
            laps, rest = passed // pits, passed % pits
            after = word
            for pit in range(pits):
                after += laps + (1 if pit < rest else 0) << 8 * (first + pit)
            tables.spread[tables.spread_begin[count, passed] + index] = rank(after, layout.ranks)
        for pit in range(pits):
            held = word & 127 << 8 * (first + pit)
            entry = rank(word - held, layout.ranks) | held >> 8 * (first + pit) << 24
            tables.emptied[begin * pits + pit * boards + index] = entry


@kernel()
def list_moves(count: int, layout: Layout, tables: Halves, sowing: Sowings) -> None:
    """Sort the moves of half-boards of `count` stones into classes."""
    begin, boards = tables.begin[count], layout.halves[count]
    base = count + 1
    cursor = np.zeros((LONE + MAX_PITS) * base * base, np.int64)
    for filling in range(2):
        if filling:
            open_classes(cursor, base, begin * layout.pits, tables.classes[count])
        for index in range(boards):
            word = tables.words[begin + index]
            for place in range(MAX_PITS - layout.pits, MAX_PITS):
                held = word >> 8 * place & 127
                if held == 0:
                    continue
                effect = sowing.effect[place * ROW + held]
                after = word + sowing.own[place * ROW + held]
                passed = stones(sowing.opp[place * ROW + held])
                end = ending(after, effect)
                kind = (end * base + gain(effect)) * base + passed
                if filling:
                    move = cursor[kind]
                    tables.origin[move] = index
                    tables.quiet[move] = rank(after, layout.ranks)
                    if end >= LONE:
                        after -= 1 << 8 * (end - LONE)
                        tables.lone[move] = rank(after, layout.ranks)
                cursor[kind] += 1


@inlined
def raise_row(
    best: NDArray[np.int8],
    banked: int,
    passes: bool,
    source: NDArray[np.int8],
    target: NDArray[np.uint32],
    identity: bool,
) -> None:
    """Raise each place y to banked -/+ source[target[y]]; - if the turn passes."""
    plus = np.int8(banked)
    if identity and passes:
        for y in range(best.size):
            best[y] = max(best[y], np.int8(plus - source[y]))
    elif passes:
        for y in range(best.size):
            best[y] = max(best[y], np.int8(plus - source[target[y]]))
    else:
        for y in range(best.size):
            best[y] = max(best[y], np.int8(plus + source[target[y]]))


@inlined
def raise_capturing(
    best: NDArray[np.int8],
    banked: int,
    source: NDArray[np.int8],
    target: NDArray[np.uint32],
    emptied: NDArray[np.uint32],
    alone: int,
    mine: int,
    theirs: int,
    s: Sources,
) -> None:
    """Raise each place by a move that ends alone in an own pit.

    It captures what lies opposite, `emptied` says how much and what is left; where nothing
    does, it captures itself under `capture_empty` and is quiet otherwise.
    """
    begins, steps = np.empty(theirs + 1, np.int64), np.empty(theirs + 1, np.int64)
    for caught in range(theirs + 1):
        left = theirs - caught
        begins[caught] = s.layout.blocks[left + mine, left]
        if left <= mine:  # their half-boards are the rows
            begins[caught] += alone
            steps[caught] = s.layout.halves[mine]
        else:
            begins[caught] += alone * s.layout.halves[left]
            steps[caught] = 1
    for y in range(best.size):
        entry = emptied[target[y]]
        found = np.int64(entry >> np.uint32(24))
        if found == 0 and not s.capture_empty:
            value = np.int8(banked - source[target[y]])
        else:
            left = int(entry & np.uint32(RANK))
            after = s.values[begins[found] + left * steps[found]]
            value = np.int8(banked + 1 + found - after)
        best[y] = max(best[y], value)


@inlined
def raise_origins(
    best: NDArray[np.int8],
    banked: int,
    passes: bool,
    source: NDArray[np.int8],
    stride: int,
    origin: NDArray[np.uint32],
    target: NDArray[np.uint32],
) -> None:
    """Raise the places `origin` to banked -/+ source[target * stride]."""
    plus, flip = np.int8(banked), np.int8(-1 if passes else 0)
    for move in range(origin.size):
        y, value = origin[move], source[int(target[move]) * stride]
        best[y] = max(best[y], np.int8(plus + (value ^ flip) - flip))


@kernel()
def low_moves(
    best: NDArray[np.int8],
    x: int,
    fewer: int,
    more: int,
    high: NDArray[np.int8],
    s: Sources,
) -> None:
    """Raise the row to what the moves of its half-board x are worth against each y."""
    layout, tables = s.layout, s.tables
    columns = layout.halves[more]
    word = tables.words[tables.begin[fewer] + x]
    for place in range(MAX_PITS - layout.pits, MAX_PITS):
        held = word >> 8 * place & 127
        if held == 0:
            continue
        effect = s.sowing.effect[place * ROW + held]
        after = word + s.sowing.own[place * ROW + held]
        passed = stones(s.sowing.opp[place * ROW + held])
        banked = gain(effect)
        mine, theirs = fewer - banked - passed, more + passed
        target = tables.spread[tables.spread_begin[more, passed] :][:columns]
        end = ending(after, effect)
        if banked == 0:
            source = high[rank(after, layout.ranks) * columns :]
        else:  # the side with fewer stones is still the row's
            begin = layout.blocks[mine + theirs, mine if end == AGAIN else theirs]
            source = s.values[begin + rank(after, layout.ranks) * layout.halves[theirs] :]
        if end < LONE:
            raise_row(best, banked, end != AGAIN, source, target, passed == 0)
            continue
        facing = MAX_PITS - 1 - (end - LONE)
        emptied = tables.emptied[tables.begin[theirs] * layout.pits :]
        emptied = emptied[facing * layout.halves[theirs] :]
        alone = rank(after - (1 << 8 * (end - LONE)), layout.ranks)
        raise_capturing(best, banked, source, target, emptied, alone, mine - 1, theirs, s)


@kernel()
def high_moves(
    best: NDArray[np.int8],
    x: int,
    fewer: int,
    more: int,
    low: NDArray[np.int8],
    s: Sources,
) -> None:
    """Raise the row to what the moves of each half-board y are worth against x.

    low: the same row with x to move.
    """
    layout, tables = s.layout, s.tables
    for nth in range(tables.classes.shape[1]):
        end, banked, passed, first, last = tables.classes[more, nth]
        if end < 0:
            return
        origin, quiet = tables.origin[first:last], tables.quiet[first:last]
        mine, theirs = more - banked - passed, fewer + passed
        row = int(tables.spread[tables.spread_begin[fewer, passed] + x])
        if end >= LONE:
            facing = MAX_PITS - 1 - (end - LONE)
            boards = layout.halves[theirs]
            place = tables.begin[theirs] * layout.pits + facing * boards + row
            entry = int(tables.emptied[place])
            caught = entry >> 24
            if caught or s.capture_empty:
                quiet = tables.lone[first:last]
                row = entry & RANK
                mine, theirs, banked = mine - 1, theirs - caught, banked + caught + 1
        passes = end != AGAIN
        begin = layout.blocks[mine + theirs, theirs if passes else mine]
        if banked == 0:
            raise_origins(best, banked, passes, low, 1, origin, quiet)
        elif theirs < mine or (theirs == mine and passes):  # the row is of their side
            source = s.values[begin + row * layout.halves[mine] :]
            raise_origins(best, banked, passes, source, 1, origin, quiet)
        else:
            stride = layout.halves[theirs]
            raise_origins(best, banked, passes, s.values[begin + row :], stride, origin, quiet)


@kernel()
def fill_blocks(total: int, fewer: int, s: Sources) -> None:
    """Compute the blocks (total, fewer) and (total, total - fewer), fewer <= total - fewer.

    A row of `low` is that of (total, fewer), and the same row of `high` follows from it.
    """
    layout, more = s.layout, total - fewer
    rows, columns = layout.halves[fewer], layout.halves[more]
    begin, other = layout.blocks[total, fewer], layout.blocks[total, more]
    high = s.values[other : other + rows * columns]
    if fewer == more:  # the two are one block, and what `high` would be is needed all the same
        high = np.empty(rows * columns, np.int8)
    for x in range(rows):
        low = s.values[begin + x * columns : begin + (x + 1) * columns]
        best = high[x * columns : (x + 1) * columns]
        low[:], best[:] = (LOWEST, LOWEST) if fewer else (-more, more)
        if fewer:
            low_moves(low, x, fewer, more, high, s)
            high_moves(best, x, fewer, more, low, s)


def half_tables(layout: Layout) -> Halves:
    """The tables for a layout."""
    pits, most = layout.pits, layout.stones
    begin = np.concatenate(([0], np.cumsum(layout.halves)))
    moves = pits * int(begin[-1])
    spread_begin = np.zeros((most + 1, most + 1), np.int64)
    filled = 0
    for count in range(most + 1):
        for passed in range(most - count + 1):
            spread_begin[count, passed] = filled
            filled += int(layout.halves[count])
    tables = Halves(
        begin,
        np.empty(int(begin[-1]), np.int64),
        spread_begin,
        np.empty(filled, np.uint32),
        np.empty(moves, np.uint32),
        np.full((most + 1, pits * most + 1, 5), -1, np.int64),
        *(np.empty(moves, np.uint32) for _ in range(3)),
    )
    for count in range(most + 1):
        list_words(count, layout, tables)
        list_changes(count, layout, tables)
        list_moves(count, layout, tables, sowings(pits, places(pits)))
    return tables
