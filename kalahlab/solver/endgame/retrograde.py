"""Endgame values by retrograde analysis: of each position with few stones, without recursion.

`kalahlab.solver.endgame.layout` explains blocks, half-boards and ranks. Blocks are computed by
ascending N, the stones in play. A move that banks a stone leads to fewer stones in play, so its
value is computed already. A quiet move banks none. It leaves its stones on the mover's side and
lowers the rank of that half-board.

The blocks (N, s) and (N, N - s) are computed together. In both, x is the half-board of the side
with fewer stones and numbers the rows, and y is the other half-board:

    low(x, y)   the owner of x moves: after a quiet move to x', the value is -high(x', y)
    high(x, y)  the owner of y moves: after a quiet move to y', the value is -low(x, y')

As x' < x, it is enough to compute row after row: first the row x of `low`, then that of `high`. A
whole row is computed at a time. For `low`, a move of x acts on all y in the same way. For `high`,
the moves of all y are sorted into classes, and each class is one loop. In a class, moves bank and
pass on equal numbers of stones and end in the same way.
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
    opponent_gain,
    stones,
)
from kalahlab.solver.endgame.compiled_rules import CompiledRules, final_value, is_over
from kalahlab.solver.endgame.layout import ONES, Layout, count_positions, places, rank

LOWEST = -127  # no value is less, as at most 127 stones are in play
# How a sow ends: AGAIN in the mover's store, LONE + b alone in the own pit of byte b, and ELSEWHERE
# in all other cases.
ELSEWHERE, AGAIN, LONE = 0, 1, 2
RANK = (1 << 24) - 1  # `emptied` has a rank in its low 24 bits and the pit's stones above them

Row = NDArray[np.int8]
Ranks = NDArray[np.uint32]


class Halves(NamedTuple):
    """Tables about each half-board by itself, listed by stones and then by rank.

    Attributes:
        begin: At [stones], the index in `words` of the first half-board with that many stones.
        words: The half-boards, packed as `kalahlab.engine.packed` explains.
        spread_begin: At [stones, d], the index where `spread` begins for these stones and d.
        spread: At spread_begin[stones, d] + rank, the rank after d stones were sown onto the side.
        emptied: At begin[stones] * pits + pit * halves[stones] + rank, the rank after the pit was
            captured, and the pit's stones in the bits above `RANK`.
        classes: At [stones], the classes of moves, and after them rows of -1. The columns are how a
            sow ends, the stones sown into the mover's store, the stones passed on to the other
            side, the stones sown into the opponent's store, the index of the first move, and the
            index after the last move.
        origin: At [move], the rank before the move. Moves are listed by stones, then by class.
        after: At [move], the rank after the move if it captures nothing.
        after_capture: At [move], the rank after the move if it captures: without the stone that
            captured, unless the rules let it stay.
    """

    begin: Words
    words: Words
    spread_begin: Words
    spread: Ranks
    emptied: Ranks
    classes: Words
    origin: Ranks
    after: Ranks
    after_capture: Ranks


class Sources(NamedTuple):
    """All that a block is computed from.

    Attributes:
        values: The values of the database, as far as they are computed.
        square: Memory for `high` if both sides have equally many stones; see `fill_blocks`.
        layout: The layout of the database.
        tables: The tables of half-boards.
        sowing: The sowing tables.
        rules: The other rules.
    """

    values: NDArray[np.int8]
    square: NDArray[np.int8]
    layout: Layout
    tables: Halves
    sowing: Sowings
    rules: CompiledRules


def square_bytes(pits: int, count: int) -> int:
    """Return the size of the largest block in which both sides have equally many stones."""
    return comb(count // 2 + pits - 1, pits - 1) ** 2


def build_bytes(pits: int, count: int) -> int:
    """Return the memory that building takes: values, tables, and the largest block under way."""
    boards = comb(count + pits, pits)  # half-boards of up to `count` stones
    words = 8 * boards
    spread = 4 * comb(count + pits + 1, pits + 1)
    by_pit = 16 * pits * boards  # `emptied`, `origin`, `after` and `after_capture`, 4 bytes each
    classes = 48 * (count + 1) * (pits * count + 2)
    tables = words + spread + by_pit + classes
    return count_positions(pits, count) + tables + square_bytes(pits, count)


@inlined
def raise_row(
    best: Row, banked: int, passes: bool, source: Row, target: Ranks, identity: bool
) -> None:
    """Raise each place y of `best` to the value of a move that leads to source[target[y]].

    The value is banked - source[target[y]] if the turn passes, else banked + source[target[y]].
    `identity` says that target[y] is y.
    """
    # With flip -1, (v ^ flip) - flip is -v; with flip 0 it is v. So the loops need no branch.
    plus, flip = np.int8(banked), np.int8(-1 if passes else 0)
    if identity:  # in memory order, the processor computes many places at a time
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
    """Raise each place y by a move whose last stone lands alone in an own pit.

    Args:
        best: The row.
        banked: The stones sown into the mover's store minus those into the opponent's.
        source: The values after the move if it captures nothing, by the rank of the other side.
        target: The rank of the other side after the move, by y.
        emptied: The part of `Halves.emptied` for the opposite pit and the stones `theirs`.
        alone: This side's rank after a capture.
        mine: This side's stones after a capture.
        theirs: The other side's stones before a capture.
        s: What the block is computed from.
    """
    # At [stones in the opposite pit]: the index of the first value that a capture can lead to, and
    # the distance from the value of one rank of the other side to that of the next.
    begins, steps = np.empty(theirs + 1, np.int64), np.empty(theirs + 1, np.int64)
    again = s.rules.again
    for opposite in range(theirs + 1):
        remaining = theirs - opposite
        begins[opposite] = s.layout.blocks[remaining + mine, mine if again else remaining]
        # Rows are for the side with fewer stones; if neither has fewer, for the next mover's.
        if remaining < mine or (remaining == mine and not again):
            begins[opposite] += alone
            steps[opposite] = s.layout.halves[mine]
        else:
            begins[opposite] += alone * s.layout.halves[remaining]
            steps[opposite] = 1
    plus_captured, flip = banked - s.rules.stays, 0 if again else -1  # see `raise_row`
    for y in range(best.size):
        entry = emptied[target[y]]
        in_opposite = np.int64(entry >> np.uint32(24))
        captured = count_captured(in_opposite, s.rules.captures_empty)
        if captured == 0:
            value = np.int8(banked - source[target[y]])
        else:
            rank_after = int(entry & np.uint32(RANK))
            after = s.values[begins[in_opposite] + rank_after * steps[in_opposite]]
            value = np.int8(plus_captured + captured + (after ^ flip) - flip)
        best[y] = max(best[y], value)


@inlined
def raise_origins(
    best: Row, banked: int, passes: bool, source: Row, stride: int, origin: Ranks, target: Ranks
) -> None:
    """Raise the place origin[i] of `best` by source[target[i] * stride], like `raise_row`."""
    plus, flip = np.int8(banked), np.int8(-1 if passes else 0)
    step = np.uint64(stride)  # so that the index is unsigned: numba checks the sign of a signed one
    for move in range(origin.size):
        y, value = origin[move], source[np.uint64(target[move]) * step]
        best[y] = max(best[y], np.int8(plus + (value ^ flip) - flip))


@inlined
def opposite_pit(ending: int) -> int:
    """Return the pit opposite that of a lone stone, counted from 0 from the left of its side."""
    byte = ending - LONE
    return MAX_PITS - 1 - byte  # the last byte is that of the pit next to the store


@jit
def raise_low_row(best: Row, x: int, fewer: int, more: int, high: Row, s: Sources) -> None:
    """Raise a row of `low` to the values of the moves of its half-board x against each y.

    `fewer` and `more` are the stones of x and of y. `high` is the other block of the pair; its rows
    before x are finished.
    """
    layout, tables, sowing = s.layout, s.tables, s.sowing
    columns = layout.halves[more]
    word = tables.words[tables.begin[fewer] + x]
    for place in range(MAX_PITS - layout.pits, MAX_PITS):
        count = (word >> (8 * place)) & 127
        if count == 0:
            continue
        effect = sowing.effect[place * ROW + count]
        after = word + sowing.own[place * ROW + count]
        passed = stones(sowing.opp[place * ROW + count])
        gained, lost = gain(effect), opponent_gain(effect)
        banked = gained - lost
        mine, theirs = fewer - gained - lost - passed, more + passed
        spread_begin = tables.spread_begin[more, passed]
        target = tables.spread[spread_begin : spread_begin + columns]
        ending = AGAIN if is_extra_turn(effect) else ELSEWHERE
        if (after >> landing(effect)) & 127 == 1:
            ending = LONE + landing(effect) // 8
        if gained == 0:  # then no stone passed the store either: the stones of each side stay
            source = high[rank(after, layout.ranks) * columns :]
        else:  # this side had fewer stones, and lost some: it still has fewer, and is the row
            mover = mine if ending == AGAIN else theirs
            begin = layout.blocks[mine + theirs, mover]
            source = s.values[begin + rank(after, layout.ranks) * layout.halves[theirs] :]
        if ending < LONE:
            raise_row(best, banked, ending != AGAIN, source, target, passed == 0)
            continue
        facing = opposite_pit(ending)
        emptied_begin = tables.begin[theirs] * layout.pits + facing * layout.halves[theirs]
        emptied = tables.emptied[emptied_begin:]
        leaving = 1 - s.rules.stays  # the stone that captures, unless it stays
        alone = rank(after - (leaving << landing(effect)), layout.ranks)
        raise_capturing(best, banked, source, target, emptied, alone, mine - leaving, theirs, s)


@jit
def raise_high_row(best: Row, x: int, fewer: int, more: int, low: Row, s: Sources) -> None:
    """Raise a row of `high` to the values of the moves of each y against its half-board x.

    `fewer` and `more` are the stones of x and of y. `low` is the finished row x of the other block.
    """
    layout, tables = s.layout, s.tables
    for index in range(tables.classes.shape[1]):
        ending, gained, passed, lost, first, end = tables.classes[more, index]
        if ending < 0:  # no more classes
            return
        origin, target = tables.origin[first:end], tables.after[first:end]
        # The stones of the sides of y and of x after the move, and the rank of the side of x.
        mine, theirs = more - gained - lost - passed, fewer + passed
        banked, passes = gained - lost, ending != AGAIN
        x_after = int(tables.spread[tables.spread_begin[fewer, passed] + x])
        if ending >= LONE:
            facing = opposite_pit(ending)
            boards = layout.halves[theirs]
            place = tables.begin[theirs] * layout.pits + facing * boards + x_after
            entry = int(tables.emptied[place])
            opposite = entry >> 24
            captured = count_captured(opposite, s.rules.captures_empty)
            if captured:
                target = tables.after_capture[first:end]
                x_after = entry & RANK
                mine, theirs = mine - 1 + s.rules.stays, theirs - opposite
                banked += captured - s.rules.stays
                passes = not s.rules.again
        begin = layout.blocks[mine + theirs, theirs if passes else mine]
        if mine + theirs == fewer + more:  # nobody banks a stone
            raise_origins(best, banked, passes, low, 1, origin, target)
        elif theirs < mine or (theirs == mine and passes):  # the side of x numbers the rows
            source = s.values[begin + x_after * layout.halves[mine] :]
            raise_origins(best, banked, passes, source, 1, origin, target)
        else:
            stride = layout.halves[theirs]
            raise_origins(best, banked, passes, s.values[begin + x_after :], stride, origin, target)


@jit
def fill_blocks(total: int, fewer: int, s: Sources) -> None:
    """Compute the pair of blocks in which one side has `fewer` stones and the other side the rest.

    `low` is the block (total, fewer), and `high` is the block (total, total - fewer).
    """
    layout, more = s.layout, total - fewer
    rows, columns = layout.halves[fewer], layout.halves[more]
    begin, other = layout.blocks[total, fewer], layout.blocks[total, more]
    high = s.values[other : other + rows * columns]
    if fewer == more:  # both are the same block, and `low` fills it; `high` is only an aid
        high = s.square[: rows * columns]
    for x in range(rows):
        low_row = s.values[begin + x * columns : begin + (x + 1) * columns]
        high_row = high[x * columns : (x + 1) * columns]
        if fewer == 0:  # the owner of x cannot move
            low_row[:] = final_value(0, more, s.rules)
        else:
            low_row[:] = LOWEST
            raise_low_row(low_row, x, fewer, more, high, s)
        if is_over(more, fewer, s.rules):
            high_row[:] = final_value(more, 0, s.rules)
        else:
            high_row[:] = LOWEST
            raise_high_row(high_row, x, fewer, more, low_row, s)


@jit
def compute_ranks(words: Words, ranks: Words) -> Ranks:
    """Return the ranks of half-boards."""
    result = np.empty(words.size, np.uint32)
    for index in range(words.size):
        result[index] = rank(words[index], ranks)
    return result


def _half_boards(most: int, order: tuple[int, ...]) -> list[Words]:
    """Return, for each of 0 to `most` stones, the half-boards with that many stones, by rank."""
    # Boards of the first pit only, then of the first two, and so on.
    boards = [np.array([count << (8 * order[0])]) for count in range(most + 1)]
    for place in order[1:]:
        longer_boards: list[Words] = []
        for count in range(most + 1):
            # The rank rises with the stones in all pits but the last, so these come first.
            parts = [
                boards[before] + ((count - before) << (8 * place)) for before in range(count + 1)
            ]
            longer_boards.append(np.concatenate(parts))
        boards = longer_boards
    return boards


def make_half_tables(layout: Layout, sowing: Sowings, rules: CompiledRules) -> Halves:
    """Compute the tables of half-boards."""
    most, order = layout.stones, places(layout.pits)
    words = _half_boards(most, order)
    begin = np.concatenate(([0], np.cumsum(layout.halves)))
    spread_begin = np.zeros((most + 1, most + 1), np.int64)
    spread, emptied, moves, rows_by_count = [], [], [], []
    spread_size = moves_size = 0
    for count, boards in enumerate(words):
        for passed in range(most - count + 1):
            spread_begin[count, passed] = spread_size
            # Stones passed on are sown from the leftmost pit, perhaps more than once around.
            laps, rest = divmod(passed, layout.pits)
            stones_sown = sum(laps << (8 * place) for place in order)
            stones_sown += sum(1 << (8 * place) for place in order[:rest])
            spread.append(compute_ranks(boards + stones_sown, layout.ranks))
            spread_size += boards.size
        for place in order:
            in_pit = (boards >> (8 * place)) & 127
            ranks_after = compute_ranks(boards - (in_pit << (8 * place)), layout.ranks)
            emptied.append(ranks_after | (in_pit << 24).astype(np.uint32))
        *move_ranks, rows = _list_moves(boards, count + 1, layout, sowing, rules)
        rows[:, 4:] += moves_size  # first and end, now as indices in the list of all moves
        moves_size += move_ranks[0].size
        rows_by_count.append(rows)
        moves.append(move_ranks)
    # The longest list of classes, too, has a row of -1 at its end.
    classes = np.full((most + 1, max(map(len, rows_by_count)) + 1, 6), -1, np.int64)
    for count, rows in enumerate(rows_by_count):
        classes[count, : len(rows)] = rows
    # From a triple (origin, after, after_capture) for each number of stones to three long arrays.
    origin, after, after_capture = (np.concatenate(ranks) for ranks in zip(*moves, strict=True))
    return Halves(
        begin=begin,
        words=np.concatenate(words),
        spread_begin=spread_begin,
        spread=np.concatenate(spread),
        emptied=np.concatenate(emptied),
        classes=classes,
        origin=origin,
        after=after,
        after_capture=after_capture,
    )


def _list_moves(
    boards: Words, base: int, layout: Layout, sowing: Sowings, rules: CompiledRules
) -> tuple[NDArray[Any], ...]:
    """List the moves of half-boards with less than `base` stones, sorted into classes.

    Returns:
        The ranks origin, after and after_capture by move, and the rows of the classes; see
        `Halves`.
    """
    order = places(layout.pits)
    pit_bytes = np.array(order)
    counts = (boards[:, None] >> (8 * pit_bytes)) & 127
    origin, pit = np.nonzero(counts)  # each move, as the rank of its board and its pit
    entry = pit_bytes[pit] * ROW + counts[origin, pit]
    after, effect = boards[origin] + sowing.own[entry], sowing.effect[entry]
    # The functions of `packed`, such as `landing`, take one word. Here the words of all moves are
    # taken apart at once, in the same way.
    landed, gained, is_extra = effect & 255, (effect >> 16) & 255, (effect >> 24) & 1
    lost = (effect >> 32) & 255
    passed = sowing.opp[entry] * ONES >> 56
    is_alone = (after >> landed) & 127 == 1
    ending = np.where(is_alone, LONE + landed // 8, ELSEWHERE)
    ending = np.where(is_extra, AGAIN, ending)
    # A class is one number. Its last digit is to a base of its own, which is 1 under most rules.
    # The other three digits are to `base`, which is above all counts of stones.
    lost_base = int(lost.max(initial=0)) + 1
    kind = ((ending * base + gained) * base + passed) * lost_base + lost
    # A type of fewer bits sorts faster.
    narrow = np.min_scalar_type((LONE + MAX_PITS) * base**2 * lost_base)
    by_kind = np.argsort(kind.astype(narrow), kind="stable")
    after_capture = after
    if not rules.stays:
        after_capture = after - (is_alone << landed)
    origin, kind = origin[by_kind], kind[by_kind]
    after, after_capture = after[by_kind], after_capture[by_kind]
    first = np.flatnonzero(np.diff(kind, prepend=-1))  # where another class begins
    end = np.append(first, kind.size)[1:]  # where the next class begins, or the list ends
    kinds, lost_of_kinds = np.divmod(kind[first], lost_base)
    digits = [kinds // base**2, kinds // base % base, kinds % base]
    classes = [*digits, lost_of_kinds, first, end]
    return (
        origin.astype(np.uint32),
        compute_ranks(after, layout.ranks),
        compute_ranks(after_capture, layout.ranks),
        np.stack(classes, axis=1),
    )
