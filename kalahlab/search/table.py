"""A transposition table, and the searches that keep one.

Alpha-beta with memory: Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax
algorithms", *Artificial Intelligence* 87 (1996), pages 255-293. A node is looked up before it is
searched; what was found is kept as a bound from below, from above, or both. Moves are tried
in the order given, not with the table's first: so the first best one still wins.

A table lasts for one search, since its values belong to one player and one evaluator.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from kalahlab.search.alpha_beta import value
from kalahlab.search.model import Line, Node, Tree, searcher
from kalahlab.search.observer import INF
from kalahlab.search.scout import visit


class Bounds(NamedTuple):
    """A position is worth no less than `lower` and no more than `upper`, each with its line."""

    lower: Line = Line(-INF)
    upper: Line = Line(INF)


UNKNOWN = Bounds()


class Table:
    """What a search knows of the positions below its root.

    Two nodes are one entry if their states, sows and turns are the same: then so are the
    trees below them, for any DEEP-ENOUGH that looks at nothing else. Leaves are not kept.
    """

    def __init__(self) -> None:
        self.bounds: dict[Any, Bounds] = {}

    def answer(self, node: Node, alpha: float, beta: float) -> Line | None:
        """What a search of the node with this window may return, if that is known."""
        known: Bounds = self.bounds.get(_key(node), UNKNOWN)
        if known.lower.value >= beta or known.lower.value == known.upper.value:
            return known.lower
        return known.upper if known.upper.value <= alpha else None

    def keep(self, node: Node, alpha: float, beta: float, line: Line) -> None:
        """Narrow the bounds by what a search of the node with this window returned."""
        if not line.path:
            return
        known: Bounds = self.bounds.get(_key(node), UNKNOWN)
        lower = line if line.value > alpha else known.lower
        upper = line if line.value < beta else known.upper
        self.bounds[_key(node)] = Bounds(lower, upper)


def _key(node: Node) -> tuple[Any, int, int]:
    return node.state, node.sows, node.turns


@searcher
def alpha_beta_table(tree: Tree) -> Line:
    """ALPHA-BETA-SEARCH with a table."""
    return value(replace(tree, table=Table()), tree.root, -INF, INF)


@searcher
def scout_table(tree: Tree) -> Line:
    """Principal-variation search with a table."""
    return visit(replace(tree, table=Table()), tree.root, INF, -INF)
