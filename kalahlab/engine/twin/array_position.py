"""Positions of any size, as `walk` plays them: (player, row).

The board lies in the slate, a row a ply, because its size is not known to the compiler.
"""

from kalahlab.engine.twin.workspace import (
    BOARDS,
    CAPTURE_EMPTY,
    MAJORITY,
    MOVER_ENDS,
    PITS,
    SOWING,
    TO_FINISHER,
    Slate,
    paths,
)
from kalahlab.games.kalah import State

Position = tuple[int, int]
NUMBERS = 2


def first(state: State) -> Position:
    """The position to start from: the board that new slate holds."""
    return state.player, 0


sowing = paths


def board_of(row: int, slate: Slate) -> Slate:
    """A row of the slate."""
    width = 2 * slate[PITS] + 2
    start = slate[BOARDS] + row * width
    return slate[start : start + width]


def holds(position: Position, pit: int, slate: Slate) -> int:
    """The stones in a pit of the mover."""
    count: int = board_of(position[1], slate)[position[0] * (slate[PITS] + 1) + pit]
    return count


def played(position: Position, pit: int, ply: int, slate: Slate) -> Position:
    """The position after a sow, swept if it ended the game: the row of the next ply."""
    player, pits = position[0], slate[PITS]
    half, path = pits + 1, slate[SOWING] + pit * (2 * pits + 1)
    turned = player * half
    board, before = board_of(ply + 1, slate), board_of(position[1], slate)
    for index in range(2 * half):
        board[index] = before[index]
    count = board[turned + pit]
    laps, rest = count // (2 * pits + 1), count % (2 * pits + 1)
    board[turned + pit] = 0
    for step in range(2 * pits + 1):
        board[(slate[path + step] + turned) % (2 * half)] += laps + (step < rest)
    last = slate[path + (rest - 1) % (2 * pits + 1)]
    capture(board, player, last, slate)
    if last != pits:
        player = 1 - player
    if is_empty(board, player, pits) or (
        slate[MOVER_ENDS] == 0 and is_empty(board, 1 - player, pits)
    ):
        sweep(board, slate)
    return player, ply + 1


def capture(board: Slate, player: int, last: int, slate: Slate) -> None:
    """Capture if the last stone earns it; `last` counts from the player's first pit."""
    pits = slate[PITS]
    half = pits + 1
    turned = player * half
    if last >= pits or board[turned + last] != 1:
        return
    opposite = (2 * pits - last + turned) % (2 * half)
    if slate[CAPTURE_EMPTY] != 0 or board[opposite] != 0:
        board[turned + pits] += 1 + board[opposite]
        board[turned + last] = board[opposite] = 0


def is_empty(board: Slate, player: int, pits: int) -> bool:
    """Whether a side has no stones."""
    start, left = player * (pits + 1), 0
    for index in range(start, start + pits):
        left += board[index]
    return left == 0


def sweep(board: Slate, slate: Slate) -> None:
    """Put the stones left in the pits into the stores."""
    half = slate[PITS] + 1
    for side in range(2):
        store = side * half + half - 1
        if slate[TO_FINISHER] != 0:
            store = (1 - side) * half + half - 1
        for index in range(side * half, side * half + half - 1):
            board[store] += board[index]
            board[index] = 0


def ended(position: Position, slate: Slate) -> bool:
    """Whether the game is over. A side that counts is not empty before it is swept."""
    player, pits = position[0], slate[PITS]
    board = board_of(position[1], slate)
    return is_empty(board, player, pits) or max(board[pits], board[2 * pits + 1]) > slate[MAJORITY]


def shown(position: Position, slate: Slate) -> Slate:
    """The board as an evaluator sees it."""
    return board_of(position[1], slate)
