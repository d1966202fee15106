"""From where games are played: random positions of any game, and fair ones of Kalah.

Fair are positions near the start of Kalah(6, 4) from which perfect play ends in a draw. They are
read from `data/openings.csv`; `data/README.md` says how it is made.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from kalahlab import engine
from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games import Game
from kalahlab.games.kalah import PRESETS, Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.names import named
from kalahlab.play import random_line, random_position
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first

PITS, STONES = 6, 4
PLIES = (5, 8)  # how deep an opening is, in sows; nearer the start solving takes long
NUMBER = 64  # under each set of rules
SCREENING, QUICK = Depth(14), Depth(8)
MAX_LEAD = 2  # stones; with more after a search of that depth, a candidate is not solved


def random_openings(
    game: Game,
    number: int,
    plies: int,
    seed: int = 0,
    wanted: Callable[[Any], bool] = lambda state: True,
) -> Iterator[Any]:
    """Different positions `plies` random moves from the start, none over; endless if too few."""
    chance, seen = Random(seed), set[Any]()
    while len(seen) < number:
        state = random_position(game, chance, plies)
        if state not in seen and not game.over(state) and wanted(state):
            seen.add(state)
            yield state


def fair_openings(rules: str, number: int = NUMBER) -> list[State]:
    """The first openings under a preset of the rules; `ValueError` if there are fewer."""
    wanted = named("rules", rules, PRESETS)
    boards = [row["board"] for row in data_rows("openings.csv") if PRESETS[row["rules"]] == wanted]
    if not 1 <= number <= len(boards):
        raise ValueError(f"openings is {number}; there are 1 to {len(boards)} with {rules} rules")
    return [parse_board(board) for board in boards[:number]]


def candidates(game: Kalah, seed: int) -> Iterator[tuple[tuple[int, ...], State]]:
    """The pits played and the position of ever more random games, no position twice."""
    chance, seen = Random(seed), set[str]()
    while True:
        moves, state = random_line(game, chance, chance.randint(*PLIES))
        if (board := format_board(state)) not in seen and not game.over(state):
            seen.add(board)
            yield tuple(moves), state


def looks_even(game: Kalah, state: State, depth: Depth = SCREENING) -> bool:
    found = engine.alpha_beta(game, state, store_difference, depth, store_first)
    return abs(found.value) <= MAX_LEAD


def even_openings(rules: str, number: int) -> list[State]:
    """Any number: the fair openings under a preset of the rules, then ever more that look even."""
    fair = fair_openings(rules, min(number, NUMBER))
    game, seen = Kalah(PITS, STONES, PRESETS[rules]), set(fair)
    more = (state for _, state in candidates(game, seed=1) if state not in seen)
    even = (state for state in more if looks_even(game, state, QUICK))
    return [*fair, *islice(even, number - len(fair))]
