"""Kalah boards as SVG, made from states: `board_svg(game.start())`.

North sits above, with pits numbered from right to left, and South below; each store is on its
owner's right. Each pit shows its number of stones, and a small number as dots, too.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kalahlab.draw import svg
from kalahlab.formatting import format_number
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, pits_of, side, sow, stores
from kalahlab.games.rules import STANDARD, Rules
from kalahlab.games.supported import unknown_part

WOOD, HOLLOW, RIM, STONE = "#ead9bc", "#fbf5ea", "#8a6d3b", "#6a4f24"  # colours
# Lengths are in pixels.
PITCH, RADIUS = 60, 26  # the distance of two pits, the radius of a pit
STORE, MARGIN = 62, 16  # the width of the wood around a store, the margin of the picture
WOOD_HEIGHT = 2 * PITCH + 12
PIT_DOTS, STORE_DOTS = 18, 48  # the largest numbers of stones that are drawn as dots
LARGE_DOTS = 16  # the largest number of them that are drawn large in a store

# The attributes of the ring of a pit, by its mark, in the order of the legend.
MARKS: dict[str, dict[str, Any]] = {
    "pit sown": {"stroke": svg.BLUE, "stroke_width": 3, "stroke_dasharray": "5 4"},
    "last stone": {"stroke": svg.BLUE, "stroke_width": 3},
    "captured": {"stroke": svg.PURPLE, "stroke_width": 3},
}
PLAYABLE_RING = {"stroke": svg.INK, "stroke_width": 1.8}
PLAIN_RING = {"stroke": RIM, "stroke_width": 1}


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to be drawn, and its marks.

    Attributes:
        state: The position.
        caption: The text above the board.
        last: The player and the pit (from 0) of the move just played.
        landed: The ring index where the last stone fell. A ring index is an index in the board,
            which is a ring of all pits and stores.
        captured: The ring indices that a capture emptied.
        values: The values to write at the pits (from 0) of the player to move.
        midway: True if the board shows an unfinished move, so that nobody is to move.
        rules: The rules. They decide if the game is over.

    Raises:
        ValueError: A mark is not on the board.
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
        pits = [*self.values]
        if self.last is not None:
            pits.insert(0, self.last[1])
        places = [*self.captured]
        if self.landed is not None:
            places.insert(0, self.landed)
        _check_indices("pit", pits, pits_of(self.state.board))
        _check_indices("ring index", places, len(self.state.board))


def _check_indices(name: str, indices: Sequence[int], count: int) -> None:
    for index in indices:
        if index not in range(count):
            raise ValueError(f"{name} {index} is not on the board; use 0 to {count - 1}")


def _ring_index(pits: int, player: int, pit: int) -> int:
    """Return the ring index of a pit; a player's store follows the pits."""
    return player * (pits + 1) + pit


def board_svg(state: State, *, title: str | None = None, **marks: Any) -> str:
    """Draw one board; the marks are those of `BoardView`, by name."""
    return boards_svg([BoardView(state, **marks)], columns=1, title=title)


def boards_svg(
    views: Sequence[BoardView | State], *, columns: int = 2, title: str | None = None
) -> str:
    """Draw boards on one sheet, row by row, each under its caption.

    Raises:
        ValueError: There is no board, or no column.
    """
    if not views or columns < 1:
        raise ValueError(f"{len(views)} boards in {columns} columns; use at least 1 of each")
    boards = [view if isinstance(view, BoardView) else BoardView(view) for view in views]
    columns = min(columns, len(boards))
    widths = [_wood_width(view) for view in boards]
    texts = []
    for view in boards:
        texts += [view.caption, outlook(view.state, view.rules)]
    cell = max(*widths, *(svg.width_of(text, 14, bold=True) for text in texts)) + MARGIN
    # All rows have the same height: if one board has a caption or values, each row has room for it.
    caption_height = 24 if any(view.caption for view in boards) else 0
    valued = {view.state.player for view in boards if view.values}
    above, below = (42 + (17 if player in valued else 0) for player in (NORTH, SOUTH))
    row_height = WOOD_HEIGHT + caption_height + above + below + 10
    parts, top = svg.heading(title, MARGIN, columns * cell)
    for index, view in enumerate(boards):
        row, column = divmod(index, columns)
        x, y = MARGIN + (column + 0.5) * cell, top - 8 + row * row_height
        if view.caption:
            parts.append(svg.text_element(x, y + 16, view.caption, 14, bold=True))
        parts += _draw_board(view, x, y + caption_height + above)
    rows = math.ceil(len(boards) / columns)
    legend, bottom = _legend(boards, columns * cell, top - 8 + rows * row_height)
    description = " ".join(describe(view) for view in boards)
    if not title:
        title = f"{len(boards)} Kalah boards"
        if len(boards) == 1:
            title = description
    width = columns * cell + 2 * MARGIN
    return svg.document(width, bottom + 8, title, description, *parts, *legend)


def _wood_width(view: BoardView) -> int:
    return pits_of(view.state.board) * PITCH + 2 * STORE + 16


