"""The loop of the searches that back values up otherwise than by the best child alone.

All of them walk the same tree as minimax, without pruning, and the player to move chooses the child
with the best value. They differ in the value of a leaf and in the value of a node with children.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kalahlab.formatting import StableRepr
from kalahlab.search.model import Line, Node
from kalahlab.search.tree import Searcher, Tree, observable, searcher


@dataclass(frozen=True, repr=False)
class Backup(StableRepr):
    """How values are backed up. All values are MAX's.

    Attributes:
        name: The name of the search.
        value_leaf: (tree, node) -> the value of a leaf.
        back_up: (tree, node, values, height) -> the value of a node; `values` are those of its
            children, `height` is the number of moves to the leaf at the end of its line.
        explain: The same arguments -> a sentence on how the value follows from the children's.
    """

    name: str
    value_leaf: Callable[[Tree, Node], float] = field(hash=False)
    back_up: Callable[[Tree, Node, Sequence[float], int], float] = field(hash=False)
    explain: Callable[[Tree, Node, Sequence[float], int], str] = field(hash=False)


def backup_search(backup: Backup, description: str) -> Searcher:
    """Make the search that backs values up in this way; its line follows the best children."""

    @observable
    def visit(tree: Tree, node: Node) -> Line:
        if tree.deep_enough(node):
            return Line(backup.value_leaf(tree, node))
        lines = [(visit(tree, child), child) for child in tree.successors(node)]
        best = max if node.maximizing else min
        line, child = best(lines, key=lambda pair: pair[0].value)
        path = (child.move, *line.path)
        values = [line.value for line, _ in lines]
        return Line(backup.back_up(tree, node, values, len(path)), path)

    def search(tree: Tree) -> Line:
        return visit(tree, tree.root)

    search.__name__ = search.__qualname__ = backup.name
    search.__doc__ = description
    result = searcher(search)
    result.backup = backup  # type: ignore[attr-defined]
    return result
