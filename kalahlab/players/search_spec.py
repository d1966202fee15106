"""Searches that are described by names, and the choice of their backend.

The backends are the textbook, which is written to be read, and the compiled engine. Both walk the
same tree, node for node. The textbook does the searches that the engine cannot do.

The names stand for functions. `-` and `_` are the same in a name.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import Any, cast

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import find_evaluator
from kalahlab.evaluators.validation import check_evaluator
from kalahlab.formatting import StableRepr
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES
from kalahlab.games.supported import unknown_part
from kalahlab.names import lookup
from kalahlab.search import ALGORITHMS, ORDERS, SEARCHES
from kalahlab.search.arguments import check_result
from kalahlab.search.deep_enough import Depth, Quiescence
from kalahlab.search.limits import Nodes, Seconds
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, RandomTies, Searcher, pit_order
from kalahlab.user_code import ENDS, exit_error

BACKENDS = {"engine": engine.ALGORITHMS, "textbook": ALGORITHMS}


def _quiescence(game: Any, limit: int) -> Quiescence:
    name = type(game).__name__
    is_quiet = getattr(type(game), "is_quiet", None)
    if is_quiet is None:
        raise ValueError(f"{name} has no quiet positions; use the leaf rule sow or turn")
    # A class that derives from Kalah must define its own `is_quiet`.
    if is_quiet is Kalah.is_quiet and type(game) is not Kalah:
        message = f"{name} has the quiet positions of Kalah, which may sow otherwise"
        raise ValueError(f"{message}; define its is_quiet, or use the leaf rule sow or turn")
    return Quiescence(game.is_quiet, limit)


LEAVES: dict[str, Callable[[Game, int], Depth | Quiescence]] = {
    "sow": lambda game, limit: Depth(limit),
    "turn": lambda game, limit: Depth(limit, "turn"),
    "quiescence": _quiescence,
}
"""The leaf rules of a search to a limit n.

