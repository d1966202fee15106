"""Product rule near the leaves, minimax near the root: a reading of Baum's claim, not his formula.

Baum, "On optimal game tree propagation for imperfect players", *AAAI-92*, says in the abstract that
minimax is about right near the top of the tree, and "near the bottom a formula closer to the
probability product formula is better", as the players will see more when they get there. His
formula is not in the part of the paper that could be read. Here the weight of the product rule is 1
just above the leaves, and 1/h at h moves above the leaf of the line.
"""

from collections.abc import Sequence

from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.probability import win_probability
from kalahlab.search.backing_up.product_rule import multiply
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def mix(tree: Tree, node: Node, values: Sequence[float], height: int) -> float:
    """Return the mean of product rule and minimax, with the weights 1/h and 1 - 1/h."""
    best = max(values) if node.maximizing else min(values)
    return best + (multiply(tree, node, values, height) - best) / height


def explain(tree: Tree, node: Node, values: Sequence[float], height: int) -> str:
    """Say what either rule gives, and what the weights are."""
    best = max(values) if node.maximizing else min(values)
    product = multiply(tree, node, values, height)
    return (
        f"The product rule gives {product:.2f} and has the weight 1/{height}; minimax gives "
        f"{best:.2f}. So MAX wins with probability {mix(tree, node, values, height):.2f}."
    )


PRODUCT_BELOW = Backup("product_below", win_probability, mix, explain)
product_below = backup_search(
    PRODUCT_BELOW, "Back up by the product rule near the leaves, by minimax near the root."
)
