"""Which backend searches: the textbook, which is there to be read, or the compiled engine.

    spec = SearchSpec("alpha_beta", "e3", order="store_first")
    result = spec.search(Kalah(), state, limit=8)

Both walk the same tree, node for node. The engine searches what it can, the textbook all the
rest; `SearchSpec.compiled` says which. Everything is named as its function is; `-` may stand
for `_`.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import evaluator
from kalahlab.games import Game
from kalahlab.names import named
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.search.deep_enough import Depth, Quiescence
from kalahlab.search.deepening import deepening
from kalahlab.search.model import Result
from kalahlab.search.tree import Order, Searcher

Clock = Callable[[], float]
"""The time now, in seconds."""

BACKENDS = ("engine", "textbook")


def _quiescence(game: Any, limit: int) -> Quiescence:
    if not hasattr(game, "quiet"):
        raise ValueError(f"{type(game).__name__} has no quiet positions; use the leaf sow or turn")
    return Quiescence(game.quiet, limit)


LEAVES: dict[str, Callable[[Game, int], Depth | Quiescence]] = {
    "sow": lambda game, limit: Depth(limit),
    "turn": lambda game, limit: Depth(limit, "turn"),
    "quiescence": _quiescence,
}
"""Leaf policies: where a search of a game to a limit stops.

After so many sows; after so many turns, however many sows they have; or at the first quiet
position after so many sows, which not every game can tell (`ValueError`).
"""

THINKING = 0.9
"""The share of its time that a player searches; the rest is for what else a move takes."""


def algorithm(name: str) -> Searcher:
    """A search of the textbook, as `alpha_beta`."""
    return named("algorithm", name, ALGORITHMS)


def order(name: str) -> Order:
    """A move order, as `store_first`."""
    return named("order", name, ORDERS)


def leaf_policy(name: str) -> Callable[[Game, int], Depth | Quiescence]:
    """A leaf policy, as `turn`: a function of the game and the limit."""
    return named("leaf", name, LEAVES)


def check_backend(name: str) -> None:
    """Raise `ValueError` for a name that is no backend."""
    if name not in BACKENDS:
        raise ValueError(f"unknown backend {name!r}; use one of {', '.join(BACKENDS)}")


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """A search by the names of its parts; an evaluator of None is the game's default.

    `ValueError` for a name that is none.
    """

    algorithm: str
    evaluator: str | None
    leaf: str = "sow"
    order: str = "pit"
    backend: str = "engine"
    game: str = "kalah"

    def __post_init__(self) -> None:
        algorithm(self.algorithm)
        evaluator(self.evaluator, self.game)
        order(self.order)
        leaf_policy(self.leaf)
        check_backend(self.backend)

    @property
    def compiled(self) -> bool:
        """Whether the engine searches: it is asked to, and can."""
        if self.backend != "engine" or self.game != "kalah" or self.leaf == "quiescence":
            return False
        if self.algorithm.replace("-", "_") not in engine.ALGORITHMS:
            return False
        return self.order.replace("-", "_") in ORDERS

    @property
    def searcher(self) -> Searcher:
        """The search."""
        if self.compiled:
            return engine.ALGORITHMS[self.algorithm.replace("-", "_")]
        return algorithm(self.algorithm)

    def search_args(self, game: Game, limit: int) -> tuple[Evaluator, Depth | Quiescence, Order]:
        """What a search of the game is given besides it and a state."""
        leaf = leaf_policy(self.leaf)(game, limit)
        return evaluator(self.evaluator, self.game), leaf, order(self.order)

    def search(self, game: Game, state: Any, limit: int) -> Result:
        """Search a position to a limit."""
        return self.searcher(game, state, *self.search_args(game, limit))


class Limit(NamedTuple):
    """What a search may spend on a move: a depth, nodes (`n`) or milliseconds (`ms`)."""

    number: int
    unit: str = ""

    @property
    def seconds(self) -> float:
        """The time that there is for a move; infinite if the limit is none of time."""
        return self.number / 1000 if self.unit == "ms" else float("inf")


def parse_limit(text: str) -> Limit:
    """A limit as it is written: `6`, `5000n` or `1000ms`. `ValueError` for anything else."""
    found = re.fullmatch(r"(\d+)(n|ms)?", text, re.ASCII)
    if not found:
        raise ValueError(
            f"limit {text!r} is none; use a depth, nodes as 5000n or milliseconds as 1000ms"
        )
    if int(found[1]) == 0:
        raise ValueError(f"limit {text} finds no move; use 1 or more")
    return Limit(int(found[1]), found[2] or "")


def search_within(
    spec: SearchSpec, limit: Limit, game: Any, state: Any, clock: Clock = time.monotonic
) -> Iterator[Result]:
    """What the search finds within a limit, the last result being the best.

    To a depth there is one result. Under nodes or a clock it deepens: to depth 1, 2, 3 and so
    on. Nodes are those entered, of all depths together; a search that would need more is given
    up, so that both backends give the same results. Under a clock the textbook gives a search
    up in its middle; the engine cannot, and begins none that might not end in time.
    """
    if limit.unit == "":
        yield spec.search(game, state, limit.number)
    elif not spec.compiled:
        until = clock() + THINKING * limit.seconds
        if limit.unit == "n":  # a clock that goes on by one at each node
            until, clock = limit.number, count().__next__
        judge, leaf, sorting = spec.search_args(game, 1)
        yield from deepening(
            spec.searcher, game, state, judge, until, sorting, unit=leaf.unit, clock=clock
        )
    elif limit.unit == "n":
        yield from _compiled_within_nodes(spec, limit.number, game, state)
    else:
        yield from _compiled_within_time(spec, THINKING * limit.seconds, game, state, clock)


def _compiled_within_nodes(spec: SearchSpec, nodes: int, game: Any, state: Any) -> Iterator[Result]:
    for result in _ever_deeper(spec, game, state):
        nodes -= result.counts.visited
        if nodes < 0:
            return
        yield result


def _compiled_within_time(
    spec: SearchSpec, seconds: float, game: Any, state: Any, clock: Clock
) -> Iterator[Result]:
    began = last = clock()
    for result in _ever_deeper(spec, game, state):
        yield result
        now = clock()
        # a sow deeper costs as many times as much as there are pits, at the most
        if now + game.pits * (now - last) >= began + seconds:
            return
        last = now


def _ever_deeper(spec: SearchSpec, game: Any, state: Any) -> Iterator[Result]:
    """Depth 1, 2, 3, ... compiled, until a deeper search finds nothing more to search."""
    before = None
    for limit in count(1):
        result = spec.search(game, state, limit)
        yield result
        if result.counts == before:
            return
        before = result.counts
