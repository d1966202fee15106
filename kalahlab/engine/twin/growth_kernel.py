"""The kernel of UCT, PUCT and implicit minimax: the loop of `search.growing.loop` on packed boards.

A node is an index, which is the node's `id` in the textbook's tree. Random numbers, ties and the
order of additions are those of the textbook, so both grow the same tree. The rows of children
follow each other, so that their appeals are computed at once; see `lanes`.
"""

from functools import cache
from math import exp, lcm, log, sqrt
from typing import Any

import numpy as np
from numba import carray

from kalahlab.engine import lanes
from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.packed import (
    MAX_PITS,
    TABLE_SIZE,
    entry,
    facing,
    float_bits,
    floats_at,
    gain,
    landing,
    pointer_to,
    stones,
    uint8_at,
    words_at,
)
from kalahlab.engine.twin.general_kernel import leaf_value
from kalahlab.engine.twin.leaf_value import call
from kalahlab.engine.twin.workspace import (
    Position,
    is_over,
    make_move,
    spread,
    workspace_at,
)

UCT, PUCT, IMPLICIT_MINIMAX = range(3)
POLICY = UCT  # replaced when the kernel of another policy is compiled
# What values a leaf: random playouts under the rules of the fast kernel or under any rules,
# playouts that prefer extra turns, or the function of the record.
FAST_RANDOM, RANDOM, EXTRA_TURN, STATIC = range(4)
# The bits of a link: 0: the player to move; 1: set if the game is over; 2-5: the number of
# children; from 8 on: the first child, the others follow.
OVER, CHILDREN, FIRST = 1, 2, 8
OWN, OPP, OWN_STORE, OPP_STORE, BOARD_WORDS = range(5)  # the words of a board
COUNTS = ("size", "expanded", "visited", "playouts", "sows", "checksum", "rng")
# The names of the words of a tree's record.
FIELDS = (
    # The addresses of arrays with a row for each node: the visits; the sums and the means of the
    # values; the guides, which are priors in PUCT and minimax values in implicit minimax; the
    # links, see above; room for a path; the words and stores from the mover's side.
    *("visits", "totals", "means", "guides", "links", "path", "boards"),
    # The address of the logarithms of the first whole numbers, and how many there are; that of the
    # table of `choice_table`, and the number of its rows.
    *("logs", "known_logs", "choices", "parts"),
    # The counts, as in `GrowthCounts`, with the root in `size`; the checksum of the transcript; and
    # the state of the random numbers.
    *COUNTS,
)
TREE = np.dtype([(name, np.int64) for name in FIELDS])
# The generator SplitMix64; see `search.growing.playouts`.
STEP = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1, FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BITS_30, BITS_27, BITS_31, BITS_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
BITS_56 = np.uint64(56)


@inlined
def tree_at(address: int) -> Any:
    """Return the record of a tree at an address."""
    return carray(pointer_to(address), (1,), TREE)[0]


def next_random(state: Any) -> Any:
    """Return 32 random bits, given the state that `STEP` was added to; see `SplitMix`."""
    z = (state ^ (state >> BITS_30)) * FACTOR_1
    z = (z ^ (z >> BITS_27)) * FACTOR_2
    return (z ^ (z >> BITS_31)) >> BITS_32


def random_bit(own: Any, random: Any, tree: Any) -> Any:
    """Return the place of the lowest bit of a random pit that is not empty; see `choice_table`."""
    full = (own + 0x007F7F7F7F7F7F7F) & 0x0080808080808080  # bit 7 of each pit that is not empty
    # The product has the bit of pit b in bit 56 + b.
    pits = np.int64(np.uint64(full * 0x0002040810204081) >> BITS_56)
    part = np.int64((random * np.uint64(tree.parts)) >> BITS_32)
    return uint8_at(tree.choices + (part << MAX_PITS) + pits)


