"""Best-first minimax: always expand the leaf at the end of the principal variation.

Korf & Chickering, "Best-first minimax search", *Artificial Intelligence* 84 (1996), pages 299-337.
The search is finished when the principal variation ends in a finished game. That proves nothing, as
the values beside the variation are estimates.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.search.growing.loop import GrowingTree, growing_search, select
from kalahlab.search.growing.model import Policy, TreeNode
from kalahlab.search.growing.playouts import Playout
from kalahlab.search.limits import Nodes, Seconds
from kalahlab.search.model import Claim


class Backed(NamedTuple):
    """The minimax value for MAX of the tree below, as far as it has grown."""

    value: float


class BestFirst(Policy):
    """Follow the best values to a leaf, expand it, and back up by minimax."""

    limits, evaluates_children = (Nodes, Seconds), True

    def __init__(self, evaluator: Evaluator) -> None:
        if isinstance(evaluator, Playout):
            raise ValueError("best_first values a leaf by an evaluator, not by a playout; use e3")
        self.evaluator = evaluator

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        return (child.value,) if maximizing else (-child.value,)

    def is_finished(self, path: Sequence[TreeNode]) -> bool:
        return path[-1].is_over

    def evaluate(self, tree: GrowingTree, node: TreeNode) -> float:
        return tree.peek_value(node, self.evaluator)

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        return [Backed(tree.values[node]) for node in nodes]

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        for node in reversed(path):
            best = max if node.maximizing else min
            node.numbers = best(child.numbers for child in node.children)

    def conclude(self, tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
        claim: Claim = "exact" if tree.root.is_over else "estimate"
        line = [node.move for node in select(self, tree.root)[1:]]
        return tree.root.numbers.value, claim, line


best_first = growing_search(BestFirst, "best_first")
