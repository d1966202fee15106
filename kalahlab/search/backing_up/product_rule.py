"""The product rule: a player wins unless all moves lose, and the moves are independent.

Nau, "Pathology on game trees revisited, and an alternative to minimaxing", *Artificial
Intelligence* 21 (1983), pages 221-244, tried it as a cure where deeper minimax decides worse.
Values are probabilities of a win for MAX: at a MAX node 1 - (1 - p1)(1 - p2)..., at a MIN node
p1 p2....
"""

from collections.abc import Sequence
from math import prod

from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.probability import win_probability
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def multiply(tree: Tree, node: Node, values: Sequence[float], height: int) -> float:
    """Return the probability that MAX wins, if the moves win independently of each other."""
    if node.maximizing:
        return 1 - prod(1 - value for value in values)
    return prod(values)


def explain(tree: Tree, node: Node, values: Sequence[float], height: int) -> str:
    """Say that the player to move loses only if all moves lose."""
    player, losses = "MIN", values
    if node.maximizing:
        player, losses = "MAX", [1 - value for value in values]
    factors = " · ".join(f"{loss:.2f}" for loss in losses)
    value = multiply(tree, node, values, height)
    return (
        f"{player} loses only if all moves lose: {factors} = {prod(losses):.2f}. "
        f"So MAX wins with probability {value:.2f}."
    )


PRODUCT_RULE = Backup("product_rule", win_probability, multiply, explain)
product_rule = backup_search(PRODUCT_RULE, "Multiply probabilities of a win up the whole tree.")
