"""Positions drawn small, to stand at the nodes of a search tree: one drawing a game.

    mini_board(state).draw(x, y)

A game whose `State` has no drawing registered here has no small boards.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from kalahlab.games import betsy, kalah
from kalahlab.games.kalah import SOUTH, pits_of
from kalahlab.report.draw import svg
from kalahlab.report.draw.board_svg import HOLLOW, RIM

COUNT = 10
"""Size of the counts on a small board of Kalah."""

MOST_PITS = 10
"""The most pits a side of a small board of Kalah."""

CELL = 9
"""Size of a cell of Betsy."""

Draw = Callable[[float, float], str]


@dataclass(frozen=True, slots=True)
class MiniBoard:
    """A small board: its size, how it is drawn from its upper left corner, and a legend.

    sample: draws what the legend's `words` explain, 42 wide and 30 high.
    """

    width: float
    height: float
    draw: Draw
    sample: Draw
    words: str


@singledispatch
def mini_board(state: Any) -> MiniBoard:
    """The small board of a position; `ValueError` if it cannot be drawn."""
    raise ValueError("boards=True needs positions that can be drawn; this game has no boards")


@mini_board.register
def _(state: kalah.State) -> MiniBoard:
    """Counts only, the mover's in bold."""
    pits = pits_of(state.board)
    if pits > MOST_PITS:
        raise ValueError(f"boards=True draws at most {MOST_PITS} pits a side, not {pits}")
    return MiniBoard(
        (pits + 2) * _pitch(state),
        30,
        lambda x, y: _draw_kalah(state, x, y),
        lambda x, y: _draw_kalah(kalah.State((1, 2, 3, 4), SOUTH), x, y),
        "position: the bold row moves",
    )


def _pitch(state: kalah.State) -> float:
    return max(14.0, *(svg.width_of(str(count), COUNT, bold=True) + 4 for count in state.board))


def _draw_kalah(state: kalah.State, x: float, y: float) -> str:
    board, pits, pitch, parts = state.board, pits_of(state.board), _pitch(state), []
    width = (pits + 2) * pitch
    for index, count in enumerate(board):
        owner, pit = divmod(index, pits + 1)
        across, down = (pits + 1) / 2 if pit == pits else pit - (pits - 1) / 2, pit < pits
        turned = 1 if owner == SOUTH else -1
        at = (x + width / 2 + turned * across * pitch, y + 15 + turned * 7 * down + 3.6)
        parts.append(svg.words(*at, str(count), COUNT, bold=owner == state.player and pit < pits))
    rim = svg.box(x, y, width, 30.0, rx=6, fill=HOLLOW, stroke=RIM)
    return svg.tag("g", rim, *parts, class_="board")


@mini_board.register
def _(state: betsy.State) -> MiniBoard:
    """A dot for each pebble, and a rule below the rows in which lines count."""
    n = betsy.columns_of(state.board)
    return MiniBoard(
        CELL * n + 6,
        CELL * (n + 3) + 8,
        lambda x, y: _draw_betsy(state.board, n, x, y),
        lambda x, y: _pebble(1, x + 15, y + 15) + _pebble(-1, x + 27, y + 15),
        "pebbles of x and of o; lines count above the rule",
    )


def _draw_betsy(board: betsy.Board, n: int, x: float, y: float) -> str:
    parts = []
    for place, cell in enumerate(board):
        row, column = divmod(place, n)
        if cell:
            middle = y + 3 + CELL * (row + 0.5) + (2 if row >= n else 0)
            parts.append(_pebble(cell, x + 3 + CELL * (column + 0.5), middle))
    rim = svg.box(x, y, CELL * n + 6, CELL * (n + 3) + 8, rx=4, fill=HOLLOW, stroke=RIM)
    rule = y + 4 + CELL * n
    line = svg.path("M", x, rule, "L", x + CELL * n + 6, rule, stroke=RIM)
    return svg.tag("g", rim, line, *parts, class_="board")


def _pebble(cell: int, x: float, y: float) -> str:
    """A dark one of x or a light one of o."""
    fill = svg.INK if cell == 1 else svg.GROUND
    return svg.tag("circle", cx=x, cy=y, r=3.2, fill=fill, stroke=svg.INK)
