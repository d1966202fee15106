"""The fast kernel: alpha-beta and minimax on the store difference, alpha-beta on any evaluator.

The kernel is a negamax on packed boards: everything is seen from the mover. `ahead` is the mover's
store minus the opponent's. For an inner node each function returns

    (value, line, counts)

The value is fail-soft. The line is a number with three bits a move, the first move lowest: the byte
of the pit plus one. The counts of the last levels are one word, with 16 bits each for the nodes
generated, expanded, evaluated and cut off; higher levels add that word to totals in memory. Both
sides of an inner node have stones: an empty side ends the game, the rest goes to its owner, and no
store decides early.

The kernel is fast for five reasons. Leaves are evaluated in their parent's loop. The counts are
popcounts of the pits played and not played. A better move is noted without a branch. The last
levels are compiled into each other. And one kernel, which reads tables by their address, serves all
boards, capture rules and move orders: only the tables differ.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
from numba import types

from kalahlab.engine.compiled import ITSELF, call_by_registers, jit, piece
from kalahlab.engine.packed import count_bits, entry, lowest_bit, nonempty_pits, stones, words_at
from kalahlab.engine.twin.leaf_value import call
from kalahlab.engine.twin.workspace import CEILING, INFINITE, TOTALS, log_row, sow, workspace_at

MAX_MOVES = 21  # of a line: a signed word has room for 21 times three bits
LEVELS = 3  # levels that are compiled into each other, and the least depth to search
# One of each count, in the order of `Counts`. Three levels have less than 500 nodes, so that no
# count reaches the bits of the next one.
GENERATED, EXPANDED, EVALUATED, CUTOFFS = 1, 1 << 16, 1 << 32, 1 << 48

Answer = tuple[float, int, int]


def skip_log(
    context: Any, own: int, opp: int, ahead: int, depth: int, alpha: float, beta: float
) -> None:
    pass


def log_node(
    context: Any, own: int, opp: int, ahead: int, depth: int, alpha: float, beta: float
) -> None:
    player, address = context
    low = -np.inf if alpha == -INFINITE else float(alpha)
    high = np.inf if beta == INFINITE else float(beta)
    log_row(own, opp, ahead, player, workspace_at(address).limit - depth, low, high, address)


def keep_context(context: Any) -> Any:
    """Return the context unchanged; replaces `switch_player` where the player does not matter."""
    return context


def switch_player(context: Any) -> Any:
    return 1 - context[0], context[1]


def return_lead(own: int, opp: int, ahead: int, extra: bool, context: Any) -> float:
    return ahead


def call_evaluator(own: int, opp: int, ahead: int, extra: bool, context: Any) -> float:
    player, address = context
    return call(workspace_at(address).function, own, opp, ahead, 1 if extra else 0, player, address)


# A kernel may be compiled with other functions in place of these three. LEAF_VALUE evaluates a leaf
# for the player who moved to it. LOG_NODE logs a node. SWITCH_PLAYER is called if the turn passes.
LEAF_VALUE: Callable[..., float] = return_lead
LOG_NODE: Callable[..., None] = skip_log
SWITCH_PLAYER: Callable[[Any], Any] = keep_context
# True if no leaf is worth less than the store difference of its parent: a sow takes no stone from
# the mover's store. `leaves` uses this for cutoffs. It is False with an evaluator, which may return
# any value, even minus infinity. Then no value is greater than the initial best one, so `is_better`
# takes the first move in any case.
NEVER_LESS = True


# In all functions below, `extra` is True if the player who sowed moves again, `depth` is the number
# of sows that are left, and `sowing` is the address of the tables.
def log_leaf(
    context: Any, own: int, opp: int, ahead: int, extra: bool, depth: int, alpha: float, beta: float
) -> None:
    if extra:
        LOG_NODE(context, own, opp, ahead, depth, alpha, beta)
    else:
        LOG_NODE(SWITCH_PLAYER(context), opp, own, -ahead, depth, -beta, -alpha)


def raise_alpha(alpha: float, best: float, sowing: int) -> float:
    """Return alpha raised to `best`, but not above the ceiling in the tables.

    For alpha-beta the ceiling is higher than any value. For minimax it is lower than any value, so
    that alpha is never raised.
    """
    ceiling: int = words_at(sowing)[CEILING]
    return max(alpha, min(best, ceiling))


def is_better(value: float, best: float, line: int) -> bool:
    """Return whether a move replaces the best one.

    No branch depends on the result: one in seven of these branches would be predicted wrongly.
    """
    return value > best or (not NEVER_LESS and line == 0)


def leaf(
    own: int,
    opp: int,
    ahead: int,
    bit: int,
    ends: bool,
    alpha: float,
    beta: float,
    sowing: int,
    context: Any,
) -> float:
    own, opp, banked, extra = sow(own, opp, entry(own, bit), sowing)
    lead = ahead + banked
    if ends and (own == 0 or opp == 0):
        lead += stones(own) - stones(opp)
        own = opp = 0
    log_leaf(context, own, opp, lead, extra, 0, alpha, beta)
    return LEAF_VALUE(own, opp, lead, extra, context)


def frontier_search(
    own: int, opp: int, ahead: int, ends: bool, alpha: float, beta: float, sowing: int, context: Any
) -> Answer:
    """Like `leaves`, but always try the children one by one.

    `ends` is True if a sow may end the game.
    """
    best: float = -INFINITE
    line = 0
    untried = nonempty_pits(own)
    counts = EXPANDED + count_bits(untried) * (GENERATED + EVALUATED)
    while untried != 0:
        bit = lowest_bit(untried)
        untried &= untried - 1
        value = leaf(own, opp, ahead, bit, ends, alpha, beta, sowing, context)
        line = (bit >> 3) + 1 if is_better(value, best, line) else line
        best = max(best, value)
        if best >= beta:
            break
        alpha = raise_alpha(alpha, best, sowing)
    counts -= count_bits(untried) * EVALUATED
    return best, line, counts + (CUTOFFS if untried != 0 else 0)


def leaves(
    own: int, opp: int, ahead: int, depth: int, alpha: float, beta: float, sowing: int, context: Any
) -> Answer:
    """Search a node whose children are leaves.

    While both sides have stones in two or more pits, no sow ends the game. Then no child is worth
    less to the mover than `ahead`, the store difference before the sow. So if `ahead` reaches beta,
    the first child cuts off, whatever it is.
    """
    LOG_NODE(context, own, opp, ahead, depth, alpha, beta)
    mine, theirs = nonempty_pits(own), nonempty_pits(opp)
    # True if a side has stones in one pit only: `word & (word - 1)` removes the lowest bit.
    if mine & (mine - 1) == 0 or theirs & (theirs - 1) == 0:
        return frontier_search(own, opp, ahead, True, alpha, beta, sowing, context)
    if NEVER_LESS and ahead >= beta:
        # Called only to log the child. The line is empty: after a cutoff no line is used.
        leaf(own, opp, ahead, lowest_bit(mine), False, alpha, beta, sowing, context)
        return ahead, 0, EXPANDED + count_bits(mine) * GENERATED + EVALUATED + CUTOFFS
    return frontier_search(own, opp, ahead, False, alpha, beta, sowing, context)


def return_counts(counts: int, sowing: int) -> int:
    return counts


def add_to_totals(counts: int, sowing: int) -> int:
    """Add the counts to the four totals behind the ceiling; return what is left to be added."""
    totals = words_at(sowing + 8 * TOTALS)
    for place in range(4):
        totals[place] += (counts >> (16 * place)) & 0xFFFF
    return 0


# `node` is compiled three times, each time with other values of these four:
#
#     compiled as   for depth           CHILD    BELOW   ADD_UP
#     `second`      2                   leaves   None    return_counts
#     `third`       3                   second   None    return_counts
#     the kernel    all greater depths  itself   third   add_to_totals
#
# CHILD searches a child. BELOW, if not None, takes over from `node` at depth BOTTOM. ADD_UP gets
# the counts of a node, and returns those that the node's parent has to add to its own.
ADD_UP: Callable[[int, int], int] = return_counts
CHILD: Callable[..., Answer] = leaves
BELOW: Callable[..., Answer] | None = None
BOTTOM = 0


def node(
    own: int, opp: int, ahead: int, depth: int, alpha: float, beta: float, sowing: int, context: Any
) -> Answer:
    if BELOW is not None and depth == BOTTOM:
        value, line, counts = BELOW(own, opp, ahead, depth, alpha, beta, sowing, context)
        return value, line, ADD_UP(counts, sowing)
    LOG_NODE(context, own, opp, ahead, depth, alpha, beta)
    best: float = -INFINITE
    line = 0
    untried = nonempty_pits(own)
    counts = EXPANDED + count_bits(untried) * GENERATED
    while untried != 0:
        bit = lowest_bit(untried)
        untried &= untried - 1
        # x and y: the words of the child, first that of the player who sowed
        x, y, banked, extra = sow(own, opp, entry(own, bit), sowing)
        lead, rest = ahead + banked, 0
        if x == 0 or y == 0:
            lead += stones(x) - stones(y)
            log_leaf(context, 0, 0, lead, extra, depth - 1, alpha, beta)
            value = LEAF_VALUE(0, 0, lead, extra, context)
            counts += EVALUATED
        else:
            if extra:
                value, rest, below = CHILD(x, y, lead, depth - 1, alpha, beta, sowing, context)
            else:
                value, rest, below = CHILD(
                    y, x, -lead, depth - 1, -beta, -alpha, sowing, SWITCH_PLAYER(context)
                )
                value = -value
            counts += below
        line = (rest << 3) | ((bit >> 3) + 1) if is_better(value, best, line) else line
        best = max(best, value)
        if best >= beta:
            break
        alpha = raise_alpha(alpha, best, sowing)
    counts += CUTOFFS if untried != 0 else 0
    return best, line, ADD_UP(counts, sowing)


@cache
def kernel(logged: bool, evaluated: bool = False) -> Callable[..., Answer]:
    """Compile a kernel that has the arguments of `node`.

    Its `sowing` is the address of `workspace.sowing_tables` with four totals behind them, to which
    the kernel adds the counts, and its answer has no counts. Its `context` is (player, address of
    the record) if it logs nodes or calls an evaluator, else ().

    Args:
        logged: Enter each node into the record's transcript.
        evaluated: Evaluate leaves by the record's function, not by the store difference.
    """
    replaced: dict[str, Any] = {}
    if logged:  # not inlined: called in many places, it would take numba long to compile
        replaced["LOG_NODE"] = piece(log_node, inline=False)
    if logged or evaluated:
        replaced["SWITCH_PLAYER"] = switch_player
    number, answer = "int64", "UniTuple(int64, 3)"
    if evaluated:
        replaced |= {"INFINITE": np.inf, "NEVER_LESS": False, "LEAF_VALUE": call_evaluator}
        number, answer = "float64", "Tuple((float64, int64, int64))"
    context = "UniTuple(int64, 2)" if logged or evaluated else "Tuple(())"
    # `leaves`, `second`, `third` and the kernel: see the table above `node`. ITSELF stands for the
    # kernel that is being compiled, in its own calls.
    second = piece(node, inline=False, **replaced)
    itself: Any = ITSELF
    if not (logged or evaluated):  # an evaluator may raise
        result = cast(Any, types).UniTuple(types.int64, 3)
        second, itself = call_by_registers(second, result), call_by_registers(None, result)
    third = piece(node, CHILD=second, **replaced)
    signature = f"{answer}({'int64, ' * 4}{number}, {number}, int64, {context})"
    replaced |= {"BELOW": third, "BOTTOM": LEVELS, "ADD_UP": add_to_totals}
    return jit(node, signature, CHILD=itself, **replaced)
