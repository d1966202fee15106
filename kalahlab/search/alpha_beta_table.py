"""Alpha-beta with memory: alpha-beta that keeps a transposition table.

Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms", *Artificial
Intelligence* 87 (1996), pages 255-293. The move in the table is not tried first: moves keep their
order, so the first best one still wins.
"""

from kalahlab.search.alpha_beta import max_value, min_value
from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Tree, observable, searcher


@searcher
def alpha_beta_table(tree: Tree) -> Line:
    """Search with alpha-beta pruning and a transposition table."""
    return value(tree, tree.root, -INF, INF)


@observable
def value(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """Return the node's value for MAX and the path to it; exact inside (alpha, beta)."""
    stored = tree.probe(node, alpha, beta)
    if stored is not None:
        return stored
    if tree.deep_enough(node):
        return Line(tree.static(node))  # not stored: only expanded nodes are
    if node.maximizing:
        best = max_value(value, tree, node, alpha, beta)
    else:
        best = min_value(value, tree, node, alpha, beta)
    tree.table.store(node, alpha, beta, best)
    return best
