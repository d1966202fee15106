"""The exercises of notebook 06: what the heuristic says of a board, and what few games say."""

from statistics import fmean

from scipy.stats import binom

from kalahlab.evaluators.kalah import staged
from kalahlab.exercises.model import exercises
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


EXERCISES = exercises(
    {
        "6.1": lambda: [extra_turns(SOUTH), extra_turns(SOUTH, first=0), filled()],
        "6.2": lambda: [
            float(staged(BOARD, SOUTH)),
            terms(1, 0.6, own_turns()),
            terms(0.75, 1, len(extra_turns(SOUTH))),
            terms(0.75, 1, 0),
            terms(0.75, 1, own_turns()) - 10,
        ],
        "6.3": lambda: [
            float(binom.sf(3, 5, 0.5)),
            float(binom.pmf(4, 5, 0.5)),
            float(binom.pmf(5, 5, 0.5)),
            0.5**4,
        ],
        "6.4": lambda: [
            [fmean(REGRETS), REGRETS[0], REGRETS[-1]],
            [fmean(REGRETS), REGRETS[-1], REGRETS[0]],
            [REGRETS[1], REGRETS[0], REGRETS[-1]],
            [REGRETS[-1]] * 3,
        ],
    }
)
