"""Which child a proof should try first.

The tree of a proof is as large as its refutations are, and any refutation will do: what
counts is to find the one with the smallest tree. A child is the more promising the more its
mover banked on the way (which makes the tree smaller, so a stone counts three times what it
is worth), the better its pits look, and if it is again the same mover's turn.

There are two sets of numbers. One was fitted to exact values, then to the nodes of proofs. The
other was fitted to what it costs to try children in its order: at 93,600 cut nodes of (6,4), (6,5)
and (6,6), 24 to 33 stones in play, each child was searched; the numbers make the mean of log2(nodes
until the cut / nodes of the cheapest child that cuts) least. It serves where it was fitted, from
`FEWEST` to `MOST` stones on 6 pits a side: on (6,4) the two together need a quarter fewer nodes
than the first alone, a sixth under empty capture; with fewer stones or pits the first is better.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import MAX_PITS

FEWEST, MOST = 25, 34
"""Stones in play of the positions that the second set orders."""

FITTED_PITS = 6
"""Pits a side of the positions that it was fitted to."""

SIDE = 3 * 256
"""The two sides' tables of pairs of pits lie SIDE apart."""

GAIN = 4 * SIDE
"""Where a set's numbers by stones banked, twice, + 1 for an extra turn, begin. Before them come the
pits, when the turn passes and when it does not."""

PLACE = GAIN + 256
"""Where a set's numbers by the byte of the pit played, twice, + 1 for an extra turn, begin."""

SET = PLACE + 2 * MAX_PITS
"""Numbers in a set."""

OWN = (
    (-70, -25, -4, 12, 25, 32, 53, -14, -27, -32, -34, -36),
    (-59, -12, 5, 18, 31, 51, -10, -22, -28, -22, -24, -26),
    (-37, 1, 18, 25, 49, -14, -18, -35, -29, -9, -11, -13),
    (-16, 13, 27, 41, -20, -26, -25, -29, -26, 12, 10, 8),
    (4, 25, 32, -22, -25, -37, -30, -20, -10, 36, 34, 32),
    (-6, 12, -29, -31, -33, -28, -21, -4, 26, 65, 63, 61),
)
"""By pit, the leftmost first, and stones in it: what it is worth to the player to move, in
1/16 stones; the first set."""

OPP = (
    (40, 6, -6, -12, -21, -24, 7, 26, 52, 65, 67, 69),
    (41, 4, -8, -11, -24, -15, 18, 33, 47, 47, 49, 51),
    (33, -2, -16, -20, -30, 19, 30, 42, 41, 35, 37, 39),
    (19, -12, -22, -27, 18, 26, 36, 42, 37, 14, 16, 18),
    (0, -27, -24, 18, 27, 36, 39, 38, 36, -12, -10, -8),
    (8, -7, 25, 32, 34, 40, 37, 19, -11, -46, -44, -42),
)
"""The same of the opponent's pits, from the opponent's left."""

STONE, AGAIN, PIT = 49, 345, 3
"""What a stone banked, an extra turn and a pit nearer to the store are worth."""

PASSED = (
    (159, -112, -195, -201, -177, -170, -432, -85, 47, 37, 48, 41, 0, 0, 0, 0),
    (195, -80, -145, -161, -157, -369, -27, -56, 13, -11, 37, -121, -61, 32, -208, 22),
    (197, -115, -106, -147, -371, -99, -122, -39, -32, 36, 93, 53, -32, 65, -191, -125),
    (223, -134, -167, -305, -90, -57, -62, -44, -85, -101, 4, -14, -5, 21, -145, -99),
    (146, -158, -255, -49, -60, -57, -110, -65, -94, -64, -55, 7, 13, -122, -212, -128),
    (93, -195, -98, -103, -87, -97, -47, -14, 20, -89, -73, -82, -196, -72, -124, -105),
    (-65, -1, 4, -79, -197, -29, 7, -197, -252, -142, -77, -6, 0, 0, 0, 0),
    (-56, 53, -30, -163, 1, -71, -75, -245, -318, -156, -203, -11, -39, 38, -219, 73),
    (-51, -1, -150, -118, 91, -72, -175, -224, -151, -223, -355, -152, 95, 3, -81, -30),
    (-47, -61, -85, 153, -64, -234, -314, -359, -303, -228, -207, -315, -193, -153, -357, -197),
    (10, -5, 61, -161, -420, -481, -548, -465, -411, -229, -305, -448, -630, -513, -478, -164),
    (-45, -46, -98, -146, -185, -117, -10, -35, 108, 43, 21, -73, -71, -28, -5, -1),
)
"""The second set: after a move that passes the turn: by pit, the opponent's leftmost first, and
stones in it, what it is worth to who moved; then the own pits. In 1/100 bits of nodes."""

