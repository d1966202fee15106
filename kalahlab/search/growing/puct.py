"""PUCT: UCT with a prior for each move, which says how often to try it at first.

Rosin, "Multi-armed bandits with episode context", *Annals of Mathematics and Artificial
Intelligence* 61 (2011), pages 203-230; in the form of Silver et al., "Mastering the game of Go
without human knowledge", *Nature* 550 (2017). The prior here comes from an evaluator: the
softmax of the children's static values for the player to move.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Any, NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import store_difference
from kalahlab.search.growing.loop import GrowingTree, growing_search
from kalahlab.search.growing.model import TreeNode
from kalahlab.search.growing.playouts import Playout
from kalahlab.search.growing.uct import UCT


class PriorVisits(NamedTuple):
    """Like `Visits`, with the prior of the move that leads to the node, from 0 to 1."""

    n: int
    total: float
    prior: float

    @property
    def mean(self) -> float:
        return self.total / self.n


class PUCT(UCT):
    """Select by the mean and a bonus for a good prior; an untried move has its parent's mean.

    Args:
        evaluator: What values a leaf.
        c: The weight of the bonus, in stones.
        prior: The evaluator of the priors.
        temperature: A move that looks worse by so many stones has 1/e of the prior.
    """

    def __init__(
        self,
        evaluator: "Evaluator | Playout",
        c: float = 10.0,
        prior: Evaluator = store_difference,
        temperature: float = 2.0,
    ) -> None:
        super().__init__(evaluator, c)
        if not temperature > 0:
            raise ValueError(f"temperature is {temperature}; use more than 0")
        self.prior, self.temperature = prior, temperature

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        values = [tree.peek_value(node, self.prior) for node in nodes]
        parent = nodes[0].parent
        if parent is not None and not parent.maximizing:
            values = [-value for value in values]
        weights = [exp((value - max(values)) / self.temperature) for value in values]
        total = 0.0
        for weight in weights:  # not `sum`, which adds otherwise from Python 3.12 on
            total += weight
        return [PriorVisits(0, 0, weight / total) for weight in weights]

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        mean = child.mean if child.n else 0
        if not child.n and parent.n:
            mean = parent.mean
        bonus = self.c * child.prior * sqrt(parent.n) / (1 + child.n)
        return mean if maximizing else -mean, bonus


puct = growing_search(PUCT, "puct")
