"""Notebook 11: crowding, F, the depth of a budget, and a factor that is the same at all leaves."""

from random import Random
from typing import Any

from kalahlab.evaluators.cards import WEIGHTS, factors, report
from kalahlab.exercises.model import Exercise, Mistake
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


def same_cells(given: Any, right: Any) -> bool:
    """Whether a reader names the same cells, in whatever order."""
    return isinstance(given, (list, tuple, set)) and set(given) == set(right)


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


EXERCISES = (
    Exercise(
        "11.1",
        answer=lost,
        hint="For each of the three cards, add the cards on the cells around it.",
        solution=(
            "Around b2 lie a1 and c3: 5 + 8 + 3 = 16, which is more than 15. Around a1 lies only "
            "b2: 8 + 5 = 13. Around c3 lies only b2: 3 + 5 = 8. So **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: ["a1", "b2", "c3"],
                "Each card has a sum of its own. a1 and c3 are not neighbours.",
            ),
            Mistake(lambda: [], "Add up the card on b2 and both its neighbours."),
            Mistake(lambda: ["a1"], "Card 8 has only one neighbour. Look at the card between."),
        ),
        same=same_cells,
    ),
    Exercise(
        "11.2",
        answer=lambda: int(report(AFTER.board, USER)),
        hint="Write down the six factors of both players. The removed card counts in N2 alone.",
        solution=(
            "User: 8 + 18 + 8 + 13 + 3 − 6 · 1 = 44. Program: 3 + 28 + 3 + 13 + 4 − 0 = 51. "
            "So F is 44 − 51 = **{answer}**."
        ),
        mistakes=(
            Mistake(lambda: -int(report(AFTER.board, USER)), "Here F is seen from the user."),
            Mistake(own_e, "This is E of the user. Subtract E of the program."),
            Mistake(
                lambda: int(report(AFTER.board, USER)) + 6,
                "The user has lost a card, and this costs 6.",
            ),
        ),
    ),
    Exercise(
        "11.3",
        answer=lambda: odd_depth(BUDGET, widths(12, 3, 3)).limit,
        hint="Multiply 12 · 3, then 11 · 3, and so on, until the product is over the budget.",
        solution=(
            "36, 36 · 33 = 1,188, and 1,188 · 20 = 23,760. The third product is over the budget, "
            "and 3 is odd: depth **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: depth_for_budget(BUDGET, widths(12, 3, 3)).limit - 1,
                "The estimate stops one level later: after the product that is over the budget.",
            ),
            Mistake(
                lambda: 1, "The level that is over the budget counts. Only then is it rounded down."
            ),
            Mistake(
                lambda: odd_depth(100 * BUDGET, widths(12, 3, 3)).limit,
                "That needs a larger budget. Use up the cards in hand level by level.",
            ),
        ),
    ),
    Exercise(
        "11.4",
        answer=more_in_hand,
        hint="Who plays how many cards in three plies?",
        solution=(
            "The program plays two cards and the user one. So the program has 1 left and the user "
            "2: **{answer}** at every leaf. The search cannot choose by it."
        ),
        mistakes=(
            Mistake(lambda: 0, "This is so at the root. Count the cards after three plies."),
            Mistake(lambda: 1, "Who has more cards left: who played two, or who played one?"),
        ),
    ),
)
