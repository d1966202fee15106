"""Endgame values by retrograde analysis: of each position with few stones, without recursion.

A move that banks a stone leads to fewer stones in play, so to values that are computed already. A
quiet move, which banks none, leaves its stones on the mover's side and lowers the rank of that
half-board. So if N ascends, and within a pair of blocks {s, N - s} the rows of the side with fewer
stones ascend, each row needs finished rows only:

    low(x, y)   the owner of row x moves:    after a quiet move, -high(x', y) with x' < x
    high(x, y)  the owner of column y moves: after a quiet move, -low(x, y')

A whole row is computed at a time. For `low`, a move of x acts on all y in the same way. For `high`,
the moves of all y are sorted into classes of the same gain, stones passed on and landing: each
class is one loop.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.packed import (
    MAX_PITS,
    ROW,
    Sowings,
    Words,
    count_captured,
    gain,
    is_extra_turn,
    landing,
    sowings,
    stones,
)
from kalahlab.solver.endgame.layout import ONES, Layout, count_positions, places, rank

LOWEST = -127  # no value is less, as at most 127 stones are in play
# How a sow ends: in the mover's store (AGAIN), alone in an own pit (LONE + the byte of the pit), or
# elsewhere (QUIET).
QUIET, AGAIN, LONE = 0, 1, 2
RANK = (1 << 24) - 1  # `emptied` has a rank in its low 24 bits and the pit's stones above them

Row = NDArray[np.int8]
Ranks = NDArray[np.uint32]


class Halves(NamedTuple):
    """Tables about each half-board by itself, listed by stones and then by rank.

    Attributes:
        begin: By stones, the index in `words` of the first half-board with that many stones.
        words: The half-boards, packed as `kalahlab.engine.packed` explains.
        spread_begin: At [stones, d], the index in `spread` of the ranks for these stones and d.
        spread: At spread_begin[stones, d] + rank, the rank after d stones were sown onto the side.
        emptied: At begin * pits + pit * halves + rank, with `begin` and `halves` of the stones, the
            rank after the pit was captured, and the pit's stones in the bits above `RANK`.
        classes: By stones, the classes of moves: rows (how a sow ends, stones banked, stones passed
            on, index of the first move, index after the last), and then rows of -1.
        origin: The rank before a move, by move. Moves are listed by stones, then by class.
        quiet: The rank after a move, by move.
        lone: The rank after a move if the move captured, by move: without the stone that captured.
    """

    begin: Words
    words: Words
    spread_begin: Words
    spread: Ranks
    emptied: Ranks
    classes: Words
    origin: Ranks
    quiet: Ranks
    lone: Ranks


class Sources(NamedTuple):
    """All that a block is computed from.

    Attributes:
        values: The values of the database.
        square: Memory for `high` of a block of two equal sides.
        layout: The layout of the database.
        tables: The tables of half-boards.
        sowing: The sowing tables.
        capture_empty: Capture also if the opposite pit is empty.
    """

    values: NDArray[np.int8]
    square: NDArray[np.int8]
    layout: Layout
    tables: Halves
    sowing: Sowings
    capture_empty: bool


def square_bytes(pits: int, count: int) -> int:
    """Return the size of the largest block of two equal sides."""
    return comb(count // 2 + pits - 1, pits - 1) ** 2


def build_bytes(pits: int, count: int) -> int:
    """Return the memory that building takes: values, tables, and the largest block under way."""
    boards = comb(count + pits, pits)
    spread = comb(count + pits + 1, pits + 1)
    # In this order: `words`; `spread`; `emptied`, `origin`, `quiet` and `lone`; `classes`.
    tables = 8 * boards + 4 * spread + 16 * pits * boards + 40 * (count + 1) * (pits * count + 2)
    return count_positions(pits, count) + tables + square_bytes(pits, count)


@inlined
def raise_row(
    best: Row, banked: int, passes: bool, source: Row, target: Ranks, identity: bool
) -> None:
    """Raise each place y to banked - source[target[y]] if the turn passes, else to their sum."""
    # (v ^ -1) + 1 is -v, and (v ^ 0) - 0 is v: the loops need no branch.
    plus, flip = np.int8(banked), np.int8(-1 if passes else 0)
    if identity:  # target[y] == y: without gathering, the processor does many places at a time
        for y in range(best.size):
            best[y] = max(best[y], np.int8(plus + (source[y] ^ flip) - flip))
    else:
        for y in range(best.size):
            best[y] = max(best[y], np.int8(plus + (source[target[y]] ^ flip) - flip))


@inlined
def raise_capturing(
    best: Row,
    banked: int,
    source: Row,
    target: Ranks,
    emptied: Ranks,
    alone: int,
    mine: int,
    theirs: int,
    s: Sources,
) -> None:
    """Raise each place by a move that ends alone in an own pit: a capture, or else quiet."""
    # By the stones captured: where the values begin that a capture leads to, and their distance.
    # `alone` and `mine` are this side's rank and stones without the stone that captures.
    begins, steps = np.empty(theirs + 1, np.int64), np.empty(theirs + 1, np.int64)
    for count in range(theirs + 1):
        remaining = theirs - count
        begins[count] = s.layout.blocks[remaining + mine, remaining]
        if remaining <= mine:  # their half-boards are the rows
            begins[count] += alone
            steps[count] = s.layout.halves[mine]
        else:
            begins[count] += alone * s.layout.halves[remaining]
            steps[count] = 1
    for y in range(best.size):
        entry = emptied[target[y]]
        opposite = np.int64(entry >> np.uint32(24))
        captured = count_captured(opposite, s.capture_empty)
        if captured == 0:
            value = np.int8(banked - source[target[y]])
        else:
            rank_after = int(entry & np.uint32(RANK))
            after = s.values[begins[opposite] + rank_after * steps[opposite]]
            value = np.int8(banked + captured - after)
        best[y] = max(best[y], value)


@inlined
def raise_origins(
    best: Row, banked: int, passes: bool, source: Row, stride: int, origin: Ranks, target: Ranks
) -> None:
    """Raise the places `origin` to banked -/+ source[target * stride], like `raise_row`."""
    plus, flip = np.int8(banked), np.int8(-1 if passes else 0)
    step = np.uint64(stride)  # so that the index is unsigned: numba checks the sign of a signed one
    for move in range(origin.size):
        y, value = origin[move], source[np.uint64(target[move]) * step]
        best[y] = max(best[y], np.int8(plus + (value ^ flip) - flip))


@jit
def raise_low_row(best: Row, x: int, fewer: int, more: int, high: Row, s: Sources) -> None:
    """Raise the row to the values of the moves of its half-board x against each y."""
    layout, tables = s.layout, s.tables
    columns = layout.halves[more]
    word = tables.words[tables.begin[fewer] + x]
    for place in range(MAX_PITS - layout.pits, MAX_PITS):
        count = word >> 8 * place & 127
        if count == 0:
            continue
        effect = s.sowing.effect[place * ROW + count]
        after = word + s.sowing.own[place * ROW + count]
        passed = stones(s.sowing.opp[place * ROW + count])
        banked = gain(effect)
        mine, theirs = fewer - banked - passed, more + passed
        target = tables.spread[tables.spread_begin[more, passed] :][:columns]
        end = AGAIN if is_extra_turn(effect) else QUIET
        if after >> landing(effect) & 127 == 1:
            end = LONE + landing(effect) // 8
        if banked == 0:
            source = high[rank(after, layout.ranks) * columns :]
        else:  # this side had fewer stones, and lost some: it still has fewer, and is the row
            mover = mine if end == AGAIN else theirs
            begin = layout.blocks[mine + theirs, mover]
            source = s.values[begin + rank(after, layout.ranks) * layout.halves[theirs] :]
        if end < LONE:
            raise_row(best, banked, end != AGAIN, source, target, passed == 0)
            continue
        facing = MAX_PITS - 1 - (end - LONE)
        emptied = tables.emptied[tables.begin[theirs] * layout.pits :]
        emptied = emptied[facing * layout.halves[theirs] :]
        alone = rank(after - (1 << 8 * (end - LONE)), layout.ranks)
        raise_capturing(best, banked, source, target, emptied, alone, mine - 1, theirs, s)


@jit
def raise_high_row(best: Row, x: int, fewer: int, more: int, low: Row, s: Sources) -> None:
    """Raise the row to the values of the moves of each y against x.

    `low` is the finished row with x to move.
    """
    layout, tables = s.layout, s.tables
    for index in range(tables.classes.shape[1]):
        end, banked, passed, first, last = tables.classes[more, index]
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
            opposite = entry >> 24
            captured = count_captured(opposite, s.capture_empty)
            if captured:
                quiet = tables.lone[first:last]
                row = entry & RANK
                mine, theirs, banked = mine - 1, theirs - opposite, banked + captured
        passes = end != AGAIN
        begin = layout.blocks[mine + theirs, theirs if passes else mine]
        if banked == 0:
            raise_origins(best, banked, passes, low, 1, origin, quiet)
        elif theirs < mine or (theirs == mine and passes):  # the side of x is the row of the block
            source = s.values[begin + row * layout.halves[mine] :]
            raise_origins(best, banked, passes, source, 1, origin, quiet)
        else:
            stride = layout.halves[theirs]
            raise_origins(best, banked, passes, s.values[begin + row :], stride, origin, quiet)


@jit
def fill_blocks(total: int, fewer: int, s: Sources) -> None:
    """Compute the blocks (total, fewer) and (total, total - fewer), fewer <= total - fewer.

    A row of `low` is that of (total, fewer), and the same row of `high` follows from it.
    """
    layout, more = s.layout, total - fewer
    rows, columns = layout.halves[fewer], layout.halves[more]
    begin, other = layout.blocks[total, fewer], layout.blocks[total, more]
    high = s.values[other : other + rows * columns]
    if fewer == more:  # the two are one block, which `low` fills; `high` is only needed for that
        high = s.square[: rows * columns]
    for x in range(rows):
        low = s.values[begin + x * columns : begin + (x + 1) * columns]
        best = high[x * columns : (x + 1) * columns]
        if fewer == 0:  # the game is over: the stones are those of the other side
            low[:], best[:] = -more, more
        else:
            low[:], best[:] = LOWEST, LOWEST
            raise_low_row(low, x, fewer, more, high, s)
            raise_high_row(best, x, fewer, more, low, s)


@jit
def compute_ranks(words: Words, ranks: Words) -> Ranks:
    """Return the ranks of half-boards."""
    result = np.empty(words.size, np.uint32)
    for index in range(words.size):
        result[index] = rank(words[index], ranks)
    return result


def _half_boards(most: int, order: tuple[int, ...]) -> list[Words]:
    """Return, for each of 0 to `most` stones, the half-boards with that many stones, by rank."""
    words = [np.array([count << 8 * order[0]]) for count in range(most + 1)]
    # The order by rank is first by the stones in all pits but the last.
    for place in order[1:]:
        longer: list[Words] = []
        for count in range(most + 1):
            parts = [words[rest] + (count - rest << 8 * place) for rest in range(count + 1)]
            longer.append(np.concatenate(parts))
        words = longer
    return words


def make_half_tables(layout: Layout) -> Halves:
    """Compute the tables of half-boards."""
    most, order = layout.stones, places(layout.pits)
    words = _half_boards(most, order)
    begin = np.concatenate(([0], np.cumsum(layout.halves)))
    spread_begin = np.zeros((most + 1, most + 1), np.int64)
    classes = np.full((most + 1, layout.pits * most + 1, 5), -1, np.int64)
    spread, emptied, moves = [], [], []
    spread_size = moves_size = 0
    for count, boards in enumerate(words):
        for passed in range(most - count + 1):
            spread_begin[count, passed] = spread_size
            # Stones passed on are sown from the leftmost pit, perhaps more than once around.
            laps, rest = divmod(passed, layout.pits)
            stones_sown = sum(laps << 8 * place for place in order)
            stones_sown += sum(1 << 8 * place for place in order[:rest])
            spread.append(compute_ranks(boards + stones_sown, layout.ranks))
            spread_size += boards.size
        for place in order:
            in_pit = boards & 127 << 8 * place
            above_rank = (in_pit >> 8 * place << 24).astype(np.uint32)
            emptied.append(compute_ranks(boards - in_pit, layout.ranks) | above_rank)
        *move_ranks, rows = _list_moves(boards, count + 1, layout)
        rows[:, 3:] += moves_size  # first and end: indices in the list of all moves
        moves_size += move_ranks[0].size
        classes[count, : len(rows)] = rows
        moves.append(move_ranks)
    origin, quiet, lone = (np.concatenate(ranks) for ranks in zip(*moves, strict=True))
    return Halves(
        begin=begin,
        words=np.concatenate(words),
        spread_begin=spread_begin,
        spread=np.concatenate(spread),
        emptied=np.concatenate(emptied),
        classes=classes,
        origin=origin,
        quiet=quiet,
        lone=lone,
    )


def _list_moves(boards: Words, base: int, layout: Layout) -> tuple[NDArray[Any], ...]:
    """List the moves of half-boards with less than `base` stones, sorted into classes.

    Returns:
        The ranks origin, quiet and lone by move, and the rows of the classes; see `Halves`.
    """
    order = places(layout.pits)
    sowing = sowings(layout.pits, order)
    pit_bytes = np.array(order)
    counts = boards[:, None] >> 8 * pit_bytes & 127
    origin, pit = np.nonzero(counts)
    entry = pit_bytes[pit] * ROW + counts[origin, pit]
    after, effect = boards[origin] + sowing.own[entry], sowing.effect[entry]
    # The functions of `packed`, such as `landing`, take one word; here are all moves at once.
    landed = effect & 255
    alone = after >> landed & 127 == 1
    end = np.where(effect >> 24 & 1, AGAIN, np.where(alone, LONE + landed // 8, QUIET))
    passed = sowing.opp[entry] * ONES >> 56
    # A class as one number with digits to `base`, which is above all counts of stones.
    kind = (end * base + (effect >> 16 & 255)) * base + passed
    narrow = np.min_scalar_type((LONE + MAX_PITS) * base**2)  # a type of fewer bits sorts faster
    by_kind = np.argsort(kind.astype(narrow), kind="stable")
    after, lone, kind = after[by_kind], (after - (alone << landed))[by_kind], kind[by_kind]
    first = np.flatnonzero(np.diff(kind, prepend=-1))
    last = np.append(first, kind.size)[1:]
    kinds = kind[first]
    classes = [kinds // base**2, kinds // base % base, kinds % base, first, last]
    return (
        origin[by_kind].astype(np.uint32),
        compute_ranks(after, layout.ranks),
        compute_ranks(lone, layout.ranks),
        np.stack(classes, axis=1),
    )
