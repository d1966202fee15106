"""Greedy search: take the move that looks best one ply ahead.

The Mancala homework defines it as minimax with cut-off depth 1, in turns or in sows.
"""

from dataclasses import replace

from kalahlab.search.deep_enough import Depth
from kalahlab.search.minimax import visit
from kalahlab.search.model import Line, Node
from kalahlab.search.tree import Tree, searcher


@searcher
def greedy(tree: Tree) -> Line:
    """Search one ply deep by minimax; of a greater depth only the unit matters."""
    limit = tree.deep_enough_at
    one_ply = Depth(1, limit.unit) if isinstance(limit, Depth) else Depth(1)

    def is_leaf(node: Node) -> bool:
        return one_ply(node) or limit(node)  # Depth(0) stops before one ply

    return visit(replace(tree, deep_enough_at=is_leaf), tree.root)
