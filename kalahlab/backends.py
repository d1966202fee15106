"""Which backend searches: the textbook, which is there to be read, or the compiled engine.

Both walk the same tree, node for node. The textbook searches what the engine cannot. Names are
those of the functions; `-` may stand for `_`.
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
    name, quiet = type(game).__name__, getattr(type(game), "quiet", None)
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
"""Where a search of a game to a limit n stops: after n sows; after n turns; or at the first quiet
position after n sows, which not every game defines (`ValueError`)."""

MOST_TIES = (1 << 63) - 1  # the largest seed: a table of rows holds no larger number
MOST_LIMIT = 10**9
DEEPEST = 1000  # searches are recursive, which Python limits
THINKING = 0.9  # the share of its time that a player searches


def check_evaluator(name: str, evaluator: Evaluator, kind: GameType, start: Any = None) -> None:
    """Ask an evaluator of one's own before it is searched with, in plain Python.

    `ValueError` if it cannot be called or gives no number. What it raises itself is left to the
    search, which says where. One whose two values have the wrong sign is noted on stderr.
    """
    if note := sign_note(name, evaluator, *(start or (kind.new(), kind.new().start()))):
        print(f"note: {note}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """A search by the names of its parts; an evaluator of None is the game's default.

        SearchSpec("scout", "e3", order="store_first").search(game, state, limit=6).move

    ties: the seed by which ties at the root are broken at random; None: the first best move
    wins. start: where one's own evaluator is asked first. `ValueError` for a name that is none.
    """

    algorithm: str = cast(str, None)  # has to be given
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
        found = evaluator(self.evaluator, self.game)
        if "." in (self.evaluator or "") and self.game in GAMES:
            check_evaluator(f"{self.evaluator}", found, GAMES[self.game], start)
        named("leaf", self.leaf, LEAVES)
        named("backend", self.backend, BACKENDS)
        if self.ties is not None and not -MOST_TIES <= self.ties <= MOST_TIES:
            raise ValueError(f"ties is {self.ties}; use a seed of at most {MOST_TIES}")

    @property
    def compiled(self) -> bool:
        return (
            (self.backend, self.game) == ("engine", "kalah")
            and self.leaf != "quiescence"
            and self.algorithm.replace("-", "_") in engine.ALGORITHMS
            and self.order.replace("-", "_") in ORDERS
        )

    def is_compiled_for(self, game: Game, state: Any) -> bool:
        """Return whether the engine searches; a game that derives from Kalah is the textbook's."""
        return self.compiled and not unknown_part(game, state)

    @property
    def searcher(self) -> Searcher:
        return self._searcher(self.compiled)

    def searcher_for(self, game: Game, state: Any) -> Searcher:
        """Return what searches a game: the engine if it is made for it, or else the textbook."""
        return self._searcher(self.is_compiled_for(game, state))

    def _searcher(self, compiled: bool) -> Searcher:
        known = BACKENDS["engine" if compiled else "textbook"]
        search = named("algorithm", self.algorithm, known)
        return search if search in known.values() else self._checked(search)

    def _checked(self, search: Searcher) -> Searcher:
        """Return a search of a user's own that checks its result; see `check_result`."""
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
        leaf = named("leaf", self.leaf, LEAVES)(game, limit)
        order = named("order", self.order, ORDERS)
        shuffled = order if self.ties is None else RandomTies(order, self.ties)
        return evaluator(self.evaluator, self.game), leaf, shuffled

    def search(
        self, game: Game, state: Any, limit: int, observer: Observer | None = None
    ) -> Result:
        """Search a position to a limit; the engine, if it searches, does not call the observer."""
        watcher = None if self.is_compiled_for(game, state) else observer
        args = self.search_args(game, limit)
        return self.searcher_for(game, state)(game, state, *args, watcher)