KEPT = (
    (-119, 67, 106, 31, 68, 63, 225, 58, 29, 25, -19, 8, 0, 0, 0, 0),
    (-93, 48, 66, 61, 75, 204, -223, -3, 10, 73, 3, 1, 0, 8, -133, -4),
    (-16, 75, 76, 43, 201, -227, -35, -2, 7, 33, 3, -167, 9, 10, -20, -7),
    (39, 74, 66, 206, -276, -50, 34, 21, 21, 3, 39, -17, 30, 20, -21, 92),
    (93, 67, 205, -236, -85, -36, 8, 20, 3, 0, -12, 13, -28, -1, -2, 83),
    (188, 74, -209, 81, 36, 108, 68, -30, 141, -52, 87, 38, 4, 64, 125, -437),
    (62, 66, 89, 81, 80, 34, 74, 128, 163, 189, 4, 0, 0, 0, 0, 0),
    (97, 57, 76, 66, 53, -37, 35, 54, 48, 8, 15, 85, 18, 41, 103, 1),
    (97, 40, 39, 49, 79, 75, 84, 91, 82, 55, 32, 20, -17, -41, 152, 120),
    (92, 40, 46, 91, 75, 85, 67, 35, 86, 51, 59, -53, -19, 12, 5, 80),
    (87, 5, 79, 76, 94, 86, 71, 72, 67, 62, 54, 23, 59, 47, 21, 86),
    (69, 56, 79, 70, 62, 75, 96, 71, 9, 90, -2, 56, 48, 52, 44, 92),
)
"""The same after a move that gives an extra turn: the own pits first."""

BANKED = (
    (-307, 200, 144, 347, 458, 513, 583, 618, 676, 713),
    (0, 79, 79, 79, 79, 79, 79, 79, 79, 79),
)
"""The second set: what banking 0, 1, .. stones is worth, when the turn passes and when it does not.
More were too rare to be fitted."""

PLAYED = (
    (-110, -50, -4, -35, -218, 260),
    (-245, -198, -157, -103, 29, 185),
)
"""The second set: what playing a pit is worth, the leftmost first, in the same way."""


@cache
def preferences(pits: int) -> NDArray[np.int16]:
    """The numbers that `order_score` reads: the two sets."""
    values = np.array(OWN + OPP)
    first, second = np.zeros((2, SET), np.int16)
    for again, worth in enumerate((-values, values)):
        first[2 * SIDE * again :][: 2 * SIDE] = _pairs(worth)
        second[2 * SIDE * again :][: 2 * SIDE] = _pairs(np.array((PASSED, KEPT)[again]))
        second[PLACE + 2 + again :: 2][: len(PLAYED[again])] = PLAYED[again]
    for gain in range(256):
        first[GAIN + gain] = STONE * (gain >> 1) + AGAIN * (gain & 1)
        second[GAIN + gain] = BANKED[gain & 1][min(gain >> 1, len(BANKED[0]) - 1)]
    first[PLACE:] = PIT * (np.arange(2 * MAX_PITS) // 2)
    return np.concatenate([first, second if pits == FITTED_PITS else first])


def gains_alone() -> NDArray[np.int16]:
    """As the first set, whatever lies in the pits."""
    table = preferences(1)[:SET].copy()
    table[:GAIN] = 0
    return np.tile(table, 2)


def _pairs(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """By pair of pits: of each number of stones in the left one + 16 times those in the right."""
    count = np.minimum(np.arange(16), worth.shape[1] - 1)
    left, right = worth[::2, count], worth[1::2, count]
    return (right[:, :, None] + left[:, None, :]).reshape(-1)


@inlined
def order_set(total: int) -> int:
    """Where the set begins that orders the moves of a position with `total` stones in play."""
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
