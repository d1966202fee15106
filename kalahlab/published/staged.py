"""The worked tree of the staged-heuristic report, as printed.

The report shows part of a search of Kalah(6, 6), three sows into the game: A has played pit 0
and, with the extra turn, pit 2; B is MAX. Pits are counted from 0.
"""

from kalahlab.games.kalah import Kalah, State

GAME = Kalah(6, 6)

PRINTED_LEAVES = {0: (-1.25, -2.25, -2.25, -2.25, -2.25), 1: (-1.25, -2.25)}
"""The leaves' values below each of B's pits that is shown; after B1 it cuts, alpha at -2.25."""

PRINTED_MOVE = 0
"""B's choice: the first move worth -2.25."""


def worked_position() -> State:
    """The position that the printed search starts from, B (North) to move."""
    return GAME.play(GAME.play(GAME.start(), 0), 2)
