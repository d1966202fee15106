"""Packed positions, as `walk` plays them: (player, own, opp, own store, opp store).

`own` is the mover's side; see `kalahlab.engine.packed`.
"""

import numpy as np

from kalahlab.engine.packed import PITS as MOST_PITS
from kalahlab.engine.packed import ROW, TABLE, again, pack, sowings, step, stones
from kalahlab.engine.twin.workspace import (
    CAPTURE_EMPTY,
    MAJORITY,
    MOVER_ENDS,
    PITS,
    SHOWN,
    SOWING,
    TO_FINISHER,
    Slate,
)
from kalahlab.games.kalah import State

Position = tuple[int, int, int, int, int]
NUMBERS = 5


def first(state: State) -> Position:
    """The position to start from."""
    return (state.player, *pack(state))


def sowing(pits: int) -> Slate:
    """The tables, one after the other."""
    return np.concatenate(sowings(pits))


def holds(position: Position, pit: int, slate: Slate) -> int:
    """The stones in a pit of the mover."""
    return position[1] >> 8 * pit & 255


def played(position: Position, pit: int, ply: int, slate: Slate) -> Position:
    """The position after a sow, swept if it ended the game."""
    player, own, opp, own_store, opp_store = position
    sown = slate[SOWING] + pit * ROW + (own >> 8 * pit & 255)
    effect = slate[sown + 2 * TABLE]
    own, opp, banked = step(
        own, opp, slate[sown], slate[sown + TABLE], effect, slate[CAPTURE_EMPTY] != 0
    )
    own_store += banked
    if not again(effect):
        player = 1 - player
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    if own == 0 or (opp == 0 and slate[MOVER_ENDS] == 0):
        rest, other = stones(own), stones(opp)
        if slate[TO_FINISHER] != 0:
            rest, other = other, rest
        return player, 0, 0, own_store + rest, opp_store + other
    return player, own, opp, own_store, opp_store


def ended(position: Position, slate: Slate) -> bool:
    """Whether the game is over. A side that counts is not empty before it is swept."""
    return position[1] == 0 or max(position[3], position[4]) > slate[MAJORITY]


def shown(position: Position, slate: Slate) -> Slate:
    """The board as an evaluator sees it, South's side first; written over by the next.

    All seven bytes are written, which the compiler does at a stroke; what is too much is
    written over by the next part, or lies behind the board.
    """
    player, own, opp, own_store, opp_store = position
    if player != 0:
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    pits = slate[PITS]
    start, middle = slate[SHOWN], slate[SHOWN] + pits + 1
    for pit in range(MOST_PITS):
        slate[start + pit] = own >> 8 * pit & 255
    slate[middle - 1] = own_store
    for pit in range(MOST_PITS):
        slate[middle + pit] = opp >> 8 * pit & 255
    slate[middle + pits] = opp_store
    return slate[start : start + 2 * pits + 2]
