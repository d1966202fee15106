"""The card game of "Project 1, game search strategy": cards that crowd each other off the board.

Each player has the same hand; a turn puts one card on a cell that was never used. A card is crowded
if it and the cards on the up to eight cells around it, of both players, add up to more than 15.
After each turn all crowded cards are removed at once. Their cells stay used. The game is over when
both hands are empty. The player with the larger sum of cards on the board wins; if the sums are
equal, the player with the larger largest card.

A board is a flat tuple of 2n² + 10 counts:

    index    0 .. n²-1             n² .. 2n²-1            2n² .. 2n²+4        2n²+5 .. 2n²+9
    holds    the card on the cell  who used the cell      the user's 2s, 3s,  the program's
             (0: none)             (0: nobody, 1: the     5s, 8s and 13s
                                   user, 2: the program)  in hand

Cells run along the rows from the upper left. A used cell without a card had its card
removed. A move is (cell, card), and people write it as 5b3: card 5 on column b, row 3.

A position as text has four fields: the rows from above, the user's hand, the program's hand,
the player to move; see `EXAMPLE`. Rows are separated by slashes, cells by commas: `.` was never
used, `13u` is the user's card 13, `2p` the program's 2, `xu` and `xp` are cells whose card was
removed. An empty hand is `-`.
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
# The hand of each player at the start, by the size of the board.
DECKS = {
    4: CARDS,
    6: (2, 2, 3, 3, 5, 5, 8, 8, 8, 13, 13),
}
CROWD = 15  # the largest sum of a card and those around it at which the card is not crowded
WIN = 1000  # the value of every won game; the number is the document's
Board = tuple[int, ...]
Move = tuple[int, int]

EXAMPLE = ".,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program"
# Such as 5b3. The groups are the card, the column and the row.
_MOVE = re.compile(r"\s*(\d{1,3})\s*([a-z])\s*(\d{1,3})\s*", re.ASCII | re.IGNORECASE)
# By the text of a cell: the card on it, and who used it (1 the user, 2 the program). Examples are
# "5u": (5, 1), "13p": (13, 2) and, after the card was removed, "xp": (0, 2).
_CELLS = {".": (0, 0)}
for _card in (0, *CARDS):
    _CELLS[f"{_card or 'x'}u"] = _card, 1
    _CELLS[f"{_card or 'x'}p"] = _card, 2
_TEXTS = {cell: text for text, cell in _CELLS.items()}
# The place of a card in CARDS, and so of its count in a hand.
_KIND = {card: kind for kind, card in enumerate(CARDS)}


class State(NamedTuple):
    board: Board
    player: int


def area_of(board: Board) -> int:
    """Return the number of cells."""
    return len(board) // 2 - len(CARDS)


def size_of(board: Board) -> int:
    """Return the number of cells in a row."""
    return isqrt(area_of(board))


def find_unused_cells(board: Board) -> list[int]:
    area = area_of(board)
    return [cell for cell in range(area) if not board[area + cell]]


def hand(board: Board, player: int) -> tuple[int, ...]:
    """Return the cards that the player has not played, the smallest first."""
    first = 2 * area_of(board) + player * len(CARDS)
    cards: list[int] = []
    for kind, card in enumerate(CARDS):
        cards += [card] * board[first + kind]
    return tuple(cards)


def score(board: Board, player: int) -> tuple[int, int]:
    """Return the sum of a player's cards on the board, and the largest of them, 0 without one."""
    cards = cards_on_cells(board, player)
    return sum(cards), max(cards, default=0)


def cards_on_cells(board: Board, player: int) -> list[int]:
    """Return the card on each cell that the player has used, 0 if it was removed."""
    area = area_of(board)
    users = board[area : 2 * area]
    # Not strict: the cells are followed by their users.
    return [card for card, user in zip(board, users, strict=False) if user == player + 1]


def find_cleared_cells(before: Board, after: Board) -> list[int]:
    """Return the cells from which a move removed a card, the played card included."""
    area = area_of(before)
    cleared = []
    for cell in range(area):
        had_card = before[cell] != 0
        # A played card that is removed at once is on neither board. But its cell becomes used.
        becomes_used = before[area + cell] == 0 and after[area + cell] != 0
        if after[cell] == 0 and (had_card or becomes_used):
            cleared.append(cell)
    return cleared


