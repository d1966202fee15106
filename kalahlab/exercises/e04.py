"""The exercises of notebook 04: what a value says, and what proves it."""

from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from kalahlab.engine.solver.exact import ExactSolver
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.kalah import Kalah, State
from kalahlab.judging.perfect import Solved, solved_openings


@cache
def opening(pits: int, stones: int) -> Solved:
    """A row of the table of solved games, under the standard rule."""
    [row] = [
        row
        for row in solved_openings()
        if (row.pits, row.stones, row.rules) == (pits, stones, "standard")
    ]
    return row


def final_stores(pits: int, stones: int) -> tuple[int, int]:
    """The stones of both players at the end of a perfect game."""
    total, margin = 2 * pits * stones, opening(pits, stones).value
    return (total + margin) // 2, (total - margin) // 2


def winning(first: int = 1) -> list[int]:
    """The pits of Kalah(6, 4) that win under perfect play, the leftmost being `first`."""
    moves = opening(6, 4).moves or ()
    return [pit for pit, value in enumerate(moves, start=first) if value > 0]


def worth(pit: int) -> int:
    """What a first move of Kalah(6, 4) is worth, pits from 1."""
    return (opening(6, 4).moves or ())[pit - 1]


class Asked:
    """Answers whether a value is at least so much, saying no more than it is asked."""

    nodes = 0

    def __init__(self, value: int) -> None:
        self.value, self.margins = value, list[int]()

    def bound(self, state: State, margin: int, limit: int = 0) -> int:
        """A bound that just answers whether the value is at least `margin`."""
        self.margins.append(margin)
        return margin if self.value >= margin else margin - 2

    def close(self) -> None:
        """Nothing is open."""


@cache
def questions() -> list[int]:
    """The margins that the solver asks for, of Kalah(6, 6) with its value."""
    game, asked = Kalah(6, 6), Asked(opening(6, 6).value)
    database = cast(Any, SimpleNamespace(stones=0))
    ExactSolver(game, database, asked, Ledger()).value(game.start())
    return asked.margins


EXERCISES = (
    Exercise(
        "4.1",
        answer=lambda: final_stores(3, 6),
        hint="The two stores hold all stones of the board, and their difference is the value.",
        solution="There are 2 · 3 · 6 = 36 stones. The first player has *x* of them, the second "
        "36 − *x*. The value is −8, so *x* − (36 − *x*) = −8 and *x* = 14: **{answer}**.",
        mistakes=(
            Mistake(
                lambda: final_stores(3, 6)[::-1],
                "A negative value means that the first player has fewer stones.",
            ),
            Mistake(
                lambda: (18 + opening(3, 6).value, 18 - opening(3, 6).value),
                "The value is the difference of the two stores. A stone that goes to the other "
                "store changes the difference by 2.",
            ),
        ),
    ),
    Exercise(
        "4.2",
        answer=winning,
        hint="A first move wins if its value is above 0.",
        solution="The values above 0 are those of the pits **{answer}**.",
        mistakes=(
            Mistake(lambda: winning(first=0), "Pits are numbered from 1."),
            Mistake(
                lambda: [1 + (opening(6, 4).moves or ()).index(opening(6, 4).value)],
                "That is the best move. Does no other move win, by fewer stones?",
            ),
        ),
    ),
    Exercise(
        "4.3",
        answer=lambda: opening(6, 4).value - worth(4),
        hint="Take the value of the best move, and subtract the value of pit 4.",
        solution="The best move is worth +8 and pit 4 is worth −2, so its regret is 8 − (−2) = "
        "**{answer}** stones.",
        mistakes=(
            Mistake(lambda: worth(4), "That is the value of the move, not its regret."),
            Mistake(
                lambda: opening(6, 4).value + worth(4),
                "The value of pit 4 is negative. To subtract it is to add its absolute value.",
            ),
        ),
    ),
    Exercise(
        "4.4",
        answer=questions,
        hint="Follow the loop of the listing: `lower` starts at −72, `upper` at 72, and no guess "
        "is given.",
        solution="The stones in play are even, so `even` is 0 and the first question is “at least "
        "0?”. Each yes raises the margin by 2. The first no ends the loop: **{answer}**.",
        mistakes=(
            Mistake(
                lambda: questions()[:-1],
                "These answers are all yes, so they prove only a lower bound.",
            ),
            Mistake(
                lambda: list(range(questions()[-1])),
                "All margins of Kalah(6,6) are even, because 72 is even.",
            ),
            Mistake(
                lambda: [questions()[-1] - 2, questions()[-1]],
                "These two answers prove the value. But the solver does not know the value when it "
                "starts.",
            ),
        ),
    ),
)