def sow_fast(own: int, opp: int, index: int, sowing: int) -> tuple[int, int, int, int]:
    """Sow like `sow`, without a branch, as captures and extra turns cannot be predicted.

    Returns:
        The two words of the next mover, the stones banked, and -1 if the turn passes, else 0.
    """
    words = words_at(sowing)
    effect = words[index + 2 * TABLE_SIZE]
    own += words[index]
    opp += words[index + TABLE_SIZE]
    # A mask is -1 if something is so, else 0.
    alone = ((((own >> landing(effect)) & 255) ^ 1) - 1) >> 63
    count = (opp >> facing(effect)) & 255
    captures = alone & (-(count + ((effect >> 25) & 1)) >> 63)
    count &= alone
    passes = ~((effect << 39) >> 63)
    change = (own ^ opp) & passes
    # A capture passes the turn, so the stones go from the sides as they are after the swap.
    next_own = (own ^ change) - (count << facing(effect))
    next_opp = (opp ^ change) - (captures & (1 << landing(effect)))
    return next_own, next_opp, gain(effect) + count - captures, passes


def play_out_fast(position: Position, state: Any, tree: Any, w: Any) -> tuple[int, int, Any]:
    """Play random moves to the end of the game under the rules of the fast kernel.

    Returns:
        MAX's margin, the number of sows, and the new state of the random numbers.
    """
    player, own, opp, own_store, opp_store = position
    ahead, sows, sowing = own_store - opp_store, 0, w.sowing
    sign = 0 if player == w.max_player else -1  # -1 to negate
    while own != 0 and opp != 0:
        state += STEP
        bit = random_bit(own, next_random(state), tree)
        own, opp, banked, passes = sow_fast(own, opp, entry(own, bit), sowing)
        ahead = ((ahead + banked) ^ passes) - passes
        sign ^= passes
        sows += 1
    ahead += stones(own) - stones(opp)
    return (ahead ^ sign) - sign, sows, state


def extra_turn_pit(position: Position, w: Any) -> int:
    """Return the last pit that gives the mover another turn; -1 if there is none."""
    own = position[1]
    for pit in range(w.pits - 1, -1, -1):
        if (own >> (8 * pit)) & 255 != 0:
            after = make_move(position, pit, w)
            if after[0] == position[0] and not is_over(after, w):
                return pit
    return -1


def play_out(position: Position, leaf: int, state: Any, tree: Any, w: Any) -> tuple[int, int, Any]:
    """Play to the end of the game under any rules; see `play_out_fast`."""
    sows = 0
    while not is_over(position, w):
        pit = -1
        if leaf == EXTRA_TURN:
            pit = extra_turn_pit(position, w)
        if pit < 0:
            state += STEP
            pit = random_bit(position[1], next_random(state), tree) >> 3
        position = make_move(position, pit, w)
        sows += 1
    margin = position[3] - position[4]
    return margin if position[0] == w.max_player else -margin, sows, state


def position_of(tree: Any, node: int) -> Position:
    """Return the position of a node."""
    player = words_at(tree.links)[node] & 1
    board = words_at(tree.boards + 8 * BOARD_WORDS * node)
    return player, board[OWN], board[OPP], board[OWN_STORE], board[OPP_STORE]


def write_node(tree: Any, node: int, position: Position, w: Any) -> None:
    """Write a new node without children."""
    player, own, opp, own_store, opp_store = position
    board = words_at(tree.boards + 8 * BOARD_WORDS * node)
    board[OWN], board[OPP], board[OWN_STORE], board[OPP_STORE] = own, opp, own_store, opp_store
    floats_at(tree.visits)[node] = floats_at(tree.totals)[node] = floats_at(tree.means)[node] = 0
    over = 1 << OVER if is_over(position, w) else 0
    words_at(tree.links)[node] = player | over


