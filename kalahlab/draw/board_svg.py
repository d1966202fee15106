"""Kalah boards as SVG: pure functions from states to text, `board_svg(game.start())`.

North sits above and reads from right to left, South below; each store is on its owner's
right. Stones are always counted, and drawn as dots where they are few.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kalahlab.draw import svg
from kalahlab.formatting import format_number
from kalahlab.games.kalah import (
    NAMES,
    NORTH,
    SOUTH,
    STANDARD,
    Kalah,
    Rules,
    State,
    pits_of,
    side,
    sow,
    stores,
)
from kalahlab.games.supported import unknown_part

WOOD, HOLLOW, RIM, STONE = "#ead9bc", "#fbf5ea", "#8a6d3b", "#6a4f24"
PITCH, RADIUS, STORE, MARGIN = 60, 26, 62, 16
WOOD_HEIGHT = 2 * PITCH + 12
PIT_DOTS, STORE_DOTS = 12, 16  # the most stones that are drawn as dots

# How a pit is ringed, by what that says.
MARKS: dict[str, dict[str, Any]] = {
    "pit sown": {"stroke": svg.BLUE, "stroke_width": 3, "stroke_dasharray": "5 4"},
    "last stone": {"stroke": svg.BLUE, "stroke_width": 3},
    "captured": {"stroke": svg.PURPLE, "stroke_width": 3},
}
PLAYABLE, PLAIN = {"stroke": svg.INK, "stroke_width": 1.8}, {"stroke": RIM, "stroke_width": 1}


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to be drawn, and what to point out on it; `ValueError` for a mark that is off it.

    last: the (player, pit from 0) just sown. landed, captured: ring indices, where the last stone
    fell and what a capture emptied. values: of the mover's pits (from 0). midway: whether the move
    is still being made, so that it is nobody's turn. rules: those that say whether the game is
    over.
    """

    state: State
    caption: str = ""
    last: tuple[int, int] | None = None
    landed: int | None = None
    captured: Sequence[int] = ()
    values: Mapping[int, float] = field(default_factory=dict)
    midway: bool = False
    rules: Rules = STANDARD

    def __post_init__(self) -> None:
        sown, fell = (self.last or (SOUTH, 0))[1], self.landed or 0
        pits, places = pits_of(self.state.board), len(self.state.board)
        named = [("pit", pit, pits) for pit in (sown, *self.values)]
        named += [("ring index", place, places) for place in (fell, *self.captured)]
        for what, index, count in named:
            if index not in range(count):
                raise ValueError(f"{what} {index} is not on the board; use 0 to {count - 1}")


def _ring(pits: int, player: int, pit: int) -> int:
    return player * (pits + 1) + pit


def board_svg(state: State, *, title: str | None = None, **marks: Any) -> str:
    """One board as SVG. marks: those of `BoardView`, by name."""
    return boards_svg([BoardView(state, **marks)], columns=1, title=title)


def boards_svg(
    views: Sequence[BoardView | State], *, columns: int = 2, title: str | None = None
) -> str:
    """Boards on one sheet, row by row, each under its caption; `ValueError` for none."""
    if not views or columns < 1:
        raise ValueError(f"{len(views)} boards in {columns} columns; use at least 1 of each")
    shown = [view if isinstance(view, BoardView) else BoardView(view) for view in views]
    columns = min(columns, len(shown))
    said = (text for view in shown for text in (view.caption, outlook(view.state, view.rules)))
    widths = [pits_of(view.state.board) * PITCH + 2 * STORE + 16 for view in shown]
    cell = max(*widths, *(svg.width_of(text, 14, bold=True) for text in said)) + MARGIN
    caption, values = 24 * any(v.caption for v in shown), 17 * any(v.values for v in shown)
    pitch = WOOD_HEIGHT + caption + 2 * (values + 42) + 10
    parts, top = svg.heading(title, MARGIN, columns * cell)
    for place, (view, width) in enumerate(zip(shown, widths, strict=True)):
        row, column = divmod(place, columns)
        x, y = MARGIN + (column + 0.5) * cell, top - 8 + row * pitch
        if view.caption:
            parts.append(svg.text_element(x, y + 16, view.caption, 14, bold=True))
        wood = y + caption + values + 42
        parts += _draw_labels(view, x, wood)
        parts.append(svg.box(x - width / 2, wood, width, WOOD_HEIGHT, rx=22, fill=WOOD, stroke=RIM))
        parts += _draw_places(view, x, wood)
        parts += _draw_numbers(view, x, wood)
    legend, bottom = _legend(shown, columns * cell, top - 8 + (row + 1) * pitch)
    spoken = " ".join(describe(view) for view in shown)
    name = title or (spoken if len(shown) == 1 else f"{len(shown)} Kalah boards")
    return svg.document(columns * cell + 2 * MARGIN, bottom + 8, name, spoken, *parts, *legend)


