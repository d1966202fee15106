"""What the staged-heuristic report prints: a worked tree, two loops, results, seconds.

The tree is part of a search of Kalah(6, 6), three sows into the game: A has played pit 0
and, with the extra turn, pit 2; B is MAX. Pits are counted from 0.
"""

from collections.abc import Sequence
from typing import Any

from kalahlab.data import data_rows
from kalahlab.games.kalah import Kalah, State

GAME = Kalah(6, 6)

PRINTED_LEAVES = {0: (-1.25, -2.25, -2.25, -2.25, -2.25), 1: (-1.25, -2.25)}
"""The leaves' values below each of B's pits that is shown; after B1 it cuts, alpha at -2.25."""

PRINTED_MOVE = 0
"""B's choice: the first move worth -2.25."""


def worked_position() -> State:
    """The position that the printed search starts from, B (North) to move."""
    return GAME.play(GAME.play(GAME.start(), 0), 2)


def last_two_loops(board: Sequence[float], player: int) -> float:
    """What the last two loops of the printed heuristic add, meant to stand for captures.

    The first adds for each pit the stones opposite and the own ones, the second subtracts the
    own ones and those opposite.
    """
    half = len(board) // 2
    own, opp, last = player * half, (1 - player) * half, half - 2
    value = 0.0
    for pit in range(half - 1):
        value += board[opp + last - pit] + board[own + pit]
    for pit in range(half - 1):
        value -= board[own + last - pit] + board[opp + pit]
    return value


def printed_results() -> list[dict[str, Any]]:
    """Wins, losses and draws by depth and heuristic, of five games each."""
    return data_rows("staged_results.csv", int, heuristic=str)


def printed_seconds() -> list[dict[str, Any]]:
    """Seconds of each move of the program in one game at each depth, on the author's machine."""
    return data_rows("staged_seconds.csv", int, seconds=float)
