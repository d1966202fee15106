"""The record of a search as a tree of visits, with explanations of its cuts.

    trace = record(alpha_beta, game, state, store_difference, Depth(4))
    trace.result.value, trace.table(), [trace.why(cut) for cut in trace.cuts]

Windows and values are from MAX's side, in every notation. A node that a search enters twice has two
visits: a probe, which is entered with a null window, and the search of the same move after it; or
the passes of a search that searches its root several times.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, cast

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.validation import is_evaluator
from kalahlab.games import Game, State
from kalahlab.games.registry import game_type_of_game
from kalahlab.search.arguments import call_checked, check_result
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.observer import NodeCounter
from kalahlab.search.tree import Order, Searcher
from kalahlab.trace.explain import Cut, Trace
from kalahlab.trace.record import Recorder, Visit
from kalahlab.trace.serialise import to_writable


class RecordCall(Protocol):
    """The call of `record`, for type checkers."""

    def __call__(
        self,
        search: Searcher,
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough,
        order: Order = ...,
        *,
        max_nodes: float = ...,
        watch: NodeCounter | None = ...,
    ) -> Trace: ...


def _cast_to_call(function: Callable[..., Trace]) -> RecordCall:
    return cast(RecordCall, function)


@_cast_to_call
def record(
    search: Callable[..., Result],
    *args: Any,
    max_nodes: float = math.inf,
    watch: NodeCounter | None = None,
    **kwargs: Any,
) -> Trace:
    """Run a search with these arguments and record all of it; memory grows with its nodes.

    Args:
        search: The search, such as `alpha_beta`.
        args: Its arguments.
        max_nodes: The largest number of nodes.
        watch: An observer that is called with each node that is entered.
        kwargs: Its arguments by name.

    Raises:
        TypeError: `search` is no search, or an argument is wrong.
        ValueError: The search visits more than `max_nodes` nodes.
    """

    def run(game: Game, *args: Any, **kwargs: Any) -> Trace:
        recorder = Recorder(game, max_nodes, watch)
        state = args[0] if args else kwargs["state"]
        result = search(game, *args, observer=recorder, **kwargs)
        result = check_result(getattr(search, "__name__", "search"), game, state, result)
        name = ""
        with suppress(ValueError):  # the game is in no registry
            name = game_type_of_game(game).name
        return Trace(result, recorder.tree(result.value), name)

    if not callable(search) or is_evaluator(search):
        example = "record(alpha_beta, game, game.start(), store_difference, Depth(6))"
        raise TypeError(f"record takes a search itself and then its arguments: {example}")
    return call_checked(f"record({getattr(search, '__name__', 'search')}, ", run, args, kwargs)
