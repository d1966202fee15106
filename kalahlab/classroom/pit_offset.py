"""The guess that a program counts its pits from one too high or too low a number."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from kalahlab.games.kalah import State, side

FEWEST = 5  # answers; fewer may be legal by chance
ILLEGAL = re.compile(r"(?:plays|which is) pit (-?\d+)|answers '(-?\d+)'; the first pit is (\d)")
RETURNED = re.compile(r"returns (-?\d+)")


class PitAnswer(NamedTuple):
    """A position, and the pit from 0 that a program has answered there, legal or not."""

    state: State
    pit: int

    def is_legal_less(self, number: int) -> bool:
        """Return whether the pit that is less by a number has stones."""
        stones = side(self.state.board, self.state.player)
        pit = self.pit - number
        return 0 <= pit < len(stones) and stones[pit] > 0


def read_pit(reason: str) -> int | None:
    """Return the pit, from 0, that the reason of a fault tells; None if it tells none."""
    if match := ILLEGAL.search(reason):
        return int(match[1]) - 1 if match[1] else int(match[2]) - int(match[3])
    match = RETURNED.search(reason)
    return int(match[1]) if match else None


def explain_offset(answers: Iterable[PitAnswer], first: int) -> str:
    """Return that all answers seem to be one too high or too low, "" if they do not.

    Args:
        answers: All answers of a program, one of which is illegal.
        first: The number that its first pit should have.
    """
    listed = [*answers]
    if len(listed) < FEWEST:
        return ""
    for number, word in ((1, "high"), (-1, "low")):
        if all(answer.is_legal_less(number) for answer in listed):
            return f"It seems to count pits from {first + number}: each answer is one too {word}"
    return ""
