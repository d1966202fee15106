"""The card game of "Project 1, game search strategy": cards that crowd each other off the board.

Each player has the same hand; a turn puts one card on a cell that was never used. Then all
cards are looked at together: those that make more than 15 with the cards on the up to eight
cells around them, whoever's they are, are removed at once. A cell stays used. The game is
over when both hands are empty; the larger sum on the board wins, then the larger largest card.

A board is a flat tuple of 2n² + 10 counts:

    index    0 .. n²-1             n² .. 2n²-1            2n² .. 2n²+4        2n²+5 .. 2n²+9
    holds    the card on the cell  who used the cell      the user's 2s, 3s,  the program's
             (0: none)             (0: nobody, 1: the     5s, 8s and 13s
                                   user, 2: the program)  in hand

Cells run along the rows from the upper left. A used cell without a card had its card
removed. A move is (cell, card), and people write it as 5b3: card 5 on column b, row 3.

A position as text has four fields: the rows from above, the user's hand, the program's hand,
who moves; see `EXAMPLE`. Rows are parted by slashes, cells by commas: `.` was never used, `13u`
is the user's card 13, `2p` the program's 2, `xu` and `xp` are cells whose card was removed. An
empty hand is `-`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from math import isqrt
from operator import itemgetter
from string import ascii_lowercase
from typing import NamedTuple

USER, PROGRAM = 0, 1
NAMES = ("user", "program")
CARDS = (2, 3, 5, 8, 13)
DECKS = {4: CARDS, 6: (2, 2, 3, 3, 5, 5, 8, 8, 8, 13, 13)}  # a first hand, by the board's size
CROWD = 15  # the most that a card and those around it may make together
WIN = 1000  # what a won game is worth, whatever the cards (the document's figure)
Board = tuple[int, ...]
Move = tuple[int, int]

EXAMPLE = ".,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program"
_MOVE = re.compile(r"\s*(\d{1,3})\s*([a-z])\s*(\d{1,3})\s*", re.ASCII | re.IGNORECASE)
# The card on a cell (0: none) and who used it (0: nobody), by its text.
_CELLS = {".": (0, 0)} | {
    f"{card or 'x'}{owner}": (card, user)
    for card in (0, *CARDS)
    for user, owner in ((1, "u"), (2, "p"))
}
_TEXTS = {cell: text for text, cell in _CELLS.items()}
_KIND = {card: kind for kind, card in enumerate(CARDS)}


class State(NamedTuple):
    board: Board
    player: int


def area_of(board: Board) -> int:
    return len(board) // 2 - len(CARDS)


def size_of(board: Board) -> int:
    return isqrt(area_of(board))


def unused(board: Board) -> list[int]:
    area = area_of(board)
    return [cell for cell in range(area) if not board[area + cell]]


def hand(board: Board, player: int) -> tuple[int, ...]:
    """The cards that the player has not played, the smallest first."""
    first = 2 * area_of(board) + player * len(CARDS)
    return tuple(card for kind, card in enumerate(CARDS) for _ in range(board[first + kind]))


def score(board: Board, player: int) -> tuple[int, int]:
    """The sum of a player's cards on the board, and the largest of them, 0 without a card."""
    own = used_cells(board, player)
    return sum(own), max(own, default=0)


def used_cells(board: Board, player: int) -> list[int]:
    """What lies on each cell that the player has used: a card, or 0 if it was removed."""
    area = area_of(board)
    return [board[cell] for cell in range(area) if board[area + cell] == player + 1]


def removed(before: Board, after: Board) -> list[int]:
    """The cells that a move took a card from, the played one included."""
    area = area_of(before)
    return [
        cell
        for cell in range(area)
        if after[area + cell] and not after[cell] and (before[cell] or not before[area + cell])
    ]


@cache
def around(size: int) -> tuple[tuple[int, ...], ...]:
    """For each cell the cell itself and the up to eight around it."""
    cells = [*product(range(size), repeat=2)]
    return tuple(
        tuple(r * size + c for r, c in cells if abs(r - row) <= 1 and abs(c - column) <= 1)
        for row, column in cells
    )


