"""Recording of a search as a tree of visits, with explanations of its cutoffs.

    trace = record(alpha_beta, game, state, store_difference, Depth(4))
    trace.result.value, trace.table(), [trace.why(cut) for cut in trace.cuts]

`recorder` has the observer and its visits, `explain` has `Trace` with the explanations, `compare`
finds the first difference from alpha-beta, and `serialise` reads and writes traces as JSON.

Windows and values are always MAX's, also those of a negamax, which are the mover's while it runs.

A search may enter a node several times, and each time is a visit of its own. A search with probes
visits a child with a null window and then, if necessary, once more. A search that searches its
root several times visits each node in each pass.
"""

import math
from contextlib import suppress
from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.validation import is_evaluator
from kalahlab.games import Game, State
from kalahlab.games.registry import game_type_of_game
from kalahlab.search.arguments import check_arguments, check_result, explaining_errors
from kalahlab.search.backing_up import Backup
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import DeepEnough
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, Searcher, pit_order
from kalahlab.trace.explain import Cut, Trace
from kalahlab.trace.growth import GrowthTrace, record_growth
from kalahlab.trace.recorder import Recorder, Visit
from kalahlab.trace.serialise import to_writable  # not used here; the command line imports it


def record(
    search: Searcher,
    game: Game,
    state: State,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    *,
    max_nodes: float = math.inf,
    watch: Observer | None = None,
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
        watch: Another observer, whose `enter` is called, too; it may stop the search.

    Raises:
        TypeError: `search` is not a search, or an argument is wrong.
        ValueError: The search visits more than `max_nodes` nodes.
    """
    if hasattr(search, "policy"):
        name = getattr(search, "__name__", "this search")
        raise TypeError(f"{name} grows a tree; record it with record_growth")
    # Two common mistakes: record(alpha_beta(game, ...)) passes the result of a search, and
    # record(store_difference, ...) an evaluator in the place of the search.
    if not callable(search) or is_evaluator(search):
        example = "record(alpha_beta, game, game.start(), store_difference, Depth(6))"
        raise TypeError(f"record takes a search itself and then its arguments: {example}")
    name = getattr(search, "__name__", "search")
    # Error messages complete this to an example of a correct call.
    beginning_of_call = f"record({name}, "
    check_arguments(beginning_of_call, game, state, evaluator, deep_enough, order)
    with explaining_errors(beginning_of_call, game, state, evaluator):
        recorder = Recorder(game, max_nodes, watch)
        result = search(game, state, evaluator, deep_enough, order, observer=recorder)
        result = check_result(name, game, state, result)
        game_name = ""
        with suppress(ValueError):  # the game is not in the registry
            game_name = game_type_of_game(game).name
        backup: Any = getattr(search, "backup", None)
        unit = backup.unit if isinstance(backup, Backup) else "value"
        searched = (game, deep_enough) if isinstance(deep_enough, Depth) else None
        return Trace(result, recorder.tree(result.value), game_name, unit, searched)
