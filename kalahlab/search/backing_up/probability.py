"""The probability that MAX wins, from a static value: the logistic function of the value.

With the store difference, in the judged positions of Kalah(6,4), the best scale is 4.7 stones (page
15 computes it). An evaluator in other units needs to be multiplied first.
"""

from math import exp

from kalahlab.search.model import Node
from kalahlab.search.tree import Tree

SCALE = 4.7  # stones; 4.7 stones ahead wins with probability 0.73


def win_probability(tree: Tree, node: Node) -> float:
    """Return the probability that MAX wins; in a finished game it is 1, 0, or 1/2 for a draw."""
    value = tree.static(node)
    if tree.game.is_over(node.state):
        if value == 0:
            return 0.5
        return 1.0 if value > 0 else 0.0
    if value < 0:  # so that `exp` cannot overflow
        return exp(value / SCALE) / (1 + exp(value / SCALE))
    return 1 / (1 + exp(-value / SCALE))
