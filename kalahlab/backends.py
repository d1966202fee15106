"""Choice of the backend of a search: the textbook, written to be read, or the compiled engine.

Both walk the same tree, node for node. The textbook does the searches that the engine cannot. Names
are those of the functions; `-` and `_` are the same in them.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import InitVar, dataclass
from functools import wraps
from itertools import count
from typing import Any, NamedTuple, cast

from kalahlab import engine
from kalahlab.engine.supported import unknown_part
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import evaluator
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES, GameType, game_type
from kalahlab.names import named
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.search.arguments import check_result, sign_note
from kalahlab.search.deep_enough import Depth, Quiescence
from kalahlab.search.deepening import deepening
from kalahlab.search.model import DeepEnough, Node, Result
from kalahlab.search.observer import Observer, Stopped
from kalahlab.search.tree import Counter, Order, RandomTies, Searcher, pit_order
from kalahlab.user_code import ENDS, exit_error

Clock = Callable[[], float]

BACKENDS = {"engine": engine.ALGORITHMS, "textbook": ALGORITHMS}


def _quiescence(game: Any, limit: int) -> Quiescence:
    name = type(game).__name__
    quiet = getattr(type(game), "quiet", None)
    if quiet is None:
        raise ValueError(f"{name} has no quiet positions; use the leaf sow or turn")
    if quiet is Kalah.quiet and type(game) is not Kalah:
        message = f"{name} has the quiet positions of Kalah, which may sow otherwise"
        raise ValueError(f"{message}; define its quiet, or use the leaf sow or turn")
    return Quiescence(game.quiet, limit)


LEAVES: dict[str, Callable[[Game, int], Depth | Quiescence]] = {
    "sow": lambda game, limit: Depth(limit),
    "turn": lambda game, limit: Depth(limit, "turn"),
    "quiescence": _quiescence,
}
"""The leaf rules of a search to a limit n: stop after n sows; after n turns; or at the first quiet
position after n sows, which not every game defines (`ValueError`)."""

MOST_TIES = (1 << 63) - 1  # the largest seed, as tables of rows contain 64-bit numbers
MOST_LIMIT = 10**9
DEEPEST = 1000  # the greatest depth: searches are recursive, and Python limits recursion
THINKING = 0.9  # the share of its time that a player spends on searching


def check_evaluator(name: str, evaluator: Evaluator, kind: GameType, start: Any = None) -> None:
    """Call a user's evaluator before a search does, in plain Python.

    A note is printed on stderr if its values for the two players have the wrong signs. An error
    that it raises itself is left to the search, which reports the position.

    Args:
        name: What the note calls it.
        evaluator: The function.
        kind: The type of game, which has the position if `start` has none.
        start: A game and a state; None for the start of a game.

    Raises:
        ValueError: It cannot be called with a board and a player, or returns no number.
    """
    game, state = start or (kind.new(), kind.new().start())
    note = sign_note(name, evaluator, game, state)
    if note:
        print(f"note: {note}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """A search, described by the names of its parts.

        SearchSpec("scout", "e3", order="store_first").search(game, state, limit=6).move

    Args:
        algorithm: The name of the algorithm; required.
        evaluator: The name of the evaluator; None for the default of the game.
        leaf: The name of the leaf rule.
        order: The name of the move order.
        backend: The name of the preferred backend.
        game: The name of the game.
        ties: The seed by which ties at the root are broken at random; None to play the first of the
            best moves.
        start: A game and a state for the first call of a user's evaluator.

    Raises:
        ValueError: A name is unknown, or `ties` is too large.
    """

    algorithm: str = cast(str, None)  # required; `named` reports None
    evaluator: str | None = None
    leaf: str = "sow"
    order: str = "pit"
    backend: str = "engine"
    game: str = "kalah"
    ties: int | None = None
    start: InitVar[tuple[Game, Any] | None] = None

    def __post_init__(self, start: tuple[Game, Any] | None) -> None:
        named("algorithm", self.algorithm, ALGORITHMS)
        named("order", self.order, ORDERS)
        function = evaluator(self.evaluator, self.game)
        if self.evaluator and "." in self.evaluator and self.game in GAMES:
            check_evaluator(self.evaluator, function, GAMES[self.game], start)
        named("leaf", self.leaf, LEAVES)
        named("backend", self.backend, BACKENDS)
        if self.ties is not None and not -MOST_TIES <= self.ties <= MOST_TIES:
            raise ValueError(f"ties is {self.ties}; use a seed of at most {MOST_TIES}")

    @property
    def compiled(self) -> bool:
        """True if the engine can search so, at least in a game of Kalah itself."""
        return (
            (self.backend, self.game) == ("engine", "kalah")
            and self.leaf != "quiescence"
            and self.algorithm.replace("-", "_") in engine.ALGORITHMS
            and self.order.replace("-", "_") in ORDERS
        )

    def is_compiled_for(self, game: Game, state: Any) -> bool:
        """Return whether the engine searches this position.

        A game that derives from Kalah is searched by the textbook.
        """
        return self.compiled and not unknown_part(game, state)

    @property
    def searcher(self) -> Searcher:
        """The search function, of the engine if it can search so."""
        return self._searcher(self.compiled)

    def searcher_for(self, game: Game, state: Any) -> Searcher:
        """Return the search function for a position: the engine's if it can, or the textbook's."""
        return self._searcher(self.is_compiled_for(game, state))

    def _searcher(self, compiled: bool) -> Searcher:
        algorithms = BACKENDS["engine" if compiled else "textbook"]
        search = named("algorithm", self.algorithm, algorithms)
        if search in algorithms.values():
            return search
        return self._checked(search)

    def _checked(self, search: Searcher) -> Searcher:
        """Return a user's search with a check of its result; see `check_result`."""
        name = f"algorithm {self.algorithm}"

        @wraps(search)
        def run(
            game: Game,
            state: Any,
            evaluator: Evaluator,
            deep_enough: DeepEnough,
            order: Order = pit_order,
            observer: Observer | None = None,
        ) -> Result:
            try:
                result = search(game, state, evaluator, deep_enough, order, observer)
            except ENDS as error:
                raise exit_error(name, error) from None
            return check_result(name, game, state, result)

        return run

    def search_args(self, game: Game, limit: int) -> tuple[Evaluator, Depth | Quiescence, Order]:
        """Return the evaluator, leaf rule and order, the arguments of a search to a limit."""
        deep_enough = named("leaf", self.leaf, LEAVES)(game, limit)
        order = named("order", self.order, ORDERS)
        if self.ties is not None:
            order = RandomTies(order, self.ties)
        return evaluator(self.evaluator, self.game), deep_enough, order

    def search(
        self, game: Game, state: Any, limit: int, observer: Observer | None = None
    ) -> Result:
        """Search a position to depth `limit`; the engine ignores the observer."""
        if self.is_compiled_for(game, state):
            observer = None
        args = self.search_args(game, limit)
        return self.searcher_for(game, state)(game, state, *args, observer)


