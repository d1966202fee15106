"""Alpha-beta and minimax on the store difference: the kernel that is made for speed.

Negamax on packed boards: everything is seen from the mover. `ahead` is the mover's store
minus the opponent's. Each function answers

    (value, line, expanded, generated, evaluated, cutoffs)

of an inner node, value fail-soft, the line as a number with three bits a move: the byte of
the pit plus one, the first move lowest. So a line has at most 21 moves. Both sides of an
inner node have stones: the rules are those under which an empty side ends the game, the rest
goes to its owner, and no store decides early.

What carries the speed: leaves are valued in their parent's loop, the counts are popcounts of
the pits played and left, the last levels are compiled into each other (`node` is compiled
three times, each time over another `CHILD`), and the tables are reached by their address,
which is one argument where an array is seven. They hold whatever differs between boards,
capture rules and move orders, so that one kernel is enough.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kalahlab.engine.compiled import ITSELF, piece, specialise
from kalahlab.engine.packed import (
    TABLE_SIZE,
    Words,
    again,
    count_bits,
    entry,
    filled,
    lowest_bit,
    sowings,
    step,
    stones,
    words_at,
)
from kalahlab.engine.twin.algorithms import Algorithm
from kalahlab.engine.twin.transcript import (
    LOG_BOARD,
    LOG_LIMIT,
    LOG_MAX_PLAYER,
    LOG_PITS,
    REVERSED,
    TOTAL,
    fold,
)

INFINITE = 1 << 62
MAX_MOVES = 21
LEVELS = 3
"""The levels that are compiled into each other: the least depth to search."""

CAPTURE_EMPTY = 1 << 25
"""The bit of each effect that says whether empty pits are captured."""

CEILING = 3 * TABLE_SIZE
"""Where the tables say how far a mover's value may narrow the window."""

Answer = tuple[int, int, int, int, int, int]


class Settings(NamedTuple):
    """What the tables hold."""

    pits: int
    capture_empty: bool
    store_first: bool
    algorithm: Algorithm

    @property
    def places(self) -> tuple[int, ...]:
        """The byte of each pit. Pits are tried from the lowest byte up."""
        return tuple(range(self.pits))[:: -1 if self.store_first else 1]


@cache
def tables(settings: Settings) -> Words:
    """What sowing does, for `step`, and the ceiling."""
    own, opp, effect = sowings(settings.pits, settings.places)
    effect = effect | CAPTURE_EMPTY * settings.capture_empty
    return np.concatenate((own, opp, effect, [INFINITE if settings.algorithm.prune else -INFINITE]))


def line_places(line: int) -> Iterator[int]:
    """The bytes of the pits of a line, in the order of play."""
    while line:
        yield (line & 7) - 1
        line >>= 3


def no_log(log: Any, own: int, opp: int, ahead: int, depth: int, alpha: int, beta: int) -> None:
    """Log nothing."""


def log_node(log: Any, own: int, opp: int, ahead: int, depth: int, alpha: int, beta: int) -> None:
    """Write a node into the log, from which it goes into the checksum."""
    address, player = log
    into = words_at(address)
    in_stores = into[TOTAL] - stones(own) - stones(opp)
    south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
    board = into[LOG_BOARD:]
    half = into[LOG_PITS] + 1
    for pit in range(half - 1):
        place = half - 2 - pit if into[REVERSED] != 0 else pit
        board[pit] = south >> 8 * place & 255
        board[half + pit] = north >> 8 * place & 255
    board[half - 1] = (in_stores + lead) >> 1
    board[2 * half - 1] = (in_stores - lead) >> 1
    low = -np.inf if alpha == -INFINITE else float(alpha)
    high = np.inf if beta == INFINITE else float(beta)
    if player != into[LOG_MAX_PLAYER]:
        low, high = -high, -low
    fold(into, player, into[LOG_LIMIT] - depth, low, high)


def same_log(log: Any) -> Any:
    """The log of a child at which the other player moves, when nothing is logged."""
    return log


def switch_player(log: Any) -> Any:
    """The log of a child at which the other player moves."""
    address, player = log
    return address, 1 - player


# What logs, unless the kernel is compiled with something else in its place.
LOG_NODE: Callable[..., None] = no_log
SWITCH_PLAYER: Callable[[Any], Any] = same_log


def log_leaf(
    log: Any, own: int, opp: int, ahead: int, extra: bool, depth: int, alpha: int, beta: int
) -> None:
    """Log a child that is a leaf, given what its parent's mover sees."""
    if extra:
        LOG_NODE(log, own, opp, ahead, depth, alpha, beta)
    else:
        LOG_NODE(SWITCH_PLAYER(log), opp, own, -ahead, depth, -beta, -alpha)


def sown(own: int, opp: int, bit: int, sowing: int) -> tuple[int, int, int, bool]:
    """(own, opp, stones banked, whether the mover moves again) after sowing a pit."""
    words, at = words_at(sowing), entry(own, bit)
    effect = words[at + 2 * TABLE_SIZE]
    own, opp, banked = step(
        *(own, opp, words[at], words[at + TABLE_SIZE], effect),
        effect & CAPTURE_EMPTY != 0,
    )
    return own, opp, banked, again(effect)


