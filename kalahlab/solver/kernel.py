"""The solver's kernel: an exact null-window search for "is this position worth at least beta?".

`prove` is alpha-beta with the window (beta - 1, beta), fail-soft: an answer >= beta is a lower
bound of the value, an answer < beta an upper bound. Values are the mover's and count from the
position on, without the stores. After an extra turn the mover, and so the sign, stays the same. A
line ends when the game is over, when the position is in the endgame database, or when too few
stones are left to change the answer.

The stack is explicit, with a frame for each ply, so that a search can be stopped at any node.
Threads that run `prove` on one position share the table. Each thread defers the moves that another
thread is searching (after T. Kerrigan's simplification of ABDADA).

An entry of the table has two words: the mover's pits with the lower bound in the lowest byte, and
the opponent's pits with the upper bound there. The first word is stored xor a hash of the second.
Two threads that write to one place may leave there the first word of one entry and the second word
of another. Because of the hash, such a pair matches no position. Four entries are a bucket, which
is a cache line. A new entry replaces the entry of its bucket with the fewest stones in play, as
that entry took the least work to prove.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.packed import (
    MAX_PITS,
    ROW,
    Sowings,
    byte_at,
    prefetch,
    stones,
)
from kalahlab.solver.endgame.compiled_rules import (
    CompiledRules,
    final_value,
    is_over_after,
    sow_pit,
)
from kalahlab.solver.endgame.layout import Layout, place_of
from kalahlab.solver.ordering import order_score, order_set

Table = NDArray[np.int64]

ENTRIES = 4  # of the table, in a bucket
ENTRY_BYTES = 16
WIDTH = 8  # children for which a ply has memory; at most 7 are used, a child for each pit
# The columns of a frame: the position (two words), the value asked for, the index of the position's
# bucket, the best value so far, the number of children to search, and the number of children that
# are started already.
OWN, OPP, BETA, BUCKET, BEST, COUNT, NEXT = range(7)
# The columns of a child: the position after the move (two words, first that of the player to move
# then), the gain, and the index of the position's bucket. The gain is twice the stones that the
# move banks, less those that it sows into the opponent's store, plus 1 for an extra turn. A ply has
# `WIDTH` rows of children; a child is in the row whose number is the byte of the pit played.
CHILD_OWN, CHILD_OPP, CHILD_GAIN, CHILD_BUCKET = range(4)
DEFERRED = 1 << 40  # subtracted from the key of a child that another thread is searching
LOWEST = -128  # below every value; `prove` returns it if there is no answer
MARKS = 1 << 10  # places where the threads mark the positions that they are searching
MARGIN = 3  # positions with up to 3 stones more than the database get no table entry
POLL = 1 << 10  # nodes between two reads of the counters
# The counters of a thread: the nodes so far, 1 to stop, and the nodes at which to stop.
NODES, STOP, NODE_LIMIT = range(3)


class Stack(NamedTuple):
    """A thread's memory: for each ply, a row of `frames`, and `WIDTH` rows of the other two.

    Attributes:
        frames: Rows with the columns `OWN` to `NEXT`.
        children: Rows with the columns `CHILD_OWN` to `CHILD_BUCKET`.
        keys: A number for each child to be searched. `expand` writes the byte of the pit played,
            and `arrange` replaces it by a key, by which the children are ordered.
    """

    frames: NDArray[np.int64]
    children: NDArray[np.int64]
    keys: NDArray[np.int64]

    @classmethod
    def of(cls, plies: int) -> "Stack":
        """Allocate a stack for a number of plies."""
        # A frame has 7 columns; with 8, a row is as large as a line of the processor's cache.
        shapes = (plies, 8), (plies * WIDTH, 4), plies * WIDTH
        return cls(*(np.empty(shape, np.int64) for shape in shapes))


class Tables(NamedTuple):
    """All that the search reads besides the position.

    Attributes:
        first: The byte of the leftmost pit.
        stones: The database's stones.
        sowing: The sowing tables.
        rules: The other rules.
        values: The address of the database's bytes. It is not an array, as numba would count the
            references to an array. So the caller must keep the database alive.
        layout: The database's layout.
        order: The numbers of `ordering.preferences`.
        table: The table of bounds.
        marks: Marks of the positions that threads are searching; all threads share this array.
        shared_from: The least stones in play of a position that is marked.
    """

    first: int
    stones: int
    sowing: Sowings
    rules: CompiledRules
    values: int
    layout: Layout
    order: NDArray[np.int16]
    table: Table
    marks: NDArray[np.int64]
    shared_from: int


def empty_table(entries: int) -> Table:
    """Allocate a table with `entries`, a power of two of at least `ENTRIES`."""
    bucket_bytes = ENTRIES * ENTRY_BYTES
    memory = np.zeros(entries * ENTRY_BYTES + bucket_bytes, np.int8)
    begin = -memory.ctypes.data % bucket_bytes  # from here on, each bucket is a cache line
    return memory[begin : begin + entries * ENTRY_BYTES].view(np.int64)


@inlined
def bucket_of(own: int, opp: int, table: Table) -> int:
    """Return the index of a position's bucket in the table."""
    # The factors are odd numbers with irregular bits, as in other hash functions; the first is
    # 2**64 divided by the golden ratio, as a signed word.
    mixed = (own * -0x61C8864680B583EB) ^ (opp * -0x3D4D51C2D82B14B1)
    high_half = (mixed >> 32) & 0xFFFFFFFF
    mixed = (mixed ^ high_half) * -0x2917014799A6026D
    buckets = table.size // (2 * ENTRIES)  # a power of two, so that a mask does for a remainder
    return (mixed >> 32) & (buckets - 1)


