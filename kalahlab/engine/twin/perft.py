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
from kalahlab.engine.twin import array_position, packed_position
from kalahlab.engine.twin.general_kernel import Position
from kalahlab.engine.twin.workspace import PITS, PLIES, SearchSettings, Workspace, new_workspace
from kalahlab.games.kalah import Kalah, State, pits_of

# What kind of position, unless the kernel is compiled with something else in its place.
STONES_IN: Callable[[Any, int, Workspace], int] = packed_position.stones_in
PLAYED: Callable[[Any, int, int, Workspace], Any] = packed_position.played
ENDED: Callable[[Any, Workspace], bool] = packed_position.ended


def count(game: Any, state: State, depth: int) -> list[int]:
    """The leaves at depths 1 to `depth`. Raises `ValueError` for a negative depth."""
    if depth < 0:
        raise ValueError(f"depth is {depth}; use 0 or more")
    if not isinstance(game, Kalah):
        raise ValueError(f"the engine plays Kalah, not {type(game).__name__}")
    if game.over(state):
        return [1] * depth
    boards = packed_position if fits(state) else array_position
    sowing = boards.sowing(pits_of(state.board))
    workspace = new_workspace(game, state, SearchSettings(depth), sowing)
    leaves = np.zeros((2, depth + 1), np.int64)
    kernel(boards)(boards.start(state), 0, workspace, leaves)
    reached, finished = leaves
    return [int(reached[d] + finished[:d].sum()) for d in range(1, depth + 1)]


def visit(position: Position, ply: int, workspace: Workspace, leaves: Workspace) -> None:
    """Count the moves of a position, and those of all below that are above the last ply."""
    depth = leaves.shape[1] - 1
    if ply >= workspace[PLIES]:
        if depth > ply:
            raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
        return
    for pit in range(workspace[PITS]):
        if STONES_IN(position, pit, workspace) == 0:
            continue
        leaves[0, ply + 1] += 1
        if ply + 1 < depth:
            child = PLAYED(position, pit, ply, workspace)
            if ENDED(child, workspace):
                leaves[1, ply + 1] += 1
            else:
                visit(child, ply + 1, workspace, leaves)


@cache
def kernel(boards: ModuleType) -> Callable[[Position, int, Workspace, Workspace], None]:
    """The kernel over `packed_position` or `array_position`; compiled when needed."""
    signature = f"void(UniTuple(int64, {boards.NUMBERS}), int64, int64[::1], int64[:, ::1])"
    return specialise(
        visit, signature, STONES_IN=boards.stones_in, PLAYED=boards.played, ENDED=boards.ended
    )
