"""Evaluators of Betsy: the seven heuristics of its program and their combination.

They are computed like in the program that was published with the Betsy report. The report describes
all heuristics but the diagonals, and prints no weights. Where its text differs from the program, a
second function follows the text: its name ends in `_in_words`. All evaluators are antisymmetric
except `consecutive` and those that contain it. "The top" are the n rows in which lines count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from kalahlab.evaluators import Evaluator, by_name
from kalahlab.games.betsy import columns_of, locate_line, mark

Board = Sequence[float]


def available_positions(board: Board, player: int) -> float:
    """Count lines of the top without pebbles of the opponent, minus those without own ones."""
    n = columns_of(board)
    # The lead counts lines with 0 own pebbles, minus lines with 0 of the opponent's. That is the
    # opposite of what is wanted.
    return -lead_in_lines(board, player, range(2 * n + 2), cells=n, least=0, most=0)


def check_rows(board: Board, player: int) -> float:
    """Count rows of the top with (n + 1) // 2 to n - 1 own pebbles, minus the opponent's."""
    n = columns_of(board)
    return lead_in_lines(board, player, range(n), cells=n, least=(n + 1) // 2, most=n - 1)


def check_rows_in_words(board: Board, player: int) -> float:
    """Count rows of the top with more than n / 2 own pebbles, minus the opponent's."""
    n = columns_of(board)
    return lead_in_lines(board, player, range(n), cells=n, least=n // 2 + 1, most=n)


def check_columns(board: Board, player: int) -> float:
    """Count whole columns with (n + 4) // 2 to n - 1 own pebbles, minus the opponent's."""
    n = columns_of(board)
    columns = range(n, 2 * n)
    return lead_in_lines(board, player, columns, cells=n + 3, least=(n + 4) // 2, most=n - 1)


def check_columns_in_words(board: Board, player: int) -> float:
    """Count columns with more than (n + 3) / 2 ("N+3/2") own pebbles, minus the opponent's."""
    n = columns_of(board)
    columns = range(n, 2 * n)
    return lead_in_lines(board, player, columns, cells=n + 3, least=(n + 3) // 2 + 1, most=n + 3)


def check_diagonals(board: Board, player: int) -> float:
    """Count own pebbles on the two diagonals of the top, minus the opponent's.

    The text of the report does not mention them. A middle cell that is on both counts twice.
    """
    n, pebble = columns_of(board), mark(player)
    diagonals = (2 * n, 2 * n + 1)
    return sum(
        count_pebbles(board, n, line, pebble, n) - count_pebbles(board, n, line, -pebble, n)
        for line in diagonals
    )


def consecutive(board: Board, player: int) -> float:
    """Return the longest own run in a column minus the opponent's; see `longest_run`.

    A run of n or more counts more: an own run counts twice, the opponent's three times.
    """
    n = columns_of(board)
    mine, theirs = longest_run(board, mark(player)), longest_run(board, -mark(player))
    if mine >= n:
        mine *= 2
    if theirs >= n:
        theirs *= 3
    return mine - theirs


def consecutive_in_words(board: Board, player: int) -> float:
    """Return twice the longest own run in a column minus three times the opponent's."""
    return 2 * longest_run(board, mark(player)) - 3 * longest_run(board, -mark(player))


def distance_to_row(board: Board, player: int) -> float:
    """Return the opponent's rotations to a full row minus the own; the negative if one is 0."""
    return distance_lead(rotations_to_row, board, player)


def distance_to_row_in_words(board: Board, player: int) -> float:
    """Return the opponent's rotations to a full row minus the own."""
    return rotations_to_row(board, -mark(player)) - rotations_to_row(board, mark(player))


def distance_to_column(board: Board, player: int) -> float:
    """Return the opponent's rotations to a full column minus the own; the negative if one is 0."""
    return distance_lead(rotations_to_column, board, player)


def distance_to_column_in_words(board: Board, player: int) -> float:
    """Return the opponent's rotations to a full column minus the own."""
    return rotations_to_column(board, -mark(player)) - rotations_to_column(board, mark(player))


def leaf_value(board: Board, player: int) -> float:
    """Return the program's leaf value: 2n(n + 3) for a full line, else the sum of four heuristics.

    The sum is (available positions + consecutive + distance to row + distance to column) / n.
    The program also divides the value by the number of moves made since the root. That makes no
    difference here: at a fixed depth it does not change the order of leaves, and of two wins it
    prefers the nearer one, as the game's margin does.
    """
    value = available_positions(board, player) + consecutive(board, player)
    value += distance_to_row(board, player) + distance_to_column(board, player)
    return full_line(board, player) or value / columns_of(board)


def leaf_value_in_words(board: Board, player: int) -> float:
    """Like `leaf_value`, but with the heuristics as the text describes them."""
    value = available_positions(board, player) + consecutive_in_words(board, player)
    value += distance_to_row_in_words(board, player) + distance_to_column_in_words(board, player)
    return full_line(board, player) or value / columns_of(board)


def full_line(board: Board, player: int) -> float:
    """Return 2n(n + 3) for an own full line of the top, minus it for the opponent's, 0 for both."""
    n, pebble = columns_of(board), mark(player)
    win = 2 * n * (n + 3)
    value = 0
    if _has_full_line(board, n, pebble):
        value += win
    if _has_full_line(board, n, -pebble):
        value -= win
    return value


def _has_full_line(board: Board, n: int, pebble: int) -> bool:
    return any(count_pebbles(board, n, line, pebble, n) == n for line in range(2 * n + 2))


def nothing(board: Board, player: int) -> float:
    """Return 0, so that a search sees only the wins within its depth."""
    return 0


# Helpers of the heuristics. `pebble` is 1 or -1, for the pebbles of one player; n is the number of
# columns.


def lead_in_lines(
    board: Board, player: int, lines: Sequence[int], cells: int, least: int, most: int
) -> int:
    """Count lines with `least` to `most` own pebbles, minus lines with so many of the opponent's.

    Args:
        board: The board.
        player: The player whose pebbles are the own ones.
        lines: The lines, numbered as in `locate_line`.
        cells: The number of cells of each line that are looked at, from its first cell on.
        least: The least number of pebbles for which a line counts.
        most: The largest number of pebbles for which a line counts.
    """
    n, pebble = columns_of(board), mark(player)
    difference = 0
    for line in lines:
        if least <= count_pebbles(board, n, line, pebble, cells) <= most:
            difference += 1
        if least <= count_pebbles(board, n, line, -pebble, cells) <= most:
            difference -= 1
    return difference


def count_pebbles(board: Board, n: int, line: int, pebble: int, cells: int) -> int:
    """Count the pebbles of one player in the first cells of a line; see `locate_line`."""
    start, step = locate_line(n, line)
    return board[start : start + cells * step : step].count(pebble)


def longest_run(board: Board, pebble: int) -> int:
    """Return the longest run of one player's pebbles in a column that is read twice from the top.

    As in the program, empty cells do not end a run. So two equal pebbles alone in a column, read
    twice, are a run of four.
    """
    n = columns_of(board)
    return max(_longest_run_in_column(tuple(board[column::n]), pebble) for column in range(n))


@lru_cache(1 << 14)  # there are few columns
def _longest_run_in_column(column: Board, pebble: int) -> int:
    pebbles = [cell for cell in column if cell]
    run = longest = 0
    for cell in pebbles * 2:
        run = run + 1 if cell == pebble else 0
        longest = max(longest, run)
    return longest


def rotations_to_row(board: Board, pebble: int) -> int:
    """Return the fewest rotations that fill a row of the top with one player's pebbles.

    Only rows without empty cells count; 0 if there is none. As in the program, a column without
    a pebble of this player costs nothing.
    """
    n = columns_of(board)
    totals = []
    for row in range(n):
        if 0 not in board[row * n : row * n + n]:
            columns = [tuple(board[column::n]) for column in range(n)]
            totals.append(sum(rotations(column, row, pebble) for column in columns))
    return min(totals, default=0)


@lru_cache(1 << 14)  # there are few columns
def rotations(column: Board, row: int, pebble: int) -> int:
    """Count the rotations of a column until a player's pebble lies in a row; 0 if it has none."""
    # A rotation moves each pebble down, and the lowest to the top. So the row gets its own cell
    # first, then the cells above it, then those of the column from the bottom.
    coming = [*column[row::-1], *column[:row:-1]]
    if pebble not in coming:
        return 0
    coming_before = coming[: coming.index(pebble)]
    return len([cell for cell in coming_before if cell])  # an empty cell needs no rotation


def rotations_to_column(board: Board, pebble: int) -> int:
    """Return the fewest rotations that bring a run of n pebbles to the top of its column.

    Return 0 if no column has n pebbles of this player in a run. Columns are read twice, from the
    top. Here, unlike in `longest_run`, empty cells end a run.
    """
    n = columns_of(board)
    distances = []
    for column in range(n):
        distance = _rotations_to_top(tuple(board[column::n]), pebble)
        if distance is not None:
            distances.append(distance)
    return min(distances, default=0)


@lru_cache(1 << 14)  # there are few columns
def _rotations_to_top(column: Board, pebble: int) -> int | None:
    """Return the rotations that bring a run of n pebbles to the top; None if there is no run."""
    n = len(column) - 3
    run = longest = end = 0
    for place, cell in enumerate([*column] * 2, start=1):
        run = run + 1 if cell == pebble else 0
        if run > longest:
            longest, end = run, place
    if longest < n:
        return None
    start = end - n  # the index of the first of the last n pebbles of the run
    # A rotation moves them down by one cell, and from the bottom to the top.
    return (-start) % (n + 3)


def distance_lead(distance: Callable[[Board, int], int], board: Board, player: int) -> int:
    """Return the opponent's distance minus the own; as in the program, the negative if one is 0.

    A distance of 0 also means that there is no way. Then the player who has a way is ahead, and
    oddly the more so the longer it is.
    """
    mine, theirs = distance(board, mark(player)), distance(board, -mark(player))
    if mine and theirs:
        return theirs - mine
    return mine - theirs


HEURISTICS = by_name(
    # In the order of `Weighted.weights`.
    *(available_positions, check_rows, check_columns, check_diagonals),
    *(consecutive, distance_to_row, distance_to_column),
)

# Heuristics of the program that the text of the report does not mention.
NOT_IN_TEXT = {"check_diagonals"}
# The weights of the published program: three of the seven are 0. The report prints none.
PUBLISHED_WEIGHTS = (1, 0, 0, 0, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Weighted:
    """The weighted sum of `HEURISTICS`, with the weights in their order.

    The sum is divided by n and by the sum of the absolute weights, so that no leaf exceeds a win.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(HEURISTICS):
            raise ValueError(f"{len(self.weights)} weights; use {len(HEURISTICS)}, one a heuristic")
        if not all(map(isfinite, self.weights)) or not any(self.weights):
            raise ValueError(f"weights {self.weights}; use finite numbers that are not all 0")

    def __call__(self, board: Board, player: int) -> float:
        cells = tuple(board)
        value = 0.0
        for weight, heuristic in zip(self.weights, HEURISTICS.values(), strict=True):
            if weight:
                value += weight * _value(heuristic, cells, player)
        return value / (columns_of(board) * sum(map(abs, self.weights)))


@lru_cache(1 << 16)  # positions recur in a game, and evaluators share their heuristics
def _value(heuristic: Evaluator, board: Board, player: int) -> float:
    return heuristic(board, player)


def weighing(**weights: float) -> Weighted:
    """Return the sum with a weight for each heuristic that is named, and 0 for all others."""
    all_weights = dict.fromkeys(HEURISTICS, 0.0) | weights
    return Weighted(tuple(all_weights.values()))


EVALUATORS = {
    **by_name(leaf_value),
    **HEURISTICS,
    **by_name(leaf_value_in_words, check_rows_in_words, check_columns_in_words),
    **by_name(consecutive_in_words, distance_to_row_in_words, distance_to_column_in_words),
}
