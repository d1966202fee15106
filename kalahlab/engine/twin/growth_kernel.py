"""The kernel of UCT and PUCT: the loop of `search.growing.loop` on packed boards.

A node is an index, which is the node's `id` in the textbook's tree. Random numbers, ties and the
order of additions are those of the textbook, so both grow the same tree. What selection reads of a
node, its row of `numbers`, is half a line of the processor's cache; the children's rows follow each
other.
"""

from functools import cache
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from kalahlab.engine.compiled import jit
from kalahlab.engine.packed import Words, entry, lowest_bit, nonempty_pits, stones
from kalahlab.engine.twin.general_kernel import leaf_value
from kalahlab.engine.twin.leaf_value import call
from kalahlab.engine.twin.workspace import (
    Position,
    is_over,
    make_move,
    sow,
    spread,
    workspace_at,
)

IS_PUCT = False  # replaced when the kernel of PUCT is compiled
# What values a leaf: random playouts under the rules of the fast kernel or under any rules,
# playouts that prefer extra turns, or the function of the record.
FAST_RANDOM, RANDOM, EXTRA_TURN, STATIC = range(4)
N, TOTAL, PRIOR, LINK = range(4)  # the columns of `Arrays.numbers`
# The bits of a link: 0: the player to move; 1: set if the game is over; 2-5: the number of
# children; from 8 on: the first child, the others follow.
OVER, CHILDREN, FIRST = 1, 2, 8
OWN, OPP, OWN_STORE, OPP_STORE, PARENT = range(5)  # the columns of `Arrays.boards`
# The places in `Arrays.counts`.
SIZE, EXPANDED, VISITED, PLAYOUTS, SOWS, CHECKSUM, RNG, VALUE = range(8)
# The generator SplitMix64; see `search.growing.playouts`.
STEP = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1, FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BITS_30, BITS_27, BITS_31, BITS_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
ONES = 0x0101010101010101  # 1 in each byte
HIGH_BITS = -0x7F7F7F7F7F7F7F80  # the highest bit of each byte


class Arrays(NamedTuple):
    """A tree, with a row for each node.

    Attributes:
        numbers: `N`, as a whole number; `TOTAL`; in PUCT `PRIOR`; `LINK`, as a whole number.
        words: The same memory as `numbers`, as whole numbers.
        boards: The words and stores from the mover's side, and the node above, -1 at the root.
        path: Room for the nodes of a path.
        counts: The counts; see the places above.
        floats: The same memory as `counts`, as floats.
    """

    numbers: Any
    words: Any
    boards: Any
    path: Any
    counts: Words
    floats: Any


def next_random(state: Any) -> Any:
    """Return 32 random bits, given the state that `STEP` was added to; see `SplitMix`."""
    z = (state ^ (state >> BITS_30)) * FACTOR_1
    z = (z ^ (z >> BITS_27)) * FACTOR_2
    return (z ^ (z >> BITS_31)) >> BITS_32


def random_bit(own: Any, random: Any) -> Any:
    """Return the place of the lowest bit of a random pit that is not empty, without a branch."""
    # Byte b of `up_to` is the number of such pits in bytes 0 to b; byte 7 has the number of all.
    up_to: Any = nonempty_pits(own) * ONES
    wanted = 1 + np.int64((random * np.uint64(up_to >> 56)) >> BITS_32)
    # The highest bit of a byte is set from the wanted pit on; no byte borrows from the next one.
    reached = ((up_to | HIGH_BITS) - wanted * ONES) & HIGH_BITS
    return lowest_bit(reached) - 7


