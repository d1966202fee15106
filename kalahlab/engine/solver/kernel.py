"""Is this position worth at least so much? Answered exactly, by a null-window search.

`prove` is alpha-beta with the window (beta - 1, beta), fail-soft: an answer >= beta is a
lower bound of the value, an answer < beta an upper bound. Values count from the position
on, stores apart, and are the mover's; after an extra turn the mover, and so the sign, is the
same. What ends a line: a side is empty, the position is in the endgame database, or so few
stones are left that they cannot change the answer.

The stack is explicit, one frame a ply, so that a search can be stopped at any node. Several
threads may run `prove` on one position: they share the table, and each puts off the moves
that another is just searching (after T. Kerrigan's simplification of ABDADA).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, kernel
from kalahlab.engine.endgame.layout import Layout, address
from kalahlab.engine.packed import MAX_PITS, ROW, Sowings, again, step, stones
from kalahlab.engine.solver.ordering import promise
from kalahlab.engine.solver.prefetch import prefetch
from kalahlab.engine.solver.table import ENTRIES, bucket_of, keep, probe

WIDTH = 8
"""Children a frame can hold."""

OWN, OPP, BETA, BUCKET, BEST, COUNT, NEXT = range(7)
"""A frame: position, question, where the table keeps it, best value so far, how many
children are worth searching and how many of them are started."""

CHILD_OWN, CHILD_OPP, CHILD_GAIN, CHILD_BUCKET = range(4)
"""A child, by the byte of its pit: its position, its mover's words first, stones that the
move banks, twice, plus 1 for an extra turn, and where the table keeps it."""

PUT_OFF = 1 << 40
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

    first: the byte of the leftmost pit. stones: the database's. order: see
    `kalahlab.engine.solver.ordering`. table: the transposition table, see `probe`. marks: shared
    by the threads. shared_from: positions of fewer stones are not marked.
    """

    first: int
    stones: int
    capture_empty: bool
    sowing: Sowings
    values: NDArray[np.int8]
    layout: Layout
    order: NDArray[np.int16]
    table: NDArray[np.int64]
    marks: NDArray[np.int64]
    shared_from: int


@inlined
def settle(
    own: int,
    opp: int,
    beta: int,
    base: int,
    children: NDArray[np.int64],
    keys: NDArray[np.int64],
    known: NDArray[np.int64],
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
            known[2 * waiting] = address(
                mover, other, t.layout.halves, t.layout.blocks, t.layout.ranks
            )
            known[2 * waiting + 1] = banked << 1 | extra
            prefetch(t.values, known[2 * waiting])
            waiting += 1
            continue
        elif banked + left < beta:
            value = banked + left
        elif banked - left >= beta:
            value = banked - left
        else:
            child = base + place
            children[child, CHILD_OWN] = mover
            children[child, CHILD_OPP] = other
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
    for at in range(base, base + count):
        place = keys[at]
        child = base + place
        own, opp = children[child, CHILD_OWN], children[child, CHILD_OPP]
        children[child, CHILD_BUCKET] = bucket_of(own, opp, table)
        if total - (children[child, CHILD_GAIN] >> 1) > kept_above:
            prefetch(table, children[child, CHILD_BUCKET] * 2 * ENTRIES)
        keys[at] = promise(own, opp, children[child, CHILD_GAIN], place, order) << 3 | place


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
        if started == 0 or key < -(PUT_OFF >> 1) or not marked(child, children, t):
            break
        keys[at] = key - PUT_OFF
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
    known = np.empty(2 * WIDTH, np.int64)
    kept_above = t.stones + MARGIN
    depth, nodes = 0, 0
    frames[0, OWN], frames[0, OPP], frames[0, BETA] = own, opp, beta
    frames[0, BUCKET] = bucket_of(own, opp, t.table)
    while True:
        own, opp, beta = frames[depth, OWN], frames[depth, OPP], frames[depth, BETA]
        base = depth * WIDTH
        total = stones(own) + stones(opp)
        nodes += 1
        if nodes == POLL:
            counters[NODES] += nodes
            nodes = 0
            if counters[STOP] or counters[NODES] >= counters[NODE_LIMIT]:
                return LOWEST
        value, count, waiting = settle(own, opp, beta, base, children, keys, known, t)
        done = count == 0 and waiting == 0
        if count > 0 and total > kept_above:
            lower, upper, _ = probe(own, opp, total, frames[depth, BUCKET], t.table)
            if lower >= beta or upper < beta:
                value, done = lower if lower >= beta else upper, True
        if not done:
            arrange(base, count, children, keys, t.order, t.table, total, kept_above)
            for nth in range(waiting):
                stored = t.values[np.uint64(known[2 * nth])]
                value = max(value, backed_up(stored, known[2 * nth + 1]))
                if value >= beta:
                    break
            done = value >= beta or count == 0
            frames[depth, BEST], frames[depth, COUNT], frames[depth, NEXT] = value, count, 0
        while True:  # back up finished positions until there is a child to search
            if done:
                if depth == 0:
                    counters[NODES] += nodes
                    return value
                depth -= 1
                base = depth * WIDTH
                child = base + (keys[base + frames[depth, NEXT] - 1] & 7)
                set_mark(child, children, t, False)
                value = max(frames[depth, BEST], backed_up(value, children[child, CHILD_GAIN]))
                frames[depth, BEST] = value
            started, count, beta = (
                frames[depth, NEXT],
                frames[depth, COUNT],
                frames[depth, BETA],
            )
            if started < count and value < beta:
                break
            own, opp = frames[depth, OWN], frames[depth, OPP]
            total = stones(own) + stones(opp)
            if total > kept_above:
                keep(own, opp, total, value, beta, frames[depth, BUCKET], t.table)
            done = True
        child = pick(base, started, count, children, keys, t)
        set_mark(child, children, t, True)
        frames[depth, NEXT] = started + 1
        banked = children[child, CHILD_GAIN] >> 1
        extra = children[child, CHILD_GAIN] & 1
        depth += 1
        frames[depth, OWN] = children[child, CHILD_OWN]
        frames[depth, OPP] = children[child, CHILD_OPP]
        frames[depth, BETA] = beta - banked if extra else banked - beta + 1
        frames[depth, BUCKET] = children[child, CHILD_BUCKET]


def deepest(pits: int, total: int, database_stones: int) -> int:
    """A bound of the plies between a position and the endgame database.

    A move that banks nothing takes stones forward on their own side, over at most pits - 1
    pits each; any other leaves fewer stones in play.
    """
    return sum((pits - 1) * left + 1 for left in range(database_stones + 1, total + 1))