def _draw_board(view: BoardView, x: float, wood: float) -> list[str]:
    """Draw a board with its labels; x is the middle of the wood, `wood` the y of its upper edge."""
    width = _wood_width(view)
    ground = svg.box(x - width / 2, wood, width, WOOD_HEIGHT, rx=22, fill=WOOD, stroke=RIM)
    return [
        *_draw_labels(view, x, wood),
        ground,
        *_draw_places(view, x, wood),
        *_draw_numbers(view, x, wood),
    ]


def move_views(game: Kalah, state: State, pit: int) -> list[BoardView]:
    """Return the steps of a move.

    Args:
        game: The game.
        state: The position.
        pit: The pit that is played, from 0.

    Raises:
        ValueError: The move cannot be played, or the game is of a subclass of Kalah, whose moves
            may have other steps.
    """
    if unknown := unknown_part(game, state):
        raise ValueError(f"the steps of a move can be drawn for Kalah, but not for {unknown}")
    after = game.play(state, pit)
    player, who = state.player, NAMES[state.player]
    sown = sow(state.board, player, pit, game.rules)
    pits = pits_of(sown.board)
    dropped = list(sown.board)  # the board before a capture
    if sown.captured:  # put back the last stone, and the captured stones of the opposite pit
        dropped[_ring_index(pits, player, pits)] -= sown.captured
        dropped[sown.last] = 1
        opposite = 2 * pits - sown.last
        dropped[opposite] = sown.captured
        if sown.last in sown.emptied:
            dropped[opposite] -= 1
    views = [
        BoardView(state, f"{who} plays pit {pit + 1}", (player, pit)),
        BoardView(State(tuple(dropped), player), "Sown", (player, pit), sown.last, midway=True),
    ]
    if sown.captured:
        banked = f"{who} captures {sown.captured}"
        cleared = State(sown.board, player)
        views.append(BoardView(cleared, banked, captured=sown.emptied, midway=True))
    if after.board != sown.board:  # the game is over
        views.append(BoardView(after, "The end: the rest goes to the stores"))
    elif after.player == player and not game.is_over(after):
        views[-1] = replace(views[-1], caption=f"{views[-1].caption}, and {who} moves again")
    # The last step, whichever it is, shows the position after the move, and who is to move or won.
    views[-1] = replace(views[-1], state=after, midway=False)
    return [replace(view, rules=game.rules) for view in views]


def describe(view: BoardView) -> str:
    """Describe a board for those who cannot see it."""
    board = view.state.board
    rows = []
    for player in (NORTH, SOUTH):
        pits = ", ".join(map(str, side(board, player)))
        store = stores(board)[player]
        rows.append(
            f"{NAMES[player]} has {pits} in the pits from the left and {store} in the store"
        )
    if not view.midway:
        rows.append(outlook(view.state, view.rules))
    text = f"{'; '.join(rows)}."
    if view.caption:
        text = f"{view.caption}. {text}"
    return text


def outlook(state: State, rules: Rules = STANDARD) -> str:
    """Return a text that names the player to move, or the result of the game."""
    game = Kalah(rules=rules)
    if not game.is_over(state):
        return f"{NAMES[state.player]} to move"
    south, north = game.outcome(state)
    if south == north:
        return f"a draw, {south} to {north}"
    if south > north:
        return f"{NAMES[SOUTH]} wins, {south} to {north}"
    return f"{NAMES[NORTH]} wins, {north} to {south}"


def _legend(views: Sequence[BoardView], width: float, top: float) -> tuple[list[str], float]:
    """Draw a legend of the marks in the boards; return its parts and the y of its lower end."""
    used = set[str]()
    for view in views:
        used |= {*_marks(view).values()}
    marks = [mark for mark in MARKS if mark in used]
    places = svg.flow([svg.width_of(mark, 12) + 44 for mark in marks], width)
    parts = []
    for mark, (across, line) in zip(marks, places, strict=True):
        x, y = MARGIN + across, top + 24 * line
        parts.append(svg.tag("circle", cx=x + 9, cy=y + 8, r=8, fill=HOLLOW, **MARKS[mark]))
        parts.append(svg.text_element(x + 24, y + 12, mark, 12, anchor="start", fill=svg.MUTED))
    if not places:
        return [], top
    return parts, top + 24 * (places[-1][1] + 1)


def _marks(view: BoardView) -> dict[int, str]:
    """Return the mark of each ring index that has one; a later mark replaces an earlier one."""
    pits = pits_of(view.state.board)
    marks = {}
    if view.last is not None:
        player, pit = view.last
        marks[_ring_index(pits, player, pit)] = "pit sown"
    if view.landed is not None:
        marks[view.landed] = "last stone"
    return marks | dict.fromkeys(view.captured, "captured")


