"""Which nodes a search entered, as one number that both backends can compute.

Each entered node is a row of whole numbers: the player to move, the sows below the root, the
window as MAX sees it (the bits of two floats) and the board. All rows are folded in order
into one 64-bit checksum. On the textbook side the `Transcript` is an observer; on the
engine's side `fold` is compiled into a kernel in the place of a function that does nothing.
"""

import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, kernel
from kalahlab.games.kalah import State, pits_of
from kalahlab.search.observer import Observer

MULTIPLIER = 0x5851F42D4C957F2D
MASK = (1 << 64) - 1

CHECKSUM, ENTERED, KEPT, WIDTH, LOG_MAX_PLAYER = range(5)
LOG_LIMIT, TOTAL, LOG_PITS, REVERSED, LOG_ROW = range(5, 10)
"""Where a log holds what; from `LOG_ROW` on the row being logged, and then the rows kept.
`REVERSED`: whether the first pit is in the highest byte."""

BOARD_COLUMN = 4
"""Where in a row the board starts."""

LOG_BOARD = LOG_ROW + BOARD_COLUMN
"""Where in a log the board of the row being logged starts."""

Log = NDArray[np.int64]


class Entered(NamedTuple):
    """An entered node, its window from MAX's side."""

    state: State
    sows: int
    alpha: float
    beta: float


class Transcript(Observer):
    """The observer of a textbook search. Keeps the first `keep` nodes, and folds all."""

    def __init__(self, keep: int = 0) -> None:
        self.checksum = self.entered = 0
        self.kept: list[Entered] = []
        self._keep = keep

    def enter(self, node: Any, alpha: float, beta: float) -> None:
        """Fold one node."""
        self.entered += 1
        for number in (node.state.player, node.sows, bits(alpha), bits(beta), *node.state.board):
            mixed = (self.checksum + number) * MULTIPLIER & MASK
            self.checksum = mixed ^ mixed >> 32
        if self.entered <= self._keep:
            self.kept.append(Entered(node.state, node.sows, alpha, beta))


def bits(number: float) -> int:
    """A float as a 64-bit integer; -0.0 as 0.0."""
    return int.from_bytes(struct.pack(">d", number + 0.0))


def new_log(state: State, limit: int, keep: int) -> Log:
    """An empty log for a search of a position `limit` deep."""
    width = BOARD_COLUMN + len(state.board)
    log = np.zeros(LOG_ROW + width * (1 + keep), np.int64)
    log[KEPT:REVERSED] = keep, width, state.player, limit, sum(state.board), pits_of(state.board)
    return log


def log_root(log: Log, state: State) -> None:
    """Fold a root that is entered with a full window."""
    log[LOG_BOARD : LOG_BOARD + len(state.board)] = state.board
    fold_root(log, state.player)


def read_log(log: Log) -> tuple[int, list[Entered]]:
    """The checksum and the nodes kept."""
    width = int(log[WIDTH])
    kept = min(int(log[ENTERED]), int(log[KEPT]))
    rows = log[LOG_ROW + width : LOG_ROW + width * (1 + kept)].reshape(kept, width)
    return int(log[CHECKSUM]) & MASK, [_entered(row) for row in rows]


def _entered(row: Log) -> Entered:
    player, sows, *board = (int(number) for number in (*row[:2], *row[BOARD_COLUMN:]))
    alpha, beta = (float(bound) for bound in row[2:BOARD_COLUMN].view(np.float64))
    return Entered(State(tuple(board), player), sows, alpha, beta)


@inlined
def fold(log: Log, player: int, sows: int, alpha: float, beta: float) -> None:
    """Fold the row whose board has been written into the log."""
    width = log[WIDTH]
    row = log[LOG_ROW : LOG_ROW + width]
    row[0] = player
    row[1] = sows
    window = row[2:BOARD_COLUMN].view(np.float64)
    window[0] = alpha + 0.0
    window[1] = beta + 0.0
    checksum = log[CHECKSUM]
    for number in row:
        checksum = (checksum + number) * MULTIPLIER
        checksum ^= checksum >> 32 & 0xFFFFFFFF
    log[CHECKSUM] = checksum
    log[ENTERED] += 1
    if log[ENTERED] <= log[KEPT]:
        start = LOG_ROW + width * log[ENTERED]
        for place in range(width):
            log[start + place] = row[place]


@kernel()
def fold_root(log: Log, player: int) -> None:
    """Fold a root whose board has been written into the log."""
    fold(log, player, 0, -np.inf, np.inf)
