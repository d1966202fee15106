"""Greedy: take what looks best one ply ahead.

The Mancala homework defines it as minimax with the cut-off at 1, in turns or in sows.
"""

from dataclasses import replace

from kalahlab.search.deep_enough import Depth
from kalahlab.search.minimax import visit
from kalahlab.search.model import Line, Node
from kalahlab.search.tree import Tree, searcher


@searcher
def greedy(tree: Tree) -> Line:
    """Minimax one ply deep, in the unit of the given depth, however deep that is."""
    given = tree.deep_enough_at
    one = Depth(1, given.unit) if isinstance(given, Depth) else Depth(1)

    def deep_enough(node: Node) -> bool:
        return one(node) or given(node)

    return visit(replace(tree, deep_enough_at=deep_enough), tree.root)