def narrowed(alpha: int, best: int, sowing: int) -> int:
    """The window's lower end once the mover has `best`: raised in alpha-beta only."""
    ceiling: int = words_at(sowing)[CEILING]
    return max(alpha, min(best, ceiling))


def leaf(
    own: int,
    opp: int,
    ahead: int,
    bit: int,
    may_end: bool,
    depth: int,
    alpha: int,
    beta: int,
    sowing: int,
    log: Any,
) -> int:
    """The value of a child that is a leaf, to its parent's mover."""
    own, opp, banked, extra = sown(own, opp, bit, sowing)
    value = ahead + banked
    if may_end and (own == 0 or opp == 0):
        value += stones(own) - stones(opp)
        own = opp = 0
    log_leaf(log, own, opp, value, extra, depth, alpha, beta)
    return value


def frontier_search(
    own: int,
    opp: int,
    ahead: int,
    may_end: bool,
    depth: int,
    alpha: int,
    beta: int,
    sowing: int,
    log: Any,
) -> Answer:
    """The answer of a node whose children are leaves, the children tried one by one."""
    best, line = -INFINITE, 0
    untried = filled(own)
    generated = count_bits(untried)
    while untried != 0:
        bit = lowest_bit(untried)
        untried &= untried - 1
        value = leaf(own, opp, ahead, bit, may_end, depth - 1, alpha, beta, sowing, log)
        if value > best:
            best, line = value, (bit >> 3) + 1
            if best >= beta:
                break
            alpha = narrowed(alpha, best, sowing)
    left = count_bits(untried)
    return best, line, 1, generated, generated - left, 1 if left != 0 else 0


def leaves(
    own: int, opp: int, ahead: int, depth: int, alpha: int, beta: int, sowing: int, log: Any
) -> Answer:
    """The answer of a node whose children are leaves.

    While both sides have stones in two pits no sow can end the game. Then no child is worth
    less than `ahead`, for a sow takes nothing out of the mover's store; so if that is enough
    for a cut, the first child makes it, whatever it is worth.
    """
    LOG_NODE(log, own, opp, ahead, depth, alpha, beta)
    mine, theirs = filled(own), filled(opp)
    if mine & mine - 1 == 0 or theirs & theirs - 1 == 0:
        return frontier_search(own, opp, ahead, True, depth, alpha, beta, sowing, log)
    if ahead >= beta:
        leaf(own, opp, ahead, lowest_bit(mine), False, depth - 1, alpha, beta, sowing, log)
        return ahead, 0, 1, count_bits(mine), 1, 1
    return frontier_search(own, opp, ahead, False, depth, alpha, beta, sowing, log)


# `node` is compiled three times, each time over another one of these.
CHILD: Callable[..., Answer] = leaves
BELOW: Callable[..., Answer] | None = None
BOTTOM = 0


def node(
    own: int, opp: int, ahead: int, depth: int, alpha: int, beta: int, sowing: int, log: Any
) -> Answer:
    """The answer of a node two or more plies above the leaves."""
    if BELOW is not None and depth == BOTTOM:
        return BELOW(own, opp, ahead, depth, alpha, beta, sowing, log)
    LOG_NODE(log, own, opp, ahead, depth, alpha, beta)
    best, line = -INFINITE, 0
    untried = filled(own)
    expanded, generated, evaluated, cutoffs = 1, count_bits(untried), 0, 0
    while untried != 0:
        bit = lowest_bit(untried)
        untried &= untried - 1
        x, y, banked, extra = sown(own, opp, bit, sowing)
        value, rest = ahead + banked, 0
        if x == 0 or y == 0:
            value += stones(x) - stones(y)
            log_leaf(log, 0, 0, value, extra, depth - 1, alpha, beta)
            evaluated += 1
        else:
            if extra:
                value, rest, n, g, e, c = CHILD(x, y, value, depth - 1, alpha, beta, sowing, log)
            else:
                value, rest, n, g, e, c = CHILD(
                    y, x, -value, depth - 1, -beta, -alpha, sowing, SWITCH_PLAYER(log)
                )
                value = -value
            expanded += n
            generated += g
            evaluated += e
            cutoffs += c
        if value > best:
            best, line = value, rest << 3 | (bit >> 3) + 1
            if best >= beta:
                break
            alpha = narrowed(alpha, best, sowing)
    cutoffs += 1 if untried != 0 else 0
    return best, line, expanded, generated, evaluated, cutoffs


@cache
def kernel(logged: bool) -> Callable[..., Answer]:
    """The kernel; compiled when needed.

    Its arguments are those of `node`: `sowing` is the address of `tables`, and `log` is
    (address of the log, player) for a kernel that logs each node, else ().
    """
    logs: dict[str, Any] = {}
    if logged:  # not inlined: a node is logged in so many places that numba would compile for long
        logs = {"LOG_NODE": piece(log_node, inline=False), "SWITCH_PLAYER": switch_player}
    second = piece(node, inline=False, **logs)
    third = piece(node, CHILD=second, **logs)
    log = "UniTuple(int64, 2)" if logged else "Tuple(())"
    signature = f"UniTuple(int64, 6)({'int64, ' * 7}{log})"
    return specialise(node, signature, CHILD=ITSELF, BELOW=third, BOTTOM=LEVELS, **logs)
