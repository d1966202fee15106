"""Players that search, that move at random or by a script, or that must keep a time limit."""

import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.formatting import name_of
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, pits_of
from kalahlab.games.registry import game_type
from kalahlab.players.growth_spec import GrowthSpec
from kalahlab.players.limited_search import SEARCH_SHARE, check_limit, search_within
from kalahlab.players.model import AdaptedPlayer, AnyPlayer, Fault, PlayerFunction, as_player
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search.deepening import combine_results
from kalahlab.search.growing.model import GrowthObserver
from kalahlab.search.limits import Clock, Depth, Limit, Nodes, Playouts, Seconds
from kalahlab.search.model import DeepEnough
from kalahlab.search.observer import NodeCounter, Observer
from kalahlab.search.tree import Order, Searcher, pit_order

RESERVE = 0.01  # the seconds that a player which uses all of its time leaves, if possible


def search_player(
    search: Searcher, evaluator: Evaluator, deep_enough: DeepEnough, order: Order = pit_order
) -> PlayerFunction:
    """Return a player that makes the move of a search.

    The player raises `ValueError` if the search finds no move, because it has depth 0.
    """
    return SearchPlayer(_best_move, search, evaluator, deep_enough, order)


class SearchPlayer(partial[Any]):
    """A player that makes the move of a search.

    It is made of a function that returns a move and the number of nodes that the search visited,
    and of the first arguments of this function. Its `repr` lists them, without memory addresses.

    Attributes:
        nodes: The number of nodes that its searches visited.
    """

    nodes = 0

    def __call__(self, game: Game, state: Any) -> Any:
        """Return the move."""
        move, visited = super().__call__(game, state)
        self.nodes += visited
        return move

    def __repr__(self) -> str:
        return f"<player: {', '.join(map(name_of, self.args))}>"


def _best_move(
    search: Searcher,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order,
    game: Game,
    state: Any,
) -> tuple[Any, int]:
    result = search(game, state, evaluator, deep_enough, order)
    if result.move is None:
        raise ValueError("a search of depth 0 finds no move to play; use depth 1 or more")
    return result.move, result.counts.visited


