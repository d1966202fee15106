"""Averaging: a node is worth the mean of its children, as if all moves were equally likely.

UCT backs up means; Ramanujan & Selman, "Trade-offs in sampling-based adversarial planning", *ICAPS*
2011, pages 202-209, take it apart into expansion, playouts and "averaging backups". Here the tree
is given, so that only the backing up is judged. At the root the player to move chooses the child
with the best mean.
"""

from collections.abc import Sequence
from math import fsum

from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def average(tree: Tree, node: Node, values: Sequence[float], height: int) -> float:
    """Return the mean of the children's values."""
    return fsum(values) / len(values)


def explain(tree: Tree, node: Node, values: Sequence[float], height: int) -> str:
    """Say what the mean is made of."""
    terms = ", ".join(f"{value:.2f}" for value in values)
    return f"The mean of {terms} is {average(tree, node, values, height):.2f}."


AVERAGING = Backup("averaging", Tree.static, average, explain)
averaging = backup_search(AVERAGING, "Back up the mean of the children.")