def play_out_fast(position: Position, state: Any, w: Any) -> tuple[int, int, Any]:
    """Play random moves to the end of the game under the rules of the fast kernel.

    Returns:
        MAX's margin, the number of sows, and the new state of the random numbers.
    """
    player, own, opp, own_store, opp_store = position
    ahead, sows, sowing = own_store - opp_store, 0, w.sowing
    sign = 1 if player == w.max_player else -1
    while own != 0 and opp != 0:
        state += STEP
        bit = random_bit(own, next_random(state))
        mine, theirs, banked, again = sow(own, opp, entry(own, bit), sowing)
        ahead += banked
        sows += 1
        own = mine if again else theirs
        opp = theirs if again else mine
        ahead = ahead if again else -ahead
        sign = sign if again else -sign
    return sign * (ahead + stones(own) - stones(opp)), sows, state


def extra_turn_pit(position: Position, w: Any) -> int:
    """Return the last pit that gives the mover another turn; -1 if there is none."""
    own = position[1]
    for pit in range(w.pits - 1, -1, -1):
        if (own >> (8 * pit)) & 255 != 0:
            after = make_move(position, pit, w)
            if after[0] == position[0] and not is_over(after, w):
                return pit
    return -1


def play_out(position: Position, leaf: int, state: Any, w: Any) -> tuple[int, int, Any]:
    """Play to the end of the game under any rules; see `play_out_fast`."""
    sows = 0
    while not is_over(position, w):
        pit = -1
        if leaf == EXTRA_TURN:
            pit = extra_turn_pit(position, w)
        if pit < 0:
            state += STEP
            pit = random_bit(position[1], next_random(state)) >> 3
        position = make_move(position, pit, w)
        sows += 1
    margin = position[3] - position[4]
    return margin if position[0] == w.max_player else -margin, sows, state


def position_of(tree: Arrays, node: int) -> Position:
    """Return the position of a node."""
    board = tree.boards[node]
    return tree.words[node, LINK] & 1, board[OWN], board[OPP], board[OWN_STORE], board[OPP_STORE]


def write_node(tree: Arrays, node: int, position: Position, parent: int, w: Any) -> None:
    """Write a new node without children."""
    player, own, opp, own_store, opp_store = position
    board = tree.boards[node]
    board[OWN], board[OPP], board[PARENT] = own, opp, parent
    board[OWN_STORE], board[OPP_STORE] = own_store, opp_store
    tree.words[node, N], tree.numbers[node, TOTAL] = 0, 0.0
    over = 1 << OVER if is_over(position, w) else 0
    tree.words[node, LINK] = player | over


def expand(tree: Arrays, node: int, w: Any) -> None:
    """Make all children of a node, in pit order."""
    position = position_of(tree, node)
    first = child = tree.counts[SIZE]
    for pit in range(w.pits):
        if (position[1] >> (8 * pit)) & 255 != 0:
            write_node(tree, child, make_move(position, pit, w), node, w)
            child += 1
    tree.words[node, LINK] |= first << FIRST | (child - first) << CHILDREN
    tree.counts[SIZE] = child
    tree.counts[EXPANDED] += 1


def write_priors(tree: Arrays, node: int, function: int, temperature: float, w: Any) -> None:
    """Give the children of a node their priors; see `PUCT.first_numbers`.

    Args:
        tree: The tree.
        node: The node.
        function: The address of the evaluator; 0 for the store difference.
        temperature: The temperature.
        w: The record of the search.
    """
    link = tree.words[node, LINK]
    first = link >> FIRST
    end = first + ((link >> CHILDREN) & 15)
    best = -np.inf
    for child in range(first, end):
        value = static_value(position_of(tree, child), link & 1, function, w)
        tree.numbers[child, PRIOR] = value
        best = max(best, value)
    total = 0.0
    for child in range(first, end):
        weight = exp((tree.numbers[child, PRIOR] - best) / temperature)
        tree.numbers[child, PRIOR] = weight
        total += weight
    for child in range(first, end):
        tree.numbers[child, PRIOR] /= total


def static_value(position: Position, player: int, function: int, w: Any) -> float:
    """Return the value of a position to a player: the margin if the game is over, else static."""
    mover, own, opp, own_store, opp_store = position
    ahead = own_store - opp_store
    value = float(ahead)
    if function != 0 and not is_over(position, w):
        value = call(function, own, opp, ahead, 1, mover, w.address)
    return value if player == mover else -value


