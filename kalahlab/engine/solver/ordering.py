"""Which child a proof should try first.

The tree of a proof is as large as its refutations are, and any refutation will do: what
counts is to find the one with the smallest tree. A child is the more promising the more its
mover banked on the way (which makes the tree smaller, so a stone counts three times what it
is worth), the better its pits look, and if it is again the same mover's turn.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined

SIDE = 3 * 256
"""The two sides' tables of pairs of pits lie SIDE apart."""

GAIN = 2 * SIDE
"""Where the numbers by stones banked, twice, + 1 for an extra turn, begin."""

PIT = 3
"""What a pit nearer to the store is worth."""


OWN = (
    (-70, -25, -4, 12, 25, 32, 53, -14, -27, -32, -34, -36),
    (-59, -12, 5, 18, 31, 51, -10, -22, -28, -22, -24, -26),
    (-37, 1, 18, 25, 49, -14, -18, -35, -29, -9, -11, -13),
    (-16, 13, 27, 41, -20, -26, -25, -29, -26, 12, 10, 8),
    (4, 25, 32, -22, -25, -37, -30, -20, -10, 36, 34, 32),
    (-6, 12, -29, -31, -33, -28, -21, -4, 26, 65, 63, 61),
)
"""By pit, the leftmost first, and stones in it: what it is worth to the player to move, in
1/16 stones. Fitted to exact values, then to the nodes of proofs."""

OPP = (
    (40, 6, -6, -12, -21, -24, 7, 26, 52, 65, 67, 69),
    (41, 4, -8, -11, -24, -15, 18, 33, 47, 47, 49, 51),
    (33, -2, -16, -20, -30, 19, 30, 42, 41, 35, 37, 39),
    (19, -12, -22, -27, 18, 26, 36, 42, 37, 14, 16, 18),
    (0, -27, -24, 18, 27, 36, 39, 38, 36, -12, -10, -8),
    (8, -7, 25, 32, 34, 40, 37, 19, -11, -46, -44, -42),
)
"""The same of the opponent's pits, from the opponent's left."""

STONE, AGAIN = 49, 345
"""What a stone banked and an extra turn are worth."""


@cache
def preferences() -> NDArray[np.int16]:
    """The numbers that `order_score` reads: pairs of pits at a time, then gains."""
    table = np.zeros(GAIN + 256, np.int16)
    for begin, worth in ((0, OWN), (SIDE, OPP)):
        for pair in range(256 * 3):
            left, right = pair % 16, pair // 16 % 16
            first = 2 * (pair // 256)
            table[begin + pair] = _of(worth[first], left) + _of(worth[first + 1], right)
    for gain in range(256):
        table[GAIN + gain] = STONE * (gain >> 1) + AGAIN * (gain & 1)
    return table


def gains_alone() -> NDArray[np.int16]:
    """As `preferences`, whatever lies in the pits."""
    table = preferences().copy()
    table[:GAIN] = 0
    return table


def _of(worth: tuple[int, ...], count: int) -> int:
    return worth[min(count, len(worth) - 1)]


@inlined
def order_score(own: int, opp: int, gain: int, place: int, order: NDArray[np.int16]) -> int:
    """How promising a child is for its parent's mover, in 1/16 stones or so."""
    mine, theirs = own >> 8 & 0x0F0F0F0F0F0F, opp >> 8 & 0x0F0F0F0F0F0F
    mine |= mine >> 4
    theirs |= theirs >> 4
    pits = 0
    for pair in range(3):
        pits += order[pair * 256 + (mine >> 16 * pair & 255)]
        pits += order[SIDE + pair * 256 + (theirs >> 16 * pair & 255)]
    worth: int = order[GAIN + gain] + PIT * place
    return worth + (pits if gain & 1 else -pits)
