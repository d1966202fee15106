"""The general kernel: any algorithm, evaluator, move order, unit of depth and set of rules.

The kernel is a negamax: value and window of a node are those of the node's mover. The fields of the
record select the algorithm; see `workspace`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from kalahlab.engine.compiled import jit, piece
from kalahlab.engine.packed import Words, words_at
from kalahlab.engine.twin import wide as arrays
from kalahlab.engine.twin.leaf_value import call
from kalahlab.engine.twin.table import NONE, find, probe, recall, store
from kalahlab.engine.twin.workspace import (
    Position,
    is_over,
    log_row,
    make_move,
    stones_in,
    workspace_at,
)

# The order of a record, as `kalahlab.search.ORDERS` lists them.
PIT, STORE_FIRST, STATIC, WORST_FIRST, KILLER, HISTORY, ORACLE, ANTI_ORACLE = range(8)
STORE_FIRST_KILLER, STORE_FIRST_HISTORY, STORE_FIRST_KILLER_HISTORY = range(8, 11)
WITH_KILLERS = (KILLER, STORE_FIRST_KILLER, STORE_FIRST_KILLER_HISTORY)
WITH_HISTORY = (HISTORY, STORE_FIRST_HISTORY, STORE_FIRST_KILLER_HISTORY)
FROM_STORE = (STORE_FIRST, STORE_FIRST_KILLER, STORE_FIRST_HISTORY, STORE_FIRST_KILLER_HISTORY)

MAX_WEIGHT = 1e300  # above the weight of any move in a history

# There are two kernels. In the plain kernel EXACT is None. In the full kernel EXACT is the plain
# kernel: the orders ORACLE and ANTI_ORACLE call it for exact values. Null windows, the table and
# orders that learn are only in the full kernel.
EXACT: Any = None
LOG_NODE: Any = None  # the function that logs a node, if any


# The functions that replace those of this module if boards are in arrays.
ARRAY_FUNCTIONS = {
    function.__name__: function
    for function in (arrays.stones_in, arrays.make_move, arrays.is_over, arrays.find)
}


def log(position: Position, ply: int, alpha: float, beta: float, mover: int, w: Any) -> None:
    if LOG_NODE is not None:
        player, own, opp, own_store, opp_store = position
        low, high = window_after_move(alpha, beta, mover == player)
        LOG_NODE(own, opp, own_store - opp_store, player, ply, low, high, w.address)


def window_after_move(alpha: float, beta: float, same_player: bool) -> tuple[float, float]:
    """Return the window after a move, as the player to move sees it."""
    return (alpha, beta) if same_player else (-beta, -alpha)


def is_leaf(position: Position, ply: int, turns: int, w: Any) -> bool:
    depth = turns if w.by_turn != 0 else ply
    return depth >= w.limit or is_over(position, w)


def leaf_value(position: Position, player: int, w: Any) -> float:
    """Return the value of a leaf to a player, as the textbook's `Tree.peek_value` does."""
    mover, own, opp, own_store, opp_store = position
    ahead = own_store - opp_store
    value = float(ahead)
    # Without a function leaves are worth the store difference.
    if w.function != 0 and (w.for_finished_games != 0 or not is_over(position, w)):
        # The argument 1 is `extra`: own and opp are seen from the player to move
        value = call(w.function, own, opp, ahead, 1, mover, w.address)
    return value if player == mover else -value