def move_views(game: Kalah, state: State, pit: int) -> list[BoardView]:
    """Show a move (a pit from 0) step by step; `ValueError` if it cannot be played, or in a game
    that derives from Kalah, which may sow otherwise."""
    if unknown := unknown_part(game, state):
        raise ValueError(f"the steps of a move are shown of Kalah, but not of {unknown}")
    after, player, who = game.play(state, pit), state.player, NAMES[state.player]
    sown = sow(state.board, player, pit, game.rules.capture_empty)
    dropped, pits = list(sown.board), pits_of(sown.board)
    if sown.captured:  # its stones are back where they were
        last, opposite = sown.emptied
        dropped[last], dropped[opposite] = 1, sown.captured - 1
        dropped[_ring(pits, player, pits)] -= sown.captured
    views = [
        BoardView(state, f"{who} plays pit {pit + 1}", (player, pit)),
        BoardView(State(tuple(dropped), player), "Sown", (player, pit), sown.last, midway=True),
    ]
    if sown.captured:
        banked = f"{who} captures {sown.captured}"
        shown = State(sown.board, player)
        views.append(BoardView(shown, banked, captured=sown.emptied, midway=True))
    if after.board != sown.board:
        views.append(BoardView(after, "The end: the rest goes to the stores"))
    elif after.player == player and not game.is_over(after):
        views[-1] = replace(views[-1], caption=f"{views[-1].caption}, and {who} moves again")
    views[-1] = replace(views[-1], state=after, midway=False)
    return [replace(view, rules=game.rules) for view in views]


def describe(view: BoardView) -> str:
    board = view.state.board
    rows = (
        f"{NAMES[player]} has {', '.join(map(str, side(board, player)))} in the pits from the"
        f" left and {stores(board)[player]} in the store"
        for player in (NORTH, SOUTH)
    )
    caption = f"{view.caption}. " if view.caption else ""
    ending = "" if view.midway else f"; {outlook(view.state, view.rules)}"
    return f"{caption}{'; '.join(rows)}{ending}."


def outlook(state: State, rules: Rules = STANDARD) -> str:
    """Return whose turn it is, or how the game ended."""
    game = Kalah(rules=rules)
    if not game.is_over(state):
        return f"{NAMES[state.player]} to move"
    south, north = game.outcome(state)
    if south == north:
        return f"a draw, {south} to {north}"
    winner = NAMES[SOUTH if south > north else NORTH]
    return f"{winner} wins, {max(south, north)} to {min(south, north)}"


def _legend(views: Sequence[BoardView], width: float, top: float) -> tuple[list[str], float]:
    marks = [mark for mark in MARKS if any(mark in _marks(view).values() for view in views)]
    places = svg.flow([svg.width_of(mark, 12) + 44 for mark in marks], width)
    parts = []
    for mark, (across, line) in zip(marks, places, strict=True):
        x, y = MARGIN + across, top + 24 * line
        parts.append(svg.tag("circle", cx=x + 9, cy=y + 8, r=8, fill=HOLLOW, **MARKS[mark]))
        parts.append(svg.text_element(x + 24, y + 12, mark, 12, anchor="start", fill=svg.MUTED))
    return parts, top + 24 * (places[-1][1] + 1 if places else 0)