class Limit(NamedTuple):
    """What a search may spend on a move: a depth, nodes (`n`) or milliseconds (`ms`)."""

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
    """A limit as it is written: `6`, `5000n` or `1000ms`. `ValueError` for anything else."""
    if not (found := re.fullmatch(r"(\d+)(n|ms)?", text, re.ASCII)):
        raise ValueError(
            f"limit {text!r} is none; use a depth, nodes as 5000n or milliseconds as 1000ms"
        )
    if int(found[1]) == 0:
        raise ValueError(f"limit {text} finds no move; use 1 or more")
    if int(found[1]) > MOST_LIMIT:
        raise ValueError(f"limit {text} is more than anybody waits for; use {MOST_LIMIT} or less")
    return Limit(int(found[1]), found[2] or "")


TRIAL_NODES = 100_000  # that a search may visit one ply deep to be given a time


def check_limit(spec: SearchSpec, limit: Limit) -> None:
    """Raise `ValueError` if a search of a user's own cannot keep a limit of nodes or time.

    It is tried one ply deep from the start of its game: it must visit no more nodes than the limit,
    count them all, and for a time ask at each whether it is deep enough, as the clock is read then.
    """
    if not limit.unit or spec.algorithm.replace("-", "_") in ALGORITHMS:
        return
    asked, depth, counters = 0, Depth(1), list[Counter]()
    most = min(limit.nodes, TRIAL_NODES)

    def deep_enough(node: Node) -> bool:
        nonlocal asked
        asked += 1
        return depth(node)

    def on_visit(counter: Counter) -> None:
        if all(each is not counter for each in counters):
            counters.append(counter)
        if sum(each.spent for each in counters) > most:
            raise Stopped

    deep_enough.on_visit = on_visit  # type: ignore[attr-defined]  # see `Counter`
    game = game_type(spec.game).new()
    judge, _, order = spec.search_args(game, 1)
    cannot = f"algorithm {spec.algorithm} cannot keep the limit {limit}: it"
    try:
        counts = spec.searcher(game, game.start(), judge, deep_enough, order).counts
    except Stopped:
        message = f"{cannot} visits more than {most:,} nodes to look one ply ahead; give it a depth"
        raise ValueError(message) from None
    visited = sum(each.counts().visited for each in counters)
    if counts.visited > visited or not visited:
        use = "walk the tree that @searcher gives it, or give it a depth"
        raise ValueError(f"{cannot} visits nodes that are not counted; {use}")
    if limit.unit == "ms" and asked + counts.recalled < visited:
        use = "call it at each node, or give it a depth"
        raise ValueError(f"{cannot} calls tree.deep_enough {asked} times at {visited} nodes; {use}")


def search_within(
    spec: SearchSpec,
    limit: Limit,
    game: Any,
    state: Any,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Iterator[Result]:
    """What the search finds within a limit, the last result being the best.

    To a depth there is one result. Under nodes or a clock it deepens: to depth 1, 2, 3 and so
    on. Nodes are those entered, of all depths together; a search that would need more is given
    up, so that both backends give the same results. Under a clock the textbook gives a search
    up in its middle; the engine cannot, and begins none that might not end in time.
    """
    if limit.unit == "":
        yield spec.search(game, state, limit.number, observer)
    elif not spec.is_compiled_for(game, state):
        until = clock() + THINKING * limit.seconds
        judge, leaf, sorting = spec.search_args(game, 1)
        search, args = (
            spec.searcher_for(game, state),
            (game, state, judge, until, sorting, observer),
        )
        spends: Any = {"unit": leaf.unit, "clock": clock, "max_nodes": limit.nodes}
        yield from deepening(search, *args, **spends)
    else:
        nodes, before, now = 0, None, clock()
        until = now + THINKING * limit.seconds
        for depth in count(1):  # until a deeper search finds nothing more to search
            result = spec.search(game, state, depth)
            nodes += result.counts.visited
            if limit.unit == "n" and nodes > limit.number:
                return
            yield result
            last, now = now, clock()
            # a sow deeper costs as many times as much as there are pits, at the most
            if result.counts == before or now + game.pits * (now - last) >= until:
                return
            before = result.counts
