"""The probability that MAX wins, from a static value: the logistic function of the value.

With the store difference, in the judged positions of Kalah(6,4), the best scale is 4.7 stones (page
15 computes it). An evaluator in other units needs to be multiplied first. The values that are
written at the leaves of a tree by hand are probabilities themselves.
"""

from math import exp

from kalahlab.formatting import format_chance, format_number
from kalahlab.games.hand_tree import HandTree
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree

SCALE = 4.7  # stones; 4.7 stones ahead wins with probability 0.73


def win_probability(tree: Tree, node: Node) -> float:
    """Return the probability that MAX wins, and count the evaluation."""
    return to_probability(tree, node, tree.static(node))


def to_probability(tree: Tree, node: Node, value: float) -> float:
    """Return the probability that a static value stands for.

    In a finished game it is 1, 0, or 1/2 for a draw.

    Raises:
        ValueError: The value is written at the leaf of a tree, and is no probability.
    """
    if isinstance(tree.game, HandTree):
        if not 0 <= value <= 1:
            message = f"the node {node.state.name} has the value {format_number(value)}"
            raise ValueError(f"{message}; a search by probabilities takes values from 0 to 1")
        return value
    if tree.game.is_over(node.state):
        if value == 0:
            return 0.5
        return 1.0 if value > 0 else 0.0
    if value < 0:  # so that `exp` cannot overflow
        return exp(value / SCALE) / (1 + exp(value / SCALE))
    return 1 / (1 + exp(-value / SCALE))


def explain_probability(tree: Tree, node: Node, probability: float) -> str:
    """Say which static value a leaf has, and which probability it stands for."""
    if isinstance(tree.game, HandTree):
        win = format_chance(probability)
        return f"The value written here says that MAX wins with probability {win}."
    if tree.game.is_over(node.state):
        if probability == 0.5:
            return "The game is a draw, which counts as half a win."
        winner = "MAX" if probability else "MIN"
        return f"{winner} has won the game."
    value = format_number(tree.peek_value(node))
    win = format_chance(probability)
    return f"The static value is {value}. So MAX is taken to win with probability {win}."
