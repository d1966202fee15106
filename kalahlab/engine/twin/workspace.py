"""What a walk reads and writes while it runs: one array of 64-bit words.

A recursive kernel hands each of its arguments down at every node, and an array is seven of
them; so everything that all nodes share lies in a single one, which is handed down as its
address: first the numbers below, then the regions, each found through the number that says
where it starts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.games.kalah import SOUTH, Kalah, State, in_play, pits_of, sowing_path

Slate = NDArray[np.int64]

EXPANDED, GENERATED, EVALUATED, CUTOFFS = range(4)
"""The counts, as `kalahlab.search.model.Counts` defines them."""

PITS, CAPTURE_EMPTY, TO_FINISHER, MOVER_ENDS, MAJORITY = range(4, 9)
"""The rules. A store above `MAJORITY` ends the game."""

MAX_PLAYER, BY_TURN, PRUNE, ORDER, PLIES = range(9, 14)
"""The search. `PLIES` is the number of sows that the regions have room for."""

MOVES, LOOKS, LINES, LENGTHS, BOARDS, SHOWN, SOWING = range(14, 21)
"""Where these start: the moves of each ply in the order in which they are tried; what an
order saw in them; the best line from each ply and its length; a board for each ply; the board
that an evaluator is shown; and how stones are sown, which is the position's own business."""

REGIONS = 21

NEVER = 1 << 62

SLACK = 8
"""Words that may be written behind the board that is shown."""

MOST_PLIES = 512
"""The longest line of play that is followed. The textbook half reaches about half of it."""


class Walk(NamedTuple):
    """How a tree is to be walked.

    limit, by_turn: the depth and whether it counts turns. prune: alpha-beta, else minimax.
    order: an index into `kalahlab.engine.twin.general_kernel.ORDERS`.
    """

    limit: int
    by_turn: bool
    prune: bool
    order: int


def new_slate(game: Kalah, state: State, walk: Walk, sowing: Slate) -> Slate:
    """The slate for a search of `state`, whose board is the first of `BOARDS`."""
    pits, plies, width = pits_of(state.board), most_plies(state, walk), len(state.board)
    sizes = (plies * pits, pits, plies * plies, plies + 1, (plies + 1) * width, width + SLACK)
    starts = REGIONS + np.cumsum((0, *sizes))
    slate = np.zeros(starts[-1] + sowing.size, np.int64)
    rules = game.rules
    slate[PITS:MAX_PLAYER] = (
        pits,
        rules.capture_empty,
        rules.rest_to == "finisher",
        rules.end == "mover",
        sum(state.board) // 2 if rules.early_stop else NEVER,
    )
    slate[MAX_PLAYER:MOVES] = state.player, walk.by_turn, walk.prune, walk.order, plies
    slate[MOVES:REGIONS] = starts
    boards, tables = starts[BOARDS - MOVES], starts[SOWING - MOVES]
    slate[boards : boards + width] = state.board
    slate[tables:] = sowing
    return slate


def most_plies(state: State, walk: Walk) -> int:
    """How long a line can get: each extra turn banks a stone, so they are limited too."""
    return min(walk.limit + in_play(state.board) * walk.by_turn, MOST_PLIES)


def paths(pits: int) -> Slate:
    """The paths of South's pits one after the other, 2m + 1 ring indices each."""
    return np.array([sowing_path(pits, SOUTH, pit) for pit in range(pits)], np.int64).ravel()
