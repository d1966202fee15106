"""MINIMAX-A-B(Position, Depth, Player, Use-Thresh, Pass-Thresh).

Rich & Knight, *Artificial Intelligence*, section 12.3. Pass-Thresh is the best value that the mover
has so far (alpha), and Use-Thresh the value at which the mover cuts off (beta). Here Pass-Thresh is
passed first, as alpha is in all searches. In the book the two change places and sign at every
level, here only where the turn passes. The value is fail-hard: PASS-THRESH is used as the best
score, so the value never falls below it.
"""

from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Tree, observable_from_mover, searcher


@searcher
def minimax_a_b(tree: Tree) -> Line:
    """Search with alpha-beta pruning, both thresholds as the mover sees them."""
    return visit(tree, tree.root, -INF, INF)


@observable_from_mover
def visit(tree: Tree, node: Node, pass_thresh: float, use_thresh: float) -> Line:
    """Return VALUE and PATH for the player to move; a node with children has >= pass_thresh."""
    sign = 1 if node.maximizing else -1
    if tree.deep_enough(node):
        return Line(sign * tree.static(node))
    best_path: tuple[object, ...] = ()
    for child in tree.successors(node):
        if child.maximizing == node.maximizing:
            new_value, path = visit(tree, child, pass_thresh, use_thresh)
        else:
            value, path = visit(tree, child, -use_thresh, -pass_thresh)
            new_value = -value
        if new_value > pass_thresh or not best_path:  # the first child gives a path in any case
            best_path = (child.move, *path)
            pass_thresh = max(pass_thresh, new_value)
        if pass_thresh >= use_thresh:
            return Line(pass_thresh, best_path)
    return Line(pass_thresh, best_path)