@cache
def neighbourhoods(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cell itself and the up to eight around it."""
    cells_by_cell = []
    for row, column in product(range(size), repeat=2):
        rows = range(max(row - 1, 0), min(row + 2, size))
        columns = range(max(column - 1, 0), min(column + 2, size))
        cells_by_cell.append(tuple(r * size + c for r, c in product(rows, columns)))
    return tuple(cells_by_cell)


@cache
def cards_around(size: int) -> tuple[Callable[[Sequence[int]], Iterable[int]], ...]:
    """Return for each cell a function of a board: the cards on it and on the cells around it."""
    return tuple(itemgetter(*near) for near in neighbourhoods(size))


@dataclass(frozen=True, slots=True)
class Cards:
    """The card game.

    Attributes:
        size: The cells in a row and in a column, 4 or 6.
        first: The player who starts.
        largest_decides: True if the larger largest card wins if the sums are equal, as the rules
            say; False if that is a draw.
        smallest_only: True if only the smallest card of a hand may be played.
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
        hand_counts = tuple(deck[card] for card in CARDS)
        return State((0,) * 2 * self.size**2 + hand_counts + hand_counts, self.first)

    def moves(self, state: State) -> list[Move]:
        """Return the moves cell by cell, the smallest card first."""
        board = state.board
        counts = board[2 * area_of(board) + state.player * len(CARDS) :]
        # Not strict: the user's counts are followed by the program's.
        cards = [card for card, count in zip(CARDS, counts, strict=False) if count]
        if self.smallest_only:
            cards = cards[:1]
        return [*product(find_unused_cells(board), cards)]

    def play(self, state: State, move: Move) -> State:
        board, player = state
        cell, card = move
        area = self.size**2
        first = 2 * area + player * len(CARDS)  # the first of the counts of the hand
        kind = _KIND.get(card, -1)
        is_unused = 0 <= cell < area and board[area + cell] == 0
        is_in_hand = kind >= 0 and board[first + kind] > 0
        if not is_unused or not is_in_hand:
            raise ValueError(_illegal_message(state, move))
        if self.smallest_only and any(board[first : first + kind]):  # it has a smaller card
            raise ValueError(_illegal_message(state, move))
        after = list(board)
        after[cell] = card
        after[area + cell] = player + 1
        after[first + kind] -= 1
        # No card was crowded before. So only the played card and those around it can be crowded.
        for neighbour in crowded_cells(after, self.size, neighbourhoods(self.size)[cell]):
            after[neighbour] = 0
        return State(tuple(after), 1 - player)

    def is_over(self, state: State) -> bool:
        return not any(state.board[-2 * len(CARDS) :])

    def move_name(self, state: State, move: Move) -> str:
        cell, card = move
        return f"{card}{cell_name(size_of(state.board), cell)}"

    def margin(self, state: State, player: int) -> int:
        """Return `WIN` for a won game, -`WIN` for a lost one, 0 for a draw."""
        # Tuples compare the sums first, and the largest cards only if the sums are equal.
        ours, theirs = score(state.board, player), score(state.board, 1 - player)
        is_sum_equal = ours[0] == theirs[0]
        if ours == theirs or (is_sum_equal and not self.largest_decides):
            return 0
        return WIN if ours > theirs else -WIN


def crowded_cells(board: Sequence[int], size: int, cells: Iterable[int]) -> list[int]:
    """Return the cells with a card whose sum with those around it exceeds `CROWD`."""
    cards = cards_around(size)
    return [cell for cell in cells if board[cell] and sum(cards[cell](board)) > CROWD]


def _illegal_message(state: State, move: Move) -> str:
    """Return the message on an illegal move."""
    board, player = state
    cell, card = move
    cards = hand(board, player)
    if not cards:
        return f"card {card} cannot be played: the game is over"
    if card not in cards:
        return f"card {card} is not in the {NAMES[player]}'s hand, which is {join_values(cards)}"
    if not 0 <= cell < area_of(board):
        return f"cell {cell} is not on the board; use 0 to {area_of(board) - 1}"
    if cell not in find_unused_cells(board):
        size = size_of(board)
        names = [cell_name(size, unused_cell) for unused_cell in find_unused_cells(board)]
        return f"cell {cell_name(size, cell)} was used before; unused are {join_values(names)}"
    return f"card {card} is not the smallest in the {NAMES[player]}'s hand; play {cards[0]}"


def cell_name(size: int, cell: int) -> str:
    row, column = divmod(cell, size)
    return f"{ascii_lowercase[column]}{row + 1}"


def join_values(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def parse_position(text: str) -> State:
    """Parse a position; raise a one-line ValueError for other text, or if no game leads to it."""
    fields = text.split()
    if len(fields) != 4:
        raise ValueError(
            f"position {text!r} has {len(fields)} fields, not 4; for example {EXAMPLE}"
        )
    rows, *hands, mover = fields
    grid = [row.split(",") for row in rows.split("/")]
    if len(grid) not in DECKS or any(len(row) != len(grid) for row in grid):
        raise ValueError(f"board {rows!r} is not 4 rows of 4 cells, or 6 rows of 6")
    for cell in chain(*grid):
        if cell not in _CELLS:
            raise ValueError(
                f"cell {cell!r} cannot be read; use '.' for an unused cell, a card and its player, "
                "such as '13u' or '2p', and 'xu' or 'xp' for a removed card"
            )
    if mover not in NAMES:
        raise ValueError(f"player to move is {mover!r}; use {' or '.join(NAMES)}")
    cards, users = zip(*(_CELLS[cell] for cell in chain(*grid)), strict=True)
    counts: list[int] = []
    for name, hand_text in zip(NAMES, hands, strict=True):
        counts += _parse_hand(name, hand_text)
    state = State((*cards, *users, *counts), NAMES.index(mover))
    _check_position(state)
    return state


def _parse_hand(name: str, text: str) -> list[int]:
    """Return the number of each card in the hand of the player with this name."""
    kinds = [str(card) for card in CARDS]
    cards = [] if text == "-" else text.split(",")
    for card in cards:
        if card not in kinds:
            raise ValueError(
                f"the {name}'s hand has {card!r}; cards are {join_values(CARDS)}, or - for none"
            )
    return [cards.count(kind) for kind in kinds]


def _check_position(state: State) -> None:
    """Raise ValueError if no game leads to a position."""
    board, size = state.board, size_of(state.board)
    for player, name in enumerate(NAMES):
        used, in_hand, deck = cards_on_cells(board, player), hand(board, player), DECKS[size]
        visible = Counter(card for card in (*used, *in_hand) if card)
        surplus = visible - Counter(deck)  # empty unless a card is more frequent than in the deck
        if len(used) + len(in_hand) != len(deck) or surplus:
            raise ValueError(
                f"the {name} has used {len(used)} cells and holds "
                f"{join_values(in_hand) or 'no card'}; "
                f"together they must be the deck, {join_values(deck)}"
            )
    # Players take turns: the player to move holds as many cards as the other, or one more.
    mine, theirs = (len(hand(board, player)) for player in (state.player, 1 - state.player))
    if mine - theirs not in (0, 1):
        name = NAMES[state.player]
        raise ValueError(f"the {name} cannot be to move with {mine} cards in hand against {theirs}")
    crowded = crowded_cells(board, size, range(size**2))
    if crowded:
        cell = crowded[0]
        raise ValueError(
            f"card {board[cell]} on {cell_name(size, cell)} makes more than {CROWD} with those "
            "around it, and would have been removed"
        )


def format_position(state: State) -> str:
    hands = [",".join(map(str, hand(state.board, player))) or "-" for player in (USER, PROGRAM)]
    rows = "/".join(map(",".join, _cell_texts(state.board)))
    return " ".join((rows, *hands, NAMES[state.player]))


def _cell_texts(board: Board) -> list[list[str]]:
    """Return the texts of the cells, row by row."""
    size = size_of(board)
    area = size**2
    cards, users = board[:area], board[area : 2 * area]
    cells = [_TEXTS[cell] for cell in zip(cards, users, strict=True)]
    return [cells[start : start + size] for start in range(0, size**2, size)]


def draw_position(state: State) -> str:
    grid = _cell_texts(state.board)
    letters = [*ascii_lowercase[: len(grid)]]
    lines = []
    for number, row in enumerate([letters, *grid]):
        label = number or ""  # the line of letters has no number
        # A single character stands above the last digit of a card, not above its letter.
        cells = [f"{cell} " if len(cell) == 1 else cell for cell in row]
        text = "  ".join(f"{cell:>3}" for cell in cells)
        lines.append(f"{label:>2}  {text}".rstrip())
    for player, name in enumerate(NAMES):
        cards = " ".join(map(str, hand(state.board, player))) or "-"
        turn = ""
        if player == state.player and cards != "-":
            turn = "   to move"
        lines.append(f"{name:>7}: {cards}{turn}")
    return "\n".join(lines)


def parse_move(text: str, state: State) -> Move:
    """Parse a move, legal or not; raise a one-line ValueError for other text."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise ValueError(f"move {text.strip()!r} is not a card and a cell, for example 5b3")
    size = size_of(state.board)
    column, row = ascii_lowercase.index(match[2].lower()), int(match[3]) - 1
    if not (column < size and 0 <= row < size):
        last = cell_name(size, size**2 - 1)
        raise ValueError(f"cell {match[2]}{match[3]} is not on the board; use a1 to {last}")
    return row * size + column, int(match[1])
