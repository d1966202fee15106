"""Evaluators of Kalah that were learned from perfect play; see `kalahlab.judging.train`.

    learned(board, player)           # a small network; player is to move
    pit_table(board, player)         # a table by pit and count
    pit_pairs(board, player)         # tables of pairs of pits

All three speak for the player to move, and all are the store difference and a rest: what the
mover will bank from here on more than the opponent. The rest of a board without stones in
its pits is 0. There are weights for boards of 4, 5 and 6 pits; of any other board `fitted` is
asked. A pit with more than `CAP` stones counts as one with `CAP`.

The network has `UNITS` units. A unit adds a bias and one number for each pit, the number in the
pit's row for its count. What a unit says is its sum, but at least 0 and at most the unit's
ceiling. The first half of the units speaks for the mover, the second for the opponent, and the
rest is the difference of the two totals. All numbers are whole, in units of 1/`STEPS` of a
stone: so a sum is exact in whatever order it is added up.

Four units share a word of four lanes of 15 bits, so that one addition serves four of them. A
sum lies in its lane as `ZERO` more than it is. The training makes sure that no sum leaves its
lane.
"""

import json
from collections.abc import Sequence
from typing import Any

from kalahlab.data import data_file
from kalahlab.evaluators import for_mover
from kalahlab.evaluators.fitted import fitted

CAP = 13
"""The largest count that has a row of its own; on six pits so many stones go once round."""

UNITS = 32

STEPS = 128
"""Numbers are multiples of a STEPS-th of a stone."""

LANE = 15
"""Bits of a lane."""

ZERO = 1 << LANE - 1
"""Where in its lane a sum of 0 lies: the highest bit says whether a sum is negative."""

ONES = 1 | 1 << LANE | 1 << 2 * LANE | 1 << 3 * LANE
"""A 1 in each lane."""

EVEN = (1 << LANE) - 1 | (1 << LANE) - 1 << 2 * LANE
"""The first and the third lane."""


def lanes(numbers: Sequence[int]) -> tuple[int, ...]:
    """Numbers, four to a word, the first in the lowest lane."""
    return tuple(
        sum(number << LANE * lane for lane, number in enumerate(numbers[at : at + 4]))
        for at in range(0, len(numbers), 4)
    )


def packed(found: dict[str, Any]) -> list[tuple[int, ...]]:
    """The rows of a network, in words, from its numbers.

    The bias; what to add to a sum for its excess over the ceiling, see `clipped`; and the rows,
    `CAP` + 1 a pit: the own pits first, each side from the player's left.
    """
    bias = [number + ZERO for number in found["bias"]]
    excess = [ZERO - number for number in found["ceiling"]]
    return [lanes(row) for row in (bias, excess, *found["rows"])]


def clipped(sums: int, excess: int) -> int:
    """Four sums, not less than 0 and not more than their ceilings.

    excess: `ZERO` less the ceiling, in each lane.
    """
    sign = sums >> LANE - 1 & ONES
    positive = sums & (sign << LANE - 1) - sign
    beyond = positive + excess
    sign = beyond >> LANE - 1 & ONES
    return positive - (beyond & (sign << LANE - 1) - sign)


def pairs(lanes: int) -> int:
    """Four lanes added up to two, of 30 bits each."""
    return (lanes & EVEN) + (lanes >> LANE & EVEN)


def network(board: Sequence[float], player: int, first: int) -> int:
    """What the units say to the player to move, in STEPS-ths of a stone.

    first: the first of the rows for so many pits.
    """
    half = len(board) // 2
    bias, excess = ROWS[first], ROWS[first + 1]
    a, b, c, d, e, f, g, h = (
        *(bias[0], bias[1], bias[2], bias[3]),
        *(bias[4], bias[5], bias[6], bias[7]),
    )
    at = first + 2
    for side in (player * half, (1 - player) * half):
        for pit in range(side, side + half - 1):
            row = ROWS[at + int(min(board[pit], CAP))]
            a += row[0]
            b += row[1]
            c += row[2]
            d += row[3]
            e += row[4]
            f += row[5]
            g += row[6]
            h += row[7]
            at += CAP + 1
    gains = pairs(clipped(a, excess[0])) + pairs(clipped(b, excess[1]))
    gains += pairs(clipped(c, excess[2])) + pairs(clipped(d, excess[3]))
    losses = pairs(clipped(e, excess[4])) + pairs(clipped(f, excess[5]))
    losses += pairs(clipped(g, excess[6])) + pairs(clipped(h, excess[7]))
    two = (1 << 2 * LANE) - 1
    return (gains & two) + (gains >> 2 * LANE) - (losses & two) - (losses >> 2 * LANE)


@for_mover
def learned(board: Sequence[float], player: int) -> float:
    """A network of 32 units, trained to choose moves as perfect play does. player is to move."""
    half = len(board) // 2
    if not LEAST_PITS <= half - 1 <= MOST_PITS:
        return fitted(board, player)
    at = STARTS[half - 1 - LEAST_PITS]
    lead = board[player * half + half - 1] - board[(1 - player) * half + half - 1]
    return lead + (network(board, player, at) - EMPTY[half - 1 - LEAST_PITS]) / STEPS
