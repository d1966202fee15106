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
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt
from string import ascii_lowercase
from typing import NamedTuple

USER, PROGRAM = 0, 1
NAMES = ("user", "program")

CARDS = (2, 3, 5, 8, 13)
DECKS = {4: (2, 3, 5, 8, 13), 6: (2, 2, 3, 3, 5, 5, 8, 8, 8, 13, 13)}
"""The hand that both start with, by the size of the board."""

CROWD = 15
"""The most that a card and those around it may make together."""

WIN = 1000
"""What a won game is worth, whatever the cards (the document's figure)."""

Board = tuple[int, ...]
Move = tuple[int, int]

_KIND = {card: kind for kind, card in enumerate(CARDS)}


class State(NamedTuple):
    """A position: the board and whose turn it is (`USER` or `PROGRAM`)."""

    board: Board
    player: int


class Score(NamedTuple):
    """A player's cards on the board: their sum, and the largest (0 without a card)."""

    total: int
    largest: int


def area_of(board: Board) -> int:
    """The number of cells, n²."""
    return len(board) // 2 - len(CARDS)


def size_of(board: Board) -> int:
    """The number of rows, n."""
    return isqrt(area_of(board))


def unused(board: Board) -> list[int]:
    """The cells on which a card may be put."""
    area = area_of(board)
    return [cell for cell in range(area) if not board[area + cell]]


def hand(board: Board, player: int) -> tuple[int, ...]:
    """The cards that the player has not played, the smallest first."""
    first = 2 * area_of(board) + player * len(CARDS)
    return tuple(card for kind, card in enumerate(CARDS) for _ in range(board[first + kind]))


def score(board: Board, player: int) -> Score:
    """What the player's cards on the board make."""
    area = area_of(board)
    own = [board[cell] for cell in range(area) if board[area + cell] == player + 1]
    return Score(sum(own), max(own, default=0))


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
    near = range(-1, 2)
    return tuple(
        tuple(
            (row + down) * size + column + right
            for down in near
            for right in near
            if 0 <= row + down < size and 0 <= column + right < size
        )
        for row in range(size)
        for column in range(size)
    )


@dataclass(frozen=True, slots=True)
class Cards:
    """The game on `size` x `size` cells, 4 or 6; `first` is who starts.

    largest_decides: whether the larger largest card wins where the sums are equal, as the
        rules say; without it such a game is a draw.
    smallest_only: whether only the smallest card of a hand may be played.
    Raises `ValueError` for another size or player.
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
        """No cell used, both hands full."""
        deck = Counter(DECKS[self.size])
        held = tuple(deck[card] for card in CARDS)
        return State((0,) * 2 * self.size**2 + held + held, self.first)

    def moves(self, state: State) -> list[Move]:
        """Every card that may be played on every unused cell, cell by cell, smallest card first."""
        board = state.board
        counts = board[2 * area_of(board) + state.player * len(CARDS) :]
        cards = [card for card, count in zip(CARDS, counts, strict=False) if count]
        if self.smallest_only:
            cards = cards[:1]
        return [(cell, card) for cell in unused(board) for card in cards]

    def play(self, state: State, move: Move) -> State:
        """The state after a card was played and the crowded ones were removed."""
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
        """Whether both hands are empty."""
        return not any(state.board[-2 * len(CARDS) :])

    def move_name(self, state: State, move: Move) -> str:
        """The card and its cell: 5b3 is card 5 on column b, row 3."""
        cell, card = move
        return f"{card}{cell_name(size_of(state.board), cell)}"

    def margin(self, state: State, player: int) -> int:
        """`WIN` for a won game, -`WIN` for a lost one, 0 for a draw."""
        scores = score(state.board, player), score(state.board, 1 - player)
        own, other = scores if self.largest_decides else (each[:1] for each in scores)
        return WIN * ((own > other) - (own < other))


def crowded(board: Sequence[int], size: int, cells: Iterable[int]) -> list[int]:
    """Those of the cells with a card that makes more than `CROWD` with those around it."""
    near = around(size)
    return [
        cell
        for cell in cells
        if board[cell] and sum([board[place] for place in near[cell]]) > CROWD
    ]


def _illegal(state: State, move: Move) -> str:
    """Why a move cannot be played, and what can be."""
    (board, player), (cell, card) = state, move
    area, cards = area_of(board), hand(board, player)
    if not cards:
        return f"card {card} cannot be played: the game is over"
    if card not in cards:
        return f"card {card} is not in the {NAMES[player]}'s hand, which is {listed(cards)}"
    if not 0 <= cell < area:
        return f"cell {cell} is not on the board; use 0 to {area - 1}"
    if board[area + cell]:
        name, *left = (cell_name(size_of(board), at) for at in (cell, *unused(board)))
        return f"cell {name} was used before; unused are {listed(left)}"
    return f"card {card} is not the smallest in the {NAMES[player]}'s hand; play {cards[0]}"


def cell_name(size: int, cell: int) -> str:
    """The column's letter and the row's number, from the upper left: a1."""
    row, column = divmod(cell, size)
    return f"{ascii_lowercase[column]}{row + 1}"


def listed(values: Iterable[object]) -> str:
    """Values one after the other."""
    return ", ".join(map(str, values))
