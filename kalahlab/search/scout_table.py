"""Principal-variation search with a transposition table: see `scout` and `alpha_beta_table`."""

from math import nextafter

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.scout import from_parent
from kalahlab.search.tree import Tree, observable_from_mover, searcher


@searcher
def scout_table(tree: Tree) -> Line:
    """Principal-variation search with a table."""
    return visit(tree, tree.root, -INF, INF)


@observable_from_mover
def visit(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """VALUE and PATH for the player to move at the node, exact inside (alpha, beta)."""
    known = tree.probe(node, alpha, beta)
    if known is not None:
        return known
    sign = 1 if node.maximizing else -1
    if tree.deep_enough(node):
        return Line(sign * tree.static(node))
    best, a, above = Line(-INF), alpha, beta
    for child in tree.successors(node):
        line = from_parent(visit, tree, node, child, a, above)
        if above <= line.value < beta and not line.is_leaf:
            line = from_parent(visit, tree, node, child, a, beta)
        if line.value > best.value or not best.path:
            best = Line(line.value, (child.move, *line.path))
        if best.value >= beta:
            break
        a = max(a, best.value)
        above = nextafter(a, INF)
    tree.table.store(node, alpha, beta, best)
    return best
