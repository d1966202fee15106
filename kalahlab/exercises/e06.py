"""The exercises of notebook 06: what the heuristic says of a board, and what few games say."""

from statistics import fmean

from scipy.stats import binom

from kalahlab.evaluators.kalah import staged
from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, stores

BOARD = (6, 0, 0, 3, 0, 2, 8, 9, 5, 9, 9, 10, 0, 11)
"""72 stones: South's pits and store, then North's."""

REGRETS = (8.0, 2.0, 0.0)
"""Of the equally good moves of a search, from the left."""


def extra_turns(player: int, first: int = 1) -> list[int]:
    """The pits that earn an extra turn, the leftmost being `first`."""
    game, state = Kalah(6, 6), State(BOARD, player)
    return [pit + first for pit in game.moves(state) if game.play(state, pit).player == player]


def filled() -> list[int]:
    """South's pits that hold stones."""
    return [pit for pit in range(1, 7) if BOARD[pit - 1]]


def terms(own: float, opp: float, extra: int) -> float:
    """Weighted stores, and 2 for each extra turn."""
    south, north = stores(BOARD)
    return own * south - opp * north + 2 * extra


def own_turns() -> int:
    """South's extra turns less North's."""
    return len(extra_turns(SOUTH)) - len(extra_turns(NORTH))


EXERCISES = (
    Exercise(
        "6.1",
        answer=lambda: extra_turns(SOUTH),
        hint="A sow ends in the store if the pit holds as many stones as the store is pits away: "
        "6 stones in the leftmost pit, 1 stone in the rightmost.",
        solution="Pit 1 holds 6 stones and pit 4 holds 3: both end in the store. Pit 6 holds 2, "
        "one too many. **{answer}**.",
        mistakes=(
            Mistake(lambda: extra_turns(SOUTH, first=0), "Pits are numbered from 1."),
            Mistake(filled, "Those are all pits with stones. Where does each sow end?"),
        ),
    ),
    Exercise(
        "6.2",
        answer=lambda: float(staged(BOARD, SOUTH)),
        hint="Take the stage first: how many stones has the opponent's store? Then the extra turns "
        "of both sides, then the empty pits.",
        solution="North's store holds 11, fewer than 12, so the stage is 0.75 · 8 − 11 = −5. "
        "South has two extra turns (+4), North has one, its pit 2 (−2). South has three empty "
        "pits, which changes nothing. The value is **{answer:.0f}**.",
        mistakes=(
            Mistake(
                lambda: terms(1, 0.6, own_turns()),
                "That is the offensive stage. It begins when the opponent has 12 stones.",
            ),
            Mistake(
                lambda: terms(0.75, 1, len(extra_turns(SOUTH))),
                "North has a pit that ends in its store, too.",
            ),
            Mistake(lambda: terms(0.75, 1, 0), "Those are the stores. Add the extra turns."),
            Mistake(
                lambda: terms(0.75, 1, own_turns()) - 10,
                "The 10 are subtracted only if more than 4 of the own pits are empty.",
            ),
        ),
    ),
    Exercise(
        "6.3",
        answer=lambda: float(binom.sf(3, 5, 0.5)),
        hint="Add the probabilities of 4 wins and of 5 wins out of 5.",
        solution="5 of the 32 equally likely results have 4 wins, and 1 has 5 wins: 6/32 = "
        "**{answer:.4f}**. Almost every fifth time, equal players give such a record.",
        mistakes=(
            Mistake(lambda: float(binom.pmf(4, 5, 0.5)), "5 wins are at least 4 wins, too."),
            Mistake(lambda: float(binom.pmf(5, 5, 0.5)), "That is the probability of 5 wins only."),
            Mistake(
                lambda: 0.5**4, "The lost game may be any of the five. Count the possible orders."
            ),
        ),
    ),
    Exercise(
        "6.4",
        answer=lambda: [fmean(REGRETS), REGRETS[0], REGRETS[-1]],
        hint="Pit order plays the leftmost of equal moves, store first the rightmost. At random, "
        "each of them is as likely.",
        solution="At random it is the mean of 8, 2 and 0, which is 10/3. In pit order it is 8, "
        "for pit 1. Store first it is 0, for pit 6. **{answer}**.",
        mistakes=(
            Mistake(
                lambda: [fmean(REGRETS), REGRETS[-1], REGRETS[0]],
                "Pit order tries the leftmost pit first, and the first of equal moves is played.",
            ),
            Mistake(
                lambda: [REGRETS[1], REGRETS[0], REGRETS[-1]],
                "That is the regret of the move in the middle. Take the mean of all three.",
            ),
            Mistake(
                lambda: [REGRETS[-1]] * 3,
                "The search holds these moves for equally good. It does not know their regrets.",
            ),
        ),
    ),
)
