"""Dynamic ordering: go on with the move that looks best now, and cut off like alpha-beta.

Slagle & Dixon, "Experiments with some programs that search game trees", *Journal of the ACM* 16(2)
(1969), pages 189-207. Only the abstract could be read, and it does not define the method. This is a
reading of its name: fixed ordering sorts the moves of a position once, by their static values; here
the values that deeper search backs up replace them, so the order changes while the search runs. A
program of that time that followed Slagle & Bursky, *Journal of the ACM* 15(1) (1968), analyzed the
best line "until it is shown that it is no longer the best line" (G. Boos on the program Mr. Turk).

The search ends when the minimax value at its depth is proved. A node has the interval in which this
value must be, and the window (alpha, beta) of alpha-beta. A child whose interval lies outside the
window of its parent is not searched further. The windows are those of the last visit of a node.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.search.growing.loop import GrowingTree, growing_search
from kalahlab.search.growing.model import Policy, TreeNode
from kalahlab.search.growing.playouts import Playout
from kalahlab.search.limits import Depth
from kalahlab.search.model import Claim


class Provisional(NamedTuple):
    """What a node looks worth now, what is proved of its value, and its window; all for MAX.

    A position at the full depth looks worst for the player who would move there, until it is
    evaluated.
    """

    value: float
    low: float
    high: float
    alpha: float
    beta: float

    @property
    def is_proved(self) -> bool:
        return self.low == self.high

    def to_tell(self) -> dict[str, float]:
        """Return the numbers that an explanation tells: no window, no bound that says nothing."""
        if self.is_proved:
            return {"proved value": self.value}
        bounds = {"at least": self.low, "at most": self.high}
        proved = {name: bound for name, bound in bounds.items() if abs(bound) < inf}
        return {"value so far": self.value} | proved


class DynamicOrdering(Policy):
    """Follow the moves that look best now; expand, or evaluate a position at the full depth.

    Args:
        evaluator: The static evaluator.

    Raises:
        ValueError: The evaluator is a playout, or the depth is in turns.
    """

    limits = (Depth,)

    def __init__(self, evaluator: Evaluator) -> None:
        if isinstance(evaluator, Playout):
            raise ValueError(
                "dynamic_ordering values a leaf by an evaluator, not by a playout; use e3"
            )
        self.evaluator = evaluator
        self.depth = 0

    def start(self, tree: GrowingTree) -> None:
        assert isinstance(tree.limit, Depth), "`limits` has no other"
        if tree.limit.unit != "sow":
            raise ValueError("dynamic_ordering counts its depth in sows; use Depth(6)")
        self.depth = tree.limit.limit

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        """Look at the static values of new nodes, but for those at the full depth."""
        numbers = list[Provisional]()
        for node in nodes:
            if node.is_over or self.depth == 0:
                tree.evaluated += 1
                value = tree.peek_value(node, self.evaluator)
                numbers.append(Provisional(value, value, value, -inf, inf))
            elif node.sows < self.depth:
                tree.looked += 1
                value = tree.peek_value(node, self.evaluator)
                numbers.append(Provisional(value, -inf, inf, -inf, inf))
            else:
                assert node.parent is not None, "a root at the full depth is evaluated"
                worst = -inf if node.parent.maximizing else inf
                numbers.append(Provisional(worst, -inf, inf, -inf, inf))
        return numbers

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        is_useless = child.high <= parent.alpha if maximizing else child.low >= parent.beta
        if child.is_proved or is_useless:
            return (-inf,)
        if abs(child.value) == inf:
            return (inf,)  # a position at the full depth, not evaluated yet
        return (child.value,) if maximizing else (-child.value,)

    def should_expand(self, leaf: TreeNode) -> bool:
        return leaf.sows < self.depth

    def should_evaluate(self, leaf: TreeNode) -> bool:
        return leaf.sows == self.depth and not leaf.numbers.is_proved

    def evaluate(self, tree: GrowingTree, node: TreeNode) -> float:
        return tree.peek_value(node, self.evaluator)

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        for leaf, value in values.items():
            leaf.numbers = Provisional(value, value, value, -inf, inf)
        for node in reversed(path):
            if node.children:
                best = max if node.maximizing else min
                node.numbers = node.numbers._replace(
                    value=best(child.numbers.value for child in node.children),
                    low=best(child.numbers.low for child in node.children),
                    high=best(child.numbers.high for child in node.children),
                )
        alpha, beta = -inf, inf
        for node in path:
            if node.maximizing:
                alpha = max(alpha, node.numbers.low)
            else:
                beta = min(beta, node.numbers.high)
            node.numbers = node.numbers._replace(alpha=alpha, beta=beta)

    def is_finished(self, path: Sequence[TreeNode]) -> bool:
        return bool(path[0].numbers.is_proved)

    def conclude(self, tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
        claim: Claim = "exact" if tree.root.is_over else "estimate"
        return tree.root.numbers.value, claim, follow_proved_value(tree.root)


def follow_proved_value(node: TreeNode) -> list[Any]:
    """Return the moves from a proved node, each to the first child that proves the same value."""
    line = list[Any]()
    value = node.numbers.value
    while node.children:
        node = next(child for child in node.children if child.numbers[1:3] == (value, value))
        line.append(node.move)
    return line


dynamic_ordering = growing_search(DynamicOrdering, "dynamic_ordering")
