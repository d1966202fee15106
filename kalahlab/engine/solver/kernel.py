"""Is this position worth at least so much? Answered exactly, by a null-window search.

`prove` is alpha-beta with the window (beta - 1, beta), fail-soft: an answer >= beta is a
lower bound of the value, an answer < beta an upper bound. Values count from the position
on, stores apart, and are the mover's; after an extra turn the mover, and so the sign, is the
same. What ends a line: a side is empty, the position is in the endgame database, or so few
stones are left that they cannot change the answer.

The stack is explicit, one frame a ply, so that a search can be stopped at any node. Several
threads may run `prove` on one position: they share the table, and each defers the moves
that another is just searching (after T. Kerrigan's simplification of ABDADA).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.address import prefetch, prefetch_item
from kalahlab.engine.compiled import inlined, kernel
from kalahlab.engine.endgame.dense import Addresses, value_at
from kalahlab.engine.endgame.layout import Layout, place_of
from kalahlab.engine.packed import MAX_PITS, ROW, Sowings, again, step, stones
from kalahlab.engine.solver.ordering import order_score, order_set
from kalahlab.engine.solver.table import ENTRIES, bucket_of, probe, store

WIDTH = 8
"""Children a frame can hold."""

OWN, OPP, BETA, BUCKET, BEST, COUNT, NEXT = range(7)
"""A frame: position, question, where the table keeps it, best value so far, how many
children are worth searching and how many of them are started."""

CHILD_OWN, CHILD_OPP, CHILD_GAIN, CHILD_BUCKET = range(4)
"""A child, by the byte of its pit: its position, its mover's words first, stones that the
move banks, twice, plus 1 for an extra turn, and where the table keeps it."""

DEFERRED = 1 << 40
"""Taken from a child's key when another thread was found searching it."""

LOWEST = -128
"""Below every value."""

MARKS = 1 << 10
"""Places where the threads mark what they are searching."""

NODES, STOP, NODE_LIMIT = 0, 1, 2
"""In a thread's counters: nodes entered, whether to stop, and how many nodes to stop at."""

MARGIN = 3
"""Positions with so few stones more than the database has are not worth a table entry."""

POLL = 1 << 10
"""Nodes between two looks at the counters."""


class Tables(NamedTuple):
    """All that the search reads besides the position.

    first: the byte of the leftmost pit. stones: the database's. values: where its values lie.
    Whoever calls the search keeps the database for as long as it runs. order: see
    `kalahlab.engine.solver.ordering`. table: the transposition table, see `probe`. marks: shared
    by the threads. shared_from: positions of fewer stones are not marked.
    """

    first: int
    stones: int
    capture_empty: bool
    sowing: Sowings
    values: Addresses
    layout: Layout
    order: NDArray[np.int16]
    table: NDArray[np.int64]
    marks: NDArray[np.int64]
    shared_from: int


@inlined
def expand(
    own: int,
    opp: int,
    beta: int,
    base: int,
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    lookups: NDArray[np.int64],
    t: Tables,
) -> tuple[int, int, int]:
    """Make the moves: (best value known at once, children to search, values to look up).

    Stops at a move that is worth beta or more; then the others play no part.
    """
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
            look_up_later(mover, other, banked << 1 | extra, waiting, lookups, t)
            waiting += 1
            continue
        elif banked + left < beta:
            value = banked + left
        elif banked - left >= beta:
            value = banked - left
        else:
            child = base + place
            children[child, CHILD_OWN], children[child, CHILD_OPP] = mover, other
            children[child, CHILD_GAIN] = banked << 1 | extra
            keys[base + count] = place
            count += 1
            continue
        if value > best:
            best = value
            if best >= beta:
                return best, 0, 0
    return best, count, waiting


