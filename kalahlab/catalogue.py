"""What can be asked for by name: algorithms, evaluators, orders, rules and units.

Names are those of the functions; `-` may stand for `_` and the other way round. An unknown
name is a `ValueError` that lists the known ones.
"""

from collections.abc import Callable

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import PRESETS, Kalah, Rules
from kalahlab.names import named as named
from kalahlab.names import parse_int as parse_int
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.search.deep_enough import Depth, Quiescence
from kalahlab.search.tree import Order, Searcher

UNITS: dict[str, Callable[[int], Depth | Quiescence]] = {
    "sow": Depth,
    "turn": lambda limit: Depth(limit, "turn"),
    "quiet": lambda limit: Quiescence(Kalah().quiet, limit),
}


def algorithm(name: str) -> Searcher:
    """A search, as `alpha_beta`."""
    return named("algorithm", name, ALGORITHMS)


def evaluator(name: str) -> Evaluator:
    """An evaluator of Kalah, as `store_difference`."""
    return named("evaluator", name, EVALUATORS)


def order(name: str) -> Order:
    """A move order, as `store_first`."""
    return named("order", name, ORDERS)


def rules(name: str) -> Rules:
    """A preset of the rules, as `empty-capture`."""
    return named("rules", name, PRESETS)


def depth(limit: int, unit: str = "sow") -> Depth | Quiescence:
    """A depth in sows or in turns, or in sows and then on to a quiet position."""
    return named("unit", unit, UNITS)(limit)
