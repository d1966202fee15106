"""Move ordering in proofs.

Any refutation will do; the aim is to find the one with the smallest tree. A child is more promising
if the move to it banks more stones, if its pits look better for the player who made the move, and
if the same player moves again. A banked stone counts three times its worth, as it also makes the
tree smaller.

There are two sets of numbers. The first was fitted to exact values, then to the nodes of proofs.
The second was fitted to the cost of trying children in its order: at 93,600 cut nodes of (6,4),
(6,5) and (6,6), each child was searched; the numbers minimize the mean of log2(nodes until the
cutoff / nodes of the cheapest child that cuts off). The second set is used where it was fitted,
from `FEWEST` to `MOST` stones on 6 pits a side; with fewer stones or pits the first set is better.
"""

import json
from functools import cache

import numpy as np
from numpy.typing import NDArray

from kalahlab.data import data_file
from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import MAX_PITS

FEWEST, MOST, FITTED_PITS = 25, 34, 6  # of the positions that the second set orders
# The places of numbers in a set. A set begins with four tables by pairs of pits: of the two sides
# if the turn passes, and of the two sides if the same player moves again.
SIDE = 3 * 256  # the size of such a table: 3 pairs of pits, by 16 * 16 counts
GAIN = 4 * SIDE  # from here on by the gain: twice the stones banked, plus 1 for an extra turn
PLACE = GAIN + 256  # from here on by twice the byte of the pit played, plus 1 for an extra turn
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
    banked = fitted["banked"]
    first, second = np.zeros((2, SET), np.int16)
    # `values` are worth to the child's mover; if the turn passes, that is the opponent.
    for extra, worth, key in ((0, -values, "passed"), (1, values, "kept")):
        first[2 * SIDE * extra :][: 2 * SIDE] = _sum_pairs(worth)
        second[2 * SIDE * extra :][: 2 * SIDE] = _sum_pairs(np.array(fitted[key]))
        # From byte 1 on: 6 pits do not use byte 0. Every other number is for the same `extra`.
        second[PLACE + 2 + extra :: 2][:FITTED_PITS] = fitted["played"][extra]
    for gain in range(256):
        first[GAIN + gain] = STONE * (gain >> 1) + AGAIN * (gain & 1)
        # The last number is also for all larger gains.
        second[GAIN + gain] = banked[gain & 1][min(gain >> 1, len(banked[0]) - 1)]
    first[PLACE:] = PIT * (np.arange(2 * MAX_PITS) // 2)
    if plain or pits != FITTED_PITS:
        second = first
    return np.concatenate([first, second])


def _sum_pairs(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum the worth of the two pits of each pair, by the left pit's stones + 16 * the right pit's.

    Args:
        worth: Rows by pit, columns by stones.
    """
    # The last column is also for more stones.
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
    """Return the score of a child, from its parent's mover's point of view.

    Args:
        own: The pits of the player to move in the child.
        opp: The pits of the opponent of that player.
        gain: Twice the stones that the move banks, plus 1 for an extra turn.
        place: The byte of the pit played.
        begin: The place of the set; see `order_set`.
        order: The numbers of `preferences`.
    """
    # Byte 0, which only boards of 7 pits use, is left out. The low 4 bits of two neighbouring bytes
    # are put together to 8 bits, the index in a table of pairs. So 16 stones count like none.
    mine, theirs = own >> 8 & 0x0F0F0F0F0F0F, opp >> 8 & 0x0F0F0F0F0F0F
    mine |= mine >> 4
    theirs |= theirs >> 4
    pits = begin + (gain & 1) * 2 * SIDE
    worth: int = order[begin + GAIN + gain] + order[begin + PLACE + 2 * place + (gain & 1)]
    for pair in range(3):
        worth += order[pits + pair * 256 + (mine >> 16 * pair & 255)]
        worth += order[pits + SIDE + pair * 256 + (theirs >> 16 * pair & 255)]
    return worth
