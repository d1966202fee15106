"""UCT with implicit minimax backups: the minimax value of what evaluators say guides selection.

Lanctot, Winands, Pepels & Sturtevant, "Monte Carlo tree search with heuristic evaluations using
implicit minimax backups", *CIG* 2014. With `alpha` = 1 only the minimax value counts:
this is backing up by minimax.
"""

from collections.abc import Mapping, Sequence
from math import inf, log, sqrt
from typing import Any, NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import store_difference
from kalahlab.search.growing.loop import GrowingTree, growing_search
from kalahlab.search.growing.model import TreeNode
from kalahlab.search.growing.playouts import Playout
from kalahlab.search.growing.uct import UCT


class MinimaxVisits(NamedTuple):
    """Like `Visits`, with the minimax value of the static values in the tree below, for MAX."""

    n: int
    total: float
    minimax: float

    @property
    def mean(self) -> float:
        return self.total / self.n


class ImplicitMinimax(UCT):
    """Select by a mixture of the mean and the minimax value; back up both.

    Args:
        evaluator: What values a leaf for the mean.
        c: The weight of doubt, in stones.
        alpha: The share of the minimax value, from 0 to 1.
        heuristic: The evaluator of the minimax values.
    """

    def __init__(
        self,
        evaluator: "Evaluator | Playout",
        c: float = 10.0,
        alpha: float = 0.4,
        heuristic: Evaluator = store_difference,
    ) -> None:
        super().__init__(evaluator, c)
        if not 0 <= alpha <= 1:
            raise ValueError(f"alpha is {alpha}; use 0 to 1")
        self.alpha, self.heuristic = alpha, heuristic

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        return [MinimaxVisits(0, 0, tree.peek_value(node, self.heuristic)) for node in nodes]

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        if child.n == 0:
            return (inf,)
        mixture = (1 - self.alpha) * child.mean + self.alpha * child.minimax
        return mixture if maximizing else -mixture, self.c * sqrt(log(parent.n) / child.n)

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        value = values[path[-1]]
        for node in reversed(path):
            n, total, minimax = node.numbers
            if node.children:
                best = max if node.maximizing else min
                minimax = best(child.numbers.minimax for child in node.children)
            node.numbers = MinimaxVisits(n + 1, total + value, minimax)


implicit_minimax = growing_search(ImplicitMinimax, "implicit_minimax")
