"""The record of a search as a tree of visits, with explanations of its cuts.

    trace = record(alpha_beta, game, state, store_difference, Depth(4))
    trace.result.value, trace.table(), [trace.why(cut) for cut in trace.cuts]

Windows and values are from MAX's side, in every notation. A node that a search enters twice has two
visits: a probe, which is entered with a null window, and the search of the same move after it; or
the passes of a search that searches its root several times.
"""

import math
from contextlib import suppress

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.validation import is_evaluator
from kalahlab.games import Game, State
from kalahlab.games.registry import game_type_of_game
from kalahlab.search.arguments import check_arguments, check_result, explaining_errors
from kalahlab.search.model import DeepEnough
from kalahlab.search.observer import NodeCounter
from kalahlab.search.tree import Order, Searcher, pit_order
from kalahlab.trace.explain import Cut, Trace
from kalahlab.trace.recorder import Recorder, Visit
from kalahlab.trace.serialise import to_writable


def record(
    search: Searcher,
    game: Game,
    state: State,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    *,
    max_nodes: float = math.inf,
    watch: NodeCounter | None = None,
) -> Trace:
    """Run a search and record all of its visits; memory grows with the number of nodes.

    Args:
        search: The search, such as `alpha_beta`.
        game: The game.
        state: The root.
        evaluator: The static evaluator.
        deep_enough: The leaf rule, such as `Depth(6)`.
        order: The move order.
        max_nodes: The largest number of nodes.
        watch: An observer that is called with each node that is entered.

    Raises:
        TypeError: `search` is not a search, or an argument is wrong.
        ValueError: The search visits more than `max_nodes` nodes.
    """
    if not callable(search) or is_evaluator(search):
        example = "record(alpha_beta, game, game.start(), store_difference, Depth(6))"
        raise TypeError(f"record takes a search itself and then its arguments: {example}")
    name = getattr(search, "__name__", "search")
    call = f"record({name}, "
    check_arguments(call, game, state, evaluator, deep_enough, order)
    with explaining_errors(call, game, state, evaluator):
        recorder = Recorder(game, max_nodes, watch)
        result = search(game, state, evaluator, deep_enough, order, observer=recorder)
        result = check_result(name, game, state, result)
        game_name = ""
        with suppress(ValueError):  # the game is in no registry
            game_name = game_type_of_game(game).name
        return Trace(result, recorder.tree(result.value), game_name)
