"""The printed evaluation functions against the criteria that the CS5329 report names itself.

Sections 4.4 and 7 ask that an evaluation agree with the outcome on finished games, take little
time, and give one value a board.

    rows = criteria()
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, SupportsIndex

from kalahlab.evaluators.kalah import e2
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, stores, sweep
from kalahlab.grid import Row
from kalahlab.published.cs5329 import (
    EVALUATIONS,
    NotDefined,
    Value,
    printed_e1,
    printed_e3,
    printed_e4,
)

PRINTED: dict[int, Callable[[Board, int], Value]] = {
    1: printed_e1,
    2: lambda board, player: e2(board, SOUTH),
    3: printed_e3,
    4: lambda board, player: printed_e4(board),
}
"""E1 to E4 as printed, for a board and the player to move; E2 and E4 do not use who that is."""

GAMES, SEED = 60, 5329
"""Random games from the start of Kalah(6, 6): their last boards and all boards before."""

WIDTHS = (3, 6, 12)
"""Pits a side at which the cells that an evaluation reads are counted."""


def printed_value(evaluation: int, board: Board, player: int) -> Value:
    """What the printed function returns there, None where C++ does not define it."""
    try:
        return PRINTED[evaluation](board, player)
    except NotDefined:
        return None


@cache
def random_games() -> tuple[tuple[tuple[Board, ...], Board], ...]:
    """Each random game under standard rules: the boards in play, and the last one, swept."""
    rng, game, games = Random(SEED), Kalah(6, 6), []
    for _ in range(GAMES):
        state, boards = game.start(), []
        while not game.over(state):
            boards.append(state.board)
            state = game.play(state, rng.choice(game.moves(state)))
        games.append((tuple(boards), sweep(state.board, "owner")))
    return tuple(games)


def boards_in_play() -> list[Board]:
    """All boards of the random games but the last ones."""
    return [board for boards, _ in random_games() for board in boards]


def finished_boards() -> list[Board]:
    """The last boards of the random games, the rest swept into its owner's store."""
    return [last for _, last in random_games()]


def margin(board: Board) -> int:
    """A's stones in store less B's."""
    south, north = stores(board)
    return south - north


@cache
def criteria() -> tuple[Row, ...]:
    """E1 to E4 as printed, one row each, on boards of random games.

    evaluation; defined: the share of boards in play that have a value for either player;
    same: the share of those on which both players have the same; lost, won: the values, least
    and most, of finished games that A lost and won, A to move; ordered: the share of pairs of
    finished games with different margins that they order as the margins do; reads: the cells
    read with 3, 6 and 12 pits a side.
    """
    return tuple(_criteria(evaluation) for evaluation in EVALUATIONS)


def _criteria(evaluation: int) -> Row:
    both = [
        tuple(printed_value(evaluation, board, player) for player in (SOUTH, NORTH))
        for board in boards_in_play()
    ]
    defined = [pair for pair in both if None not in pair]
    finished = [(margin(board), _for_a(evaluation, board)) for board in finished_boards()]
    pairs = [(one, two) for one, two in combinations(sorted(finished), 2) if one[0] < two[0]]
    return {
        "evaluation": evaluation,
        "defined": len(defined) / len(both),
        "same": sum(a == b for a, b in defined) / len(defined) if defined else None,
        "lost": _range(value for won_by, value in finished if won_by < 0),
        "won": _range(value for won_by, value in finished if won_by > 0),
        "ordered": sum(one[1] < two[1] for one, two in pairs) / len(pairs),
        "reads": [cells_read(evaluation, pits) for pits in WIDTHS],
    }


def _for_a(evaluation: int, board: Board) -> float:
    value = printed_value(evaluation, board, SOUTH)
    return float("nan") if value is None else value


def _range(values: Any) -> tuple[float, float]:
    found = sorted(values)
    return found[0], found[-1]


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
