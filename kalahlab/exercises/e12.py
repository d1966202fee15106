"""Notebook 12: what a shallow search plays, and what that loses under perfect play."""

from kalahlab.evaluators.kalah import store_difference
from kalahlab.exercises.model import exercises
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


EXERCISES = exercises(
    {
        "12.1": lambda: [played() + 1, best() + 1, min(worth(), key=lambda pit: worth()[pit]) + 1],
        "12.2": lambda: [regret(), -regret(), int(worth()[best()] + worth()[played()])],
        "12.3": lambda: [3 + 5 - 1, 3 + 5 + 1, 3 - 5 + 1, 5 - 1],
    }
)
