"""UCT: Monte Carlo tree search that selects by the bound UCB1.

Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", *ECML* 2006; Russell & Norvig, *Artificial
Intelligence: A Modern Approach*, 4th edition, section 5.4, figure 5.11. A value is a margin in
stones, not only a win or a loss, so `c` is in stones, too.
"""

from collections.abc import Mapping, Sequence
from math import inf, log, sqrt
from typing import Any, NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.search.growing.loop import GrowingTree, growing_search
from kalahlab.search.growing.model import Policy, TreeNode
from kalahlab.search.growing.playouts import Playout
from kalahlab.search.model import Claim


class Visits(NamedTuple):
    """The values backed up through a node: their number, and their sum for MAX."""

    n: int
    total: float

    @property
    def mean(self) -> float:
        return self.total / self.n


class UCT(Policy):
    """Select the child with the greatest upper confidence bound, and back up the average."""

    def __init__(self, evaluator: "Evaluator | Playout", c: float = 10.0) -> None:
        if not 0 <= c < inf:
            raise ValueError(f"c is {c}; use a number of 0 or more")
        self.evaluator, self.c = evaluator, c

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        return [Visits(0, 0)] * len(nodes)

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        if child.n == 0:
            return (inf,)  # a move that was never tried comes first
        mean = child.mean if maximizing else -child.mean
        return mean, self.c * sqrt(log(parent.n) / child.n)

    def should_expand(self, leaf: TreeNode) -> bool:
        """Expand the root at once, and any other leaf at its second visit."""
        return not leaf.is_over and (leaf.numbers.n > 0 or leaf.parent is None)

    def evaluate(self, tree: GrowingTree, node: TreeNode) -> float:
        return tree.value_leaf(node, self.evaluator)

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        value = values[path[-1]]
        for node in path:
            numbers = node.numbers
            node.numbers = numbers._replace(n=numbers.n + 1, total=numbers.total + value)

    def conclude(self, tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
        return conclude_by_visits(tree)


def conclude_by_visits(tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
    """Return the mean of the root and the line of the moves that were tried most often."""
    root, line = tree.root, list[Any]()
    if root.is_over:
        return tree.margin(root.state), "exact", line
    node = root
    while any(child.numbers.n for child in node.children):
        node = max(node.children, key=lambda child: child.numbers.n)
        line.append(node.move)
    return root.numbers.mean if root.numbers.n else 0, "estimate", line


uct = growing_search(UCT, "uct")
