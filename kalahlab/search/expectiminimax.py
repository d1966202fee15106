"""EXPECTIMINIMAX: minimax for games of chance; where chance moves, the value is the mean.

Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 3rd edition, section 5.5. The line
ends where chance moves, as nobody chooses there.
"""

from kalahlab.search.model import Line, Node
from kalahlab.search.tree import Tree, observable, searcher, takes_chance


@searcher
@takes_chance
def expectiminimax(tree: Tree) -> Line:
    """Search all nodes; a position in which chance moves is worth the mean of its children."""
    return visit(tree, tree.root)


@observable
def visit(tree: Tree, node: Node) -> Line:
    """Return the node's value for MAX and the path to it."""
    if tree.deep_enough(node):
        return Line(tree.static(node))
    children = tree.successors(node)
    if tree.is_chance(node):
        mean = 0.0
        for child in children:
            mean += tree.probability(node, child) * visit(tree, child).value
        return Line(mean)
    lines = [(visit(tree, child), child) for child in children]
    best = max if node.maximizing else min
    line, child = best(lines, key=lambda pair: pair[0].value)
    return Line(line.value, (child.move, *line.path))
