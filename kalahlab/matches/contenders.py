"""Who plays in a match, by name: what searches, in which half, and how long it may think.

    contender("alpha_beta:e3:6")        six sows deep
    contender("alpha_beta:e3:5000n")    as deep as 5,000 nodes a move go
    contender("alpha_beta:e3:1000ms")   as deep as a second a move goes

Under nodes or a clock a player deepens: to depth 1, 2, 3 and so on. Nodes are those entered,
of all depths together; a search that would need more is given up, so that both halves play the
same moves. Under a clock the textbook half gives a search up in its middle; the compiled one
cannot, and begins none that might not end in time.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from kalahlab import catalogue, engine
from kalahlab.games.kalah import Kalah, State
from kalahlab.play import Clock, Player, parse_player, search_player
from kalahlab.search.deepening import deepening
from kalahlab.search.model import Result
from kalahlab.search.tree import Searcher

Look = Callable[[Kalah, State, int], Result]
"""A search of a position to a depth."""

HALVES = ("engine", "textbook")

THINKING = 0.9
"""The share of its time that a player thinks; the rest is for what else a move takes."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player, and the seconds that it has for a move (infinite: all it wants)."""

    player: Player
    seconds: float = float("inf")


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """What a contender searches with; the names are the catalogue's."""

    algorithm: str
    evaluator: str
    unit: str = "sow"
    order: str = "pit"
    half: str = "engine"

    def __post_init__(self) -> None:
        catalogue.algorithm(self.algorithm)
        self.asked(1)
        if self.half not in HALVES:
            raise ValueError(f"unknown half {self.half!r}; use one of {', '.join(HALVES)}")

    @property
    def compiled(self) -> bool:
        """Whether the engine searches: it is asked to, and can."""
        if self.half != "engine" or self.algorithm.replace("-", "_") not in engine.ALGORITHMS:
            return False
        if self.unit == "quiet":  # it asks the game, so is not compiled
            return False
        from kalahlab.engine.twin.general_kernel import ORDERS

        return self.order.replace("-", "_") in ORDERS

    @property
    def searcher(self) -> Searcher:
        """The search."""
        if self.compiled:
            return engine.ALGORITHMS[self.algorithm.replace("-", "_")]
        return catalogue.algorithm(self.algorithm)

    def asked(self, limit: int) -> tuple[Any, ...]:
        """What a search is given besides game and state."""
        return (
            catalogue.evaluator(self.evaluator),
            catalogue.depth(limit, self.unit),
            catalogue.order(self.order),
        )

    def look(self, game: Kalah, state: State, limit: int) -> Result:
        """Search a position to a depth."""
        return self.searcher(game, state, *self.asked(limit))

    def deepened(self, game: Kalah, state: State, until: float, clock: Clock) -> Iterator[Result]:
        """What the textbook half finds at depth 1, 2, 3, ... until the clock says `until`."""
        evaluator, depth, order = self.asked(1)
        return deepening(
            self.searcher, game, state, evaluator, until, order, unit=depth.unit, clock=clock
        )


def contender(text: str, half: str = "engine", clock: Clock = time.monotonic) -> Contender:
    """A contender as it is written: `ALGORITHM:EVALUATOR:LIMIT[:UNIT[:ORDER]]` or `random:SEED`.

    LIMIT: a depth, nodes a move (`5000n`), or milliseconds a move (`1000ms`). Raises
    `ValueError`, in one line, naming what is wrong and what is allowed.
    """
    name, *rest = text.split(":")
    if name == "random":
        return Contender(parse_player(text))
    if not 2 <= len(rest) <= 4:
        raise ValueError(
            f"player {text!r} is not ALGORITHM:EVALUATOR:LIMIT[:UNIT[:ORDER]] or random:SEED"
        )
    evaluator, limit, unit, order = (*rest, *("sow", "pit")[len(rest) - 2 :])
    mind = SearchSpec(name, evaluator, unit, order, half)
    number, what = _limit(text, limit)
    if what == "":
        return Contender(search_player(mind.searcher, *mind.asked(number)))
    if name == "greedy":
        raise ValueError(f"player {text!r} looks one ply ahead; give it the depth 1")
    if unit == "quiet":
        raise ValueError(f"player {text!r} deepens; use the unit sow or turn, or give it a depth")
    if what == "n":
        return Contender(_last(lambda game, state: _within_nodes(mind, game, state, number)))
    seconds = number / 1000
    if mind.compiled:
        for depth in (1, 4):  # what is compiled now is not compiled on the clock
            mind.look(Kalah(), Kalah().start(), depth)
    return Contender(
        _last(lambda game, state: _within_time(mind, game, state, THINKING * seconds, clock)),
        seconds,
    )


def _limit(text: str, limit: str) -> tuple[int, str]:
    found = re.fullmatch(r"(\d+)(n|ms)?", limit, re.ASCII)
    if not found:
        raise ValueError(
            f"player {text!r} has the limit {limit!r}; use a depth, nodes as 5000n or "
            "milliseconds as 1000ms"
        )
    if int(found[1]) == 0:
        raise ValueError(f"player {text!r} has the limit {limit}; use 1 or more")
    return int(found[1]), found[2] or ""


def _last(results: Callable[[Kalah, State], Iterator[Result]]) -> Player:
    """The player of the last result's move, of the first legal one if there is no result."""

    def player(game: Kalah, state: State) -> int:
        move = game.moves(state)[0]
        for result in results(game, state):
            move = result.move
        return int(move)

    return player


def _within_nodes(mind: SearchSpec, game: Kalah, state: State, nodes: int) -> Iterator[Result]:
    if not mind.compiled:
        # a clock that goes on by one at each node
        yield from mind.deepened(game, state, nodes, count().__next__)
        return
    for result in _ever_deeper(mind, game, state):
        nodes -= result.counts.visited
        if nodes < 0:
            return
        yield result


def _within_time(
    mind: SearchSpec, game: Kalah, state: State, seconds: float, clock: Clock
) -> Iterator[Result]:
    began = last = clock()
    if not mind.compiled:
        yield from mind.deepened(game, state, began + seconds, clock)
        return
    for result in _ever_deeper(mind, game, state):
        yield result
        now = clock()
        # a sow deeper costs as many times as much as there are moves, at the most
        if now + game.pits * (now - last) >= began + seconds:
            return
        last = now


def _ever_deeper(mind: SearchSpec, game: Kalah, state: State) -> Iterator[Result]:
    """Depth 1, 2, 3, ... compiled, until a deeper search finds nothing more to search."""
    before = None
    for limit in count(1):
        result = mind.look(game, state, limit)
        yield result
        if result.counts == before:
            return
        before = result.counts
