"""Notebook 10: Betsy's moves, a leaf value, and the correction of many comparisons."""

from typing import Any

from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.betsy import Betsy, State, parse_board, pebbles
from kalahlab.matches.rating import holm
from kalahlab.published.betsy import weighing

ON_THE_PAGE = parse_board(".x..o.ooxxxoxoxxoo", 3)
FULL_COLUMN = State(parse_board(".x..o..x.oo.xx.oo.", 3), 0, 40)

RIVALS, SMALLEST = 19, 0.02


def same_moves(given: Any, right: Any) -> bool:
    """Whether a reader names the same moves, in whatever order."""
    return isinstance(given, (list, tuple, set)) and set(given) == set(right)


def rival(row: float, column: float) -> float:
    """The value of the page's board for x by the two distances with these weights."""
    return float(weighing(distance_to_row=row, distance_to_column=column)(ON_THE_PAGE, 0))


EXERCISES = (
    Exercise(
        "10.1",
        answer=lambda: pebbles(4),
        hint="Put n = 4 into the formula that fills the board, not into the printed one.",
        solution="n(n + 3)/2 = 4 · 7 / 2 = **{answer}**.",
        mistakes=(
            Mistake(lambda: 4 * (4 - 3) // 2, "This is the printed formula, which is a slip."),
            Mistake(lambda: 4 * (4 + 3), "These are all cells. Two players fill them."),
        ),
    ),
    Exercise(
        "10.2",
        answer=lambda: list(Betsy(3).moves(FULL_COLUMN)),
        hint="A drop needs an empty cell in its column. A rotation needs a pebble in its column.",
        solution=(
            "Column 1 has room and pebbles. Column 2 is full: it can only be rotated. Column 3 is "
            "empty: there can only be a drop. So **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: [1, -1, 2, -2, 3, -3], "Not every column allows both. Look at 2 and 3."
            ),
            Mistake(lambda: [1, -1, -2, 3, -3], "An empty column cannot be rotated."),
            Mistake(lambda: [1, -1, 2, -2, 3], "There is no room on a full column."),
            Mistake(lambda: [1, 3], "These are the drops. Columns can be rotated, too."),
        ),
        same=same_moves,
    ),
    Exercise(
        "10.3",
        answer=lambda: rival(2, 1),
        hint="Take the two distances from the table, add them with their weights, then divide.",
        solution="(2 · (−2) + 1 · 3) / (3 · (2 + 1)) = −1/9, which is **{answer:.3f}**.",
        mistakes=(
            Mistake(lambda: rival(1, 2), "The first weight is that of the distance to a row."),
            Mistake(
                lambda: 3 * rival(2, 1),
                "Divide by the number of columns and by the sum of the weights.",
            ),
            Mistake(
                lambda: (2 * -2 + -3) / 9, "These are the values in the text. Take the program's."
            ),
        ),
    ),
    Exercise(
        "10.4",
        answer=lambda: holm([SMALLEST, *[1.0] * (RIVALS - 1)])[0],
        hint="Holm's method multiplies the smallest p by the number of comparisons.",
        solution=(
            "19 · 0.02 = **{answer:.2f}**. This is far above 5 %, so the rival is not told apart "
            "from the program."
        ),
        mistakes=(
            Mistake(lambda: SMALLEST, "This is p before the correction."),
            Mistake(lambda: SMALLEST / RIVALS, "The correction makes p larger, not smaller."),
        ),
    ),
)
