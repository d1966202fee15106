"""What the staged-heuristic report prints of its heuristic: the listing and a worked tree.

The tree is part of a search of Kalah(6, 6), three sows into the game: A has played pit 0
and, with the extra turn, pit 2; B is MAX. Pits are counted from 0.
"""

from collections.abc import Sequence
from math import inf

import pandas as pd

from kalahlab.data import data_file
from kalahlab.games.kalah import side, stores


def printed_tree() -> pd.DataFrame:
    """The printed nodes of the worked tree, in the order of print.

    after: B's pit; leaf: A's reply, missing for the node itself. board: as `State.board`, A being
    South. value, to B; alpha and beta after the leaf; says, whether it cuts: missing if not given.
    """
    minus_infinity = -9223372036854775807.0  # as it is printed
    with data_file("staged_tree.csv").open("rb") as file:
        nodes = pd.read_csv(file, dtype={"leaf": "Int64"})
    boards = nodes[["a", "store_a", "b", "store_b"]].astype(str).agg(" ".join, axis=1)
    nodes["board"] = [tuple(map(int, board.split())) for board in boards]
    nodes["alpha"] = nodes["alpha"].replace(minus_infinity, -inf)
    return nodes


def listing(board: Sequence[int], player: int) -> float:
    """The printed heuristic line by line, of boards with six pits a side.

    `kalahlab.evaluators.kalah.staged` is the same without the last two loops, which cancel.
    """
    a, b = side(tuple(board), player), side(tuple(board), 1 - player)
    a_fin, b_fin = stores(tuple(board))[:: 1 - 2 * player]
    value = a_fin * 0.75 - b_fin * 1 if b_fin < 12 else a_fin * 1 - b_fin * 0.6
    for hole_num in range(6):
        if a[hole_num] == 6 - hole_num:
            value += 2
    for hole_num in range(6):
        if b[hole_num] == 6 - hole_num:
            value -= 2
    if a.count(0) > 4:
        value -= 10
    if b.count(0) > 5:
        value += 10
    for hole_num in range(6):
        value += b[5 - hole_num]
        value += a[hole_num]
    for hole_num in range(6):
        value -= a[5 - hole_num]
        value -= b[hole_num]
    return value


def last_two_loops(board: Sequence[float], player: int) -> float:
    """What the last two loops of the printed heuristic add, meant to stand for captures."""
    half = len(board) // 2
    own, opp, last = player * half, (1 - player) * half, half - 2
    value = 0.0
    for pit in range(half - 1):
        value += board[opp + last - pit] + board[own + pit]
    for pit in range(half - 1):
        value -= board[own + last - pit] + board[opp + pit]
    return value
