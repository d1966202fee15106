"""Notebook 10: Betsy's moves, a leaf value, and the correction of many comparisons."""

from kalahlab.exercises.model import exercises, same_set
from kalahlab.games.betsy import Betsy, State, parse_board, pebbles
from kalahlab.matches.rating import holm
from kalahlab.published.betsy import weighing

ON_THE_PAGE = parse_board(".x..o.ooxxxoxoxxoo", 3)
FULL_COLUMN = State(parse_board(".x..o..x.oo.xx.oo.", 3), 0, 40)

RIVALS, SMALLEST = 19, 0.02


def rival(row: float, column: float) -> float:
    """The value of the page's board for x by the two distances with these weights."""
    return float(weighing(distance_to_row=row, distance_to_column=column)(ON_THE_PAGE, 0))


EXERCISES = exercises(
    {
        "10.1": lambda: [pebbles(4), 4 * (4 - 3) // 2, 4 * (4 + 3)],
        "10.2": lambda: [
            list(Betsy(3).moves(FULL_COLUMN)),
            [1, -1, 2, -2, 3, -3],
            [1, -1, -2, 3, -3],
            [1, -1, 2, -2, 3],
            [1, 3],
        ],
        "10.3": lambda: [rival(2, 1), rival(1, 2), 3 * rival(2, 1), (2 * -2 + -3) / 9],
        "10.4": lambda: [holm([SMALLEST, *[1.0] * (RIVALS - 1)])[0], SMALLEST, SMALLEST / RIVALS],
    },
    same={"10.2": same_set},
)
