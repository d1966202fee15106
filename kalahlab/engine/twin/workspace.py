"""What a compiled search reads and writes while it runs: one array of 64-bit words.

A recursive kernel hands each of its arguments down at every node, and an array is seven of
them; so everything that all nodes share lies in a single one, which is handed down as its
address: first the numbers below, then the regions, each found through the number that says
where it starts.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.twin.algorithms import MINIMAX, Algorithm
from kalahlab.games.kalah import Kalah, State, in_play, pits_of

Workspace = NDArray[np.int64]

EVALUATION = "float64(int64[::1], int64)"
"""The signature of a compiled evaluator."""

GENERATED, EXPANDED, EVALUATED, CUTOFFS, RECALLED = range(5)
"""The counts, as `kalahlab.search.model.Counts` defines and orders them."""

COUNTS = 5
"""How many they are."""

PITS, CAPTURE_EMPTY, TO_FINISHER, MOVER_ENDS, MAJORITY = range(5, 10)
"""The rules. A store above `MAJORITY` ends the game."""

MAX_PLAYER, LIMIT, BY_TURN, ORDER, PRUNE, NULL_WINDOWS, PLIES, FOR_MOVER = range(10, 18)
"""The search. `PLIES` is the number of sows for which the regions have space, `FOR_MOVER` whether
the evaluator is asked for the player to move."""

ENTRIES, ENTRY_WORDS, KEY_WORDS, USED = range(18, 22)
"""The transposition table: its entries, a power of 2 or none; the words of an entry, and of
the part of it that tells positions apart; the entries in use."""

ROOT, MOVES, ORDER_SCORES, LEARNED, LINES, LENGTHS, BOARDS, BOARD, SOWING, TABLE = range(22, 32)
"""Where these start: the pits, from 1, in the order in which the root tries them, or zeros where
`ORDER` says it; the moves of each ply in the order in which they are tried; the scores they were
ordered by; what an order has learned; the best line from each ply and its length; a
board for each ply; the board that an evaluator is given; the tables of the position's own way
to sow; the transposition table."""

REGIONS = 32

NEVER = 1 << 62

SLACK = 8
"""Words that may be written behind the board that an evaluator is given."""

MAX_PLIES = 512
"""The longest line of play that is followed. The textbook reaches about half of it."""


class SearchSettings(NamedTuple):
    """How a tree is searched.

    limit, by_turn: the depth and whether it counts turns. order: its number in
    `kalahlab.search.ORDERS`. root: the pits in the order in which the root tries them, if it is
    another. for_mover: whether the evaluator is asked for the player to move.
    """

    limit: int
    by_turn: bool = False
    algorithm: Algorithm = MINIMAX
    order: int = 0
    root: Sequence[int] = ()
    for_mover: bool = False


def new_workspace(
    game: Kalah,
    state: State,
    settings: SearchSettings,
    sowing: Workspace,
    key_words: int = 0,
    entries: int = 0,
) -> Workspace:
    """The workspace for a search of `state`, whose board is the first of `BOARDS`.

    entries: of the transposition table, for a search that keeps one; a power of 2.
    """
    pits, width = pits_of(state.board), len(state.board)
    limit, by_turn, algorithm, order, root, for_mover = settings
    limit = min(limit, MAX_PLIES + 1)  # a node there is no leaf: its line is too long
    # each extra turn banks a stone, so they are limited too
    plies = min(limit + in_play(state.board) * by_turn, MAX_PLIES)
    entry_words = 3 + key_words + 2 * (plies // 4 + 1)
    starts = _starts(pits, width, plies, sowing.size)
    workspace = np.zeros(starts[-1] + entries * entry_words, np.int64)
    rules = game.rules
    workspace[PITS:REGIONS] = (
        *(pits, rules.capture_empty, rules.rest_to == "finisher", rules.end == "mover"),
        sum(state.board) // 2 if rules.early_stop else NEVER,
        *(state.player, limit, by_turn, order, algorithm.prune, algorithm.null_windows, plies),
        for_mover,
        *(entries, entry_words, key_words, 0),
        *starts,
    )
    workspace[starts[0] :][: len(root)] = [pit + 1 for pit in root]
    workspace[starts[BOARDS - ROOT] :][:width] = state.board
    workspace[starts[SOWING - ROOT] :][: sowing.size] = sowing
    return workspace


@cache
def _starts(pits: int, width: int, plies: int, sowing: int) -> tuple[int, ...]:
    """Where the regions start, from `ROOT` on."""
    ordering = (plies * pits, pits, 4 * plies + 2 * pits)
    boards = ((plies + 1) * width, width + SLACK, sowing)
    sizes = (REGIONS, pits, *ordering, plies * plies, plies + 1, *boards)
    return tuple(accumulate(sizes))