@cache
def cards_around(size: int) -> tuple[Callable[[Sequence[int]], Iterable[int]], ...]:
    """For each cell a function of a board: what lies on it and on the cells around it."""
    return tuple(itemgetter(*near) for near in around(size))


@dataclass(frozen=True, slots=True)
class Cards:
    """The game on `size` x `size` cells, 4 or 6; `first` is who starts.

    largest_decides: whether the larger largest card wins where the sums are equal, as the rules
    say; else that is a draw. smallest_only: whether only the smallest card of a hand may be played.
    """

    size: int = 4
    first: int = USER
    largest_decides: bool = True
    smallest_only: bool = False

    def __post_init__(self) -> None:
        if self.size not in DECKS:
            raise ValueError(f"size is {self.size}; use 4 or 6")
        if self.first not in (USER, PROGRAM):
            raise ValueError(f"first is {self.first}; use 0 (the user) or 1 (the program)")

    def start(self) -> State:
        deck = Counter(DECKS[self.size])
        held = tuple(deck[card] for card in CARDS)
        return State((0,) * 2 * self.size**2 + held + held, self.first)

    def moves(self, state: State) -> list[Move]:
        """Cell by cell, the smallest card first."""
        board = state.board
        counts = board[2 * area_of(board) + state.player * len(CARDS) :]
        cards = [card for card, count in zip(CARDS, counts, strict=False) if count]
        if self.smallest_only:
            cards = cards[:1]
        return [(cell, card) for cell in unused(board) for card in cards]

    def play(self, state: State, move: Move) -> State:
        board, player = state
        cell, card = move
        area = self.size**2
        held, kind = 2 * area + player * len(CARDS), _KIND.get(card, -1)
        if (
            kind < 0
            or not board[held + kind]
            or not 0 <= cell < area
            or board[area + cell]
            or (self.smallest_only and any(board[held : held + kind]))
        ):
            raise ValueError(_illegal(state, move))
        after = list(board)
        after[cell] = card
        after[area + cell] = player + 1
        after[held + kind] -= 1
        # Nothing was crowded before, so only the cards around the played one can be now.
        for place in crowded(after, self.size, around(self.size)[cell]):
            after[place] = 0
        return State(tuple(after), 1 - player)

    def over(self, state: State) -> bool:
        return not any(state.board[-2 * len(CARDS) :])

    def move_name(self, state: State, move: Move) -> str:
        cell, card = move
        return f"{card}{cell_name(size_of(state.board), cell)}"

    def margin(self, state: State, player: int) -> int:
        """`WIN` for a won game, -`WIN` for a lost one, 0 for a draw."""
        scores = score(state.board, player), score(state.board, 1 - player)
        own, other = scores if self.largest_decides else (each[:1] for each in scores)
        return WIN * ((own > other) - (own < other))


def crowded(board: Sequence[int], size: int, cells: Iterable[int]) -> list[int]:
    """Those of the cells with a card that makes more than `CROWD` with those around it."""
    cards = cards_around(size)
    return [cell for cell in cells if board[cell] and sum(cards[cell](board)) > CROWD]


def _illegal(state: State, move: Move) -> str:
    (board, player), (cell, card) = state, move
    if not (cards := hand(board, player)):
        return f"card {card} cannot be played: the game is over"
    if card not in cards:
        return f"card {card} is not in the {NAMES[player]}'s hand, which is {listed(cards)}"
    if not 0 <= cell < area_of(board):
        return f"cell {cell} is not on the board; use 0 to {area_of(board) - 1}"
    if cell not in unused(board):
        name, *left = (cell_name(size_of(board), at) for at in (cell, *unused(board)))
        return f"cell {name} was used before; unused are {listed(left)}"
    return f"card {card} is not the smallest in the {NAMES[player]}'s hand; play {cards[0]}"


def cell_name(size: int, cell: int) -> str:
    row, column = divmod(cell, size)
    return f"{ascii_lowercase[column]}{row + 1}"


def listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def parse_position(text: str) -> State:
    """Raises `ValueError`, in one line, for a text that is none or that no game comes to."""
    if len(fields := text.split()) != 4:
        raise ValueError(
            f"position {text!r} has {len(fields)} fields, not 4; for example {EXAMPLE}"
        )
    rows, *hands, mover = fields
    grid = [row.split(",") for row in rows.split("/")]
    if len(grid) not in DECKS or {*map(len, grid)} != {len(grid)}:
        raise ValueError(f"board {rows!r} is not 4 rows of 4 cells, or 6 rows of 6")
    if odd := [cell for cell in chain(*grid) if cell not in _CELLS]:
        raise ValueError(
            f"cell {odd[0]!r} is not '.', a card and who played it as '13u' or '2p', or 'xu' or "
            "'xp'"
        )
    if mover not in NAMES:
        raise ValueError(f"player to move is {mover!r}; use {' or '.join(NAMES)}")
    cards, users = zip(*(_CELLS[cell] for cell in chain(*grid)), strict=True)
    kinds, counts = [*map(str, CARDS)], list[int]()
    for name, text in zip(NAMES, hands, strict=True):
        held = [] if text == "-" else text.split(",")
        if odd := [card for card in held if card not in kinds]:
            raise ValueError(
                f"the {name}'s hand has {odd[0]!r}; cards are {listed(CARDS)}, or - for none"
            )
        counts += map(held.count, kinds)
    state = State((*cards, *users, *counts), NAMES.index(mover))
    _check(state)
    return state


def _check(state: State) -> None:
    board, size = state.board, size_of(state.board)
    for player, name in enumerate(NAMES):
        used, held, deck = used_cells(board, player), hand(board, player), DECKS[size]
        known = Counter(card for card in (*used, *held) if card)
        if len(used) + len(held) != len(deck) or known - Counter(deck):
            raise ValueError(
                f"the {name} has used {len(used)} cells and holds {listed(held) or 'no card'}; "
                f"the deck is {listed(deck)}"
            )
    mine, theirs = (len(hand(board, player)) for player in (state.player, 1 - state.player))
    if mine - theirs not in (0, 1):
        name = NAMES[state.player]
        raise ValueError(f"it is not the {name}'s turn with {mine} cards in hand against {theirs}")
    for cell in crowded(board, size, range(size**2)):
        raise ValueError(
            f"card {board[cell]} on {cell_name(size, cell)} makes more than {CROWD} with those "
            "around it, and would have been removed"
        )


def format_position(state: State) -> str:
    hands = (",".join(map(str, hand(state.board, who))) or "-" for who in (USER, PROGRAM))
    rows = "/".join(map(",".join, _grid(state.board)))
    return " ".join((rows, *hands, NAMES[state.player]))


def _grid(board: Board) -> list[list[str]]:
    size = size_of(board)
    cells = [_TEXTS[cell] for cell in zip(board[: size**2], board[size**2 :], strict=False)]
    return [cells[start : start + size] for start in range(0, size**2, size)]


def draw_position(state: State) -> str:
    grid = _grid(state.board)
    letters = [*ascii_lowercase[: len(grid)]]
    lines = []
    for label, row in enumerate([letters, *grid]):
        # A single sign stands over the last digit of a card.
        cells = "  ".join(f"{cell + ' ' * (len(cell) == 1):>3}" for cell in row)
        lines.append(f"{label or '':>2}  {cells}".rstrip())
    for player, name in enumerate(NAMES):
        held = " ".join(map(str, hand(state.board, player))) or "-"
        turn = "   to move" if player == state.player and held != "-" else ""
        lines.append(f"{name:>7}: {held}{turn}")
    return "\n".join(lines)


def parse_move(text: str, state: State) -> Move:
    """The move, legal or not. `ValueError`, in one line, for a text that is none."""
    if not (found := _MOVE.fullmatch(text)):
        raise ValueError(f"move {text.strip()!r} is not a card and a cell, for example 5b3")
    size = size_of(state.board)
    column, row = ascii_lowercase.index(found[2].lower()), int(found[3]) - 1
    if not (column < size and 0 <= row < size):
        last = cell_name(size, size**2 - 1)
        raise ValueError(f"cell {found[2]}{found[3]} is not on the board; use a1 to {last}")
    return row * size + column, int(found[1])
