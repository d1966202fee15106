"""Betsy: drop a pebble on a column or rotate a column; a full line of the top rows wins.

A board has n columns of n + 3 rows, and each player n(n + 3) / 2 pebbles. It is a flat tuple,
row by row from the top: 1 for a pebble of x, -1 for one of o, 0 for an empty cell. x (player 0)
moves first. A move is a column's number c from 1, with a sign:

    +c   drop an own pebble on the top of column c
    -c   rotate column c: its bottom pebble, whoever's it is, goes to the top

Only lines in the top n rows count: n rows, n columns and two diagonals. A player who fills one of
them wins; if a move fills lines of both players, the player who made it wins.

Source: the Betsy report, "Summary of all the functions". (It prints n(n - 3) / 2 pebbles, with a
wrong sign.) The report has no rule that ends a game in which columns are rotated for ever: here
a game is drawn after a limit of moves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import isqrt
from operator import itemgetter
from typing import Any, NamedTuple

from kalahlab.names import parse_int

NAMES = ("x", "o")
MIN_COLUMNS, MAX_COLUMNS = 2, 20
EXAMPLE = "......x.ox o 197"  # a position as text, on 2 columns

Board = tuple[int, ...]


class State(NamedTuple):
    """A position; `left` is the number of moves that remain before the game is a draw."""

    board: Board
    player: int
    left: int


@dataclass(frozen=True, slots=True)
class Betsy:
    """Betsy on `n` columns, drawn after `limit` moves of both players together.

    Attributes:
        n: The number of columns.
        limit: The number of moves; the longest recorded game broke off after 127.
        idle: True if a rotation that changes nothing may always be played, as in the rules of the
            report. False if it may be played only if all moves are such rotations. The published
            program never tries one.
    """

    n: int = 5
    limit: int = 200
    idle: bool = True

    def __post_init__(self) -> None:
        check_size(self.n)
        if self.limit < 1:
            raise ValueError(f"limit is {self.limit}; use 1 move or more")

    def start(self) -> State:
        return State((0,) * (self.n * (self.n + 3)), 0, self.limit)

    def moves(self, state: State) -> tuple[int, ...]:
        """Return the moves column by column from the left, the drop before the rotation."""
        if state.left <= 0:
            return ()
        return _moves(self.n, self.idle, state.board, state.player)

    def play(self, state: State, move: int) -> State:
        """Return the state after a drop or a rotation."""
        if move not in self.moves(state):
            raise ValueError(self._illegal_message(state, move))
        board, player, moves_left = state
        column = board[abs(move) - 1 :: self.n]
        empty = column.count(0)
        if move > 0:
            new_column = (*column[: empty - 1], mark(player), *column[empty:])
        else:
            new_column = (*column[:empty], column[-1], *column[empty:-1])
        after = list(board)
        after[abs(move) - 1 :: self.n] = new_column
        return State(tuple(after), 1 - player, moves_left - 1)

    def is_over(self, state: State) -> bool:
        return state.left <= 0 or winner(state) is not None

    def move_name(self, state: State, move: int) -> str:
        return f"{move:+d}"

    def margin(self, state: State, player: int) -> int:
        """Return 0 for a draw, and for a win 2n(n + 3) plus the number of moves that remain.

        So of two wins, the earlier one has the larger margin.
        """
        winning_player = winner(state)
        if winning_player is None:
            return 0
        margin = 2 * self.n * (self.n + 3) + state.left
        return margin if winning_player == player else -margin

    def _illegal_message(self, state: State, move: int) -> str:
        legal = " ".join(f"{legal_move:+d}" for legal_move in self.moves(state))
        if not legal:
            return f"move {move:+d} cannot be played: the game is over"
        return f"move {move:+d} cannot be played by {NAMES[state.player]}; legal moves: {legal}"


@lru_cache(1 << 16)
def _moves(n: int, idle: bool, board: Board, player: int) -> tuple[int, ...]:
    if _winner(board, player) is not None:
        return ()
    may_drop = board.count(mark(player)) < pebbles(n)
    moves = []
    for column in range(1, n + 1):
        if may_drop and not board[column - 1]:
            moves.append(column)
        if board[column - 1 - n]:  # the column's bottom cell: the index counts from the end
            moves.append(-column)
    if idle:
        return tuple(moves)
    changing = []
    for move in moves:
        cells = board[abs(move) - 1 :: n]
        has_both_players = 1 in cells and -1 in cells
        if move > 0 or has_both_players:  # else the rotation of the column changes nothing
            changing.append(move)
    return tuple(changing or moves)


def check_size(n: int) -> None:
    if not MIN_COLUMNS <= n <= MAX_COLUMNS:
        raise ValueError(f"n is {n}; a board has {MIN_COLUMNS} to {MAX_COLUMNS} columns")


def mark(player: int) -> int:
    """Return the number of the player's pebbles on a board: 1 or -1."""
    return 1 - 2 * player