def select_child(tree: Arrays, node: int, c: float, max_player: int) -> Any:
    """Return the first child with the greatest appeal; see `appeal` of the policies."""
    numbers, words = tree.numbers, tree.words
    link, visits = words[node, LINK], words[node, N]
    first = link >> FIRST
    end = first + ((link >> CHILDREN) & 15)
    sign = 1.0 if link & 1 == max_player else -1.0
    best, best_appeal = first, -np.inf
    if IS_PUCT:
        parents_mean = numbers[node, TOTAL] / visits if visits != 0 else 0.0
        root_of_visits = sqrt(visits)
        for child in range(first, end):
            n = words[child, N]
            mean = numbers[child, TOTAL] / n if n != 0 else parents_mean
            appeal = sign * mean + c * numbers[child, PRIOR] * root_of_visits / (1 + n)
            if appeal > best_appeal:
                best, best_appeal = child, appeal
        return best
    log_of_visits = log(visits) if visits != 0 else 0.0
    for child in range(first, end):
        n = words[child, N]
        if n == 0:
            return child
        appeal = sign * (numbers[child, TOTAL] / n) + c * sqrt(log_of_visits / n)
        if appeal > best_appeal:
            best, best_appeal = child, appeal
    return best


def value_leaf(tree: Arrays, node: int, leaf: int, w: Any) -> float:
    """Return the value of a leaf for MAX; count the playout."""
    position, counts = position_of(tree, node), tree.counts
    if leaf == STATIC or (tree.words[node, LINK] >> OVER) & 1 != 0:
        return leaf_value(position, w.max_player, w) + 0.0  # turns -0.0 into 0.0
    state = np.uint64(counts[RNG])
    if leaf == FAST_RANDOM:
        margin, sows, state = play_out_fast(position, state, w)
    else:
        margin, sows, state = play_out(position, leaf, state, w)
    counts[RNG] = np.int64(state)
    counts[PLAYOUTS] += 1
    counts[SOWS] += sows
    return float(margin)


def grow(
    tree: Arrays,
    iterations: int,
    leaf: int,
    c: float,
    prior: int,
    temperature: float,
    address: int,
) -> None:
    """Select, expand, evaluate and back up so many times.

    Args:
        tree: The tree, with room for all nodes that may be made.
        iterations: The number of iterations.
        leaf: What values a leaf: `FAST_RANDOM` or another number above.
        c: The weight of doubt, or of the bonus for priors.
        prior: The address of the evaluator of priors; 0 for the store difference.
        temperature: The temperature of priors.
        address: The address of the record.
    """
    w = workspace_at(address)
    numbers, words, path, counts = tree.numbers, tree.words, tree.path, tree.counts
    path[0] = 0
    for _ in range(iterations):
        node, length = 0, 1
        checksum = spread(counts[CHECKSUM])
        while words[node, LINK] >> CHILDREN != 0:
            node = select_child(tree, node, c, w.max_player)
            path[length] = node
            checksum = spread(checksum + node)
            length += 1
        if (words[node, LINK] >> OVER) & 1 == 0 and (words[node, N] > 0 or node == 0):
            expand(tree, node, w)
            if IS_PUCT:
                write_priors(tree, node, prior, temperature, w)
            node = select_child(tree, node, c, w.max_player)
            path[length] = node
            checksum = spread(checksum + node)
            length += 1
        value = value_leaf(tree, node, leaf, w)
        tree.floats[VALUE] = value
        counts[CHECKSUM] = spread(checksum + counts[VALUE])
        for index in range(length):
            words[path[index], N] += 1
            numbers[path[index], TOTAL] += value
        counts[VISITED] += length


@cache
def kernel(is_puct: bool) -> Any:
    """Compile the loop."""
    return jit(grow, IS_PUCT=is_puct)
