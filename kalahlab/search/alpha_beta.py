"""ALPHA-BETA-SEARCH: minimax that leaves a node as soon as it cannot change the result.

Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 3rd edition, figure 5.7.
The book calls MIN-VALUE from MAX-VALUE. Here both call `search` for a child, and `search` looks at
whose turn it is, as a player may move twice. The value is fail-soft: outside the window it is a
bound. The first child is the best one so far even if its value is infinite: that is what
`not best.path` tests.
"""

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Search, Tree, observable, searcher


@searcher
def alpha_beta(tree: Tree) -> Line:
    """Search with alpha-beta pruning; MAX is sure of alpha, and MIN of beta."""
    return value(tree, tree.root, -INF, INF)


@observable
def value(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return the node's value for MAX and the path to it; exact inside (alpha, beta)."""
    if tree.deep_enough(node):
        return Line(tree.static(node))
    if node.maximizing:
        return max_value(value, tree, node, alpha, beta)
    return min_value(value, tree, node, alpha, beta)


def max_value(search: Search, tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return MAX-VALUE; leave the node once MIN has a choice above it that is no worse for MIN."""
    best = Line(-INF)
    for child in tree.successors(node):
        v, path = search(tree, child, alpha, beta)
        if v > best.value or not best.path:
            best = Line(v, (child.move, *path))
        if best.value >= beta:
            return best
        alpha = max(alpha, best.value)
    return best


def min_value(search: Search, tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return MIN-VALUE; leave the node once MAX has a choice above it that is no worse for MAX."""
    best = Line(INF)
    for child in tree.successors(node):
        v, path = search(tree, child, alpha, beta)
        if v < best.value or not best.path:
            best = Line(v, (child.move, *path))
        if best.value <= alpha:
            return best
        beta = min(beta, best.value)
    return best
