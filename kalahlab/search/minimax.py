"""MINIMAX(Position, Depth, Player): value and path of a position, without pruning.

Rich & Knight, *Artificial Intelligence*, section 12.2. The book negates the value at every
level; here only where the turn passed, so that a player may move twice.
"""

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Tree, observable_from_mover, searcher


@searcher
def minimax(tree: Tree) -> Line:
    """Plain minimax: every node down to DEEP-ENOUGH."""
    return visit(tree, tree.root)


@observable_from_mover
def visit(tree: Tree, node: Node) -> Line:
    """VALUE and PATH for the player to move at the node."""
    sign = 1 if node.maximizing else -1
    if tree.deep_enough(node):
        return Line(sign * tree.static(node))
    best = Line(-INF)
    for child in tree.successors(node):
        value, path = visit(tree, child)
        value = value if child.maximizing == node.maximizing else -value
        if value > best.value or not best.path:
            best = Line(value, (child.move, *path))
    return best
