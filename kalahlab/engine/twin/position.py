"""Positions as the general kernel plays them: (player, own, opp, own store, opp store).

`own` is the mover's side; see `kalahlab.engine.packed`.
"""

from functools import cache
from typing import Any

import numpy as np

from kalahlab.engine.packed import ROW, TABLE_SIZE, Words, again, sowings, step, stones, words_at

Position = tuple[int, int, int, int, int]

CAPTURE_EMPTY = 1 << 25  # the bit of each effect that says whether empty pits are captured
INFINITE = 1 << 62
CEILING = 3 * TABLE_SIZE  # where the tables say how far a mover's value may narrow the window


def sowing_address(
    pits: int, capture_empty: bool, store_first: bool = False, prune: bool = True
) -> int:
    """Where the tables lie that say what sowing does, for `sown`, and the ceiling; for good.

    store_first: the first pit is in the highest byte.
    """
    return int(_tables(pits, capture_empty, store_first, prune).ctypes.data)


@cache
def _tables(pits: int, capture_empty: bool, store_first: bool, prune: bool) -> Words:
    own, opp, effect = sowings(pits, tuple(range(pits))[:: -1 if store_first else 1])
    ceiling = INFINITE if prune else -INFINITE
    return np.concatenate((own, opp, effect | CAPTURE_EMPTY * capture_empty, [ceiling]))


def sown(own: int, opp: int, at: int, sowing: int) -> tuple[int, int, int, bool]:
    """(own, opp, stones banked, whether the mover moves again) after sowing a pit.

    at: its entry in the tables that lie at the address `sowing`.
    """
    words = words_at(sowing)
    effect = words[at + 2 * TABLE_SIZE]
    empty = effect & CAPTURE_EMPTY != 0
    own, opp, banked = step(own, opp, words[at], words[at + TABLE_SIZE], effect, empty)
    return own, opp, banked, again(effect)


def stones_in(position: Position, pit: int) -> int:
    return position[1] >> 8 * pit & 255


def played(position: Position, pit: int, w: Any) -> Position:
    """The position after a sow, swept if it ended the game."""
    player, own, opp, own_store, opp_store = position
    own, opp, banked, extra = sown(own, opp, pit * ROW + (own >> 8 * pit & 255), w.sowing)
    own_store += banked
    if not extra:
        player = 1 - player
        own, opp, own_store, opp_store = opp, own, opp_store, own_store
    if own == 0 or (opp == 0 and w.mover_ends == 0):
        rest, other = stones(own), stones(opp)
        if w.to_finisher != 0:
            rest, other = other, rest
        return player, 0, 0, own_store + rest, opp_store + other
    return player, own, opp, own_store, opp_store


def ended(position: Position, w: Any) -> bool:
    """Whether the game is over. A side that counts is not empty before it is swept."""
    return position[1] == 0 or max(position[3], position[4]) > w.majority
