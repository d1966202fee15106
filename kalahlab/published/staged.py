"""The listing printed in the report on staged heuristics."""

from collections.abc import Sequence

from kalahlab.games.kalah import side, stores


def listing(board: Sequence[int], player: int) -> float:
    """Evaluate a board with six pits a side, line by line as printed.

    `kalahlab.evaluators.kalah.staged` is the same function without the last two loops, whose sums
    cancel each other. Here `a` has the pits of `player`, `b` those of the opponent, each from the
    owner's left; `a_fin` and `b_fin` are their stores.
    """
    a = side(tuple(board), player)
    b = side(tuple(board), 1 - player)
    fins = stores(tuple(board))
    a_fin, b_fin = fins[player], fins[1 - player]
    # The factor 1 is printed, too.
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
