"""Small pictures of positions at the nodes of a search tree: `mini_board(state).draw(x, y)`.

`mini_board` has a drawing for the states of Kalah and of Betsy. The positions of other games are
shown as text.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from kalahlab.draw import svg
from kalahlab.draw.board_svg import HOLLOW, RIM, pit_position
from kalahlab.games import betsy, kalah, registry
from kalahlab.games.kalah import SOUTH, pits_of

COUNT_SIZE, TEXT_SIZE = 10, 9  # font sizes of a count of Kalah, and of a position as text
TEXT_LINE = 12.0  # the height of a line of a position as text
CELL_SIZE = 9  # the side of a cell of Betsy
MAX_PITS = 10  # the most pits a side of a small board of Kalah
Draw = Callable[[float, float], str]  # (x, y) of the upper left corner -> SVG


@dataclass(frozen=True, slots=True)
class MiniBoard:
    """A picture of a position, and its entry in the legend.

    Attributes:
        draw: Draws the position.
        sample: Draws an example for the legend, 42 wide and 30 high.
        words: The explanation of the example in the legend.
    """

    width: float
    height: float
    draw: Draw = field(repr=False)
    sample: Draw = field(repr=False)
    words: str


def _draw_frame(x: float, y: float, width: float, height: float, rx: int, *parts: str) -> str:
    """Return the parts in a group, on a background with a frame."""
    frame = svg.box(x, y, width, height, rx=rx, fill=HOLLOW, stroke=RIM)
    return svg.tag("g", frame, *parts, class_="board")


def text_board(text: str) -> MiniBoard:
    """Return the picture of a position that is shown as text."""
    lines = text.splitlines()
    width = 0.61 * TEXT_SIZE * max(map(len, lines), default=0) + 10
    return MiniBoard(
        width,
        _text_height(lines),
        draw=lambda x, y: _draw_text(lines, width, x, y),
        sample=lambda x, y: _draw_text(["ab", "cd"], 20, x + 8, y - 1),
        words="position",
    )


def _text_height(lines: list[str]) -> float:
    return TEXT_LINE * len(lines) + 8


def _draw_text(lines: list[str], width: float, x: float, y: float) -> str:
    look = {"font_size": TEXT_SIZE, "font_family": "'DejaVu Sans Mono', monospace", "fill": svg.INK}
    parts = []
    for row, line in enumerate(lines):
        text = line.replace(" ", "\N{NO-BREAK SPACE}")  # leading spaces would be dropped
        baseline = y + 13 + TEXT_LINE * row
        parts.append(svg.tag("text", svg.escape(text), x=x + 5, y=baseline, **look))
    return _draw_frame(x, y, width, _text_height(lines), 4, *parts)


@singledispatch
def mini_board(state: Any) -> MiniBoard:
    """Return the picture of a position.

    Raises:
        ValueError: The position cannot be drawn, or its game is not in the registry.
    """
    return text_board(registry.game_type_of_state(state).draw(state))


@mini_board.register
def _(state: kalah.State) -> MiniBoard:
    pits = pits_of(state.board)
    if pits > MAX_PITS:
        raise ValueError(f"boards=True draws at most {MAX_PITS} pits a side, not {pits}")
    widths = (svg.width_of(str(stones), COUNT_SIZE, bold=True) + 4 for stones in state.board)
    pitch = max(14.0, *widths)
    width = (pits + 2) * pitch

    def draw(x: float, y: float) -> str:
        parts = []
        for index, stones in enumerate(state.board):
            across, down = pit_position(pits, index)
            # `down` is 0.5 for South's pits, -0.5 for North's, and 0 for stores.
            mover_row = 0.5 if state.player == SOUTH else -0.5
            x_text, baseline = x + width / 2 + across * pitch, y + 15 + 14 * down + 3.6
            parts.append(
                svg.text_element(x_text, baseline, str(stones), COUNT_SIZE, bold=down == mover_row)
            )
        return _draw_frame(x, y, width, 30.0, 6, *parts)

    def sample(x: float, y: float) -> str:
        return mini_board(kalah.State((1, 2, 3, 4), SOUTH)).draw(x, y)

    return MiniBoard(width, 30, draw, sample, "position: the bold row moves")


@mini_board.register
def _(state: betsy.State) -> MiniBoard:
    n = betsy.columns_of(state.board)
    width, height = CELL_SIZE * n + 6, CELL_SIZE * (n + 3) + 8

    def draw(x: float, y: float) -> str:
        rule = y + 4 + CELL_SIZE * n
        parts = [svg.line((x, rule), (x + width, rule), stroke=RIM)]
        for index, cell in enumerate(state.board):
            row, column = divmod(index, n)
            middle = y + 3 + CELL_SIZE * (row + 0.5)
            if row >= n:  # below the rule
                middle += 2
            if cell:
                parts.append(_pebble(cell, x + 3 + CELL_SIZE * (column + 0.5), middle))
        return _draw_frame(x, y, width, height, 4, *parts)

    def sample(x: float, y: float) -> str:
        return _pebble(1, x + 15, y + 15) + _pebble(-1, x + 27, y + 15)

    words = "pebbles of x and of o; lines count above the rule"
    return MiniBoard(width, height, draw, sample, words)


def _pebble(cell: int, x: float, y: float) -> str:
    fill = svg.INK if cell == 1 else svg.GROUND
    return svg.tag("circle", cx=x, cy=y, r=3.2, fill=fill, stroke=svg.INK)
