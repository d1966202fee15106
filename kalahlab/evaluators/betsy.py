"""Evaluators of Betsy: the seven heuristics of its program and their combination.

They are as the program computes them that was published with the Betsy report, which describes all
but the diagonals and prints no weights. Where its text says something else, that reading stands
beside them as `..._in_words`. All but the runs of pebbles, and what contains them, are
antisymmetric. "The top" are the n rows in which lines count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import isfinite

from kalahlab.evaluators import Evaluator, by_name
from kalahlab.games.betsy import columns_of, line_at, mark

Board = Sequence[float]


def available_positions(board: Board, player: int) -> float:
    """Lines of the top that hold none of the opponent's pebbles, minus those without own ones."""
    n = columns_of(board)
    return -lines_with(board, player, range(2 * n + 2), n, 0, 0)


def check_rows(board: Board, player: int) -> float:
    """Rows of the top with at least half, rounded up, but not all own pebbles; minus theirs."""
    n = columns_of(board)
    return lines_with(board, player, range(n), n, (n + 1) // 2, n - 1)


def check_rows_in_words(board: Board, player: int) -> float:
    """Rows of the top with more than n / 2 own pebbles, minus the opponent's."""
    n = columns_of(board)
    return lines_with(board, player, range(n), n, n // 2 + 1, n)


def check_columns(board: Board, player: int) -> float:
    """Columns, bottom rows included, with (n + 4) // 2 to n - 1 own pebbles; minus theirs."""
    n = columns_of(board)
    return lines_with(board, player, range(n, 2 * n), n + 3, (n + 4) // 2, n - 1)


def check_columns_in_words(board: Board, player: int) -> float:
    """Columns with more than (n + 3) / 2 own pebbles (printed "N+3/2"), minus the opponent's."""
    n = columns_of(board)
    return lines_with(board, player, range(n, 2 * n), n + 3, (n + 3) // 2 + 1, n + 3)


def check_diagonals(board: Board, player: int) -> float:
    """Own pebbles on the two diagonals of the top, minus the opponent's.

    The text has no word of it; a middle cell that is on both counts twice.
    """
    n, own = columns_of(board), mark(player)
    both = (2 * n, 2 * n + 1)
    return sum(held(board, n, line, own, n) - held(board, n, line, -own, n) for line in both)


def consecutive(board: Board, player: int) -> float:
    """The longest own run in a column minus the opponent's; a run of n or more weighs more.

    Then the own counts twice, the opponent's three times. See `longest_run`.
    """
    n, own = columns_of(board), mark(player)
    mine, theirs = longest_run(board, own), longest_run(board, -own)
    return (2 * mine if mine >= n else mine) - (3 * theirs if theirs >= n else theirs)


def consecutive_in_words(board: Board, player: int) -> float:
    """Twice the longest own run in a column minus three times the opponent's."""
    return 2 * longest_run(board, mark(player)) - 3 * longest_run(board, -mark(player))


def distance_to_row(board: Board, player: int) -> float:
    """The opponent's rotations to a full row minus the own; turned round where one is 0."""
    return compared(rotations_to_row, board, player)


def distance_to_row_in_words(board: Board, player: int) -> float:
    """The opponent's rotations to a full row minus the own."""
    return rotations_to_row(board, -mark(player)) - rotations_to_row(board, mark(player))


def distance_to_column(board: Board, player: int) -> float:
    """The opponent's rotations to a full column minus the own; turned round where one is 0."""
    return compared(rotations_to_column, board, player)


def distance_to_column_in_words(board: Board, player: int) -> float:
    """The opponent's rotations to a full column minus the own."""
    return rotations_to_column(board, -mark(player)) - rotations_to_column(board, mark(player))


def leaf_value(board: Board, player: int) -> float:
    """The program's leaf value: four of the heuristics added up, and 2n(n + 3) for a full line.

    (available positions + consecutive + distance to row + distance to column) / n.
    The program divides all of it by the moves made since the root. At a fixed depth that changes
    nothing between leaves; between wins it prefers the nearer, as the game's margin does.
    """
    value = available_positions(board, player) + consecutive(board, player)
    value += distance_to_row(board, player) + distance_to_column(board, player)
    return full_line(board, player) or value / columns_of(board)


def leaf_value_in_words(board: Board, player: int) -> float:
    """As `leaf_value`, of the heuristics as the text has them."""
    value = available_positions(board, player) + consecutive_in_words(board, player)
    value += distance_to_row_in_words(board, player) + distance_to_column_in_words(board, player)
    return full_line(board, player) or value / columns_of(board)


def full_line(board: Board, player: int) -> float:
    """2n(n + 3) for an own full line of the top, minus that for the opponent's; 0 for both."""
    n, own = columns_of(board), mark(player)
    won, lost = (
        any(held(board, n, line, cell, n) == n for line in range(2 * n + 2)) for cell in (own, -own)
    )
    return 2 * n * (n + 3) * (won - lost)


def nothing(board: Board, player: int) -> float:
    """So a search sees the wins within its depth, and nothing else."""
    return 0


# What the heuristics count. `own` is the cell that is meant, 1 or -1; n the columns.


def lines_with(
    board: Board, player: int, lines: Sequence[int], cells: int, least: int, most: int
) -> int:
    """Lines with `least` to `most` own pebbles, minus those with as many of the opponent's."""
    n, own = columns_of(board), mark(player)
    mine, theirs = (
        sum(least <= held(board, n, line, cell, cells) <= most for line in lines)
        for cell in (own, -own)
    )
    return mine - theirs


def held(board: Board, n: int, line: int, own: int, cells: int) -> int:
    """Such pebbles in the first cells of a line, numbered as in `line_at`."""
    start, step = line_at(n, line)
    return board[start : start + cells * step : step].count(own)


def longest_run(board: Board, own: int) -> int:
    """The longest run of such pebbles in a column that is read twice over, top to bottom.

    As coded, empty cells do not end a run: a stack of two alike is a run of four.
    """
    n = columns_of(board)
    columns = ([cell for cell in board[column::n] if cell] * 2 for column in range(n))
    runs = (len([*run]) for column in columns for cell, run in groupby(column) if cell == own)
    return max(runs, default=0)


def rotations_to_row(board: Board, own: int) -> int:
    """The fewest rotations that bring such pebbles all along a row of the top without empty cells.

    0 if there is no such row. As coded, a column without such a pebble costs nothing.
    """
    n = columns_of(board)
    full = [row for row in range(n) if 0 not in board[row * n : row * n + n]]
    totals = (sum(rotations(board[column::n], row, own) for column in range(n)) for row in full)
    return min(totals, default=0)


def rotations(column: Board, row: int, own: int) -> int:
    """How often to rotate a column until such a pebble lies in a row; 0 if there is none."""
    # the row's own cell comes first, then what lies above it, then the column from the bottom
    coming = [*column[row::-1], *column[:row:-1]]
    return sum(map(bool, coming[: coming.index(own)])) if own in coming else 0


def rotations_to_column(board: Board, own: int) -> int:
    """The fewest rotations that bring n such pebbles in a row to the top of their column, or 0.

    Columns are read twice over. Here empty cells end a run.
    """
    n, found = columns_of(board), []
    for column in range(n):
        run = longest = end = 0
        for place, cell in enumerate([*board[column::n]] * 2, start=1):
            run = run + 1 if cell == own else 0
            if run > longest:
                longest, end = run, place
        if longest >= n:
            found.append((n - end) % (n + 3))
    return min(found, default=0)


def compared(distance: Callable[[Board, int], int], board: Board, player: int) -> int:
    """The opponent's distance minus the own; as coded, turned round if one of them is 0.

    That stands for "no way at all", too: then who has a way is ahead, the more so the longer it is.
    """
    own, opponents = (distance(board, cell) for cell in (mark(player), -mark(player)))
    return opponents - own if own and opponents else own - opponents


HEURISTICS = by_name(
    *(available_positions, check_rows, check_columns, check_diagonals),
    *(consecutive, distance_to_row, distance_to_column),
)

# The published program's weights: three of the seven count nothing. The report prints none.
PUBLISHED_WEIGHTS = (1, 0, 0, 0, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Weighted:
    """The heuristics added up, each with its weight, in their order above.

    Divided by n and by the sizes of all weights, so that no leaf is worth more than a win.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(HEURISTICS):
            raise ValueError(f"{len(self.weights)} weights; use {len(HEURISTICS)}, one a heuristic")
        if not all(map(isfinite, self.weights)) or not any(self.weights):
            raise ValueError(f"weights {self.weights}; use finite numbers that are not all 0")

    def __call__(self, board: Board, player: int) -> float:
        weighted = zip(self.weights, HEURISTICS.values(), strict=True)
        value = sum(w * _value(each, tuple(board), player) for w, each in weighted if w)
        return value / (columns_of(board) * sum(map(abs, self.weights)))


@lru_cache(1 << 16)  # games go round in circles, and evaluators share their heuristics
def _value(heuristic: Evaluator, board: Board, player: int) -> float:
    return heuristic(board, player)


def weighing(**weights: float) -> Weighted:
    return Weighted(tuple((dict.fromkeys(HEURISTICS, 0.0) | weights).values()))


EVALUATORS = {
    **by_name(leaf_value),
    **HEURISTICS,
    **by_name(leaf_value_in_words, check_rows_in_words, check_columns_in_words),
    **by_name(consecutive_in_words, distance_to_row_in_words, distance_to_column_in_words),
}
