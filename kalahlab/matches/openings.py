"""Openings of matches: random positions of any game, and fair ones of Kalah.

A fair opening is a position near the start of Kalah(6, 4) from which perfect play ends in a draw.
The fair openings are read from `data/openings.csv`; `data/README.md` describes how that file is
made.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from kalahlab import engine
from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import PRESETS, parse_rules
from kalahlab.players.game_loop import random_opening, random_position
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first

PITS, STONES = 6, 4
# The fewest and the most plies of an opening. A position after fewer plies takes long to solve.
PLIES = (5, 8)
NUMBER = 64  # the number of fair openings under each set of rules
# A search tests whether a position is nearly even. The script that makes `openings.csv` searches to
# depth `SCREENING`, to select positions that are worth solving. `even_openings` searches to depth
# `QUICK`, as a user waits for it.
SCREENING, QUICK = Depth(14), Depth(8)
MAX_LEAD = 2  # stones: the greatest value of a nearly even position in such a search


def random_openings(
    game: Game,
    number: int,
    plies: int,
    seed: int = 0,
    accepts: Callable[[Any], bool] = lambda state: True,
) -> Iterator[Any]:
    """Yield `number` different positions after `plies` random moves from the start.

    Positions in which the game is over, or that `accepts` refuses, are left out. The iterator never
    ends if the game has fewer positions than `number`.
    """
    rng = Random(seed)
    seen = set[Any]()
    while len(seen) < number:
        state = random_position(game, rng, plies)
        if state not in seen and not game.is_over(state) and accepts(state):
            seen.add(state)
            yield state


def fair_openings(rules: str, number: int = NUMBER) -> list[State]:
    """Return the first `number` openings under a preset of the rules.

    Raises:
        ValueError: There is no such preset, or it has fewer openings than `number`.
    """
    preset = parse_rules(rules)
    # `lookup` also accepts the name "empty_capture". So the rules are compared, not the names.
    boards = [row["board"] for row in data_rows("openings.csv") if PRESETS[row["rules"]] == preset]
    if not 1 <= number <= len(boards):
        raise ValueError(f"openings is {number}; use 1 to {len(boards)} with {rules} rules")
    return [parse_board(board) for board in boards[:number]]


def fairkalah_starts(number: int = 254) -> list[State]:
    """Return the first `number` starts of FairKalah, which are fair under empty capture.

    Source: Neller & Neller, FairKalah: Towards Fair Mancala Play, Computers and Games 2022.

    Raises:
        ValueError: There are fewer starts than `number`.
    """
    boards = [row["board"] for row in data_rows("fairkalah.csv")]
    if not 1 <= number <= len(boards):
        raise ValueError(f"openings is {number}; use 1 to {len(boards)} starts of FairKalah")
    return [parse_board(board) for board in boards[:number]]


def iter_candidates(game: Kalah, seed: int) -> Iterator[tuple[tuple[int, ...], State]]:
    """Yield the moves (pits) of random openings and the positions after them, without end.

    No position is yielded twice, and none in which the game is over.
    """
    rng = Random(seed)
    seen = set[str]()
    while True:
        moves, state = random_opening(game, rng, rng.randint(*PLIES))
        board = format_board(state)
        if board not in seen and not game.is_over(state):
            seen.add(board)
            yield tuple(moves), state


def is_nearly_even(game: Kalah, state: State, depth: Depth = SCREENING) -> bool:
    """Return whether a search finds that neither player leads by more than `MAX_LEAD`."""
    result = engine.alpha_beta(game, state, store_difference, depth, store_first)
    return abs(result.value) <= MAX_LEAD


def even_openings(rules: str, number: int) -> list[State]:
    """Return openings: first the fair ones, then random ones that a search finds nearly even.

    The seed is fixed, so that each call with the same rules returns the same openings.
    """
    fair = fair_openings(rules, min(number, NUMBER))
    game = Kalah(PITS, STONES, parse_rules(rules))
    others = (state for _, state in iter_candidates(game, seed=1) if state not in fair)
    even = (state for state in others if is_nearly_even(game, state, QUICK))
    return [*fair, *islice(even, number - len(fair))]
