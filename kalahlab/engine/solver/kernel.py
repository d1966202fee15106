"""Is this position worth at least beta? Answered exactly, by a null-window search.

`prove` is alpha-beta with the window (beta - 1, beta), fail-soft: an answer >= beta is a
lower bound of the value, an answer < beta an upper bound. Values count from the position
on, stores apart, and are the mover's; after an extra turn the mover, and so the sign, is the
same. What ends a line: a side is empty, the position is in the endgame database, or so few
stones are left that they cannot change the answer.

The stack is explicit, one frame a ply, so that a search can be stopped at any node. Threads that
run `prove` on one position share the table, and each defers the moves that another is just
searching (after T. Kerrigan's simplification of ABDADA).

An entry of the table is two words, own << 8 | lower bound and opp << 8 | upper bound. The first is
kept xor a scrambled second: halves of two entries, which threads may leave, are of no position.
Four entries are a bucket, a cache line. A new entry goes over the one with fewest stones in play,
which was the least work to prove.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.endgame.layout import Layout, place_of
from kalahlab.engine.packed import MAX_PITS, ROW, Sowings, again, byte_at, prefetch, step, stones
from kalahlab.engine.solver.ordering import order_score, order_set

Table = NDArray[np.int64]

ENTRIES, ENTRY_BYTES = 4, 16  # of the table: how many a bucket has, and what one takes
WIDTH = 8  # children a frame can hold
# A frame: position, question, where the table keeps it, best value so far, how many children are
# worth searching and how many of them are started.
OWN, OPP, BETA, BUCKET, BEST, COUNT, NEXT = range(7)
# A child, by the byte of its pit: its position, its mover's words first, stones that the move
# banks, twice, plus 1 for an extra turn, and where the table keeps it.
CHILD_OWN, CHILD_OPP, CHILD_GAIN, CHILD_BUCKET = range(4)
DEFERRED = 1 << 40  # taken from a child's key when another thread was found searching it
LOWEST = -128  # below every value
MARKS = 1 << 10  # places where the threads mark what they are searching
MARGIN = 3  # stones more than the database has that are too few to be worth a table entry
POLL = 1 << 10  # nodes between two looks at the counters
NODES, STOP, NODE_LIMIT = range(3)  # a thread's counters: nodes, whether and when to stop


class Stack(NamedTuple):
    """A thread's own memory: `frames`, a row a ply; `children` and `keys`, `WIDTH` rows a ply."""

    frames: NDArray[np.int64]
    children: NDArray[np.int64]
    keys: NDArray[np.int64]

    @classmethod
    def of(cls, plies: int) -> "Stack":
        shapes = (plies, 8), (plies * WIDTH, 4), plies * WIDTH
        return cls(*(np.empty(shape, np.int64) for shape in shapes))


class Tables(NamedTuple):
    """All that the search reads besides the position.

    first: the byte of the leftmost pit. stones: the database's. values: the address of its bytes,
    as numba counts references to an array; the caller keeps the database. marks: shared by the
    threads. shared_from: positions of fewer stones are not marked.
    """

    first: int
    stones: int
    capture_empty: bool
    sowing: Sowings
    values: int
    layout: Layout
    order: NDArray[np.int16]
    table: Table
    marks: NDArray[np.int64]
    shared_from: int


def empty_table(entries: int) -> Table:
    """entries: a power of two of at least `ENTRIES`."""
    line = ENTRIES * ENTRY_BYTES
    memory = np.zeros(entries * ENTRY_BYTES + line, np.int8)
    begin = -memory.ctypes.data % line
    return memory[begin : begin + entries * ENTRY_BYTES].view(np.int64)


