"""The product rule: a player wins unless all moves lose, and the moves are independent.

Nau, "Pathology on game trees revisited, and an alternative to minimaxing", *Artificial
Intelligence* 21 (1983), pages 221-244, tried it as a cure where deeper minimax decides worse.
Values are probabilities of a win for MAX: at a MAX node 1 - (1 - p1)(1 - p2)..., at a MIN node
p1 p2....
"""

from collections.abc import Sequence
from math import prod

from kalahlab.formatting import format_chance
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.probability import (
    explain_probability,
    win_probability,
)
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def multiply(tree: Tree, node: Node, values: Sequence[float]) -> float:
    """Return the probability that MAX wins, if the moves win independently of each other."""
    if node.maximizing:
        return 1 - prod(1 - value for value in values)
    return prod(values)


def explain(tree: Tree, node: Node, values: Sequence[float]) -> str:
    """Say that the player to move loses only if all moves lose."""
    value = format_chance(multiply(tree, node, values))
    if len(values) == 1:
        return f"There is one move. So MAX wins with probability {value}, as after the move."
    player, losses = "MIN", values
    if node.maximizing:
        player, losses = "MAX", [1 - value for value in values]
    factors = " · ".join(map(format_chance, losses))
    return (
        f"{player} loses only if all moves lose: {factors} = {format_chance(prod(losses))}. "
        f"So MAX wins with probability {value}."
    )


PRODUCT_RULE = Backup(
    "product_rule", win_probability, multiply, explain, explain_probability, "probability"
)
product_rule = backup_search(PRODUCT_RULE, "Multiply probabilities of a win up the whole tree.")