def player_within_limit(
    spec: SearchSpec,
    limit: Limit,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> SearchPlayer:
    """Return a player that makes the best move that a search finds within a limit.

    If the search finds no move, the player makes the first legal one. For a time limit, this
    function compiles the engine's code before the game, so that no move waits for the compiler.

    Raises:
        ValueError: The search cannot keep the limit.
    """
    if not isinstance(limit, Depth) and spec.algorithm == "greedy":
        raise ValueError("greedy looks one ply ahead; give it the depth 1")
    if not isinstance(limit, Depth) and spec.leaf == "quiescence":
        raise ValueError("with quiescence give a depth; under nodes or a clock use sow or turn")
    check_limit(spec, limit)
    is_timed = isinstance(limit, Seconds)
    if is_timed and spec.is_compiled:
        for depth in (1, 4):  # the engine searches depth 1 with another kernel than depth 4
            spec.search(Kalah(), Kalah().start(), depth)
    # With a time limit the move depends on the clock, so it cannot be cached.
    if spec.is_compiled and not is_timed:
        return SearchPlayer(_engine_move, spec, limit)

    return SearchPlayer(_deepen_move, spec, limit, clock=clock, observer=observer)


def _deepen_move(
    spec: SearchSpec, limit: Limit, game: Game, state: Any, *, clock: Clock, observer: Any
) -> tuple[Any, int]:
    """Return the move of the last depth that the limit allows, and the nodes of all depths."""
    results = [*search_within(spec, limit, game, state, clock, observer)]
    # Without a result, an algorithm of the package plays the first legal move, but a user's
    # algorithm is wrong: `check_limit` has found that the nodes suffice at the start.
    if not results and isinstance(limit, Nodes) and spec.has_user_algorithm:
        raise ValueError(
            f"algorithm {spec.algorithm} finds no move within {limit.n} nodes; allow more"
        )
    move = results[-1].move if results else game.moves(state)[0]
    return move, combine_results(results).counts.visited


def growing_player(
    spec: GrowthSpec,
    limit: Limit,
    clock: Clock = time.monotonic,
    watch: NodeCounter | None = None,
) -> PlayerFunction:
    """Return a player that makes the move of a search that grows a tree.

    If the search finds no move, the player makes the first legal one.

    Args:
        spec: The search.
        limit: How long it searches for a move.
        clock: The clock of a time limit.
        watch: Counts the nodes of the tree, and can stop the search.

    Raises:
        ValueError: The search cannot keep the limit, or it plays no moves.
    """
    if spec.name.replace("-", "_") == "proof_number":
        raise ValueError("proof_number answers a question and makes no moves; use mcts_solver")
    spec.check_limit(limit)
    if isinstance(limit, Seconds):
        limit = keep_reserve(limit)
        if spec.twin is not None and watch is None:
            # Compile before the game, so that no move waits for the compiler.
            spec.search(Kalah(), Kalah().start(), Playouts(2))
    return SearchPlayer(_grow_move, spec, limit, clock=clock, watch=watch)


def keep_reserve(limit: Seconds) -> Seconds:
    """Return the time that a player may use of its time limit.

    A player that uses all of its time needs a reserve, in case the machine does something else. The
    reserve is a tenth of the limit, and at least `RESERVE`, but never more than half of the limit.
    """
    return Seconds(max(limit.s / 2, min(SEARCH_SHARE * limit.s, limit.s - RESERVE)))


def _grow_move(
    spec: GrowthSpec, limit: Limit, game: Game, state: Any, *, clock: Clock, watch: Any
) -> tuple[Any, int]:
    observer = None if watch is None else TreeWatch(watch)
    result = spec.search(game, state, limit, observer, clock)
    move = game.moves(state)[0] if result.move is None else result.move
    return move, result.counts.visited


class TreeWatch(GrowthObserver):
    """An observer that calls a counter of nodes at each iteration.

    Attributes:
        watch: The counter.
    """

    def __init__(self, watch: NodeCounter) -> None:
        self.watch = watch
        self.iterations = 0

    def iterate(self, *event: Any) -> None:
        self.iterations += 1
        if self.iterations % 16 == 0:  # a playout takes as long as some nodes
            self.watch.look(self.iterations)


def choosing_player(name: str, chooser: type, limit: Limit) -> AdaptedPlayer:
    """Return a player that makes the moves of an object of a user's class.

    Args:
        name: The import path of the class, for messages.
        chooser: The class. It is called without arguments, and its objects have a method
            `choose(game, state, limit)` that returns a move; see `AdaptedPlayer`.
        limit: How long the object may take for a move, such as `Playouts(800)`. The object gets a
            time limit less a reserve; see `keep_reserve`.
    """
    if isinstance(limit, Seconds):
        limit = keep_reserve(limit)
    try:
        return AdaptedPlayer(chooser(), limit)
    except TypeError as error:
        raise ValueError(f"player {name} must be made without arguments: {error}") from None


def _engine_move(spec: SearchSpec, limit: Limit, game: Any, state: Any) -> tuple[Any, int]:
    """Return the move of the engine, or of the textbook in a game that the engine cannot play.

    Moves of the engine are cached, with the nodes. Their key includes the fingerprint of the
    compiled evaluator, because the evaluator's name may belong to another function later. Moves of
    the textbook are not cached: two games that compare equal may still have different rules.
    """
    if spec.is_compiled_for(game, state):
        # Imported here, as a page that plays has no numba.
        from kalahlab.engine.twin.leaf_value import fingerprint_if_compiled

        evaluator = spec.functions.evaluator
        fingerprint = fingerprint_if_compiled(evaluator, pits_of(state.board))
        if fingerprint:
            return _cached_move(spec, limit, game, state, fingerprint)
    return _find_move(spec, limit, game, state)


def _find_move(
    spec: SearchSpec, limit: Limit, game: Any, state: Any, fingerprint: str = ""
) -> tuple[Any, int]:
    """Return the best move of a search, or the first legal move if the search finds none.

    The fingerprint is only a part of the key of the cache.
    """
    result = combine_results([*search_within(spec, limit, game, state)])
    move = game.moves(state)[0] if result.move is None else result.move
    return move, result.counts.visited


_cached_move = lru_cache(1 << 14)(_find_move)  # players of a tournament meet the same positions


def lose_on_time(state: Any) -> None:
    """Raise `Fault` for a player that took too long."""
    raise Fault("late", "takes longer than its time limit")


class TimeLimitedPlayer(AdaptedPlayer):
    """A player that checks the time of each move after the move."""

    def __init__(
        self,
        player: AnyPlayer,
        seconds: float,
        clock: Clock = time.monotonic,
        on_late: Callable[[Any], object] = lose_on_time,
        limit: Limit | None = None,
    ) -> None:
        """Limit the time of a player.

        Args:
            player: The player.
            seconds: The most time for a move.
            clock: Returns the time in seconds.
            on_late: Called with each state in which a move took too long; raises a `Fault` by
                default.
            limit: What the player is told of its time, if it is an object with `choose`.
        """
        super().__init__(as_player(player), limit)
        self._seconds = seconds
        self._clock = clock
        self._on_late = on_late

    def choose(self, game: Game, state: Any, limit: Limit | None = None) -> Any:
        start = self._clock()
        move = super().choose(game, state, limit)
        if self._clock() - start > self._seconds:
            self._on_late(state)
        return move


def random_player(seed: int) -> PlayerFunction:
    """Return a player of random legal moves; the same seed gives the same moves."""
    rng = Random(seed)
    return lambda game, state: rng.choice(game.moves(state))


def script_player(moves: Sequence[Any], game: str | None = None) -> PlayerFunction:
    """Return a player that plays these moves, and raises `ValueError` if they end before the game.

    Args:
        moves: The moves of this player in their order.
        game: The name of the game if the moves are texts to parse.
    """
    script = iter(moves)  # each call of the player takes the next move

    def player(rules: Game, state: Any) -> Any:
        try:
            move = next(script)
        except StopIteration:
            message = f"the script of {len(moves)} moves ends before the game does"
            raise ValueError(message) from None
        if not game:
            return move
        return game_type(game).parse_move(move, rules, state)

    return player