def expand(tree: Any, node: int, w: Any) -> None:
    """Make all children of a node, in pit order."""
    position = position_of(tree, node)
    first = child = tree.size
    for pit in range(w.pits):
        if (position[1] >> (8 * pit)) & 255 != 0:
            write_node(tree, child, make_move(position, pit, w), w)
            child += 1
    words_at(tree.links)[node] |= first << FIRST | (child - first) << CHILDREN
    tree.size = child
    tree.expanded += 1


def write_guides(tree: Any, node: int, function: int, weight: float, w: Any) -> None:
    """Give the children of a node their priors, or their first minimax values.

    Args:
        tree: The tree.
        node: The node.
        function: The address of the evaluator; 0 for the store difference.
        weight: The temperature of priors.
        w: The record of the search.
    """
    link = words_at(tree.links)[node]
    first = link >> FIRST
    guides, children = floats_at(tree.guides + 8 * first), (link >> CHILDREN) & 15
    player = w.max_player if POLICY == IMPLICIT_MINIMAX else link & 1
    for index in range(children):
        guides[index] = static_value(position_of(tree, first + index), player, function, w)
    if POLICY == PUCT:
        make_priors(guides, children, weight)


def make_priors(guides: Any, children: int, temperature: float) -> None:
    """Replace the values of children by their softmax; see `PUCT.make_numbers`."""
    best = -np.inf
    for index in range(children):
        best = max(best, guides[index])
    total = 0.0
    for index in range(children):
        guides[index] = exp((guides[index] - best) / temperature)
        total += guides[index]
    for index in range(children):
        guides[index] /= total


def static_value(position: Position, player: int, function: int, w: Any) -> float:
    """Return the value of a position to a player: the margin if the game is over, else static."""
    mover, own, opp, own_store, opp_store = position
    ahead = own_store - opp_store
    value = float(ahead)
    if function != 0 and not is_over(position, w):
        value = call(function, own, opp, ahead, 1, mover, w.address)
    return value if player == mover else -value


def select_child(tree: Any, node: int, c: float, weight: float, max_player: int) -> Any:
    """Return the first child with the greatest appeal; see `appeal` of the policies."""
    link, visits = words_at(tree.links)[node], floats_at(tree.visits)[node]
    first, children = link >> FIRST, (link >> CHILDREN) & 15
    sign = lanes.fill(1.0 if link & 1 == max_player else -1.0)
    n, means = lanes.load(tree.visits + 8 * first), lanes.load(tree.means + 8 * first)
    if POLICY == PUCT:
        priors = lanes.load(tree.guides + 8 * first)
        means = lanes.where_zero(n, lanes.fill(floats_at(tree.means)[node]), means)
        bonus = lanes.fill(c) * priors * lanes.fill(sqrt(visits)) / (lanes.fill(1.0) + n)
        appeals = sign * means + bonus
    else:
        if visits < tree.known_logs:
            log_of_visits = floats_at(tree.logs)[int(visits)]
        else:
            log_of_visits = log(visits)
        if POLICY == IMPLICIT_MINIMAX:
            minimax = lanes.load(tree.guides + 8 * first)
            means = lanes.fill(1.0 - weight) * means + lanes.fill(weight) * minimax
        appeals = sign * means + lanes.fill(c) * lanes.sqrt(lanes.fill(log_of_visits) / n)
        appeals = lanes.where_zero(n, lanes.fill(np.inf), appeals)
    return first + lanes.first_greatest(appeals, children)


def value_leaf(tree: Any, node: int, leaf: int, w: Any) -> float:
    """Return the value of a leaf for MAX; count the playout."""
    position = position_of(tree, node)
    if leaf == STATIC or (words_at(tree.links)[node] >> OVER) & 1 != 0:
        return leaf_value(position, w.max_player, w) + 0.0  # turns -0.0 into 0.0
    state = np.uint64(tree.rng)
    if leaf == FAST_RANDOM:
        margin, sows, state = play_out_fast(position, state, tree, w)
    else:
        margin, sows, state = play_out(position, leaf, state, tree, w)
    tree.rng = np.int64(state)
    tree.playouts += 1
    tree.sows += sows
    return float(margin)


