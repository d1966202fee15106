"""MCTS-Solver: UCT that also proves values, so that it ends with the answer if it finds one.

Winands, Björnsson & Saito, "Monte-Carlo tree search solver", *CG* 2008, prove wins and losses. Here
the outcome is a margin, so a node has a lower and an upper bound of it, as in Cazenave & Saffidine,
"Score bounded Monte-Carlo tree search", *CG* 2010. A win is proved when the lower bound exceeds 0.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from kalahlab.search.growing.loop import GrowingTree, growing_search
from kalahlab.search.growing.model import TreeNode
from kalahlab.search.growing.uct import UCT
from kalahlab.search.model import Claim


class BoundedVisits(NamedTuple):
    """Like `Visits`, with proved bounds of the margin for MAX."""

    n: int
    total: float
    low: float
    high: float

    @property
    def mean(self) -> float:
        return self.total / self.n


class MCTSSolver(UCT):
    """Select like UCT, but no child whose value is proved or cannot beat a proved bound."""

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        numbers = list[BoundedVisits]()
        for node in nodes:
            low, high = -inf, inf
            if node.is_over:
                low = high = tree.margin(node.state)
            numbers.append(BoundedVisits(0, 0, low, high))
        return numbers

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        if is_proved(child) or is_useless(maximizing, parent, child):
            return (-inf,)
        return super().appeal(maximizing, parent, child)

    def is_finished(self, path: Sequence[TreeNode]) -> bool:
        return path[0].is_over or is_proved(path[0].numbers)

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        value = values[path[-1]]
        for node in reversed(path):
            n, total, low, high = node.numbers
            if node.children:
                best = max if node.maximizing else min
                low = best(child.numbers.low for child in node.children)
                high = best(child.numbers.high for child in node.children)
            node.numbers = BoundedVisits(n + 1, total + value, low, high)

    def conclude(self, tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
        root = tree.root
        if root.is_over:
            return tree.margin(root.state), "exact", []
        line = list[Any]()
        node = root
        while any(child.numbers.n for child in node.children):
            node = choose_final(node)
            line.append(node.move)
        low, high = root.numbers.low, root.numbers.high
        if low == high:
            return low, "exact", line
        return root.numbers.mean if root.numbers.n else 0, "estimate", line


def is_proved(numbers: Any) -> bool:
    """Return whether the bounds leave only one margin."""
    return bool(numbers.low == numbers.high)


def is_useless(maximizing: bool, parent: Any, child: Any) -> bool:
    """Return whether the bounds of a child show that it cannot improve its parent's bound."""
    return bool(child.high <= parent.low if maximizing else child.low >= parent.high)


def choose_final(node: TreeNode) -> TreeNode:
    """Return the best of the proved children and of the unproved one that was tried most often."""
    values = dict[TreeNode, float]()
    open_children = list[TreeNode]()
    for child in node.children:
        if is_proved(child.numbers):
            values[child] = child.numbers.low
        elif child.numbers.n and not is_useless(node.maximizing, node.numbers, child.numbers):
            open_children.append(child)
    if open_children:
        most_tried = max(open_children, key=lambda child: child.numbers.n)
        values[most_tried] = most_tried.numbers.mean
    best = max if node.maximizing else min
    return best(values, key=lambda child: values[child])


mcts_solver = growing_search(MCTSSolver, "mcts_solver")