@inlined
def scramble(word: int) -> int:
    """Return a hash of a word."""
    mixed = word * -0x61C8864680B583EB
    return mixed ^ (mixed >> 29)


@inlined
def low_byte(word: int) -> int:
    """Return the lowest byte of a word as a signed number."""
    return ((word & 255) ^ 128) - 128  # 127 stays 127; 128 becomes 0 and then -128


@inlined
def probe(own: int, opp: int, total: int, bucket: int, table: Table) -> tuple[int, int, int]:
    """Look up a position in its bucket.

    Returns:
        The lower bound, the upper bound, and the index of the entry's first word. Without an entry
        the index is -1, and the bounds are those that all `total` stones in play imply.
    """
    begin = bucket * 2 * ENTRIES
    for index in range(begin, begin + 2 * ENTRIES, 2):
        second = table[index + 1]
        if second >> 8 == opp:
            first = table[index] ^ scramble(second)
            if first >> 8 == own:
                return low_byte(first), low_byte(second), index
    return -total, total, -1


@inlined
def store(own: int, opp: int, total: int, value: int, beta: int, bucket: int, table: Table) -> None:
    """Put a proved bound into the table; replace an entry with the fewest stones if necessary.

    `value` is a lower bound if it is at least `beta`, else an upper bound.
    """
    lower, upper, index = probe(own, opp, total, bucket, table)
    if value >= beta:
        lower = max(lower, value)
    else:
        upper = min(upper, value)
    if index < 0:
        begin = bucket * 2 * ENTRIES
        fewest = 1 << 20  # more than any position has; an empty entry has 0 stones
        for other in range(begin, begin + 2 * ENTRIES, 2):
            second = table[other + 1]
            first = table[other] ^ scramble(second)
            in_play = stones(first >> 8) + stones(second >> 8)
            if in_play < fewest:
                fewest, index = in_play, other
    second = (opp << 8) | (upper & 255)
    table[index + 1] = second
    table[index] = ((own << 8) | (lower & 255)) ^ scramble(second)


@inlined
def expand(
    own: int, opp: int, beta: int, base: int, s: Stack, lookups: NDArray[np.int64], t: Tables
) -> tuple[int, int, int]:
    """Make the moves of a position, but stop at one that is worth beta.

    The bytes of the pits of children to be searched are written to `s.keys`. For each child that is
    in the database, its address there and its gain are written to `lookups`.

    Returns:
        The best value so far, the number of children to be searched, and the number of children to
        be looked up. Both numbers are 0 after a move that is worth beta.
    """
    best, count, waiting, sowing = LOWEST, 0, 0, t.sowing
    total = stones(own) + stones(opp)
    for place in range(MAX_PITS - 1, t.first - 1, -1):
        in_pit = (own >> (8 * place)) & 127
        if in_pit == 0:
            continue
        entry = place * ROW + in_pit
        own_after, opp_after, gained, lost, extra = sow_pit(
            own, opp, sowing.own[entry], sowing.opp[entry], sowing.effect[entry], t.rules
        )
        mover, other = (own_after, opp_after) if extra else (opp_after, own_after)
        # `banked` is never negative: sowing reaches the mover's store before the opponent's.
        banked, remaining = gained - lost, total - gained - lost
        if is_over_after(own_after, opp_after, extra, t.rules):
            value = banked + final_value(stones(own_after), stones(opp_after), t.rules)
        elif remaining <= t.stones:  # in the database; read later, as a read is the slowest step
            address = t.values + place_of(mover, other, t.layout)
            lookups[2 * waiting], lookups[2 * waiting + 1] = address, (banked << 1) | extra
            prefetch(address)
            waiting += 1
            continue
        elif banked + remaining < beta:  # beta is out of reach even with all other stones
            value = banked + remaining
        elif banked - remaining >= beta:  # beta is reached even without any other stone
            value = banked - remaining
        else:
            child = base + place
            s.children[child, CHILD_OWN], s.children[child, CHILD_OPP] = mover, other
            s.children[child, CHILD_GAIN] = (banked << 1) | extra
            s.keys[base + count] = place
            count += 1
            continue
        if value > best:
            best = value
            if best >= beta:
                return best, 0, 0
    return best, count, waiting


