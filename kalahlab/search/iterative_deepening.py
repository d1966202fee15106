"""Iterative deepening: passes to depth 1, 2, 3, ..., each ordered by the moves of the last one.

Slate & Atkin, "Chess 4.5", in *Chess Skill in Man and Machine* (1977); Russell & Norvig,
*Artificial Intelligence: A Modern Approach*, 3rd edition, section 5.4. Each pass has a
transposition table of its own, as a value belongs to a depth. The move that the last pass found
best in a position is tried first. So of equally good moves, the one that was best in the pass
before is found.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kalahlab.search.alpha_beta_table import value
from kalahlab.search.deep_enough import Depth
from kalahlab.search.deepening import LastPass
from kalahlab.search.model import INF, DeepEnough, Line, Node
from kalahlab.search.mtdf import passes
from kalahlab.search.table import UNKNOWN, Table
from kalahlab.search.tree import MoveOrdering, RandomTies, Tree, observable, searcher


@searcher
def iterative_deepening(tree: Tree) -> Line:
    """Run alpha-beta with a table to depth 1, 2, 3, ... up to the depth of the search."""

    @observable
    def search(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
        return deepen(tree, lambda one_pass, guess: value(one_pass, node, -INF, INF))

    return search(tree, tree.root, -INF, INF)


@searcher
def mtdf_deepening(tree: Tree) -> Line:
    """Run MTD(f) to depth 1, 2, 3, ...; the value of a depth is the first guess of the next."""

    def search(one_pass: Tree, guess: float) -> Line:
        return passes(value, guess)(one_pass, tree.root, -INF, INF)

    return deepen(tree, search)


def deepen(tree: Tree, search: Callable[[Tree, float], Line]) -> Line:
    """Call `search` for the tree at each depth, and return the line of the last one.

    With `Nodes` or `Seconds`, `deepening` calls the algorithm at each depth, so there is one pass,
    which goes on from the depth before. Any other leaf rule has one pass only.

    Args:
        tree: The tree.
        search: Searches a tree; the second argument is the value of the pass before, at first 0.
    """
    rule: Any = tree.deep_enough_at
    if not isinstance(rule, Depth):
        return run_pass(tree, search, rule, getattr(rule, "last_pass", LastPass()))
    line, last_pass = Line(0), LastPass()
    for depth in range(min(1, rule.limit), rule.limit + 1):
        line = run_pass(tree, search, replace(rule, limit=depth), last_pass)
    return line


def run_pass(
    tree: Tree, search: Callable[[Tree, float], Line], rule: DeepEnough, last_pass: LastPass
) -> Line:
    """Search the tree once, with what the last pass has left, and replace that."""
    ordering, table = TableMoveFirst(tree.order, last_pass.table), Table()
    one_pass = replace(tree, deep_enough_at=rule, order=ordering, table=table)
    line = search(one_pass, last_pass.value)
    last_pass.value, last_pass.table = line.value, table
    return line


@dataclass(frozen=True, slots=True)
class TableMoveFirst:
    """A move order: the best move in the table of the last pass first, then another order.

    Attributes:
        order: The order of the other moves.
        table: The table of the last pass.
    """

    order: MoveOrdering = field(repr=False)
    table: Table

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        ordered = self.order(tree, node, children)
        if node.sows == 0 and isinstance(self.order, RandomTies):
            return ordered  # the shuffle decides between ties
        bounds = self.table.bounds.get((node.state, node.sows, node.turns), UNKNOWN)
        path = bounds.lower.path or bounds.upper.path
        best = [child for child in ordered if child.move in path[:1]]
        return [*best, *(child for child in ordered if child not in best)]
