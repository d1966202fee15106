"""The printed evaluation functions against the criteria that the CS5329 report names itself.

Sections 4.4 and 7 ask that an evaluation agree with the outcome on finished games, take little
time, and give one value a board.

    rows = criteria()
"""

from functools import cache
from itertools import combinations
from random import Random
from typing import Any, SupportsIndex

from kalahlab.evaluators.kalah import e2
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, sweep
from kalahlab.grid import Row
from kalahlab.published.cs5329 import (
    EVALUATIONS,
    NotDefined,
    Value,
    printed_e1,
    printed_e3,
    printed_e4,
)

GAMES, SEED = 60, 5329
"""Random games from the start of Kalah(6, 6): their last boards and all boards before."""

WIDTHS = (3, 6, 12)
"""Pits a side at which the cells that an evaluation reads are counted."""


def printed_value(evaluation: int, board: Board, player: int) -> Value:
    """What the printed function returns there, None where C++ does not define it."""
    try:
        return {
            1: lambda: printed_e1(board, player),
            2: lambda: e2(board, SOUTH),
            3: lambda: printed_e3(board, player),
            4: lambda: printed_e4(board),
        }[evaluation]()
    except NotDefined:
        return None


@cache
def random_boards() -> tuple[list[Board], list[Board]]:
    """All boards in play of the random games, and the last ones, swept; standard rules."""
    rng, game = Random(SEED), Kalah(6, 6)
    in_play, finished = [], []
    for _ in range(GAMES):
        state = game.start()
        while not game.over(state):
            in_play.append(state.board)
            state = game.play(state, rng.choice(game.moves(state)))
        finished.append(sweep(state.board, "owner"))
    return in_play, finished


def criteria() -> list[Row]:
    """E1 to E4 as printed, one row each, on boards of random games.

    evaluation; defined: the share of boards in play that have a value for either player;
    same: the share of those on which both players have the same; lost, won: the values, least
    and most, of finished games that A lost and won, A to move; ordered: the share of pairs of
    finished games with different margins that they order as the margins do; reads: the cells
    read with 3, 6 and 12 pits a side.
    """
    return [_criteria(evaluation) for evaluation in EVALUATIONS]


def _criteria(evaluation: int) -> Row:
    in_play, finished = random_boards()
    both = [
        tuple(printed_value(evaluation, board, player) for player in (SOUTH, NORTH))
        for board in in_play
    ]
    defined = [pair for pair in both if None not in pair]
    ends = sorted((e2(board, SOUTH), printed_value(evaluation, board, SOUTH)) for board in finished)
    lost, won = ([value for by, value in ends if by * sign > 0] for sign in (-1, 1))
    pairs = [(one, two) for one, two in combinations(ends, 2) if one[0] < two[0]]
    return {
        "evaluation": evaluation,
        "defined": len(defined) / len(both),
        "same": sum(a == b for a, b in defined) / len(defined) if defined else None,
        "lost": (min(lost), max(lost)),
        "won": (min(won), max(won)),
        "ordered": sum(one[1] < two[1] for one, two in pairs) / len(pairs),
        "reads": [cells_read(evaluation, pits) for pits in WIDTHS],
    }


class _Counted(tuple[int, ...]):
    """A board that counts how many of its cells are read."""

    read = 0

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        found = super().__getitem__(at)
        self.read += len(found) if isinstance(found, tuple) else 1
        return found


def cells_read(evaluation: int, pits: int) -> int:
    """The cells of a board, two stones in each, that an evaluation reads."""
    board = _Counted([2] * (2 * pits + 2))
    printed_value(evaluation, board, SOUTH)
    return board.read
