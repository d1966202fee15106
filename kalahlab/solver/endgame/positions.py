"""Positions in bulk, and their values in the endgame database.

An array of positions has a row for each position: the numbers of `State.board`, with the player to
move as South. So the columns of a board with m pits a side are

    column  0 .. m-1          m                  m+1 .. 2m             2m+1
    holds   the mover's pits  the mover's store  the opponent's pits   the opponent's store

with the pits of each side from its owner's left. A data frame of positions has the column `board`,
which holds each position as text, as `kalahlab.games.notation` explains. There, too, the player to
move is South. All files of positions in `data/` have this column.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.packed import (
    MAX_PITS,
    MAX_STONES,
    ROW,
    Sowings,
    byte_at,
    prefetch,
    stones,
)
from kalahlab.games.kalah import MOST_STONES, SOUTH, State, pits_of, swap_sides
from kalahlab.games.notation import parse_board
from kalahlab.solver.endgame.compiled_rules import CompiledRules, final_value, is_over, sow_pit
from kalahlab.solver.endgame.layout import Layout, place_of

if TYPE_CHECKING:
    import pandas as pd

Boards = NDArray[np.int32]
Positions: TypeAlias = "NDArray[np.integer[Any]] | pd.DataFrame | Sequence[State]"
Values = NDArray[np.float64]

BATCH = 64  # positions whose values are loaded into the processor's caches at a time
TEXT_LENGTH = 64  # characters; longer texts of boards are parsed one by one
ZERO, NINE, COMMA, BEGIN, END = map(ord, "09,<>")


def to_array(positions: Positions, pits: int) -> Boards:
    """Convert positions to an array with a row for each, as this module explains.

    Args:
        positions: Such an array, a data frame of positions, or states.
        pits: The pits of a side.

    Raises:
        TypeError: `positions` is something else.
        ValueError: A row is not a position on a board of this size; the message has its number,
            counted from 0.
    """
    boards: NDArray[Any]
    if isinstance(positions, np.ndarray):
        boards = positions
    elif isinstance(positions, Sequence):
        boards = _to_rows(positions, pits)
    elif "board" in getattr(positions, "columns", ()):
        boards = parse_boards(positions["board"].tolist(), pits)
    else:
        name = type(positions).__name__
        raise TypeError(
            f"give an array, a data frame with the column 'board', or states: no {name}"
        )
    width = 2 * pits + 2
    if boards.ndim != 2 or boards.shape[1] != width:
        raise ValueError(
            f"positions with {pits} pits a side are an array with the shape (n, {width}), not "
            f"{boards.shape}"
        )
    if boards.dtype.kind not in "iu":
        raise ValueError(f"an array of positions holds whole numbers, not {boards.dtype}")
    if boards.size and (boards.min() < 0 or boards.max() > MOST_STONES):
        wrong = ((boards < 0) | (boards > MOST_STONES)).any(axis=1)
        row = int(wrong.argmax())
        raise ValueError(
            f"row {row} is no position, but {boards[row].tolist()}; a count is 0 to {MOST_STONES:,}"
        )
    return np.ascontiguousarray(boards, np.int32)  # so that the kernels are compiled once


def to_states(positions: "Positions | Sequence[str]") -> list[State]:
    """Convert positions to states; boards may have different sizes.

    Args:
        positions: States or texts, a data frame of positions, or an array like `to_array`'s.

    Raises:
        TypeError: `positions` is something else.
        ValueError: A row is not a position; the message has its number, counted from 0.
    """
    if isinstance(positions, np.ndarray):
        pits = 1 if positions.ndim != 2 else positions.shape[1] // 2 - 1
        return [State(tuple(board), SOUTH) for board in to_array(positions, pits).tolist()]
    rows: Any = positions
    if "board" in getattr(positions, "columns", ()):
        rows = rows["board"].tolist()
    elif not isinstance(positions, Sequence) or isinstance(positions, str):
        name = type(positions).__name__
        raise TypeError(
            f"give a list of states or texts, an array, or a data frame with the column 'board': "
            f"no {name}"
        )
    states = []
    for row, position in enumerate(rows):
        if isinstance(position, State):
            states.append(position)
            continue
        try:
            states.append(parse_board(position))
        except ValueError as error:
            raise ValueError(f"row {row}: {error}") from None
    return states


def mirror_sides(boards: Boards) -> Boards:
    """Return positions with the pits of each side in reverse order."""
    width = boards.shape[1]
    half, columns = width // 2, np.arange(width)
    columns[: half - 1] = columns[: half - 1][::-1]
    columns[half:-1] = columns[half:-1][::-1]
    return np.ascontiguousarray(boards[:, columns])


def _to_rows(states: Sequence[Any], pits: int) -> NDArray[np.int64]:
    boards = np.empty((len(states), 2 * pits + 2), np.int64)
    for row, state in enumerate(states):
        if not isinstance(state, State):
            name = type(state).__name__
            raise TypeError(f"row {row} of the positions is not a state but a {name}")
        _check_pits(state, pits, row)
        boards[row] = state.board if state.player == SOUTH else swap_sides(state).board
    return boards


def _check_pits(state: State, pits: int, row: int) -> None:
    if len(state.board) != 2 * pits + 2:
        raise ValueError(f"row {row} has {pits_of(state.board)} pits a side, not {pits}")


def parse_boards(texts: Sequence[str], pits: int, first_row: int = 0) -> Boards:
    """Parse boards as text into an array of positions.

    Args:
        texts: The boards.
        pits: The pits of a side.
        first_row: The number of the first board in messages.

    Raises:
        ValueError: A text is not a board of this size; the message has the number of its row.
    """
    boards = np.empty((len(texts), 2 * pits + 2), np.int32)
    letters = np.array(texts, f"U{TEXT_LENGTH}")
    letters = letters.view(np.uint32).reshape(len(texts), TEXT_LENGTH)
    is_parsed = parse_rows(letters, boards)
    for index in np.flatnonzero(~is_parsed).tolist():
        row = first_row + index
        try:
            state = parse_board(texts[index])
        except ValueError as error:
            raise ValueError(f"row {row}: {error}") from None
        _check_pits(state, pits, row)
        boards[index] = state.board
    return boards


@inlined
def column_of(number: int, pits: int) -> int:
    """Return the column of a number in the text of a board, counted from the first store on."""
    if number == 0:
        return pits
    if number == 1:
        return 2 * pits + 1
    pit = number - 2  # South's pits and then North's, without the store between them
    if pit < pits:
        return pit
    return pit + 1


@jit
def parse_rows(letters: NDArray[np.uint32], boards: Boards) -> NDArray[np.bool_]:
    """Parse texts into rows of `boards`, and return which texts are written like `format_board`'s.

    The other rows are left undefined.

    Args:
        letters: The letters of the texts, a row for each text.
        boards: The array of positions to fill.
    """
    rows, length = letters.shape
    width = boards.shape[1]
    pits = width // 2 - 1
    is_parsed = np.zeros(rows, np.bool_)
    for row in range(rows):
        if letters[row, 0] != BEGIN:
            continue
        # The first number of a text, with the index -1 here, is that of the pits. The last letter
        # is not read: a text that is as long as the row may have been cut off.
        count, number, total = -1, -1, 0  # a count of -1: no digit yet
        for place in range(1, length - 1):
            letter = letters[row, place]
            if ZERO <= letter <= NINE:
                count = 10 * max(count, 0) + int(letter - ZERO)
                if count > MOST_STONES:
                    break
                continue
            if count < 0 or number == width or (letter != COMMA and letter != END):
                break
            if number >= 0:
                boards[row, column_of(number, pits)] = count
                total += count
            elif count != pits:
                break
            count, number = -1, number + 1
            if letter == END:
                is_complete = number == width and total <= MOST_STONES
                is_parsed[row] = is_complete and not letters[row, place + 1 :].any()
                break
    return is_parsed


@inlined
def sum_pits(boards: Boards, row: int, begin: int, pits: int) -> int:
    """Return the stones in the pits of a side, whose columns start at `begin`."""
    total = 0
    for pit in range(pits):
        total += int(boards[row, begin + pit])
    return total


@inlined
def pack_pits(boards: Boards, row: int, begin: int, pits: int) -> int:
    """Return the word of a side, whose columns start at `begin`."""
    word = 0
    for pit in range(pits):
        word |= int(boards[row, begin + pit]) << 8 * (MAX_PITS - pits + pit)
    return word


@inlined
def begin_look_up(
    own: int, opp: int, values: int, layout: Layout, rules: CompiledRules
) -> tuple[int, float]:
    """Return the address of a position's value, or 0, and the value if it is not at an address.

    The processor begins to load the address. A value that takes a search is NaN.
    """
    mine, theirs = stones(own), stones(opp)
    if mine + theirs <= layout.stones:
        return prefetch(values + place_of(own, opp, layout)), 0.0
    if is_over(mine, theirs, rules):
        return 0, float(final_value(mine, theirs, rules))
    return 0, np.nan


@inlined
def end_look_up(result: Values, addresses: NDArray[np.int64]) -> None:
    """Add to each result the value at its address; subtract it if the address is negative."""
    for row in range(len(result)):
        for column in range(result.shape[1]):
            address = addresses[row, column]
            if address > 0:
                result[row, column] += byte_at(address)
            elif address < 0:
                result[row, column] -= byte_at(-address)


@jit
def look_up_rows(boards: Boards, values: int, layout: Layout, rules: CompiledRules) -> Values:
    """Return the value of each row, NaN if it takes a search, as an array with one column.

    Args:
        boards: An array of positions, mirrored if the rules sow clockwise.
        values: The address of the database's first byte.
        layout: The layout of the database.
        rules: The rules.
    """
    pits = layout.pits
    result = np.empty((len(boards), 1))
    addresses = np.empty((BATCH, 1), np.int64)
    for first in range(0, len(boards), BATCH):
        last = min(first + BATCH, len(boards))
        for row in range(first, last):
            mine, theirs = sum_pits(boards, row, 0, pits), sum_pits(boards, row, pits + 1, pits)
            if mine + theirs <= MAX_STONES:
                own, opp = pack_pits(boards, row, 0, pits), pack_pits(boards, row, pits + 1, pits)
                address, value = begin_look_up(own, opp, values, layout, rules)
            elif is_over(mine, theirs, rules):  # more stones than words hold
                address, value = 0, float(final_value(mine, theirs, rules))
            else:
                address, value = 0, np.nan
            addresses[row - first, 0] = address
            result[row, 0] = value + int(boards[row, pits]) - int(boards[row, 2 * pits + 1])
        end_look_up(result[first:last], addresses)
    return result


@jit
def look_up_moves(
    boards: Boards, values: int, layout: Layout, sowing: Sowings, rules: CompiledRules
) -> Values:
    """Return the value of each pit's move, a row for each position; see `Database.probe_moves`.

    The arguments are those of `look_up_rows`, and the sowing tables.
    """
    pits = layout.pits
    result = np.empty((len(boards), pits))
    addresses = np.empty((BATCH, pits), np.int64)
    for first in range(0, len(boards), BATCH):
        last = min(first + BATCH, len(boards))
        for row in range(first, last):
            result[row], addresses[row - first] = np.nan, 0
            mine, theirs = sum_pits(boards, row, 0, pits), sum_pits(boards, row, pits + 1, pits)
            if is_over(mine, theirs, rules) or mine + theirs > MAX_STONES:
                continue
            own, opp = pack_pits(boards, row, 0, pits), pack_pits(boards, row, pits + 1, pits)
            difference = int(boards[row, pits]) - int(boards[row, 2 * pits + 1])
            for pit in range(pits):
                if boards[row, pit] == 0:
                    continue
                entry = (MAX_PITS - pits + pit) * ROW + int(boards[row, pit])
                own_after, opp_after, gained, lost, again = sow_pit(
                    own, opp, sowing.own[entry], sowing.opp[entry], sowing.effect[entry], rules
                )
                if again:
                    address, value = begin_look_up(own_after, opp_after, values, layout, rules)
                else:
                    address, value = begin_look_up(opp_after, own_after, values, layout, rules)
                    address, value = -address, -value
                if np.isnan(value):  # this move could be the best one, so the others say little
                    result[row], addresses[row - first] = np.nan, 0
                    break
                result[row, pit] = difference + gained - lost + value
                addresses[row - first, pit] = address
        end_look_up(result[first:last], addresses)
    return result
