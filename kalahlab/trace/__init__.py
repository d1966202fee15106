"""A search as it happened: events in, a tree out, and why each cut was made.

    trace = record(alpha_beta, game, state, store_difference, Depth(4))
    trace.result.value, trace.table(), [trace.why(cut) for cut in trace.cuts]

Windows and values are from MAX's side, in every notation. A node that a search enters twice is
visited twice: a probe, which is entered with a null window to ask a question, and the search
of the same move after it; or the passes of a search that asks about its root again and again.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, cast

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.games.registry import of
from kalahlab.search.arguments import called, check_result, is_evaluator
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.observer import Watch
from kalahlab.search.tree import Order, Searcher
from kalahlab.trace.explain import Cut, Trace
from kalahlab.trace.record import Recorder, Visit, number, signed
from kalahlab.trace.serialise import writable


class RecordCall(Protocol):
    """How `record` is called, for those who check types."""

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
        watch: Watch | None = ...,
    ) -> Trace: ...


def _as_called(function: Callable[..., Trace]) -> RecordCall:
    return cast(RecordCall, function)


@_as_called
def record(
    search: Callable[..., Result],
    *given: Any,
    max_nodes: float = math.inf,
    watch: Watch | None = None,
    **named: Any,
) -> Trace:
    """Run a search with its arguments and keep all of it: memory grows with the number of nodes.
    watch: sees each node that is entered. Raises `ValueError` for more than `max_nodes` nodes."""

    def run(game: Game, *given: Any, **named: Any) -> Trace:
        recorder = Recorder(game, max_nodes, watch)
        state = given[0] if given else named["state"]
        found = search(game, *given, observer=recorder, **named)
        result = check_result(getattr(search, "__name__", "search"), game, state, found)
        shown_as = ""
        with suppress(ValueError):  # the game is in no registry
            shown_as = of(game).name
        return Trace(result, recorder.tree(result.value), shown_as)

    if not callable(search) or is_evaluator(search):
        example = "record(alpha_beta, game, game.start(), store_difference, Depth(6))"
        raise TypeError(f"record takes a search itself and then its arguments: {example}")
    return called(f"record({getattr(search, '__name__', 'search')}, ", run, given, named)