`sow` stops after n sows, `turn` after n turns, and `quiescence` at the first quiet position after n
sows. `quiescence` raises `ValueError` for a game that does not define quiet positions.
"""

MAX_SEED = (1 << 63) - 1  # the largest value of `ties`, as tables of rows have 64-bit numbers
DEEPEST = 1000  # the greatest depth: searches are recursive, and Python limits recursion


@dataclass(frozen=True, slots=True, repr=False)
class SearchFunctions(StableRepr):
    """The functions that the names of a `SearchSpec` stand for.

    Attributes:
        textbook: The algorithm in Python. A user's algorithm is wrapped in a check of its result.
        compiled: The algorithm of the engine; None if the engine does not have this search.
        evaluator: The evaluator.
        make_leaf_rule: The function that makes the leaf rule of a game and a limit.
        order: The move order. With the seed `ties`, it breaks ties at the root at random.
    """

    textbook: Searcher
    compiled: Searcher | None
    evaluator: Evaluator
    make_leaf_rule: Callable[[Game, int], Depth | Quiescence]
    order: Order


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

    Attributes:
        functions: The functions that the names stand for. They are looked up once, so that this
            search stays the same if a name is given to another function later.

    Raises:
        ValueError: A name is unknown, or `ties` is too large.
    """

    # Required. Without a default, a missing name would be a TypeError of Python. With None,
    # `lookup` raises the error that lists the known algorithms.
    algorithm: str = cast(str, None)
    evaluator: str | None = None
    leaf: str = "sow"
    order: str = "pit"
    backend: str = "engine"
    game: str = "kalah"
    ties: int | None = None
    _functions: SearchFunctions | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # `object.__setattr__` writes to this frozen class, here and below.
        object.__setattr__(self, "_functions", self._look_up())

    def __reduce__(self) -> tuple[Any, ...]:
        """Return only the names for a pickle, as another process may not have the functions."""
        names = (self.algorithm, self.evaluator, self.leaf, self.order, self.backend, self.game)
        return _unpickle_spec, (*names, self.ties)

    @property
    def functions(self) -> SearchFunctions:
        # An unpickled spec has no functions: its process may have imported the user code later.
        if self._functions is None:
            object.__setattr__(self, "_functions", self._look_up())
        return cast(SearchFunctions, self._functions)

    def _look_up(self) -> SearchFunctions:
        algorithm = lookup("algorithm", self.algorithm, SEARCHES)
        order = lookup("order", self.order, ORDERS)
        evaluator = find_evaluator(self.evaluator, self.game)
        make_leaf_rule = lookup("leaf", self.leaf, LEAVES)
        lookup("backend", self.backend, BACKENDS)  # only checks the name
        if self.ties is not None and not -MAX_SEED <= self.ties <= MAX_SEED:
            raise ValueError(f"ties is {self.ties}; use a seed of at most {MAX_SEED}")
        compiled = None
        is_standard = self.leaf != "quiescence" and order in ORDERS.values()
        if (self.backend, self.game) == ("engine", "kalah") and is_standard:
            compiled = engine.ALGORITHMS.get(self.algorithm.replace("-", "_"))
        if algorithm not in SEARCHES.values():  # a user function
            algorithm = self._with_result_check(algorithm)
        if self.ties is not None:
            order = RandomTies(order, self.ties)
        return SearchFunctions(algorithm, compiled, evaluator, make_leaf_rule, order)

    def check_evaluator(self, game: Game | None = None, state: Any = None) -> None:
        """Call a user's evaluator before a search does; see `evaluators.validation`.

        Args:
            game: The game; None for a game of the default size, from its start.
            state: The first position.

        Raises:
            ValueError: The evaluator cannot be called with a board and a player, or what it returns
                is not a number.
        """
        if self.evaluator is None or "." not in self.evaluator or self.game not in GAMES:
            return
        if game is None:
            game = GAMES[self.game].new()
            state = game.start()
        check_evaluator(self.evaluator, self.functions.evaluator, game, state)

    @property
    def has_user_algorithm(self) -> bool:
        """True if the algorithm is a user function and not one of the package."""
        return self.algorithm.replace("-", "_") not in SEARCHES

    @property
    def is_compiled(self) -> bool:
        """True if the engine has this search, at least for games of the class `Kalah` itself."""
        return self.functions.compiled is not None

    def is_compiled_for(self, game: Game, state: Any) -> bool:
        """Return whether the engine searches this position.

        A game that derives from Kalah is searched by the textbook.
        """
        return self.is_compiled and not unknown_part(game, state)

    @property
    def searcher(self) -> Searcher:
        """The search function: the engine's if the engine has this search, else the textbook's."""
        return self.functions.compiled or self.functions.textbook

    def searcher_for(self, game: Game, state: Any) -> Searcher:
        """Return the search function for a position.

        This is the engine's function if `is_compiled_for` the position, else the textbook's.
        """
        compiled = self.functions.compiled
        if compiled is None or unknown_part(game, state):
            return self.functions.textbook
        return compiled

    def _with_result_check(self, search: Searcher) -> Searcher:
        """Return a user's search with a check of its result; see `check_result`."""
        name = f"algorithm {self.algorithm}"

        @wraps(search)
        def run(
            game: Game,
            state: Any,
            evaluator: Evaluator,
            deep_enough: DeepEnough | Nodes | Seconds,
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
        deep_enough = self.functions.make_leaf_rule(game, limit)
        return self.functions.evaluator, deep_enough, self.functions.order

    def search(
        self, game: Game, state: Any, limit: int, observer: Observer | None = None
    ) -> Result:
        """Search a position to depth `limit`; the engine ignores the observer."""
        search = self.searcher_for(game, state)
        if search is self.functions.compiled:
            observer = None
        return search(game, state, *self.search_args(game, limit), observer)


def _unpickle_spec(*names: Any) -> SearchSpec:
    """Return a spec without its functions, which are looked up when they are first used."""
    spec = object.__new__(SearchSpec)  # without `__post_init__`, which looks them up
    values = (*names, None)  # None for the last field, `_functions`
    for attribute, value in zip(fields(SearchSpec), values, strict=True):
        object.__setattr__(spec, attribute.name, value)
    return spec
