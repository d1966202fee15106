"""Perft, compiled: how many lines of play there are, the classic check of a move generator.

The last ply is counted without being played.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from kalahlab.engine.compiled import specialise
from kalahlab.engine.packed import fits
from kalahlab.engine.twin import array_position as rows
from kalahlab.engine.twin import packed_position as words
from kalahlab.engine.twin.general_kernel import Position
from kalahlab.engine.twin.workspace import PITS, PLIES, Slate, Walk, new_slate
from kalahlab.games.kalah import Kalah, State, pits_of

# What kind of position, unless the kernel is compiled with something else in its place.
HOLDS: Callable[[Any, int, Slate], int] = words.holds
PLAYED: Callable[[Any, int, int, Slate], Any] = words.played
ENDED: Callable[[Any, Slate], bool] = words.ended


def count(game: Any, state: State, depth: int) -> list[int]:
    """The leaves at depths 1 to `depth`. Raises `ValueError` for a negative depth."""
    if depth < 0:
        raise ValueError(f"depth is {depth}; use 0 or more")
    if not isinstance(game, Kalah):
        raise ValueError(f"the engine plays Kalah, not {type(game).__name__}")
    if game.over(state):
        return [1] * depth
    boards = words if fits(state) else rows
    way = Walk(depth, by_turn=False, prune=False, order=0)
    slate = new_slate(game, state, way, boards.sowing(pits_of(state.board)))
    leaves = np.zeros((2, depth + 1), np.int64)
    kernel(boards)(boards.first(state), 0, slate, leaves)
    reached, finished = leaves
    return [int(reached[d] + finished[:d].sum()) for d in range(1, depth + 1)]


def visit(position: Position, ply: int, slate: Slate, leaves: Slate) -> None:
    """Count the moves of a position, and those of all below that are above the last ply."""
    depth = leaves.shape[1] - 1
    if ply >= slate[PLIES]:
        if depth > ply:
            raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
        return
    for pit in range(slate[PITS]):
        if HOLDS(position, pit, slate) == 0:
            continue
        leaves[0, ply + 1] += 1
        if ply + 1 < depth:
            child = PLAYED(position, pit, ply, slate)
            if ENDED(child, slate):
                leaves[1, ply + 1] += 1
            else:
                visit(child, ply + 1, slate, leaves)


@cache
def kernel(boards: ModuleType) -> Callable[[Position, int, Slate, Slate], None]:
    """The kernel over `words` or `rows`; compiled when needed."""
    signature = f"void(UniTuple(int64, {boards.NUMBERS}), int64, int64[::1], int64[:, ::1])"
    return specialise(
        visit, signature, HOLDS=boards.holds, PLAYED=boards.played, ENDED=boards.ended
    )