def back_up(tree: Any, length: int, value: float) -> None:
    """Add a value to the nodes of the path."""
    visits, totals, means = floats_at(tree.visits), floats_at(tree.totals), floats_at(tree.means)
    path = words_at(tree.path)
    for index in range(length):
        node = path[index]
        n, total = visits[node] + 1, totals[node] + value
        visits[node], totals[node], means[node] = n, total, total / n


def back_up_minimax(tree: Any, length: int, max_player: int) -> None:
    """Replace the minimax values of the nodes of the path, from the last one that has children."""
    links, path = words_at(tree.links), words_at(tree.path)
    for index in range(length - 2, -1, -1):
        link = links[path[index]]
        guides, children = floats_at(tree.guides + 8 * (link >> FIRST)), (link >> CHILDREN) & 15
        sign = 1.0 if link & 1 == max_player else -1.0
        best = -np.inf
        for child in range(children):
            best = max(best, sign * guides[child])
        floats_at(tree.guides)[path[index]] = sign * best


def grow(
    tree_address: int,
    iterations: int,
    leaf: int,
    c: float,
    guide: int,
    weight: float,
    address: int,
) -> None:
    """Select, expand, evaluate and back up so many times.

    Args:
        tree_address: The address of the tree, with room for all nodes that may be made.
        iterations: The number of iterations.
        leaf: What values a leaf: `FAST_RANDOM` or another number above.
        c: The weight of doubt, or of the bonus for priors.
        guide: The address of the evaluator of guides; 0 for the store difference.
        weight: The temperature of priors, or the share of the minimax values.
        address: The address of the record of the search.
    """
    w, tree = workspace_at(address), tree_at(tree_address)
    links, path = words_at(tree.links), words_at(tree.path)
    path[0] = 0
    for _ in range(iterations):
        node, length = 0, 1
        checksum = spread(tree.checksum)
        while links[node] >> CHILDREN != 0:
            node = select_child(tree, node, c, weight, w.max_player)
            path[length] = node
            checksum = spread(checksum + node)
            length += 1
        is_first = node != 0 and floats_at(tree.visits)[node] == 0
        if (links[node] >> OVER) & 1 == 0 and not is_first:
            expand(tree, node, w)
            if POLICY != UCT:
                write_guides(tree, node, guide, weight, w)
            node = select_child(tree, node, c, weight, w.max_player)
            path[length] = node
            checksum = spread(checksum + node)
            length += 1
        value = value_leaf(tree, node, leaf, w)
        back_up(tree, length, value)
        if POLICY == IMPLICIT_MINIMAX:
            back_up_minimax(tree, length, w.max_player)
        tree.checksum = spread(checksum + float_bits(value))
        tree.visited += length


@cache
def log_table() -> Any:
    """Return the logarithms of the first whole numbers."""
    return np.array([0.0, *map(log, range(1, 1 << 12))])


@cache
def choice_table(pits: int) -> Any:
    """Return the pits that random numbers choose, for `random_bit`.

    The random numbers are divided into equal parts, as many as each number of pits divides. A row
    has the choices of one part, and its column is the sum of 2**pit of the pits that are not empty.
    """
    parts = lcm(*range(1, pits + 1))
    table = np.zeros((parts, 1 << MAX_PITS), np.uint8)
    for column in range(1, 1 << pits):
        full = [pit for pit in range(pits) if column >> pit & 1]
        for part in range(parts):
            table[part, column] = 8 * full[part * len(full) // parts]
    return table


@cache
def kernel(policy: int) -> Any:
    """Compile the loop for a policy: `UCT`, `PUCT` or `IMPLICIT_MINIMAX`."""
    return jit(grow, POLICY=policy)