def _draw_labels(view: BoardView, x: float, wood: float) -> list[str]:
    """Draw the name of each player.

    A message replaces one of the names, in bold: the player to move, or the result.
    """
    message = ""
    if not view.midway:
        message = outlook(view.state, view.rules)
    # The message is at the player whom it names first; a draw is at South.
    subject = NORTH if message.startswith(NAMES[NORTH]) else SOUTH
    parts = []
    for player, y in ((NORTH, wood - 27), (SOUTH, wood + WOOD_HEIGHT + 36)):
        name = NAMES[player]
        label = f"{name} →" if player == SOUTH else f"← {name}"
        fill = svg.MUTED
        is_subject = bool(message) and player == subject
        if is_subject:
            fill = svg.INK
            # "South to move" keeps the arrow of the name; a result has none.
            label = label.replace(name, message) if "move" in message else message
        if view.values and player == view.state.player:  # the values are between board and name
            y += 17 if player == SOUTH else -17
        parts.append(svg.text_element(x, y, label, 13, bold=is_subject, fill=fill))
    return parts


def pit_position(pits: int, index: int) -> tuple[float, float]:
    """Return where the pit or store of a ring index is drawn, relative to the board's middle.

    Returns:
        The distance to the right, where 1 is the distance of two pits, and the distance downward,
        where 1 is the distance of the two rows.
    """
    owner, pit = divmod(index, pits + 1)
    if pit == pits:  # the store
        across, down = (pits + 1) / 2, 0.0
    else:
        across, down = pit - (pits - 1) / 2, 0.5
    if owner == NORTH:  # opposite to South's, on the other side of the middle
        return -across, -down
    return across, down


def _draw_places(view: BoardView, x: float, wood: float) -> list[str]:
    """Draw the pits and stores with their stones."""
    board, player = view.state
    marks = _marks(view)
    half = len(board) // 2  # the pits of one player and the store after them
    parts = []
    for index, count in enumerate(board):
        across, down = (PITCH * distance for distance in pit_position(half - 1, index))
        owner, pit = divmod(index, half)
        is_store = pit == half - 1
        if is_store:  # farther from the middle, as stores are wider than pits
            across += math.copysign(4, across)
        is_playable = count and not is_store and not view.midway and owner == player
        ring = PLAYABLE_RING if is_playable else PLAIN_RING
        if index in marks:
            ring = MARKS[marks[index]]
        y = wood + WOOD_HEIGHT / 2 + down
        place = _draw_place(x + across, y, count, is_store, ring)
        parts.append(svg.tag("g", *place, class_="store" if is_store else "pit", data_index=index))
    return parts


def _draw_place(x: float, y: float, count: int, is_store: bool, ring: dict[str, Any]) -> list[str]:
    """Draw a store with stones in rows from the bottom, or a pit with stones at its rim."""
    dots: Sequence[tuple[float, float]] = []  # their distances from the middle
    dot_radius = 3.0
    if is_store:
        size, height = 22 if count < 1000 else 17, WOOD_HEIGHT - 20
        rim = svg.box(x - 26, y - height / 2, 52, height, rx=24, fill=HOLLOW, **ring)
        baseline = 8.0
        if count <= LARGE_DOTS:
            dots, baseline = _pile(count, 4, 9), -8.0
        elif count <= STORE_DOTS:
            dots, baseline, dot_radius = _pile(count, 6, 6.5), -22.0, 2.4
    else:
        size, radius = 17 if count < 1000 else 14, RADIUS - 6.5
        rim = svg.tag("circle", cx=x, cy=y, r=RADIUS, fill=HOLLOW, **ring)
        if count <= PIT_DOTS:
            angles = [2 * math.pi * stone / count for stone in range(count)]
            dots = [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
        baseline = 0.36 * size
    dot = {"r": dot_radius, "fill": STONE, "class_": "stone"}
    stones = [svg.tag("circle", cx=x + across, cy=y + down, **dot) for across, down in dots]
    return [rim, *stones, svg.text_element(x, y + baseline, str(count), size, bold=count > 0)]


def _pile(count: int, columns: int, step: float) -> list[tuple[float, float]]:
    """Place stones in rows from the bottom of a store; return their distances from its middle."""
    first = -step * (columns - 1) / 2
    places = []
    for stone in range(count):
        row, column = divmod(stone, columns)
        places.append((first + step * column, 38.0 - step * row))
    return places


def _draw_numbers(view: BoardView, x: float, wood: float) -> list[str]:
    """Draw the numbers of the pits and, farther from the board, the values of the mover's pits."""
    pits, below = pits_of(view.state.board), wood + WOOD_HEIGHT + 16
    parts = []
    # The baselines of the numbers and of the values: above the wood for North, below it for South.
    for player, near, far in ((NORTH, wood - 7, wood - 23), (SOUTH, below, below + 18)):
        for pit in range(pits):
            across, _ = pit_position(pits, _ring_index(pits, player, pit))
            text_x = x + PITCH * across
            parts.append(svg.text_element(text_x, near, str(pit + 1), 11, fill=svg.MUTED))
            if player == view.state.player and pit in view.values:
                value = format_number(view.values[pit])
                parts.append(svg.text_element(text_x, far, value, 13, bold=True))
    return parts
