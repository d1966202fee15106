"""Positions of any size, as the general kernel plays them: (player, row).

The board lies in the workspace, a row a ply, because its size is not known to the compiler.
"""

import numpy as np

from kalahlab.engine.twin.workspace import (
    BOARDS,
    CAPTURE_EMPTY,
    MAJORITY,
    MOVER_ENDS,
    PITS,
    SOWING,
    TO_FINISHER,
    Workspace,
)
from kalahlab.games.kalah import SOUTH, State, sowing_path

Position = tuple[int, int]
NUMBERS = 2


def start(state: State) -> Position:
    """The position to start from: a new workspace holds its board in row 0."""
    return state.player, 0


def sowing(pits: int) -> Workspace:
    """The paths of South's pits one after the other, 2m + 1 ring indices each."""
    return np.array([sowing_path(pits, SOUTH, pit) for pit in range(pits)], np.int64).ravel()


def key_words(pits: int) -> int:
    """The words of `key`: the board."""
    return 2 * pits + 2


def key(position: Position, workspace: Workspace) -> int:
    """Where the words start that, with the player, tell the position from others."""
    at: int = workspace[BOARDS] + position[1] * (2 * workspace[PITS] + 2)
    return at


def row_of(row: int, workspace: Workspace) -> Workspace:
    """A row of the workspace."""
    width = 2 * workspace[PITS] + 2
    start = workspace[BOARDS] + row * width
    return workspace[start : start + width]


def stones_in(position: Position, pit: int, workspace: Workspace) -> int:
    """The stones in a pit of the mover."""
    count: int = row_of(position[1], workspace)[position[0] * (workspace[PITS] + 1) + pit]
    return count


def played(position: Position, pit: int, ply: int, workspace: Workspace) -> Position:
    """The position after a sow, swept if it ended the game: the row of the next ply."""
    player, pits = position[0], workspace[PITS]
    half, path = pits + 1, workspace[SOWING] + pit * (2 * pits + 1)
    turned = player * half
    board, before = row_of(ply + 1, workspace), row_of(position[1], workspace)
    for index in range(2 * half):
        board[index] = before[index]
    count = board[turned + pit]
    laps, rest = count // (2 * pits + 1), count % (2 * pits + 1)
    board[turned + pit] = 0
    for step in range(2 * pits + 1):
        board[(workspace[path + step] + turned) % (2 * half)] += laps + (step < rest)
    last = workspace[path + (rest - 1) % (2 * pits + 1)]
    capture(board, player, last, workspace)
    if last != pits:
        player = 1 - player
    if is_empty(board, player, pits) or (
        workspace[MOVER_ENDS] == 0 and is_empty(board, 1 - player, pits)
    ):
        sweep(board, workspace)
    return player, ply + 1


def capture(board: Workspace, player: int, last: int, workspace: Workspace) -> None:
    """Capture if the last stone earns it; `last` counts from the player's first pit."""
    pits = workspace[PITS]
    half = pits + 1
    turned = player * half
    if last >= pits or board[turned + last] != 1:
        return
    opposite = (2 * pits - last + turned) % (2 * half)
    if workspace[CAPTURE_EMPTY] != 0 or board[opposite] != 0:
        board[turned + pits] += 1 + board[opposite]
        board[turned + last] = board[opposite] = 0


def is_empty(board: Workspace, player: int, pits: int) -> bool:
    """Whether a side has no stones."""
    start, left = player * (pits + 1), 0
    for index in range(start, start + pits):
        left += board[index]
    return left == 0


def sweep(board: Workspace, workspace: Workspace) -> None:
    """Put the stones left in the pits into the stores."""
    half = workspace[PITS] + 1
    for side in range(2):
        store = side * half + half - 1
        if workspace[TO_FINISHER] != 0:
            store = (1 - side) * half + half - 1
        for index in range(side * half, side * half + half - 1):
            board[store] += board[index]
            board[index] = 0


def ended(position: Position, workspace: Workspace) -> bool:
    """Whether the game is over. A side that counts is not empty before it is swept."""
    player, pits = position[0], workspace[PITS]
    board = row_of(position[1], workspace)
    return (
        is_empty(board, player, pits) or max(board[pits], board[2 * pits + 1]) > workspace[MAJORITY]
    )


def board_of(position: Position, workspace: Workspace) -> Workspace:
    """The board as an evaluator sees it."""
    return row_of(position[1], workspace)
