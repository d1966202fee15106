"""A linear evaluator of Kalah with weights fitted to perfect play.

The value of a side of the board is the sum of its features times their weights. The value of a
board is the value of the own side minus that of the opponent's side. The weights come from
`data/make/fit.py`. They are multiples of 1/256, so that sums are exact in any order.
"""

import json
from collections.abc import Sequence
from typing import Any

from kalahlab.data import data_file
from kalahlab.evaluators import Evaluator
from kalahlab.games.kalah import count_captured

WEIGHTED_PITS = 6  # the pits nearest the store have a weight each; all others share that of the 6th
FEATURES = (
    "store",  # stones in the store
    # Stones in the pit at this distance from the store. The last includes all pits farther away.
    *(f"stones_{distance}" for distance in range(1, WEIGHTED_PITS + 1)),
    "mobility",  # pits with stones
    "extra_turns",  # pits whose sow ends in the store
    "spills",  # pits whose sow goes on beyond the store, to the opponent's side
    "capture",  # the most stones that one sow captures, the capturing stone included
)

# The indices of these features: the store and the weighted pits come before them.
MOBILITY, EXTRA_TURNS, SPILLS, CAPTURE = range(WEIGHTED_PITS + 1, WEIGHTED_PITS + 5)


def side_worth(board: Sequence[float], player: int, weights: Sequence[float]) -> float:
    """Return the value of a side, in the unit of the weights; captures follow the standard rule."""
    half = len(board) // 2
    pits, lap = half - 1, 2 * half - 1  # a lap is all pits and the own store
    own, opp = player * half, (1 - player) * half
    worth = weights[0] * board[own + pits]
    largest = 0.0
    for pit in range(pits):
        count = board[own + pit]
        if count == 0:
            continue
        worth += weights[min(pits - pit, WEIGHTED_PITS)] * count + weights[MOBILITY]
        if pit + count > pits:
            worth += weights[SPILLS]
        last = int(pit + count) % lap  # numbered as the own pits are
        if last == pits:
            worth += weights[EXTRA_TURNS]
        # A sow of one lap ends where it began, in the pit that it has emptied.
        elif last < pits and (count == lap or (count < lap and board[own + last] == 0)):
            opposite = int(board[opp + pits - 1 - last])
            if last <= pit:  # the sow has passed the opponent's side
                opposite += 1
            largest = max(largest, float(count_captured(opposite, False)))
    return worth + weights[CAPTURE] * largest


def make_linear_evaluator(weights: Sequence[float]) -> Evaluator:
    """Make the antisymmetric evaluator with a weight, in stones, for each of `FEATURES`.

    If the first weight is 1, the value of a finished game is its margin.
    """
    if len(weights) != len(FEATURES):
        raise ValueError(f"{len(weights)} weights were given; there are {len(FEATURES)} features")
    fixed = tuple(float(weight) for weight in weights)

    def evaluate(board: Sequence[float], player: int) -> float:
        return side_worth(board, player, fixed) - side_worth(board, 1 - player, fixed)

    return evaluate


# The weights, the data they were fitted to, and their errors; see `data/make/fit.py`.
FIT: dict[str, Any] = json.loads(data_file("fitted.json").read_text("utf-8"))
fitted = make_linear_evaluator([FIT["weights"].get(name, 0.0) for name in FEATURES])
