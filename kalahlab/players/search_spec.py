"""Choice of the backend of a search: the textbook, written to be read, or the compiled engine.

Both walk the same tree, node for node. The textbook does the searches that the engine cannot. Names
are those of the functions; `-` and `_` are the same in them.
"""

import sys
from collections.abc import Callable
from dataclasses import InitVar, dataclass
from functools import wraps
from typing import Any, cast

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import find_evaluator
from kalahlab.evaluators.validation import antisymmetry_note
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES, GameType
from kalahlab.games.supported import unknown_part
from kalahlab.names import lookup
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.search.arguments import check_result
from kalahlab.search.deep_enough import Depth, Quiescence
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, RandomTies, Searcher, pit_order
from kalahlab.user_code import ENDS, exit_error

BACKENDS = {"engine": engine.ALGORITHMS, "textbook": ALGORITHMS}


def _quiescence(game: Any, limit: int) -> Quiescence:
    name = type(game).__name__
    quiet = getattr(type(game), "is_quiet", None)
    if quiet is None:
        raise ValueError(f"{name} has no quiet positions; use the leaf sow or turn")
    if quiet is Kalah.is_quiet and type(game) is not Kalah:
        message = f"{name} has the quiet positions of Kalah, which may sow otherwise"
        raise ValueError(f"{message}; define its quiet, or use the leaf sow or turn")
    return Quiescence(game.is_quiet, limit)


LEAVES: dict[str, Callable[[Game, int], Depth | Quiescence]] = {
    "sow": lambda game, limit: Depth(limit),
    "turn": lambda game, limit: Depth(limit, "turn"),
    "quiescence": _quiescence,
}
"""The leaf rules of a search to a limit n: stop after n sows; after n turns; or at the first quiet
position after n sows, which not every game defines (`ValueError`)."""

MOST_TIES = (1 << 63) - 1  # the largest seed, as tables of rows contain 64-bit numbers
DEEPEST = 1000  # the greatest depth: searches are recursive, and Python limits recursion


def note_sign_of_evaluator(
    name: str, evaluator: Evaluator, kind: GameType, start: Any = None
) -> None:
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
    note = antisymmetry_note(name, evaluator, game, state)
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
        lookup("algorithm", self.algorithm, ALGORITHMS)
        lookup("order", self.order, ORDERS)
        function = find_evaluator(self.evaluator, self.game)
        if self.evaluator and "." in self.evaluator and self.game in GAMES:
            note_sign_of_evaluator(self.evaluator, function, GAMES[self.game], start)
        lookup("leaf", self.leaf, LEAVES)
        lookup("backend", self.backend, BACKENDS)
        if self.ties is not None and not -MOST_TIES <= self.ties <= MOST_TIES:
            raise ValueError(f"ties is {self.ties}; use a seed of at most {MOST_TIES}")

    @property
    def is_compiled(self) -> bool:
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
        return self.is_compiled and not unknown_part(game, state)

    @property
    def searcher(self) -> Searcher:
        """The search function, of the engine if it can search so."""
        return self._searcher(self.is_compiled)

    def searcher_for(self, game: Game, state: Any) -> Searcher:
        """Return the search function for a position: the engine's if it can, or the textbook's."""
        return self._searcher(self.is_compiled_for(game, state))

    def _searcher(self, compiled: bool) -> Searcher:
        algorithms = BACKENDS["engine" if compiled else "textbook"]
        search = lookup("algorithm", self.algorithm, algorithms)
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
        deep_enough = lookup("leaf", self.leaf, LEAVES)(game, limit)
        order = lookup("order", self.order, ORDERS)
        if self.ties is not None:
            order = RandomTies(order, self.ties)
        return find_evaluator(self.evaluator, self.game), deep_enough, order

    def search(
        self, game: Game, state: Any, limit: int, observer: Observer | None = None
    ) -> Result:
        """Search a position to depth `limit`; the engine ignores the observer."""
        if self.is_compiled_for(game, state):
            observer = None
        args = self.search_args(game, limit)
        return self.searcher_for(game, state)(game, state, *args, observer)