@inlined
def parent_value(value: int, gain: int) -> int:
    """Return a child's value to its parent's mover.

    `gain` is that of `CHILD_GAIN`.
    """
    return (gain >> 1) + (value if gain & 1 else -value)


@inlined
def arrange(base: int, count: int, total: int, s: Stack, t: Tables) -> None:
    """Replace each byte of a pit in `s.keys` by a key: 8 times the child's score, plus the byte."""
    begin = order_set(total)
    for index in range(base, base + count):
        place = s.keys[index]
        child = s.children[base + place]
        own, opp = child[CHILD_OWN], child[CHILD_OPP]
        child[CHILD_BUCKET] = bucket_of(own, opp, t.table)
        remaining = total - (child[CHILD_GAIN] >> 1)
        if remaining > t.stones + MARGIN:  # the child may have a table entry
            prefetch(t.table.ctypes.data + ENTRIES * ENTRY_BYTES * child[CHILD_BUCKET])
        score = order_score(own, opp, child[CHILD_GAIN], place, begin, t.order)
        s.keys[index] = (score << 3) | place


@inlined
def pick_child(base: int, started: int, count: int, s: Stack, t: Tables) -> int:
    """Return the index of the most promising child that is not started, and move it to the front.

    Children that other threads are searching are deferred.
    """
    first = base + started
    while True:
        index = first
        for other in range(first + 1, base + count):
            if s.keys[other] > s.keys[index]:
                index = other
        key = s.keys[index]
        child: int = base + (key & 7)
        # No score comes near half of DEFERRED, so lower keys are those of deferred children. If the
        # best key is one of them, all children are deferred, and this one is searched all the same.
        is_deferred = key < -(DEFERRED >> 1)
        # The first child is never deferred, as in ABDADA.
        if started == 0 or is_deferred or not is_marked(child, s, t):
            break
        s.keys[index] = key - DEFERRED
    s.keys[index] = s.keys[first]
    s.keys[first] = key
    return child


@inlined
def find_mark(child: int, s: Stack, t: Tables) -> tuple[int, int]:
    """Return the index of a child's place in the marks, and the mark, a hash of its position.

    The index is -1 for a child with too few stones to be marked.
    """
    own: int = s.children[child, CHILD_OWN]
    opp: int = s.children[child, CHILD_OPP]
    mark = (own * 31) ^ (opp * -0x61C8864680B583EB)
    index = -1
    if stones(own) + stones(opp) >= t.shared_from:
        index = (mark >> 40) & (MARKS - 1)
    return index, mark


@inlined
def is_marked(child: int, s: Stack, t: Tables) -> bool:
    """Return whether a thread is searching a child."""
    index, mark = find_mark(child, s, t)
    return index >= 0 and bool(t.marks[index] == mark)


@inlined
def set_mark(child: int, s: Stack, t: Tables, searching: bool) -> None:
    """Set the mark of a child, or remove it if it is still there.

    Two children can share a place: then the later mark has replaced the earlier one.
    """
    index, mark = find_mark(child, s, t)
    if index >= 0 and (searching or t.marks[index] == mark):
        t.marks[index] = mark if searching else 0


@inlined
def set_frame(ply: int, own: int, opp: int, beta: int, bucket: int, s: Stack) -> None:
    s.frames[ply, OWN], s.frames[ply, OPP], s.frames[ply, BETA] = own, opp, beta
    s.frames[ply, BUCKET] = bucket


