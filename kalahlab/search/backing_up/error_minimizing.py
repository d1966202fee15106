"""Error-minimizing minimax: where deeper search is less sure than the static value, do not search.

Wilson, Parker & Nau, "Error minimizing minimax: avoiding search pathology in game trees", *SoCS*
2009: the static evaluation of each node has an error; the error of minimax is "aggregated up the
tree in a fashion similar to the product rule"; if the static error is less, "EMM search will throw
away the results of the deeper search". This is a reading of the first page, the part that could be
read. Here the error of a value is the probability that another player wins than the value says.
"""

from collections.abc import Sequence

from kalahlab.formatting import format_chance
from kalahlab.games.hand_tree import HandTree
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.probability import (
    explain_probability,
    to_probability,
    win_probability,
)
from kalahlab.search.backing_up.product_rule import multiply
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def error_of_minimax(node: Node, values: Sequence[float], deeper: float) -> float:
    """Return the probability that minimax names the wrong winner, if MAX wins with `deeper`."""
    best = max(values) if node.maximizing else min(values)
    return 1 - deeper if best >= 0.5 else deeper


def has_static_value(tree: Tree, node: Node) -> bool:
    """Return whether a node with children has a static value; in a tree by hand it may have none.

    There 0 stands for no value.
    """
    return not isinstance(tree.game, HandTree) or bool(node.state.value)


def minimize_error(tree: Tree, node: Node, values: Sequence[float]) -> float:
    """Return what the deeper search says, or the static value if its error is less."""
    deeper = multiply(tree, node, values)
    if not has_static_value(tree, node):
        return deeper
    static = win_probability(tree, node)
    if min(static, 1 - static) < error_of_minimax(node, values, deeper):
        return static
    return deeper


def explain(tree: Tree, node: Node, values: Sequence[float]) -> str:
    """Say which of the two errors is less."""
    deeper = multiply(tree, node, values)
    if not has_static_value(tree, node):
        win = format_chance(deeper)
        return f"The node has no static value. By the product rule MAX wins with probability {win}."
    static = to_probability(tree, node, tree.peek_value(node))
    error = error_of_minimax(node, values, deeper)
    surer, other, value = "deeper search", "static value", deeper
    if min(static, 1 - static) < error:
        surer, other, value = other, surer, static
    return (
        f"The static value is wrong with probability {format_chance(min(static, 1 - static))}, the "
        f"deeper search with {format_chance(error)}. So the {surer} counts, and not the {other}: "
        f"MAX wins with probability {format_chance(value)}."
    )


ERROR_MINIMIZING = Backup(
    "error_minimizing",
    win_probability,
    minimize_error,
    explain,
    explain_probability,
    "probability",
)
error_minimizing = backup_search(
    ERROR_MINIMIZING, "Keep the static value of a node if deeper search is less sure."
)
