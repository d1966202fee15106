"""SCOUT as principal-variation search: test each move after the first with a null window.

Pearl, "Scout: a simple game-searching algorithm with proven optimal properties", *Proceedings of
the First Annual National Conference on Artificial Intelligence* (1980), pages 143-145. The test and
the search are one fail-soft function, as in NegaScout: Reinefeld, "An improvement to the Scout
tree-search algorithm", *ICCA Journal* 6(4) (1983), pages 4-14.

A move whose test shows that it is better is searched again for its value, unless it is a leaf. A
null window goes from alpha to `above`, the next float above alpha. For the first move `above` is
beta, so the first move is not tested but searched with the whole window.
"""

from math import nextafter

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Search, Tree, observable_from_mover, searcher


@searcher
def scout(tree: Tree) -> Line:
    """Run a principal-variation search, both bounds as the mover sees them."""
    return visit(tree, tree.root, -INF, INF)


@observable_from_mover
def visit(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return VALUE and PATH for the player to move at the node; exact inside (alpha, beta)."""
    sign = 1 if node.maximizing else -1
    if tree.deep_enough(node):
        return Line(sign * tree.static(node))
    return best_child(visit, tree, node, alpha, beta)


def best_child(visit: Search, tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return the best child's line; each child after the first is tested before it is searched."""
    best, above = Line(-INF), beta
    for child in tree.successors(node):
        line = from_parent(visit, tree, node, child, alpha, above)
        if above <= line.value < beta and not line.is_leaf:
            line = from_parent(visit, tree, node, child, alpha, beta)
        if line.value > best.value or not best.path:
            best = Line(line.value, (child.move, *line.path))
        if best.value >= beta:
            return best
        alpha = max(alpha, best.value)
        above = nextafter(alpha, INF)
    return best


def from_parent(
    visit: Search, tree: Tree, node: Node, child: Node, alpha: float, beta: float
) -> Line:
    """Search a child with `visit`; return the child's line for the player to move at the node."""
    if child.maximizing == node.maximizing:
        return visit(tree, child, alpha, beta)
    value, path = visit(tree, child, -beta, -alpha)
    return Line(-value, path)
