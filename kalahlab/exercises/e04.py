"""The exercises of notebook 04: what a value says, and what proves it."""

from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from kalahlab.engine.solver.exact import ExactSolver
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.exercises.model import exercises
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


EXERCISES = exercises(
    {
        "4.1": lambda: [
            final_stores(3, 6),
            final_stores(3, 6)[::-1],
            (18 + opening(3, 6).value, 18 - opening(3, 6).value),
        ],
        "4.2": lambda: [
            winning(),
            winning(first=0),
            [1 + (opening(6, 4).moves or ()).index(opening(6, 4).value)],
        ],
        "4.3": lambda: [opening(6, 4).value - worth(4), worth(4), opening(6, 4).value + worth(4)],
        "4.4": lambda: [
            questions(),
            questions()[:-1],
            list(range(questions()[-1])),
            [questions()[-1] - 2, questions()[-1]],
        ],
    }
)
