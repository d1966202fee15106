"""Kalah boards as text: the notation of the Kalah Game Protocol, and a drawing in characters.

The protocol writes a board `<m,S,N,s1,..,sm,n1,..,nm>`: pits a side, the two stores,
then South's pits and North's pits, each from its owner's left. The mover is always South,
so a state with North to move is written with the sides exchanged. (Kalah Game Protocol
1.0, "board".) Moves are written 1..m from the mover's left.
"""

import re

from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, check_size, side, stores, swap_sides
from kalahlab.games.rules import STANDARD, Rules

# Whole numbers in angle brackets, such as <2,0,0,3,3,3,3>; the group is the numbers.
_BOARD = re.compile(r"\s*<\s*(-?\d+(?:\s*,\s*-?\d+){2,})\s*>\s*", re.ASCII)
_SHAPE = "<m,S,N,s1..sm,n1..nm>"
# Counts in other brackets, which are the repr of a board or of a state: (3, 3, 0, 3, 3, 0),
# [3 3 0 3 3 0] or State(board=(3, 3, 0, 3, 3, 0), player=1). The groups are the counts and, if it
# is written, the player to move.
_COUNTS = re.compile(
    r"(?:State\(board=)?[(\[<]*\s*((?:\d{1,6}[\s,]+){3,}\d{1,6})\s*,?\s*[)\]>]*"
    r"(?:\s*,\s*(?:player=)?([01])\s*\))?",
    re.ASCII,
)


def parse_board(text: str) -> State:
    """Parse a board, with South to move; raise a one-line ValueError for other text."""
    if not isinstance(text, str):
        raise ValueError(f"give a board as text{board_hint(str(text))}, not {text!r:.200}")
    match = _BOARD.fullmatch(text)
    if match is None:
        raise ValueError(f"board {text!r} is not of the form {_SHAPE}{board_hint(text)}")
    pits, south, north, *rest = (int(number) for number in match[1].split(","))
    if pits < 1:
        raise ValueError(
            f"board {text!r} has {pits} pits a side; at least 1 is needed: the first number is the "
            "number of pits a side"
        )
    if len(rest) != 2 * pits:
        raise ValueError(
            f"board {text!r} lists {len(rest)} pits; {pits} a side make {2 * pits} ({_SHAPE})"
        )
    for count in (south, north, *rest):
        if count < 0:
            raise ValueError(f"board {text!r} holds {count} stones; a count is 0 or more")
    check_size(pits, south + north + sum(rest))
    return State((*rest[:pits], south, *rest[pits:], north), SOUTH)


def board_hint(text: str) -> str:
    """Return a hint on how to write the board of a text in this notation, or else an example."""
    example = ", for example <2,0,0,3,3,3,3>"
    match = _COUNTS.fullmatch(text.strip())
    if match is None:
        return example
    counts = tuple(map(int, re.findall(r"\d+", match[1])))
    # The counts of a board are even in number, with its stores or without.
    if len(counts) % 2 == 0:
        mover = int(match[2] or SOUTH)
        half = len(counts) // 2
        with_stores = format_board(State(counts, mover))
        without_stores = format_board(State((*counts[:half], 0, *counts[half:], 0), mover))
        return (
            f"; South's pits and store, then North's, are written {with_stores!r}, where the mover "
            f"is South; pits without stores, {without_stores!r}"
        )
    # The numbers of this notation are odd in number: m, the two stores and 2m pits.
    if len(counts) == 2 * counts[0] + 3:
        return f"; it is written '<{','.join(map(str, counts))}>'"
    return example


def format_board(state: State) -> str:
    board = state.board if state.player == SOUTH else swap_sides(state).board
    south, north = side(board, SOUTH), side(board, NORTH)
    return f"<{','.join(map(str, (len(south), *stores(board), *south, *north)))}>"


def draw_board(state: State, rules: Rules = STANDARD) -> str:
    """Draw the board as a player sees it: North above, from right to left, and South below.

    Args:
        state: The position.
        rules: The rules that decide whether the game is over.
    """
    south, north = stores(state.board)
    width = max(2, *(len(str(count)) for count in state.board))  # of a column
    above = " ".join(f"{count:>{width}}" for count in side(state.board, NORTH)[::-1])
    below = " ".join(f"{count:>{width}}" for count in side(state.board, SOUTH))
    blank, gap = " " * width, " " * len(above)
    turn = Kalah(rules=rules).outlook(state)
    return (
        f"{blank}  {above}  {blank}  North\n"
        f"{north:>{width}}  {gap}  {south:>{width}}  {turn}\n"
        f"{blank}  {below}  {blank}  South"
    )