@inlined
def look_up_later(
    own: int, opp: int, gain: int, waiting: int, lookups: NDArray[np.int64], t: Tables
) -> None:
    """Have a child's value in the database brought near, before it is read."""
    where, row = place_of(own, opp, t.layout.halves, t.layout.blocks, t.layout.rows, t.layout.ranks)
    lookups[3 * waiting], lookups[3 * waiting + 1], lookups[3 * waiting + 2] = where, row, gain
    code = where - t.values.whole_size
    prefetch(t.values.whole + where if code < 0 else t.values.codes + (code >> 1))


@inlined
def backed_up(value: int, gain: int) -> int:
    """A child's value as its parent's: `gain` is the stones banked, twice, + 1 if again."""
    return (gain >> 1) + (value if gain & 1 else -value)


@inlined
def arrange(
    base: int,
    count: int,
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    order: NDArray[np.int16],
    table: NDArray[np.int64],
    total: int,
    kept_above: int,
) -> None:
    """Turn the bytes in `keys` into keys: how promising, and the byte in the low 3 bits."""
    begin = order_set(total)
    for at in range(base, base + count):
        place = keys[at]
        child = base + place
        own, opp = children[child, CHILD_OWN], children[child, CHILD_OPP]
        children[child, CHILD_BUCKET] = bucket_of(own, opp, table)
        if total - (children[child, CHILD_GAIN] >> 1) > kept_above:
            prefetch_item(table, children[child, CHILD_BUCKET] * 2 * ENTRIES)
        score = order_score(own, opp, children[child, CHILD_GAIN], place, begin, order)
        keys[at] = score << 3 | place


@inlined
def pick(
    base: int,
    started: int,
    count: int,
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    t: Tables,
) -> int:
    """The most promising child not started yet; one that another thread searches comes last."""
    first = base + started
    while True:
        at = first
        for other in range(first + 1, base + count):
            if keys[other] > keys[at]:
                at = other
        key = keys[at]
        child: int = base + (key & 7)
        if started == 0 or key < -(DEFERRED >> 1) or not marked(child, children, t):
            break
        keys[at] = key - DEFERRED
    keys[at] = keys[first]
    keys[first] = key
    return child


@inlined
def mark_of(child: int, children: NDArray[np.int64]) -> int:
    """A number that tells a child from others."""
    own: int = children[child, CHILD_OWN]
    opp: int = children[child, CHILD_OPP]
    return own * 31 ^ opp * -0x61C8864680B583EB


@inlined
def large(child: int, children: NDArray[np.int64], t: Tables) -> bool:
    """Whether a child is worth telling the other threads of."""
    left: int = stones(children[child, CHILD_OWN]) + stones(children[child, CHILD_OPP])
    return left >= t.shared_from


@inlined
def marked(child: int, children: NDArray[np.int64], t: Tables) -> bool:
    """Whether some thread is searching a child."""
    mark = mark_of(child, children)
    return large(child, children, t) and bool(t.marks[mark >> 40 & MARKS - 1] == mark)


@inlined
def set_mark(child: int, children: NDArray[np.int64], t: Tables, searching: bool) -> None:
    """Tell the other threads that this one begins or ends searching a child."""
    if large(child, children, t):
        mark = mark_of(child, children)
        if searching:
            t.marks[mark >> 40 & MARKS - 1] = mark
        elif t.marks[mark >> 40 & MARKS - 1] == mark:
            t.marks[mark >> 40 & MARKS - 1] = 0


@inlined
def set_frame(
    ply: int, own: int, opp: int, beta: int, bucket: int, frames: NDArray[np.int64]
) -> None:
    """Write the question of a ply."""
    frames[ply, OWN], frames[ply, OPP], frames[ply, BETA] = own, opp, beta
    frames[ply, BUCKET] = bucket