def pebbles(n: int) -> int:
    """Return the number of pebbles of each player."""
    return n * (n + 3) // 2


def locate_line(n: int, line: int) -> tuple[int, int]:
    """Return the first cell and the step of a line.

    Lines 0..n-1 are rows, n..2n-1 columns, 2n and 2n + 1 the diagonals from the left and right.
    """
    if line < n:
        return line * n, 1
    if line < 2 * n:
        return line - n, n
    if line == 2 * n:
        return 0, n + 1
    return n - 1, n - 1


@cache
def lines(n: int) -> tuple[Callable[[Board], Any], ...]:
    """Return a function for each line that picks its n cells out of a board."""
    places = (locate_line(n, line) for line in range(2 * n + 2))
    return tuple(itemgetter(*range(start, start + n * step, step)) for start, step in places)


def winner(state: State) -> int | None:
    """Return the player who has filled a line, or None; the last mover wins if both have."""
    return _winner(state.board, state.player)


@lru_cache(1 << 16)  # positions come back in a game
def _winner(board: Board, to_move: int) -> int | None:
    n = columns_of(board)
    filled = {line(board) for line in lines(n)}
    for player in (1 - to_move, to_move):
        if (mark(player),) * n in filled:
            return player
    return None


def columns_of(board: Sequence[object]) -> int:
    """Return the number of columns of a board: the least n with n(n + 3) or more cells.

    The board may be a text, which has a character for each cell, and any length.
    """
    # n(n + 3) >= cells is (2n + 3)² > 4 cells + 8 in whole numbers, that is 2n + 3 > root.
    root = isqrt(4 * len(board) + 8)
    return max(1, (root - 1) // 2)


def parse_board(text: str, n: int) -> Board:
    """Parse a board, row by row from the top; raise a one-line ValueError for other text."""
    check_size(n)
    if len(text) != n * (n + 3):
        raise ValueError(
            f"board {text!r} has {len(text)} cells; {n} columns of {n + 3} make {n * (n + 3)}"
        )
    unknown = set(text) - set("xo.")
    if unknown:
        first = min(unknown)  # the same one in each run, unlike the first of a set
        raise ValueError(f"board {text!r} holds {first!r}; use x, o and . for an empty cell")
    for name in NAMES:
        if text.count(name) > pebbles(n):
            raise ValueError(
                f"board {text!r} has {text.count(name)} pebbles of {name}; "
                f"with {n} columns there are {pebbles(n)}"
            )
    for column in range(n):
        below_top = text[column::n].lstrip(".")  # from the highest pebble down
        if "." in below_top:
            message = f"board {text!r} has a pebble above an empty cell in column {column + 1}"
            raise ValueError(message)
    return tuple({"x": 1, "o": -1, ".": 0}[cell] for cell in text)


def format_board(board: Board) -> str:
    return "".join(".xo"[cell] for cell in board)


def draw_board(board: Board) -> str:
    """Draw the rows, with a rule above those in which lines do not count."""
    n = columns_of(board)
    text = format_board(board)
    rows = [" ".join(text[start : start + n]) for start in range(0, len(text), n)]
    return "\n".join((*rows[:n], "-" * (2 * n - 1), *rows[n:]))


def parse_position(text: str, game: Betsy) -> tuple[Betsy, State]:
    """Parse `BOARD PLAYER [LEFT]`; LEFT defaults to the limit of `game`.

    Returns:
        `game` with the number of columns of the board, and the position.

    Raises:
        ValueError: The text is of another form, or the board is wrong. The message is one line.
    """
    fields = text.split()
    if not 2 <= len(fields) <= 3 or fields[1] not in NAMES:
        raise ValueError(
            f"position {text!r} is not of the form BOARD PLAYER [LEFT], for example {EXAMPLE}"
        )
    n = columns_of(fields[0])
    board = parse_board(fields[0], n)
    moves_left = parse_int(fields[2], "moves left") if len(fields) == 3 else game.limit
    if moves_left < 0:
        raise ValueError(f"moves left is {moves_left}; use 0 or more")
    return replace(game, n=n), State(board, NAMES.index(fields[1]), moves_left)


def format_position(state: State) -> str:
    return f"{format_board(state.board)} {NAMES[state.player]} {state.left}"


def draw_position(state: State) -> str:
    return f"{draw_board(state.board)}\n{outlook(state)}"


def outlook(state: State) -> str:
    """Return whose turn it is, or how the game ended."""
    winning_player = winner(state)
    if winning_player is not None:
        return f"game over: {NAMES[winning_player]} has a line"
    if state.left <= 0:
        return "game over: a draw, no moves are left"
    return f"{NAMES[state.player]} to move, {state.left} moves left"
