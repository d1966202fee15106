"""Alpha-beta with memory: alpha-beta that keeps a transposition table.

Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms", *Artificial
Intelligence* 87 (1996), pages 255-293. Moves are tried in the order given, not with the table's
first: so the first best one still wins.
"""

from kalahlab.search.alpha_beta import max_value, min_value
from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Tree, observable, searcher


@searcher
def alpha_beta_table(tree: Tree) -> Line:
    """ALPHA-BETA-SEARCH with a table."""
    return value(tree, tree.root, -INF, INF)


@observable
def value(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
    """The node's value to MAX and the path to it, exact inside (alpha, beta)."""
    known = tree.probe(node, alpha, beta)
    if known is not None:
        return known
    if tree.deep_enough(node):
        return Line(tree.static(node))
    best = (max_value if node.maximizing else min_value)(value, tree, node, alpha, beta)
    tree.table.store(node, alpha, beta, best)
    return best