class Limit(NamedTuple):
    """The limit of a search for a move: a depth, or nodes (unit `n`) or milliseconds (`ms`)."""

    number: int
    unit: str = ""

    @property
    def seconds(self) -> float:
        return self.number / 1000 if self.unit == "ms" else float("inf")

    @property
    def nodes(self) -> float:
        return self.number if self.unit == "n" else float("inf")

    def __str__(self) -> str:
        return f"{self.number}{self.unit}"


def parse_limit(text: str) -> Limit:
    """Parse a limit such as `6`, `5000n` or `1000ms`; raise `ValueError` for anything else."""
    match = re.fullmatch(r"(\d+)(n|ms)?", text, re.ASCII)
    if match is None:
        raise ValueError(
            f"limit {text!r} is none; use a depth, nodes as 5000n or milliseconds as 1000ms"
        )
    number, unit = int(match[1]), match[2] or ""
    if number == 0:
        raise ValueError(f"limit {text} finds no move; use 1 or more")
    if number > MOST_LIMIT:
        raise ValueError(f"limit {text} is more than anybody waits for; use {MOST_LIMIT} or less")
    return Limit(number, unit)


TRIAL_NODES = 100_000  # the most nodes that a search with a limit of time may visit at depth 1


def check_limit(spec: SearchSpec, limit: Limit) -> None:
    """Raise `ValueError` if a user's search cannot keep a limit of nodes or time.

    It is run to depth 1 from the start of its game. It must visit no more nodes than the limit and
    count them all. For a limit of time it must call `deep_enough` at each node, as the clock is
    read there.
    """
    if not limit.unit or spec.algorithm.replace("-", "_") in ALGORITHMS:
        return
    calls = 0
    depth = Depth(1)
    counters = list[Counter]()
    most_nodes = min(limit.nodes, TRIAL_NODES)

    def deep_enough(node: Node) -> bool:
        nonlocal calls
        calls += 1
        return depth(node)

    def on_visit(visiting: Counter) -> None:
        if all(counter is not visiting for counter in counters):
            counters.append(visiting)
        if sum(counter.spent for counter in counters) > most_nodes:
            raise Stopped

    deep_enough.on_visit = on_visit  # type: ignore[attr-defined]  # see `Counter`
    game = game_type(spec.game).new()
    judge, _, order = spec.search_args(game, 1)
    prefix = f"algorithm {spec.algorithm} cannot keep the limit {limit}: it"
    try:
        counts = spec.searcher(game, game.start(), judge, deep_enough, order).counts
    except Stopped:
        problem = f"visits more than {most_nodes:,} nodes to look one ply ahead"
        raise ValueError(f"{prefix} {problem}; give it a depth") from None
    visited = sum(counter.counts().visited for counter in counters)
    if counts.visited > visited or not visited:
        advice = "walk the tree that @searcher gives it, or give it a depth"
        raise ValueError(f"{prefix} visits nodes that are not counted; {advice}")
    if limit.unit == "ms" and calls + counts.recalled < visited:
        problem = f"calls tree.deep_enough {calls} times at {visited} nodes"
        raise ValueError(f"{prefix} {problem}; call it at each node, or give it a depth")


