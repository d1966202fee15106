"""MINIMAX(Position, Depth, Player): the value and path of a position, without pruning.

Rich & Knight, *Artificial Intelligence*, section 12.2. The book negates the value at every
level; here it is negated only where the turn passes, as a player may move twice.
"""

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Tree, observable_from_mover, searcher


@searcher
def minimax(tree: Tree) -> Line:
    """Search every node down to DEEP-ENOUGH by plain minimax."""
    return visit(tree, tree.root)


@observable_from_mover
def visit(tree: Tree, node: Node) -> Line:
    """Return VALUE and PATH for the player to move at the node."""
    sign = 1 if node.maximizing else -1
    if tree.deep_enough(node):
        return Line(sign * tree.static(node))
    best = Line(-INF)
    for child in tree.successors(node):
        value, path = visit(tree, child)
        if child.maximizing != node.maximizing:
            value = -value
        if value > best.value or not best.path:  # the first child is best even at -INF
            best = Line(value, (child.move, *path))
    return best
