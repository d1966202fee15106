"""A transposition table: bounds on the values of positions that a search has left.

A table is used for one search only, as its values hold for one player and one evaluator. The values
are those that the search returns: for MAX, or in negamax notation for the player to move.
"""

from typing import Any, NamedTuple

from kalahlab.formatting import StableRepr
from kalahlab.search.model import INF, Line, Node


class Bounds(NamedTuple):
    """The lines whose values bound the value of a position from below and from above."""

    lower: Line = Line(-INF)
    upper: Line = Line(INF)


UNKNOWN = Bounds()  # the bounds of a position that is not in the table


class Table(StableRepr):
    """Bounds by state, sows and turns: nodes that agree in these have equal subtrees."""

    def __init__(self) -> None:
        self.bounds: dict[Any, Bounds] = {}

    def probe(self, node: Node, alpha: float, beta: float) -> Line | None:
        """Return a line that a search of the node with this window may return.

        Return None if no stored bound is enough to answer for this window.
        """
        bounds: Bounds = self.bounds.get((node.state, node.sows, node.turns), UNKNOWN)
        if bounds.lower.value >= beta or bounds.lower.value == bounds.upper.value:
            return bounds.lower
        if bounds.upper.value <= alpha:
            return bounds.upper
        return None

    def store(self, node: Node, alpha: float, beta: float, line: Line) -> None:
        """Narrow the bounds of the node by the line that a search with this window returned.

        Nothing is below minus infinity: as a value it is exact, not only an upper bound. Likewise
        infinity is exact.
        """
        key = node.state, node.sows, node.turns
        lower, upper = self.bounds.get(key, UNKNOWN)
        if line.value > alpha or line.value == -INF:
            lower = line
        if line.value < beta or line.value == INF:
            upper = line
        self.bounds[key] = Bounds(lower, upper)
