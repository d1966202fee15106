"""Which child a proof should try first.

Any refutation will do: what counts is to find the one with the smallest tree. A child is the more
promising the more its mover banked on the way (which makes the tree smaller, so a stone counts
three times what it is worth), the better its pits look, and if the same player moves again.

There are two sets of numbers. One was fitted to exact values, then to the nodes of proofs. The
other was fitted to what it costs to try children in its order: at 93,600 cut nodes of (6,4), (6,5)
and (6,6), each child was searched; the numbers make the mean of log2(nodes until the cut / nodes of
the cheapest child that cuts) least. It serves where it was fitted, from `FEWEST` to `MOST` stones
on 6 pits a side; with fewer stones or pits the first is better.
"""

import json
from functools import cache

import numpy as np
from numpy.typing import NDArray

from kalahlab.data import data_file
from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import MAX_PITS

FEWEST, MOST, FITTED_PITS = 25, 34, 6  # of the positions that the second set orders
# A set: numbers by pairs of pits, the two sides' tables SIDE apart, when the turn passes and when
# it does not; from GAIN on by stones banked, twice, + 1 for an extra turn; from PLACE on by the
# byte of the pit played, in the same way.
SIDE = 3 * 256
GAIN = 4 * SIDE
PLACE = GAIN + 256
SET = PLACE + 2 * MAX_PITS
# The first set: what a stone banked, an extra turn, a pit nearer to the store are worth, in 1/16
# stones. All other numbers are in `data/move_ordering.json`.
STONE, AGAIN, PIT = 49, 345, 3


@cache
def preferences(pits: int, plain: bool) -> NDArray[np.int16]:
    """The two sets one after the other. plain: the first one in place of the second."""
    fitted = json.loads(data_file("move_ordering.json").read_text("utf-8"))
    values, banked = np.array(fitted["own"] + fitted["opp"]), fitted["banked"]
    first, second = np.zeros((2, SET), np.int16)
    for again, worth in enumerate((-values, values)):
        first[2 * SIDE * again :][: 2 * SIDE] = _pairs(worth)
        pits_worth = np.array(fitted["kept" if again else "passed"])
        second[2 * SIDE * again :][: 2 * SIDE] = _pairs(pits_worth)
        second[PLACE + 2 + again :: 2][:FITTED_PITS] = fitted["played"][again]
    for gain in range(256):
        first[GAIN + gain] = STONE * (gain >> 1) + AGAIN * (gain & 1)
        second[GAIN + gain] = banked[gain & 1][min(gain >> 1, len(banked[0]) - 1)]
    first[PLACE:] = PIT * (np.arange(2 * MAX_PITS) // 2)
    return np.concatenate([first, first if plain or pits != FITTED_PITS else second])


def _pairs(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """By pair of pits: of each number of stones in the left one + 16 times those in the right."""
    count = np.minimum(np.arange(16), worth.shape[1] - 1)
    left, right = worth[::2, count], worth[1::2, count]
    return (right[:, :, None] + left[:, None, :]).reshape(-1)


@inlined
def order_set(total: int) -> int:
    return SET if FEWEST <= total <= MOST else 0


@inlined
def order_score(
    own: int, opp: int, gain: int, place: int, begin: int, order: NDArray[np.int16]
) -> int:
    """How promising a child is for its parent's mover. begin: see `order_set`."""
    mine, theirs = own >> 8 & 0x0F0F0F0F0F0F, opp >> 8 & 0x0F0F0F0F0F0F
    mine |= mine >> 4
    theirs |= theirs >> 4
    pits = begin + (gain & 1) * 2 * SIDE
    worth: int = order[begin + GAIN + gain] + order[begin + PLACE + 2 * place + (gain & 1)]
    for pair in range(3):
        worth += order[pits + pair * 256 + (mine >> 16 * pair & 255)]
        worth += order[pits + SIDE + pair * 256 + (theirs >> 16 * pair & 255)]
    return worth
