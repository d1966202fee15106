"""Move ordering in proofs.

Any refutation will do; the aim is to find the one with the smallest tree. A child is more promising
if the move to it banks more stones, if its pits look better for the player who made the move, and
if the same player moves again. A banked stone counts three times its worth, as it also makes the
tree smaller.

There are two sets of numbers. The first was fitted to exact values, then to the nodes of proofs.
The second was fitted to the cost of trying children in its order. For this, each child of 93,600
cut nodes of (6,4), (6,5) and (6,6) was searched. The numbers minimize the mean of log2(nodes until
the cutoff / nodes of the cheapest child that cuts off). The second set is used where it was fitted,
from `FEWEST` to `MOST` stones on 6 pits a side; with fewer stones or pits the first set is better.
"""

import json
from functools import cache

import numpy as np
from numpy.typing import NDArray

from kalahlab.data import data_file
from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import MAX_PITS

# The second set orders positions with FEWEST to MOST stones on FITTED_PITS pits a side.
FEWEST, MOST, FITTED_PITS = 25, 34, 6
# A set is an array. It begins with four tables of the worth of the pits: own and opponent's side if
# the turn passes, then own and opponent's side if the same player moves again. Here, own is the
# player to move in the child. A table has a number for each pair of neighbouring pits (3 pairs) and
# each pair of counts (16 * 16).
SIDE = 3 * 256  # the size of such a table
# After the tables come 256 numbers for what a move gains. The index is 2 * the stones banked, plus
# 1 for an extra turn. GAIN is where these numbers begin.
GAIN = 4 * SIDE
# Last come numbers for the pit played. The index is 2 * the byte of the pit, plus 1 for an extra
# turn. PLACE is where these numbers begin.
PLACE = GAIN + 256
SET = PLACE + 2 * MAX_PITS  # the size of a set
# The first set: the worth of a stone banked, of an extra turn, and of a pit nearer to the store, in
# 1/16 stones. All other numbers are in `data/move_ordering.json`.
STONE, AGAIN, PIT = 49, 345, 3


@cache
def preferences(pits: int, plain: bool) -> NDArray[np.int16]:
    """Return the two sets one after the other.

    Args:
        pits: The pits of a side.
        plain: Use the first set in place of the second.
    """
    fitted = json.loads(data_file("move_ordering.json").read_text("utf-8"))
    values = np.array(fitted["own"] + fitted["opp"])  # rows by pit, of one side and then the other
    first, second = np.zeros((2, SET), np.int16)
    # `values` are worth to the player to move in the child. If the turn passes, that player is the
    # opponent of the one whose move is scored, so the sign changes. The two tables of a case, own
    # and opponent's side, are filled at once: `worth` has the rows of both sides.
    for extra, worth, key in ((0, -values, "passed"), (1, values, "kept")):
        begin = 2 * SIDE * extra
        first[begin : begin + 2 * SIDE] = _sum_pairs(worth)
        second[begin : begin + 2 * SIDE] = _sum_pairs(np.array(fitted[key]))
        for pit, played in enumerate(fitted["played"][extra]):
            byte = MAX_PITS - FITTED_PITS + pit
            second[PLACE + 2 * byte + extra] = played
    most_banked = len(fitted["banked"][0]) - 1
    for gain in range(256):
        banked, extra = gain >> 1, gain & 1
        first[GAIN + gain] = STONE * banked + AGAIN * extra
        # The last number is also for all larger gains.
        second[GAIN + gain] = fitted["banked"][extra][min(banked, most_banked)]
    first[PLACE:] = PIT * (np.arange(2 * MAX_PITS) // 2)  # PIT times the byte
    if plain or pits != FITTED_PITS:
        second = first
    return np.concatenate([first, second])


def _sum_pairs(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum the worth of the two pits of each pair.

    Args:
        worth: Rows by pit, columns by stones.

    Returns:
        256 sums for each pair: at index l + 16 * r, that of l stones in the left pit and r in the
        right pit.
    """
    # The last column is also for all larger counts.
    count = np.minimum(np.arange(16), worth.shape[1] - 1)
    left_pit, right_pit = worth[::2, count], worth[1::2, count]
    return (right_pit[:, :, None] + left_pit[:, None, :]).reshape(-1)


@inlined
def order_set(total: int) -> int:
    """Return the place in `preferences` of the set for a number of stones in play."""
    return SET if FEWEST <= total <= MOST else 0


@inlined
def order_score(
    own: int, opp: int, gain: int, place: int, begin: int, order: NDArray[np.int16]
) -> int:
    """Return the score of a child: the higher, the better for the player who made the move.

    Args:
        own: The pits of the player to move in the child.
        opp: The pits of the opponent of that player.
        gain: Twice the stones that the move banks, plus 1 for an extra turn.
        place: The byte of the pit played.
        begin: The place of the set; see `order_set`.
        order: The numbers of `preferences`.
    """
    # Byte 0, which only boards of 7 pits use, is shifted out. Of each other byte, a pit, the mask
    # keeps the low 4 bits, so 16 stones count like none. `x | x >> 4` then puts the 4 bits of a pit
    # behind those of its left neighbour. After it, bits 0-7, 16-23 and 32-39 hold the three pairs,
    # each as an index in a table of pairs.
    mine, theirs = (own >> 8) & 0x0F0F0F0F0F0F, (opp >> 8) & 0x0F0F0F0F0F0F
    mine |= mine >> 4
    theirs |= theirs >> 4
    extra = gain & 1
    pits = begin + extra * 2 * SIDE
    score: int = order[begin + GAIN + gain] + order[begin + PLACE + 2 * place + extra]
    for pair in range(3):
        score += order[pits + pair * 256 + ((mine >> (16 * pair)) & 255)]
        score += order[pits + SIDE + pair * 256 + ((theirs >> (16 * pair)) & 255)]
    return score
