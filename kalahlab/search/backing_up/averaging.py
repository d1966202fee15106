"""Averaging: a node is worth the mean of its children, as if all moves were equally likely.

UCT backs up means; Ramanujan & Selman, "Trade-offs in sampling-based adversarial planning", *ICAPS*
2011, pages 202-209, take it apart into expansion, playouts and "averaging backups". Here the tree
is given, so that only the backing up is judged. At the root the player to move chooses the child
with the best mean.
"""

from collections.abc import Sequence
from math import fsum

from kalahlab.formatting import format_number
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def find_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the sum of the values, each times its weight.

    Raises:
        ValueError: Values are infinite in both directions, so that they have no mean.
    """
    try:
        return fsum(value * weight for value, weight in zip(values, weights, strict=True))
    except ValueError:
        message = "the evaluator returns ∞ and −∞, which have no mean"
        raise ValueError(f"{message}; give an evaluator with finite values") from None


def average(tree: Tree, node: Node, values: Sequence[float]) -> float:
    """Return the mean of the children's values."""
    return find_mean(values, [1 / len(values)] * len(values))


def explain(tree: Tree, node: Node, values: Sequence[float]) -> str:
    """Say what the mean is made of."""
    terms = ", ".join(format_number(round(value, 2)) for value in values)
    mean = format_number(round(average(tree, node, values), 2))
    if len(values) == 1:
        return f"There is one move, with the value {mean}."
    return f"The mean of {terms} is {mean}."


AVERAGING = Backup("averaging", Tree.static, average, explain)
averaging = backup_search(AVERAGING, "Back up the mean of the children.")