@inlined
def bucket_of(own: int, opp: int, table: Table) -> int:
    """Where the table keeps a position: the index of its bucket's first word."""
    mixed = own * -0x61C8864680B583EB ^ opp * -0x3D4D51C2D82B14B1
    mixed = (mixed ^ mixed >> 32 & 0xFFFFFFFF) * -0x2917014799A6026D
    return (mixed >> 32) & (table.size // (2 * ENTRIES) - 1)


@inlined
def scrambled(word: int) -> int:
    mixed = word * -0x61C8864680B583EB
    return mixed ^ mixed >> 29


@inlined
def low_byte(word: int) -> int:
    return ((word & 255) ^ 128) - 128


@inlined
def probe(own: int, opp: int, total: int, bucket: int, table: Table) -> tuple[int, int, int]:
    """(lower bound, upper bound, the entry's first word or -1) of a position."""
    first = bucket * 2 * ENTRIES
    for word in range(first, first + 2 * ENTRIES, 2):
        second = table[word + 1]
        if second >> 8 == opp:
            mine = table[word] ^ scrambled(second)
            if mine >> 8 == own:
                return low_byte(mine), low_byte(second), word
    return -total, total, -1


@inlined
def store(own: int, opp: int, total: int, value: int, beta: int, bucket: int, table: Table) -> None:
    """Put what was proved about a position into the table, over one of fewest stones."""
    lower, upper, word = probe(own, opp, total, bucket, table)
    if value >= beta:
        lower = max(lower, value)
    else:
        upper = min(upper, value)
    if word < 0:
        first = bucket * 2 * ENTRIES
        fewest = 1 << 20
        for other in range(first, first + 2 * ENTRIES, 2):
            second = table[other + 1]
            held = stones((table[other] ^ scrambled(second)) >> 8) + stones(second >> 8)
            if held < fewest:
                fewest, word = held, other
    second = opp << 8 | upper & 255
    table[word + 1] = second
    table[word] = (own << 8 | lower & 255) ^ scrambled(second)


@inlined
def expand(
    own: int, opp: int, beta: int, base: int, s: Stack, lookups: NDArray[np.int64], t: Tables
) -> tuple[int, int, int]:
    """Make moves, up to one worth beta: (best value so far, children to search, and to look up)."""
    best, count, waiting = LOWEST, 0, 0
    total = stones(own) + stones(opp)
    for place in range(MAX_PITS - 1, t.first - 1, -1):
        held = own >> 8 * place & 127
        if held == 0:
            continue
        entry = place * ROW + held
        effect = t.sowing.effect[entry]
        a, b, banked = step(
            own, opp, t.sowing.own[entry], t.sowing.opp[entry], effect, t.capture_empty
        )
        extra = again(effect)
        mover, other = (a, b) if extra else (b, a)
        left = total - banked
        if a == 0 or b == 0:
            value = banked + stones(a) - stones(b)
        elif left <= t.stones:  # looked up later: memory takes longer than all the rest
            address = t.values + place_of(mover, other, t.layout)
            lookups[2 * waiting], lookups[2 * waiting + 1] = address, banked << 1 | extra
            prefetch(address)
            waiting += 1
            continue
        elif banked + left < beta:
            value = banked + left
        elif banked - left >= beta:
            value = banked - left
        else:
            child = base + place
            s.children[child, CHILD_OWN], s.children[child, CHILD_OPP] = mover, other
            s.children[child, CHILD_GAIN] = banked << 1 | extra
            s.keys[base + count] = place
            count += 1
            continue
        if value > best:
            best = value
            if best >= beta:
                return best, 0, 0
    return best, count, waiting


@inlined
def backed_up(value: int, gain: int) -> int:
    """A child's value as its parent's: `gain` is the stones banked, twice, + 1 if again."""
    return (gain >> 1) + (value if gain & 1 else -value)


@inlined
def arrange(base: int, count: int, total: int, s: Stack, t: Tables) -> None:
    """Turn the bytes in `keys` into keys: how promising, and the byte in the low 3 bits."""
    begin = order_set(total)
    for at in range(base, base + count):
        place = s.keys[at]
        child = s.children[base + place]
        own, opp = child[CHILD_OWN], child[CHILD_OPP]
        child[CHILD_BUCKET] = bucket_of(own, opp, t.table)
        if total - (child[CHILD_GAIN] >> 1) > t.stones + MARGIN:
            prefetch(t.table.ctypes.data + ENTRIES * ENTRY_BYTES * child[CHILD_BUCKET])
        s.keys[at] = order_score(own, opp, child[CHILD_GAIN], place, begin, t.order) << 3 | place


@inlined
def pick(base: int, started: int, count: int, s: Stack, t: Tables) -> int:
    """The most promising child not started yet; one that another thread searches comes last."""
    first = base + started
    while True:
        at = first
        for other in range(first + 1, base + count):
            if s.keys[other] > s.keys[at]:
                at = other
        key = s.keys[at]
        child: int = base + (key & 7)
        if started == 0 or key < -(DEFERRED >> 1) or not marked(child, s, t):
            break
        s.keys[at] = key - DEFERRED
    s.keys[at] = s.keys[first]
    s.keys[first] = key
    return child


@inlined
def mark_of(child: int, s: Stack, t: Tables) -> tuple[int, int]:
    """(Where threads mark a child that they search, -1 if it is too small; a number of its own)."""
    own: int = s.children[child, CHILD_OWN]
    opp: int = s.children[child, CHILD_OPP]
    mark = own * 31 ^ opp * -0x61C8864680B583EB
    return mark >> 40 & MARKS - 1 if stones(own) + stones(opp) >= t.shared_from else -1, mark


@inlined
def marked(child: int, s: Stack, t: Tables) -> bool:
    at, mark = mark_of(child, s, t)
    return at >= 0 and bool(t.marks[at] == mark)


@inlined
def set_mark(child: int, s: Stack, t: Tables, searching: bool) -> None:
    at, mark = mark_of(child, s, t)
    if at >= 0 and (searching or t.marks[at] == mark):
        t.marks[at] = mark if searching else 0


@inlined
def set_frame(ply: int, own: int, opp: int, beta: int, bucket: int, s: Stack) -> None:
    s.frames[ply, OWN], s.frames[ply, OPP], s.frames[ply, BETA] = own, opp, beta
    s.frames[ply, BUCKET] = bucket


@inlined
def back_up(ply: int, value: int, s: Stack, t: Tables) -> tuple[int, int]:
    """(Where there is a child left to search, or -1 if nowhere; the value handed up to there)."""
    frames = s.frames
    while ply > 0:
        ply -= 1
        base, beta = ply * WIDTH, frames[ply, BETA]
        child = base + (s.keys[base + frames[ply, NEXT] - 1] & 7)
        set_mark(child, s, t, False)
        value = max(frames[ply, BEST], backed_up(value, s.children[child, CHILD_GAIN]))
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
    started, beta = s.frames[ply, NEXT], s.frames[ply, BETA]
    child = pick(ply * WIDTH, started, s.frames[ply, COUNT], s, t)
    set_mark(child, s, t, True)
    s.frames[ply, NEXT] = started + 1
    made = s.children[child]
    banked, extra = made[CHILD_GAIN] >> 1, made[CHILD_GAIN] & 1
    below = beta - banked if extra else banked - beta + 1
    set_frame(ply + 1, made[CHILD_OWN], made[CHILD_OPP], below, made[CHILD_BUCKET], s)


@jit
def prove(own: int, opp: int, beta: int, s: Stack, counters: NDArray[np.int64], t: Tables) -> int:
    """A bound that says whether the value is at least beta; `LOWEST` if stopped or at the limit.

    There are more stones than in the database, some on each side. s: of more than `deepest` plies.
    """
    lookups = np.empty(2 * WIDTH, np.int64)
    frames, ply, nodes = s.frames, 0, 0
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
        done = count == 0 and waiting == 0
        if count > 0 and total > t.stones + MARGIN:
            lower, upper, _ = probe(own, opp, total, frames[ply, BUCKET], t.table)
            if lower >= beta or upper < beta:
                value, done = lower if lower >= beta else upper, True
        if not done:
            arrange(base, count, total, s, t)
            for nth in range(waiting):
                value = max(value, backed_up(byte_at(lookups[2 * nth]), lookups[2 * nth + 1]))
                if value >= beta:
                    break
            frames[ply, BEST], frames[ply, COUNT], frames[ply, NEXT] = value, count, 0
            done = value >= beta or count == 0
        if done:
            ply, value = back_up(ply, value, s, t)
            if ply < 0:
                counters[NODES] += nodes
                return value
        start_child(ply, s, t)
        ply += 1


def deepest(pits: int, total: int, database_stones: int) -> int:
    """A bound of the plies to the database: a move takes stones forward or leaves fewer in play."""
    return sum((pits - 1) * left + 1 for left in range(database_stones + 1, total + 1))