def _marks(view: BoardView) -> dict[int, str]:
    """The mark of each ring index that has one; a later one replaces an earlier one."""
    pits = pits_of(view.state.board)
    marks = {} if view.last is None else {_ring(pits, *view.last): "pit sown"}
    if view.landed is not None:
        marks[view.landed] = "last stone"
    return marks | dict.fromkeys(view.captured, "captured")


def _draw_labels(view: BoardView, x: float, wood: float) -> list[str]:
    said = "" if view.midway else outlook(view.state, view.rules)
    subject = NORTH if said.startswith(NAMES[NORTH]) else SOUTH
    parts = []
    for player, y in ((NORTH, wood - 27), (SOUTH, wood + WOOD_HEIGHT + 36)):
        bold = bool(said) and player == subject
        arrowed = f"{NAMES[player]} →" if player == SOUTH else f"← {NAMES[player]}"
        if bold:
            arrowed = arrowed.replace(NAMES[player], said) if "move" in said else said
        if view.values and player == view.state.player:
            y += 17 if player == SOUTH else -17
        parts.append(
            svg.text_element(x, y, arrowed, 13, bold=bold, fill=svg.INK if bold else svg.MUTED)
        )
    return parts


def pit_place(pits: int, index: int) -> tuple[float, float]:
    """A pit or store, in pits to the right of the middle of the board, and in rows below it."""
    owner, pit = divmod(index, pits + 1)
    across, down = ((pits + 1) / 2, 0.0) if pit == pits else (pit - (pits - 1) / 2, 0.5)
    return (across, down) if owner == SOUTH else (-across, -down)


def _draw_places(view: BoardView, x: float, wood: float) -> list[str]:
    (board, player), marks, parts = view.state, _marks(view), []
    half = len(board) // 2
    for index, count in enumerate(board):
        across, down = (PITCH * each for each in pit_place(half - 1, index))
        store = index % half == half - 1
        across += math.copysign(4, across) if store else 0
        playable = count and not (store or view.midway) and index // half == player
        look = MARKS.get(marks.get(index, ""), PLAYABLE if playable else PLAIN)
        drawn = _draw_place(x + across, wood + WOOD_HEIGHT / 2 + down, count, store, look)
        parts.append(svg.tag("g", *drawn, class_="store" if store else "pit", data_index=index))
    return parts


def _draw_place(x: float, y: float, count: int, store: bool, look: dict[str, Any]) -> list[str]:
    """Stones stand in rows of four from the bottom of a store, and along the rim of a pit."""
    stones = range(count if count <= (STORE_DOTS if store else PIT_DOTS) else 0)
    if store:
        size, height = 22 if count < 1000 else 17, WOOD_HEIGHT - 20
        baseline = -8.0 if stones else 8.0
        drawn = svg.box(x - 26, y - height / 2, 52, height, rx=24, fill=HOLLOW, **look)
        at = [(9.0 * (each % 4) - 13.5, 38.0 - 9 * (each // 4)) for each in stones]
    else:
        size, radius = 17 if count < 1000 else 14, RADIUS - 6.5
        baseline = 0.36 * size
        drawn = svg.tag("circle", cx=x, cy=y, r=RADIUS, fill=HOLLOW, **look)
        angles = [2 * math.pi * stone / count for stone in stones]
        at = [(radius * math.sin(each), -radius * math.cos(each)) for each in angles]
    dot = {"r": 3, "fill": STONE, "class_": "stone"}
    dots = [svg.tag("circle", cx=x + across, cy=y + down, **dot) for across, down in at]
    return [drawn, *dots, svg.text_element(x, y + baseline, str(count), size, bold=count > 0)]


def _draw_numbers(view: BoardView, x: float, wood: float) -> list[str]:
    pits, parts, south = pits_of(view.state.board), [], wood + WOOD_HEIGHT + 16
    for player, near, far in ((NORTH, wood - 7, wood - 23), (SOUTH, south, south + 18)):
        for pit in range(pits):
            across = x + PITCH * pit_place(pits, _ring(pits, player, pit))[0]
            parts.append(svg.text_element(across, near, str(pit + 1), 11, fill=svg.MUTED))
            if player == view.state.player and pit in view.values:
                parts.append(
                    svg.text_element(across, far, format_number(view.values[pit]), 13, bold=True)
                )
    return parts
