"""Which nodes a search entered, as one number that both backends can compute.

Each entered node is a row of whole numbers: the player to move, the sows below the root, the
window as MAX sees it (the bits of two floats) and the board. All rows are folded in order
into one 64-bit checksum. A `Transcript` observes a textbook search; `log_row` is its kernel half.
"""

import struct
from typing import Any

import numpy as np

from kalahlab.engine.packed import words_at
from kalahlab.engine.twin.workspace import PLACES, Workspace, workspace_at, write_board
from kalahlab.search.observer import Observer

MULTIPLIER = 0x5851F42D4C957F2D
MASK = (1 << 64) - 1
CHECKSUM, ENTERED, ROW = PLACES["checksum"], PLACES["entered"], len(PLACES)  # in a record
BOARD_COLUMN = 4  # where in a row the board starts


class Transcript(Observer):
    def __init__(self) -> None:
        self.checksum = self.entered = 0

    def enter(self, node: Any, alpha: float, beta: float) -> None:
        self.entered += 1
        for number in (node.state.player, node.sows, bits(alpha), bits(beta), *node.state.board):
            mixed = (self.checksum + number) * MULTIPLIER & MASK
            self.checksum = mixed ^ mixed >> 32

    def given(self) -> dict[str, Any]:
        """What a record needs for a kernel to go on with it."""
        checksum = np.uint64(self.checksum).astype(np.int64)
        return {"checksum": checksum, "entered": self.entered}

    def read(self, workspace: Workspace) -> None:
        self.entered = int(workspace.words[ENTERED])
        self.checksum = int(workspace.words[CHECKSUM]) & MASK


def bits(number: float) -> int:
    """A float as a 64-bit integer; -0.0 as 0.0."""
    return int.from_bytes(struct.pack(">d", number + 0.0))


def log_row(
    own: int, opp: int, ahead: int, player: int, sows: int, alpha: float, beta: float, address: int
) -> None:
    w = workspace_at(address)
    south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
    low, high = (alpha, beta) if player == w.max_player else (-beta, -alpha)
    w.player, w.sows, w.alpha, w.beta = player, sows, low + 0.0, high + 0.0
    row, width = words_at(address + 8 * ROW), BOARD_COLUMN + 2 * w.pits + 2
    write_board(south, north, lead, w, row[BOARD_COLUMN:width])
    checksum = w.checksum
    for place in range(width):
        checksum = (checksum + row[place]) * MULTIPLIER
        checksum ^= checksum >> 32 & 0xFFFFFFFF
    w.checksum = checksum
    w.entered += 1
