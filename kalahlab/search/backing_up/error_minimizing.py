"""Error-minimizing minimax: where deeper search is less sure than the static value, do not search.

Wilson, Parker & Nau, "Error minimizing minimax: avoiding search pathology in game trees", *SoCS*
2009: the static evaluation of each node has an error; the error of minimax is "aggregated up the
tree in a fashion similar to the product rule"; if the static error is less, "EMM search will throw
away the results of the deeper search". This is a reading of the first page, the part that could be
read. Here the error of a value is the probability that another player wins than the value says.
"""

from collections.abc import Sequence

from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.probability import win_probability
from kalahlab.search.backing_up.product_rule import multiply
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def error_of_minimax(node: Node, values: Sequence[float], deeper: float) -> float:
    """Return the probability that minimax names the wrong winner, if MAX wins with `deeper`."""
    best = max(values) if node.maximizing else min(values)
    return 1 - deeper if best >= 0.5 else deeper


def minimize_error(tree: Tree, node: Node, values: Sequence[float], height: int) -> float:
    """Return what the deeper search says, or the static value if its error is less."""
    deeper = multiply(tree, node, values, height)
    static = win_probability(tree, node)
    if min(static, 1 - static) < error_of_minimax(node, values, deeper):
        return static
    return deeper


def explain(tree: Tree, node: Node, values: Sequence[float], height: int) -> str:
    """Say which of the two errors is less."""
    deeper = multiply(tree, node, values, height)
    static = win_probability(tree, node)
    error = error_of_minimax(node, values, deeper)
    surer, other = "static value", "deeper search"
    if minimize_error(tree, node, values, height) != static:
        surer, other = other, surer
    return (
        f"The static value is wrong with probability {min(static, 1 - static):.2f}, the deeper "
        f"search with {error:.2f}. So the {surer} counts, and not the {other}."
    )


ERROR_MINIMIZING = Backup("error_minimizing", win_probability, minimize_error, explain)
error_minimizing = backup_search(
    ERROR_MINIMIZING, "Keep the static value of a node if deeper search is less sure."
)
