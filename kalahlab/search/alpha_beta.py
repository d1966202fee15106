"""ALPHA-BETA-SEARCH: minimax that leaves a node once it cannot matter any more.

Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 3rd edition, figure 5.7.
The book calls MIN-VALUE from MAX-VALUE; here both call the `search` of a child,
which asks whose turn it is. The value is fail-soft: outside its window it is a bound.
"""

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Search, Tree, observable, searcher


@searcher
def alpha_beta(tree: Tree) -> Line:
    """Alpha-beta pruning, alpha and beta as MAX and MIN see them."""
    return value(tree, tree.root, -INF, INF)


@observable
def value(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """The node's value to MAX and the path to it, exact inside (alpha, beta)."""
    if tree.deep_enough(node):
        return Line(tree.static(node))
    return (max_value if node.maximizing else min_value)(value, tree, node, alpha, beta)


def max_value(search: Search, tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """MAX-VALUE: left as soon as MIN, above, has something no worse for it."""
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
    """MIN-VALUE: left as soon as MAX, above, has something no worse for it."""
    best = Line(INF)
    for child in tree.successors(node):
        v, path = search(tree, child, alpha, beta)
        if v < best.value or not best.path:
            best = Line(v, (child.move, *path))
        if best.value <= alpha:
            return best
        beta = min(beta, best.value)
    return best
