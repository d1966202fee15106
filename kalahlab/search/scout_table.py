"""Principal-variation search with a transposition table: see `scout` and `alpha_beta_table`."""

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.scout import best_child
from kalahlab.search.tree import Tree, observable_from_mover, searcher


@searcher
def scout_table(tree: Tree) -> Line:
    """Run a principal-variation search with a transposition table."""
    return visit(tree, tree.root, -INF, INF)


@observable_from_mover
def visit(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return VALUE and PATH for the player to move at the node; exact inside (alpha, beta)."""
    stored = tree.probe(node, alpha, beta)
    if stored is not None:
        return stored
    sign = 1 if node.maximizing else -1
    if tree.deep_enough(node):
        return Line(sign * tree.static(node))  # not stored: only expanded nodes are
    best = best_child(visit, tree, node, alpha, beta)
    tree.table.store(node, alpha, beta, best)
    return best