def expand(position: Position, ply: int, turns: int, w: Any) -> int:
    """Write the moves of a node to `w.moves` in the order in which they are tried; count them."""
    if ply >= w.plies:
        raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
    pits, order, root = w.pits, w.order, words_at(w.root)
    # addresses count bytes, of which a word has 8
    moves, scores = words_at(w.moves + 8 * ply * pits), words_at(w.scores).view(np.float64)
    shuffled = ply == 0 and root[0] != 0  # the root has an order of its own
    if shuffled:
        order = PIT
    count = 0
    for step in range(pits):
        pit = pits - 1 - step if order in FROM_STORE else step
        if shuffled:
            pit = root[step] - 1
        if stones_in(position, pit) == 0:
            continue
        index = count  # behind the moves so far
        if order > STORE_FIRST:  # an order by scores: move all worse moves up, and take their place
            score = order_score(position, pit, ply, turns, w)
            while index > 0 and scores[index - 1] < score:
                moves[index], scores[index] = moves[index - 1], scores[index - 1]
                index -= 1
            scores[index] = score
        moves[index] = pit
        count += 1
    w.expanded += 1
    w.generated += count
    return count


def order_score(position: Position, pit: int, ply: int, turns: int, w: Any) -> float:
    """Return the score of a move: the highest is tried first; of equals, the first in the loop."""
    player = position[0]
    if EXACT is not None and (w.order in WITH_KILLERS or w.order in WITH_HISTORY):
        return score_by_cutoffs(player, pit, ply, w)
    child = make_move(position, pit, w)
    if child[0] != player:
        turns += 1
    if EXACT is None or w.order <= WORST_FIRST or is_leaf(child, ply + 1, turns, w):
        score = leaf_value(child, player, w)
    else:
        score = exact_value(child, ply + 1, turns, w)
        if child[0] != player:
            score = -score
    return -score if w.order in (WORST_FIRST, ANTI_ORACLE) else score


def score_by_cutoffs(player: int, pit: int, ply: int, w: Any) -> float:
    """Return the score of a move by the cutoffs so far; a killer is above all other moves."""
    if w.order in WITH_KILLERS:
        killers = killers_at(player, ply, w)
        if killers[0] == pit + 1:
            return np.inf
        if killers[1] == pit + 1:
            return MAX_WEIGHT
    if w.order in WITH_HISTORY:
        return float(weights_of(w)[player * w.pits + pit])
    return 0.0


def killers_at(player: int, ply: int, w: Any) -> Words:
    """Return the two killers of a player at a ply, the latest first; pits from 1, as 0 is none."""
    return words_at(w.learned + 8 * (4 * ply + 2 * player))


def weights_of(w: Any) -> Words:
    """Return the weights of the history heuristic, for each pit of both players."""
    return words_at(w.learned + 8 * 4 * w.plies).view(np.float64)


def exact_value(position: Position, ply: int, turns: int, w: Any) -> float:
    """Return the value of an inner node to its mover, by a separate search that is not counted."""
    counts = w.generated, w.expanded, w.evaluated, w.cutoffs
    order, prune = w.order, w.prune
    # This search prunes, and tries moves in the fastest of the plain orders.
    w.order, w.prune = STORE_FIRST, 1
    value: float = EXACT(position, ply, turns, -np.inf, np.inf, w.address)
    # `recalled` has not changed: the plain kernel has no table
    w.generated, w.expanded, w.evaluated, w.cutoffs = counts
    w.order, w.prune = order, prune
    return value


def record_cutoff(player: int, pit: int, ply: int, w: Any) -> None:
    """Count a cutoff, and learn from it like `kalahlab.search.ordering`."""
    w.cutoffs += 1
    if EXACT is None:
        return
    if w.order in WITH_HISTORY:
        weights_of(w)[player * w.pits + pit] += 0.5**ply
    killers = killers_at(player, ply, w)
    if w.order in WITH_KILLERS and killers[0] != pit + 1:
        killers[0], killers[1] = pit + 1, killers[0]


def update_pv(ply: int, pit: int, w: Any) -> None:
    """Make a pit, and the best line from the next ply, the best line from this one."""
    plies, lengths = w.plies, words_at(w.lengths)
    line = words_at(w.lines + 8 * ply * plies)
    next_line = words_at(w.lines + 8 * (ply + 1) * plies)
    line[0] = pit
    for index in range(lengths[ply + 1]):
        line[1 + index] = next_line[index]
    lengths[ply] = lengths[ply + 1] + 1


