"""A search as it happened: events in, a tree out, and why each cut was made.

    trace = record(alpha_beta, game, state, store_difference, Depth(4))
    trace.result.value, trace.table(), [trace.why(cut) for cut in trace.cuts]

Windows and values are from MAX's side, in every notation. A node that a search enters twice is
visited twice: a probe, which is entered with a null window to ask a question, and the search
of the same move after it; or the passes of a search that asks about its root again and again.
"""

import math

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.games.registry import GAMES
from kalahlab.search.model import DeepEnough
from kalahlab.search.observer import Watch
from kalahlab.search.tree import Order, Searcher, pit_order
from kalahlab.trace.explain import Cut, Trace
from kalahlab.trace.record import Recorder, Visit, number, signed
from kalahlab.trace.serialise import writable


def record(
    search: Searcher,
    game: Game,
    state: State,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    max_nodes: float = math.inf,
    watch: Watch | None = None,
) -> Trace:
    """Run a search and keep all of it: memory grows with the number of nodes. watch: sees each node
    that is entered. Raises `ValueError` for more than `max_nodes` nodes."""
    recorder = Recorder(game, max_nodes, watch)
    result = search(game, state, evaluator, deep_enough, order, recorder)
    names = (kind.name for kind in GAMES.values() if isinstance(game, type(kind.new())))
    return Trace(result, recorder.tree(), next(names, ""))
