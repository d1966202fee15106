"""Notebook 12: what a shallow search plays, and what that loses under perfect play."""

from kalahlab.evaluators.kalah import store_difference
from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.kalah import Kalah, State
from kalahlab.search import Depth, alpha_beta, minimax

GAME = Kalah(3, 2)
TRAP = State((1, 1, 2, 0, 1, 0, 1, 0), 0)
"""Three pits a side: a position in which the stone that can be had at once is a bad one."""

TO_THE_END = Depth(60)
"""More sows than a game with the six stones of `TRAP` can have."""


def worth() -> dict[int, float]:
    """The exact value of each of South's pits (from 0), as South's final margin."""
    found = {}
    for pit in GAME.moves(TRAP):
        after = GAME.play(TRAP, pit)
        value = minimax(GAME, after, store_difference, TO_THE_END).value
        found[pit] = value if after.player == TRAP.player else -value
    return found


def played(depth: int = 2) -> int:
    """The pit, from 0, that a search of so many sows chooses."""
    pit: int = alpha_beta(GAME, TRAP, store_difference, Depth(depth)).move
    return pit


def best() -> int:
    """The pit, from 0, of perfect play."""
    found = worth()
    return max(found, key=lambda pit: found[pit])


def regret() -> int:
    """What the search of two sows gives up."""
    return int(worth()[best()] - worth()[played()])


EXERCISES = (
    Exercise(
        "12.1",
        answer=lambda: played() + 1,
        hint="For each pit, find the reply that is worst for South. Then compare the stores.",
        solution=(
            "Pit 3 puts a stone into South's store, and North can answer with one: 0. After pit 2 "
            "North's pit 3 makes it −1. After pit 1 North captures three stones: −3. So the "
            "search sows pit **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: best() + 1,
                "This is the move of perfect play. Two sows ahead it looks worse than another.",
            ),
            Mistake(
                lambda: min(worth(), key=lambda pit: worth()[pit]) + 1,
                "After this move North can capture. The search sees that.",
            ),
        ),
    ),
    Exercise(
        "12.2",
        answer=regret,
        hint="Subtract the value of the move that was played from the value of the best move.",
        solution="The best move is worth +4 and pit 3 is worth −2: 4 − (−2) = **{answer}** stones.",
        mistakes=(
            Mistake(lambda: -regret(), "A regret is never negative. Begin with the best move."),
            Mistake(
                lambda: int(worth()[best()] + worth()[played()]),
                "Subtract the value from that of the best move. Minus a negative number is plus.",
            ),
        ),
    ),
    Exercise(
        "12.3",
        answer=lambda: 3 + 5 - 1,
        hint="A stone that North loses goes to South's margin. What does South's own regret do?",
        solution=(
            "North's regrets raise South's margin and South's lower it: 3 + 5 − 1 = **{answer}**."
        ),
        mistakes=(
            Mistake(lambda: 3 + 5 + 1, "South's own regret lowers South's margin."),
            Mistake(lambda: 3 - 5 + 1, "The regrets are added on the wrong sides."),
            Mistake(lambda: 5 - 1, "Add what the position was worth before these moves."),
        ),
    ),
)