@inlined
def back_up(ply: int, value: int, s: Stack, t: Tables) -> tuple[int, int]:
    """Hand a value up to the nearest ply that has another child to search.

    The positions on the way are decided: their bounds go into the table.

    Returns:
        The ply and its best value so far; or -1 and the value of the root.
    """
    frames = s.frames
    while ply > 0:
        ply -= 1
        base, beta = ply * WIDTH, frames[ply, BETA]
        # `pick_child` moves the child to the front, so the last one started is at NEXT - 1.
        child = base + (s.keys[base + frames[ply, NEXT] - 1] & 7)
        set_mark(child, s, t, False)
        value = max(frames[ply, BEST], parent_value(value, s.children[child, CHILD_GAIN]))
        frames[ply, BEST] = value
        if frames[ply, NEXT] < frames[ply, COUNT] and value < beta:
            return ply, value
        own, opp = frames[ply, OWN], frames[ply, OPP]
        total = stones(own) + stones(opp)
        if total > t.stones + MARGIN:
            store(own, opp, total, value, beta, frames[ply, BUCKET], t.table)
    return -1, value


@inlined
def start_child(ply: int, s: Stack, t: Tables) -> None:
    """Set the next frame to the most promising child of a ply."""
    started, beta = s.frames[ply, NEXT], s.frames[ply, BETA]
    index = pick_child(ply * WIDTH, started, s.frames[ply, COUNT], s, t)
    set_mark(index, s, t, True)
    s.frames[ply, NEXT] = started + 1
    child = s.children[index]
    banked, extra = child[CHILD_GAIN] >> 1, child[CHILD_GAIN] & 1
    # The parent's value is at least beta if the child's is at least beta - banked. If the turn
    # passes, the child's must be at most banked - beta, so not banked - beta + 1 or more.
    child_beta = beta - banked if extra else banked - beta + 1
    set_frame(ply + 1, child[CHILD_OWN], child[CHILD_OPP], child_beta, child[CHILD_BUCKET], s)


@jit
def prove(own: int, opp: int, beta: int, s: Stack, counters: NDArray[np.int64], t: Tables) -> int:
    """Return a bound that decides whether the value is at least beta.

    Args:
        own: The mover's pits, not empty.
        opp: The opponent's pits. The game is not over, and both sides together hold more stones
            than the database.
        beta: The value asked for.
        s: A stack of more than `max_plies` plies.
        counters: The thread's counters; see `NODES`.
        t: The tables.

    Returns:
        A lower bound if it is >= beta, else an upper bound; `LOWEST` if stopped or at the limit.
    """
    lookups = np.empty(2 * WIDTH, np.int64)  # pairs of an address and a gain
    frames, ply, nodes = s.frames, 0, 0  # `nodes` are those since the last read of the counters
    set_frame(0, own, opp, beta, bucket_of(own, opp, t.table), s)
    while True:
        nodes += 1
        if nodes == POLL:
            counters[NODES] += nodes
            nodes = 0
            if counters[STOP] or counters[NODES] >= counters[NODE_LIMIT]:
                return LOWEST
        own, opp, beta = frames[ply, OWN], frames[ply, OPP], frames[ply, BETA]
        base, total = ply * WIDTH, stones(own) + stones(opp)
        value, count, waiting = expand(own, opp, beta, base, s, lookups, t)
        done = count == 0 and waiting == 0  # the position is decided: `value` is its bound
        if count > 0 and total > t.stones + MARGIN:
            lower, upper, _ = probe(own, opp, total, frames[ply, BUCKET], t.table)
            if lower >= beta or upper < beta:
                value = lower if lower >= beta else upper
                done = True
        if not done:
            arrange(base, count, total, s, t)
            for index in range(0, 2 * waiting, 2):
                value = max(value, parent_value(byte_at(lookups[index]), lookups[index + 1]))
                if value >= beta:
                    break
            frames[ply, BEST], frames[ply, COUNT], frames[ply, NEXT] = value, count, 0
            done = value >= beta or count == 0
        if done:
            ply, value = back_up(ply, value, s, t)
            if ply < 0:  # the value is the root's
                counters[NODES] += nodes
                return value
        start_child(ply, s, t)
        ply += 1


def max_plies(pits: int, total: int, database_stones: int) -> int:
    """Return an upper bound of the plies of a line of `total` stones until it reaches the database.

    With `count` stones in play at most (pits - 1) * count moves bank none, as each of these moves
    takes a stone at least one pit further on its side. Then a move must bank a stone.
    """
    return sum((pits - 1) * count + 1 for count in range(database_stones + 1, total + 1))
