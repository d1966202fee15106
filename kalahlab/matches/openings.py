"""Openings of matches: random positions of any game, and fair ones of Kalah.

A fair opening is a position near the start of Kalah(6, 4) from which perfect play ends in a draw.
The fair openings are read from `data/openings.csv`; `data/README.md` describes how that file is
made.
"""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from kalahlab import engine
from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import EMPTY_CAPTURE, Rules, format_rules, parse_rules
from kalahlab.games.supported import STORED
from kalahlab.names import lookup, parse_int
from kalahlab.notes import Note
from kalahlab.players.game_loop import random_opening, random_position
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first

PITS, STONES = 6, 4
RANDOM = "random:"  # begins the text of random starts; a seed follows
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


def _load_boards() -> dict[str, list[str]]:
    """Return the boards of the fair openings, by the first name of the rules."""
    boards: dict[str, list[str]] = {}
    for row in data_rows("openings.csv"):
        boards.setdefault(row["rules"], []).append(row["board"])
    return boards


def fair_openings(rules: str | Rules, number: int = NUMBER) -> list[State]:
    """Return the first `number` fair openings under rules, which may be a text.

    Raises:
        ValueError: The rules are unknown, or have fewer fair openings than `number`.
    """
    boards = _load_boards()
    name = format_rules(parse_rules(rules))
    if name not in boards:
        raise ValueError(
            f"fair openings are known for the rules {' and '.join(boards)}, not for {name}"
        )
    if not 1 <= number <= len(boards[name]):
        raise ValueError(f"openings is {number}; use 1 to {len(boards[name])} with {name} rules")
    return [parse_board(board) for board in boards[name][:number]]


def find_openings(rules: str | Rules, number: int = NUMBER) -> list[State]:
    """Return fair openings or, under rules that have none, nearly even ones; warn of these."""
    if format_rules(parse_rules(rules)) in _load_boards():
        return fair_openings(rules, number)
    return even_openings(rules, number)


def fairkalah_starts(rules: str | Rules = EMPTY_CAPTURE, number: int | None = None) -> list[State]:
    """Return starts of FairKalah, by default all: 323 with standard rules, 254 with empty capture.

    Fewer starts are taken at even distances, because boards that follow each other are similar.
    Source: Neller & Neller, FairKalah: Towards Fair Mancala Play, Computers and Games 2022.

    Raises:
        ValueError: There are fewer starts than `number`, or the rules are others.
    """
    name = format_rules(parse_rules(rules))
    boards = [row["board"] for row in data_rows("fairkalah.csv") if row["rules"] == name]
    if not boards:
        raise ValueError(
            f"the starts of FairKalah are fair by {' and '.join(STORED)} rules, not by {name}"
        )
    if number is None:
        number = len(boards)
    if not 1 <= number <= len(boards):
        raise ValueError(
            f"openings is {number}; use 1 to {len(boards)} starts of FairKalah with {name} rules"
        )
    return [parse_board(boards[index * len(boards) // number]) for index in range(number)]


def random_starts(rules: str | Rules, number: int, seed: int) -> list[State]:
    """Return different starts of Kalah(6, 4) with the stones in random pits, drawn by a seed."""
    game = Kalah(PITS, STONES, parse_rules(rules))
    rng = Random(seed)
    starts: dict[State, None] = {}  # a dictionary, as a set has no order
    while len(starts) < number:
        state = game.random_start(rng)
        if not game.is_over(state):
            starts[state] = None
    return list(starts)


def parse_starts(text: str) -> Callable[[str, int], list[State]]:
    """Return the function that returns openings: `fair`, `fairkalah` or `random:SEED`.

    It takes the rules and the number of openings.

    Raises:
        ValueError: The text is none of these.
    """
    if text.startswith(RANDOM):
        return partial(random_starts, seed=_parse_seed(text))
    functions = {"fair": find_openings, "fairkalah": fairkalah_starts}
    return lookup("starts", text, functions, ", or random:SEED")


def find_start(text: str, game: Kalah) -> State:
    """Return the start that a text names: `random:SEED` or `fairkalah:NUMBER`, from 1.

    A random start has the pits and stones of the game. A start of FairKalah depends on its rules.

    Raises:
        ValueError: The text is none of these, or there are fewer starts.
    """
    if text.startswith(RANDOM):
        return game.random_start(Random(_parse_seed(text)))
    name, _, number_text = text.partition(":")
    if name != "fairkalah":
        raise ValueError(f"unknown start {text!r}; use random:SEED or fairkalah:NUMBER")
    if (game.pits, game.stones) not in ((6, 4), (6, 0)):  # 0: the stones of a BOARD are not known
        raise ValueError(f"{text} is a start of Kalah(6, 4), not of Kalah{game.pits, game.stones}")
    starts = fairkalah_starts(game.rules)
    number = parse_int(number_text, "the number of a start")
    if not 1 <= number <= len(starts):
        raise ValueError(
            f"start {text!r} is unknown; use fairkalah:1 to fairkalah:{len(starts)} "
            f"with {game.rules} rules"
        )
    return starts[number - 1]


def _parse_seed(text: str) -> int:
    return parse_int(text.removeprefix(RANDOM), "the seed of random")


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


def even_openings(rules: str | Rules, number: int) -> list[State]:
    """Return openings: first the fair ones, then random ones that a search finds nearly even.

    A `Note` warns if the rules have no fair openings. The seed is fixed, so that each call with the
    same rules returns the same openings.
    """
    boards = _load_boards()
    name = format_rules(parse_rules(rules))
    if name not in boards:
        message = (
            f"fair openings are known for the rules {' and '.join(boards)}, not for {name}: a "
            f"search to depth {QUICK.limit} finds the openings of these games nearly even"
        )
        warnings.warn(message, Note, stacklevel=2)
    fair = [parse_board(board) for board in boards.get(name, [])[:number]]
    game = Kalah(PITS, STONES, parse_rules(rules))
    others = (state for _, state in iter_candidates(game, seed=1) if state not in fair)
    even = (state for state in others if is_nearly_even(game, state, QUICK))
    return [*fair, *islice(even, number - len(fair))]
