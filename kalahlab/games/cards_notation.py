"""Positions of the card game as text: one line to write down, and a picture in characters.

A line has four fields: the rows from above, the user's hand, the program's hand, who moves.

    .,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program

Rows are parted by slashes, cells by commas: `.` was never used, `13u` is the user's card 13,
`2p` the program's 2, `xu` and `xp` are cells whose card was removed. An empty hand is `-`.
"""

import re
from collections import Counter

from kalahlab.games.cards import (
    CARDS,
    CROWD,
    DECKS,
    NAMES,
    PROGRAM,
    USER,
    Board,
    Move,
    State,
    area_of,
    cell_name,
    crowded,
    hand,
    listed,
    size_of,
)

EXAMPLE = ".,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program"
_MOVE = re.compile(r"\s*(\d{1,3})\s*([a-z])\s*(\d{1,3})\s*", re.ASCII | re.IGNORECASE)
_OWNERS = "up"


def parse_position(text: str) -> State:
    """The state that a line stands for.

    Raises `ValueError`, in one line, for a text that is none, and for a position that no
    game comes to: too many cards, a card that would have been removed, the wrong turn.
    """
    fields = text.split()
    if len(fields) != 4:
        raise ValueError(
            f"position {text!r} has {len(fields)} fields, not 4; for example {EXAMPLE}"
        )
    rows, *hands, mover = fields
    cells = [_cell(cell) for row in _rows(rows) for cell in row]
    cards, users = zip(*cells, strict=True)
    counts = [_hand(name, held) for name, held in zip(NAMES, hands, strict=True)]
    if mover not in NAMES:
        raise ValueError(f"player to move is {mover!r}; use {' or '.join(NAMES)}")
    state = State((*cards, *users, *counts[USER], *counts[PROGRAM]), NAMES.index(mover))
    _check(state)
    return state


def _rows(text: str) -> list[list[str]]:
    rows = [row.split(",") for row in text.split("/")]
    if len(rows) not in DECKS:
        raise ValueError(f"board {text!r} has {len(rows)} rows; use 4 or 6")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows):
            raise ValueError(
                f"row {number} of board {text!r} has {len(row)} cells, not {len(rows)}"
            )
    return rows


def _cell(text: str) -> tuple[int, int]:
    """The card on the cell (0: none), and who used it (0: nobody)."""
    if text == ".":
        return 0, 0
    card, owner = text[:-1], text[-1:]
    if owner and owner in _OWNERS and (card == "x" or card in map(str, CARDS)):
        return 0 if card == "x" else int(card), _OWNERS.index(owner) + 1
    raise ValueError(
        f"cell {text!r} is not '.', a card and who played it as '13u' or '2p', or 'xu' or 'xp'"
    )


def _hand(name: str, text: str) -> list[int]:
    """How many of each card."""
    cards = [] if text == "-" else text.split(",")
    for card in cards:
        if card not in map(str, CARDS):
            raise ValueError(
                f"the {name}'s hand has {card!r}; cards are {listed(CARDS)}, or - for none"
            )
    return [cards.count(str(card)) for card in CARDS]


def _check(state: State) -> None:
    """Whether a game can come to the state."""
    board, size = state.board, size_of(state.board)
    for player, name in enumerate(NAMES):
        _check_deck(board, player, name, Counter(DECKS[size]))
    left = [len(hand(board, player)) for player in (state.player, 1 - state.player)]
    if left[0] - left[1] not in (0, 1):
        raise ValueError(
            f"it is not the {NAMES[state.player]}'s turn with {left[0]} cards in hand "
            f"against {left[1]}"
        )
    for cell in crowded(board, size, range(size**2)):
        raise ValueError(
            f"card {board[cell]} on {cell_name(size, cell)} makes more than {CROWD} with those "
            "around it, and would have been removed"
        )


def _check_deck(board: Board, player: int, name: str, deck: Counter[int]) -> None:
    area = area_of(board)
    used = [board[cell] for cell in range(area) if board[area + cell] == player + 1]
    held = hand(board, player)
    if len(used) + len(held) != deck.total():
        raise ValueError(
            f"the {name} has {len(used)} cards played and {len(held)} in hand; "
            f"together they are {deck.total()} on this board"
        )
    for card, count in (Counter(used) + Counter(held)).items():
        if card and count > deck[card]:
            raise ValueError(f"the {name} has {count} cards of {card}; the deck has {deck[card]}")


def format_position(state: State) -> str:
    """The line of a state."""
    hands = (
        listed(hand(state.board, player)).replace(" ", "") or "-" for player in (USER, PROGRAM)
    )
    rows = "/".join(",".join(row) for row in _grid(state.board))
    return " ".join((rows, *hands, NAMES[state.player]))


def _grid(board: Board) -> list[list[str]]:
    size = size_of(board)
    cells = [_text(*cell) for cell in zip(board[: size**2], board[size**2 :], strict=False)]
    return [cells[start : start + size] for start in range(0, size**2, size)]


def _text(card: int, user: int) -> str:
    return f"{card or 'x'}{_OWNERS[user - 1]}" if user else "."


def draw_position(state: State) -> str:
    """The board and both hands as players see them."""
    grid = _grid(state.board)
    letters = [cell_name(len(grid), column)[0] for column in range(len(grid))]
    lines = [f"{label:>2}  {_row(row)}" for label, row in enumerate([letters, *grid])]
    lines[0] = lines[0].replace("0", " ")
    for player, name in enumerate(NAMES):
        held = " ".join(map(str, hand(state.board, player))) or "-"
        turn = "   to move" if player == state.player else ""
        lines.append(f"{name:>7}: {held}{turn}")
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    """Cells below one another: a single sign stands over the last digit of a card."""
    return "  ".join(f"{cell + ' ' * (len(cell) == 1):>3}" for cell in cells).rstrip()


def parse_move(text: str, state: State) -> Move:
    """The move that a text as 5b3 (card 5 on column b, row 3) stands for, legal or not.

    Raises `ValueError`, in one line, for a text that is none and a cell off the board.
    """
    found = _MOVE.fullmatch(text)
    if not found:
        raise ValueError(f"move {text.strip()!r} is not a card and a cell, for example 5b3")
    size = size_of(state.board)
    column, row = ord(found[2].lower()) - ord("a"), int(found[3]) - 1
    if not (0 <= column < size and 0 <= row < size):
        last = cell_name(size, size**2 - 1)
        raise ValueError(f"cell {found[2]}{found[3]} is not on the board; use a1 to {last}")
    return row * size + column, int(found[1])
