"""A transposition table: what a search knows of the positions that it has left.

A table lasts for one search, since its values belong to one player and one evaluator.
"""

from typing import Any, NamedTuple

from kalahlab.formatting import StableRepr
from kalahlab.search.model import INF, Line, Node


class Bounds(NamedTuple):
    """A position is worth no less than `lower` and no more than `upper`, each with its line."""

    lower: Line = Line(-INF)
    upper: Line = Line(INF)


UNKNOWN = Bounds()


class Table(StableRepr):
    """Bounds by state, sows and turns: where these are the same, so are the trees below."""

    def __init__(self) -> None:
        self.bounds: dict[Any, Bounds] = {}

    def probe(self, node: Node, alpha: float, beta: float) -> Line | None:
        """What a search of the node with this window may return, if that is known."""
        known: Bounds = self.bounds.get((node.state, node.sows, node.turns), UNKNOWN)
        if known.lower.value >= beta or known.lower.value == known.upper.value:
            return known.lower
        return known.upper if known.upper.value <= alpha else None

    def store(self, node: Node, alpha: float, beta: float, line: Line) -> None:
        """Narrow the bounds by what a search of the node with this window returned.

        Minus infinity is no upper bound only, as there is nothing below it; so with infinity.
        """
        key = node.state, node.sows, node.turns
        known: Bounds = self.bounds.get(key, UNKNOWN)
        lower = line if line.value > alpha or line.value == -INF else known.lower
        upper = line if line.value < beta or line.value == INF else known.upper
        self.bounds[key] = Bounds(lower, upper)
