"""Perft, compiled: how many lines of play there are, the classic check of a move generator.

The last ply is counted without being played.
"""

from functools import cache
from typing import Any

import numpy as np

from kalahlab.engine.compiled import jit
from kalahlab.engine.packed import Words, fits, pack
from kalahlab.engine.twin.position import Position, ended, played, stones_in
from kalahlab.engine.twin.workspace import Workspace, room, workspace_at
from kalahlab.games.kalah import Kalah, State
from kalahlab.search.deep_enough import Depth
from kalahlab.search.perft import perft as textbook


def count(game: Any, state: State, depth: int) -> list[int]:
    """As `kalahlab.search.perft`, which counts on boards that do not fit."""
    if not isinstance(game, Kalah):
        raise ValueError(f"the engine plays Kalah, not {type(game).__name__}")
    if depth < 1 or game.over(state) or not fits(state):
        return textbook(game, state, depth)
    workspace = Workspace(state, **room(game, state, Depth(depth)))
    leaves = np.zeros((2, depth + 1), np.int64)
    kernel()((state.player, *pack(state)), 0, workspace.address, leaves)
    reached, finished = leaves
    return [int(reached[d] + finished[:d].sum()) for d in range(1, depth + 1)]


def visit(position: Position, ply: int, address: int, leaves: Words) -> None:
    """Count the moves of a position, and those of all below that are above the last ply."""
    w, depth = workspace_at(address), leaves.shape[1] - 1
    if ply >= w.plies:
        if depth > ply:
            raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
        return
    for pit in range(w.pits):
        if stones_in(position, pit) == 0:
            continue
        leaves[0, ply + 1] += 1
        if ply + 1 < depth:
            child = played(position, pit, w)
            if ended(child, w):
                leaves[1, ply + 1] += 1
            else:
                visit(child, ply + 1, address, leaves)


@cache
def kernel() -> Any:
    return jit(visit, "void(UniTuple(int64, 5), int64, int64, int64[:, ::1])")
