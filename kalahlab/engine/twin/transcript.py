"""Which nodes a search entered, as one number that both backends can compute.

Each entered node is a row of whole numbers: the player to move, the sows below the root, the
window as MAX sees it (the bits of two floats) and the board. All rows are folded in order
into one 64-bit checksum. A `Transcript` is an observer of a textbook search; a kernel is compiled
with `log_row` in the place of a function that does nothing.
"""

import struct
from typing import Any, NamedTuple

import numpy as np

from kalahlab.engine.packed import words_at
from kalahlab.engine.twin.workspace import PLACES, Workspace, workspace_at, write_board
from kalahlab.games.kalah import State
from kalahlab.search.observer import Observer

MULTIPLIER = 0x5851F42D4C957F2D
MASK = (1 << 64) - 1

CHECKSUM, ENTERED, ROW = PLACES["checksum"], PLACES["entered"], len(PLACES)
"""Where in a record these stand, and where the row starts."""

BOARD_COLUMN = 4
"""Where in a row the board starts."""


class Entered(NamedTuple):
    """An entered node, its window from MAX's side."""

    state: State
    sows: int
    alpha: float
    beta: float


class Transcript(Observer):
    """Keeps the first `keep` nodes, and folds all."""

    def __init__(self, keep: int = 0) -> None:
        self.checksum = self.entered = 0
        self.kept: list[Entered] = []
        self.keep = keep

    def enter(self, node: Any, alpha: float, beta: float) -> None:
        """Fold one node."""
        self.entered += 1
        for number in (node.state.player, node.sows, bits(alpha), bits(beta), *node.state.board):
            mixed = (self.checksum + number) * MULTIPLIER & MASK
            self.checksum = mixed ^ mixed >> 32
        if self.entered <= self.keep:
            self.kept.append(Entered(node.state, node.sows, alpha, beta))

    def log_in(self, state: State) -> dict[str, Any]:
        """What a record needs for a kernel to go on with it."""
        rows = np.zeros((self.keep, BOARD_COLUMN + len(state.board)), np.int64)
        checksum = np.uint64(self.checksum).astype(np.int64)
        kept = {"keep": self.keep, "kept": rows.ctypes.data, "rows": rows}
        return {"checksum": checksum, "entered": self.entered, **kept}

    def read(self, workspace: Workspace) -> None:
        """Take what a kernel has logged."""
        rows = workspace.given["rows"]
        before, self.entered = self.entered, int(workspace.words[ENTERED])
        self.checksum = int(workspace.words[CHECKSUM]) & MASK
        for row in rows[before : min(self.entered, self.keep)]:
            player, sows, *board = (int(number) for number in (*row[:2], *row[BOARD_COLUMN:]))
            window = (float(bound) for bound in row[2:BOARD_COLUMN].view(np.float64))
            self.kept.append(Entered(State(tuple(board), player), sows, *window))


def bits(number: float) -> int:
    """A float as a 64-bit integer; -0.0 as 0.0."""
    return int.from_bytes(struct.pack(">d", number + 0.0))


def log_row(
    own: int, opp: int, ahead: int, player: int, sows: int, alpha: float, beta: float, address: int
) -> None:
    """Fold a node into the checksum of a record, all as the player to move sees it."""
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
    if w.entered < w.keep:
        kept = words_at(w.kept + 8 * width * w.entered)
        for place in range(width):
            kept[place] = row[place]
    w.entered += 1
