"""Notebook 11: crowding, F, the depth of a budget, and a factor that is the same at all leaves."""

from random import Random

from kalahlab.evaluators.cards import WEIGHTS, factors, report
from kalahlab.exercises.model import exercises, same_set
from kalahlab.games.cards import PROGRAM, USER, Cards, cell_name, parse_position, removed
from kalahlab.play import random_position
from kalahlab.published.cards import odd_depth, widths
from kalahlab.search import depth_for_budget

GAME = Cards()
BEFORE = parse_position("8u,.,.,./.,.,.,./.,.,3p,./.,.,.,. 2,3,5,13 2,5,8,13 user")
AFTER = GAME.play(BEFORE, (5, 5))
BUDGET = 10_000


def lost() -> list[str]:
    """The cells whose card goes when the user puts 5 on b2."""
    return [cell_name(4, cell) for cell in removed(BEFORE.board, AFTER.board)]


def own_e() -> float:
    """E of the user after the move."""
    return sum(w * f for w, f in zip(WEIGHTS, factors(AFTER.board, USER), strict=True))


def more_in_hand() -> int:
    """N1 of the program minus N1 of the user, three moves after both had three cards."""
    start = random_position(Cards(first=PROGRAM), Random(0), 4)
    for _ in range(3):
        start = GAME.play(start, GAME.moves(start)[0])
    own, other = (factors(start.board, player).n1 for player in (PROGRAM, USER))
    return int(own - other)


EXERCISES = exercises(
    {
        "11.1": lambda: [lost(), ["a1", "b2", "c3"], [], ["a1"]],
        "11.2": lambda: [
            int(report(AFTER.board, USER)),
            -int(report(AFTER.board, USER)),
            own_e(),
            int(report(AFTER.board, USER)) + 6,
        ],
        "11.3": lambda: [
            odd_depth(BUDGET, widths(12, 3, 3)).limit,
            depth_for_budget(BUDGET, widths(12, 3, 3)).limit - 1,
            1,
            odd_depth(100 * BUDGET, widths(12, 3, 3)).limit,
        ],
        "11.4": lambda: [more_in_hand(), 0, 1],
    },
    same={"11.1": same_set},
)