def search_within(
    spec: SearchSpec,
    limit: Limit,
    game: Any,
    state: Any,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Iterator[Result]:
    """Yield the results of a search within a limit; the last one is the best.

    With a depth there is one result. With nodes or time there is one for each depth from 1 that the
    limit allows. Nodes are those entered, added up over all depths. A search that needs more is
    given up, so that both backends give the same results. With a limit of time the textbook stops
    in the middle of a search; the engine cannot, and begins no search that might end too late.
    """
    if limit.unit == "":
        yield spec.search(game, state, limit.number, observer)
        return
    now = clock()
    end = now + THINKING * limit.seconds
    if not spec.is_compiled_for(game, state):
        judge, leaf, order = spec.search_args(game, 1)
        args = (game, state, judge, end, order, observer)
        spending: Any = {"unit": leaf.unit, "clock": clock, "max_nodes": limit.nodes}
        yield from deepening(spec.searcher_for(game, state), *args, **spending)
        return
    nodes = 0
    previous_counts = None
    for depth in count(1):
        result = spec.search(game, state, depth)
        nodes += result.counts.visited
        if limit.unit == "n" and nodes > limit.number:
            return
        yield result
        search_start, now = now, clock()
        # one sow more costs at most `game.pits` times as much
        is_out_of_time = now + game.pits * (now - search_start) >= end
        if is_out_of_time or result.counts == previous_counts:  # or nothing is cut off any more
            return
        previous_counts = result.counts
