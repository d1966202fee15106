"""Packed positions, as the general kernel plays them: (player, own, opp, own store, opp store).

`own` is the mover's side; see `kalahlab.engine.packed`.
"""

from functools import cache

import numpy as np

from kalahlab.engine.packed import MAX_PITS, ROW, TABLE_SIZE, again, pack, sowings, step, stones
from kalahlab.engine.twin.workspace import (
    BOARD,
    CAPTURE_EMPTY,
    MAJORITY,
    MOVER_ENDS,
    PITS,
    SOWING,
    TO_FINISHER,
    Workspace,
)
from kalahlab.games.kalah import State

Position = tuple[int, int, int, int, int]
NUMBERS = 5


def start(state: State) -> Position:
    """The position to start from."""
    return (state.player, *pack(state))


@cache
def sowing(pits: int) -> Workspace:
    """The tables, one after the other."""
    return np.concatenate(sowings(pits))


def key_words(pits: int) -> int:
    """The words of `key`: the pits and a store; the other store has what is left."""
    return 3


def key(position: Position, workspace: Workspace) -> int:
    """Where the words start that, with the player, tell the position from others."""
    at: int = workspace[BOARD]
    workspace[at], workspace[at + 1], workspace[at + 2] = position[1:4]
    return at


def stones_in(position: Position, pit: int, workspace: Workspace) -> int:
    """The stones in a pit of the mover."""
    return position[1] >> 8 * pit & 255


def played(position: Position, pit: int, ply: int, workspace: Workspace) -> Position:
    """The position after a sow, swept if it ended the game."""
    player, own, opp, own_store, opp_store = position
    sown = workspace[SOWING] + pit * ROW + (own >> 8 * pit & 255)
    effect = workspace[sown + 2 * TABLE_SIZE]
    own, opp, banked = step(
        own,
        opp,
        workspace[sown],
        workspace[sown + TABLE_SIZE],
        effect,
        workspace[CAPTURE_EMPTY] != 0,
    )
    own_store += banked
    if not again(effect):
        player = 1 - player
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    if own == 0 or (opp == 0 and workspace[MOVER_ENDS] == 0):
        rest, other = stones(own), stones(opp)
        if workspace[TO_FINISHER] != 0:
            rest, other = other, rest
        return player, 0, 0, own_store + rest, opp_store + other
    return player, own, opp, own_store, opp_store


def ended(position: Position, workspace: Workspace) -> bool:
    """Whether the game is over. A side that counts is not empty before it is swept."""
    return position[1] == 0 or max(position[3], position[4]) > workspace[MAJORITY]


def board_of(position: Position, workspace: Workspace) -> Workspace:
    """The board as an evaluator sees it, South's side first; written over by the next.

    All seven bytes are written, which the compiler does at a stroke; what is too much is
    written over by the next part, or lies behind the board.
    """
    player, own, opp, own_store, opp_store = position
    if player != 0:
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    pits = workspace[PITS]
    start, middle = workspace[BOARD], workspace[BOARD] + pits + 1
    for pit in range(MAX_PITS):
        workspace[start + pit] = own >> 8 * pit & 255
    workspace[middle - 1] = own_store
    for pit in range(MAX_PITS):
        workspace[middle + pit] = opp >> 8 * pit & 255
    workspace[middle + pits] = opp_store
    return workspace[start : start + 2 * pits + 2]