def visit(
    position: Position, ply: int, turns: int, alpha: float, beta: float, address: int
) -> float:
    """Return the value of an inner node to its mover, exact inside its mover's (alpha, beta)."""
    w, player = workspace_at(address), position[0]
    log(position, ply, alpha, beta, player, w)
    entry = 0
    if EXACT is not None and w.entries != 0:
        entry = find(position, ply, turns, w)
        bound = probe(entry, alpha, beta, player, w)
        if bound != NONE:
            return recall(entry, bound, ply, w)
    best, low, high = -np.inf, alpha, beta  # (low, high): the window for the next child
    count = expand(position, ply, turns, w)
    for index in range(count):
        pit = words_at(w.moves)[ply * w.pits + index]
        child = make_move(position, pit, w)
        same = child[0] == player
        child_turns, sign = (turns, 1) if same else (turns + 1, -1)
        if is_leaf(child, ply + 1, child_turns, w):
            log(child, ply + 1, low, high, player, w)
            w.evaluated += 1
            words_at(w.lengths)[ply + 1] = 0
            value = leaf_value(child, player, w)
        else:
            while True:
                child_alpha, child_beta = window_after_move(low, high, same)
                value = sign * visit(child, ply + 1, child_turns, child_alpha, child_beta, address)
                is_only_bound = high <= value < beta  # after a null window, inside the whole one
                if not is_only_bound:
                    break
                high = beta  # search the child again for its value
        if index == 0 or value > best:  # the first child counts even if it is worth -inf
            best = value
            update_pv(ply, pit, w)
        if w.prune != 0:
            if best >= beta:
                if index + 1 < count:
                    record_cutoff(player, pit, ply, w)
                break
            low = max(low, best)
            is_null = EXACT is not None and w.null_windows != 0
            high = np.nextafter(low, np.inf) if is_null else beta
    if entry != 0:
        store(entry, ply, best, alpha, beta, w)
    return best


@cache
def kernel(
    plain: bool, logged: bool, wide: bool
) -> Callable[[Position, int, int, float, float, int], float]:
    """Compile `visit`.

    Args:
        plain: Compile only what minimax and alpha-beta in the first four orders need, which is a
            third faster.
        logged: Enter each node into the record's transcript.
        wide: Boards are in arrays; see the module `wide`.
    """
    replaced: dict[str, Any] = {}
    log_function = log_row
    if wide:
        replaced |= ARRAY_FUNCTIONS
        log_function = arrays.log_row
    if logged:
        replaced["LOG_NODE"] = piece(log_function, inline=False)
    if not plain:
        replaced["EXACT"] = kernel(plain=True, logged=False, wide=wide)
    return jit(
        visit, "float64(UniTuple(int64, 5), int64, int64, float64, float64, int64)", **replaced
    )


def count_moves(position: Position, ply: int, address: int, leaves: Words) -> None:
    """Count the moves of a position and of all positions below it; do not play the last ply.

    Args:
        position: The position.
        ply: Its distance from the root.
        address: The address of the record.
        leaves: Two rows of counts by ply: positions reached, and games finished.
    """
    w, depth = workspace_at(address), leaves.shape[1] - 1
    if ply >= w.plies:
        if depth > ply:
            raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
        return
    for pit in range(w.pits):
        if stones_in(position, pit) == 0:
            continue
        leaves[0, ply + 1] += 1
        if ply + 1 < depth:
            child = make_move(position, pit, w)
            if is_over(child, w):
                leaves[1, ply + 1] += 1
            else:
                count_moves(child, ply + 1, address, leaves)


@cache
def perft_kernel(wide: bool) -> Any:
    """Compile `count_moves`; `wide` as for `kernel`."""
    replaced: dict[str, Any] = {}
    if wide:
        replaced |= ARRAY_FUNCTIONS
    return jit(count_moves, "void(UniTuple(int64, 5), int64, int64, int64[:, ::1])", **replaced)
