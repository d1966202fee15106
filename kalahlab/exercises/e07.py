"""The exercises of notebook 07: what a move gives up, and how sure a difference is."""

from functools import cache
from statistics import fmean

from kalahlab.evaluators.fitted import FIT, fitted
from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.kalah import SOUTH, Kalah, State
from kalahlab.judging.judged import Judged, read
from kalahlab.judging.regret import chance
from kalahlab.matches.rating import mean_of

ONE, OTHER = (0.0, 10.0, 20.0, 31.0), (1.0, 11.0, 21.0, 32.5)
"""The regrets of two evaluators in the same four positions."""

BEFORE = State((0, 0, 2, 0, 0, 1, 10, 1, 1, 1, 1, 1, 1, 10), SOUTH)
"""A position in which a sow of the last pit changes no capture."""


@cache
def shown() -> Judged:
    """The position that the page shows: the first judged one under the standard rules."""
    return next(row for row in read() if row.rules == "standard")


def worths() -> list[int]:
    """What its moves are worth, from the left."""
    return [worth for worth in shown().moves if worth is not None]


def regrets() -> list[int]:
    """What they give up."""
    return [shown().regret(pit) for pit, worth in enumerate(shown().moves) if worth is not None]


def differences() -> list[float]:
    """How much more the other evaluator gives up, position by position."""
    return [other - one for one, other in zip(ONE, OTHER, strict=True)]


def gained() -> float:
    """How `fitted` changes for South when it plays the last pit of `BEFORE`."""
    after = Kalah(6, 6).play(BEFORE, 5)
    return float(fitted(after.board, SOUTH) - fitted(BEFORE.board, SOUTH))


EXERCISES = (
    Exercise(
        "7.1",
        answer=regrets,
        hint="Find the best move first. Then subtract the value of each move from its value.",
        solution="The best move is pit 5, worth 0. The others are worth −4, so they give up "
        "0 − (−4) = 4 stones each: **{answer}**.",
        mistakes=(
            Mistake(worths, "Those are the values of the moves. A regret is never negative."),
            Mistake(
                lambda: [regret for regret in regrets() if regret],
                "The best move has a regret, too: it gives up nothing.",
            ),
        ),
    ),
    Exercise(
        "7.2",
        answer=lambda: chance([shown()])[0],
        hint="At random, each of the three moves is as likely as the others.",
        solution="The three regrets are 4, 4 and 0, and their mean is **{answer:.3f}** stones.",
        mistakes=(
            Mistake(
                lambda: fmean(regret for regret in regrets() if regret),
                "That is the mean of the wrong moves. A move at random may be the best one.",
            ),
            Mistake(lambda: sum(regrets()), "That is the sum. Divide it by the number of moves."),
            Mistake(
                lambda: sum(regrets()) / 6,
                "Three pits are empty. They cannot be played, so they do not count.",
            ),
        ),
    ),
    Exercise(
        "7.3",
        answer=lambda: mean_of(differences()).low,
        hint="Take the four differences. The low end is their mean less 3.182 · s / √4, where s is "
        "their standard deviation (divide by n − 1).",
        solution="The differences are 1, 1, 1 and 1.5. Their mean is 1.125 and s = 0.25, so the "
        "interval begins at 1.125 − 3.182 · 0.25 / 2 = **{answer:.3f}**. It does not hold 0: the "
        "second evaluator gives up more. The regrets themselves differ by up to 31 stones from "
        "position to position, and that does not matter, because each position is compared with "
        "itself.",
        mistakes=(
            Mistake(lambda: mean_of(differences()).mean, "That is the mean, not the low end."),
            Mistake(lambda: mean_of(differences()).high, "That is the high end."),
            Mistake(
                lambda: mean_of(OTHER).low - mean_of(ONE).low,
                "Build the differences first, position by position, and one interval from them.",
            ),
        ),
    ),
    Exercise(
        "7.4",
        answer=gained,
        hint="List the features of South that change: the store, `stones_1`, and two more.",
        solution="The store has one stone more (+1) and pit 6 one less (−0.867). Pit 6 is empty "
        "now, so `mobility` falls by 1 (−2.004), and so does `extra_turns`, whose weight is "
        "negative (+0.508). The change is **{answer:.3f}** stones. South moves again, so a search "
        "looks further before it uses a static value.",
        mistakes=(
            Mistake(lambda: 1, "That is the store alone. The stone left a pit."),
            Mistake(
                lambda: 1 - FIT["weights"]["stones_1"],
                "Pit 6 is empty now. Which features count pits?",
            ),
            Mistake(
                lambda: 1 - FIT["weights"]["stones_1"] - FIT["weights"]["mobility"],
                "Before the move, the sow of pit 6 ended in the store. One more feature changes.",
            ),
        ),
    ),
)