@inlined
def back_up(
    ply: int,
    value: int,
    frames: NDArray[np.int64],
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    t: Tables,
) -> tuple[int, int]:
    """The answered position's value, handed up to where there is a child to search: (ply, value).

    The ply is -1 if the root is answered.
    """
    while ply > 0:
        ply -= 1
        base, beta = ply * WIDTH, frames[ply, BETA]
        child = base + (keys[base + frames[ply, NEXT] - 1] & 7)
        set_mark(child, children, t, False)
        value = max(frames[ply, BEST], backed_up(value, children[child, CHILD_GAIN]))
        frames[ply, BEST] = value
        if frames[ply, NEXT] < frames[ply, COUNT] and value < beta:
            return ply, value
        own, opp = frames[ply, OWN], frames[ply, OPP]
        total = stones(own) + stones(opp)
        if total > t.stones + MARGIN:
            store(own, opp, total, value, beta, frames[ply, BUCKET], t.table)
    return -1, value


@inlined
def start_child(
    ply: int,
    frames: NDArray[np.int64],
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    t: Tables,
) -> None:
    """Make the most promising child that is left the question of the next ply."""
    started, beta = frames[ply, NEXT], frames[ply, BETA]
    child = pick(ply * WIDTH, started, frames[ply, COUNT], children, keys, t)
    set_mark(child, children, t, True)
    frames[ply, NEXT] = started + 1
    banked, extra = children[child, CHILD_GAIN] >> 1, children[child, CHILD_GAIN] & 1
    set_frame(
        ply + 1,
        children[child, CHILD_OWN],
        children[child, CHILD_OPP],
        beta - banked if extra else banked - beta + 1,
        children[child, CHILD_BUCKET],
        frames,
    )


@kernel()
def prove(
    own: int,
    opp: int,
    beta: int,
    frames: NDArray[np.int64],
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    counters: NDArray[np.int64],
    t: Tables,
) -> int:
    """A bound of the value that says whether it is at least beta.

    The position has more stones than the database, and neither side is empty. frames: a row
    a ply, `deepest` plies. children, keys: `WIDTH` rows a ply. counters: this thread's; if
    it was told to stop, the answer means nothing.
    """
    lookups = np.empty(3 * WIDTH, np.int64)
    ply, nodes = 0, 0
    set_frame(0, own, opp, beta, bucket_of(own, opp, t.table), frames)
    while True:
        nodes += 1
        if nodes == POLL:
            counters[NODES] += nodes
            nodes = 0
            if counters[STOP] or counters[NODES] >= counters[NODE_LIMIT]:
                return LOWEST
        own, opp, beta = frames[ply, OWN], frames[ply, OPP], frames[ply, BETA]
        base, total = ply * WIDTH, stones(own) + stones(opp)
        value, count, waiting = expand(own, opp, beta, base, children, keys, lookups, t)
        done = count == 0 and waiting == 0
        if count > 0 and total > t.stones + MARGIN:
            lower, upper, _ = probe(own, opp, total, frames[ply, BUCKET], t.table)
            if lower >= beta or upper < beta:
                value, done = lower if lower >= beta else upper, True
        if not done:
            arrange(base, count, children, keys, t.order, t.table, total, t.stones + MARGIN)
            for nth in range(waiting):
                stored = value_at(lookups[3 * nth], lookups[3 * nth + 1], t.values)
                value = max(value, backed_up(stored, lookups[3 * nth + 2]))
                if value >= beta:
                    break
            frames[ply, BEST], frames[ply, COUNT], frames[ply, NEXT] = value, count, 0
            done = value >= beta or count == 0
        if done:
            ply, value = back_up(ply, value, frames, children, keys, t)
            if ply < 0:
                counters[NODES] += nodes
                return value
        start_child(ply, frames, children, keys, t)
        ply += 1


def deepest(pits: int, total: int, database_stones: int) -> int:
    """A bound of the plies between a position and the endgame database.

    A move that banks nothing takes stones forward on their own side, over at most pits - 1
    pits each; any other leaves fewer stones in play.
    """
    return sum((pits - 1) * left + 1 for left in range(database_stones + 1, total + 1))
