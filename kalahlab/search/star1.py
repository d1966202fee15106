"""Star1: alpha-beta for games of chance.

Ballard, "The *-minimax search procedure for trees containing chance nodes", *Artificial
Intelligence* 21 (1983), pages 327-350. All values are known to be between a least and a greatest
value. So a position in which chance moves can be left early: if all children that are not yet
searched were worth the greatest value, the mean would still not exceed alpha; or if they were
worth the least value, it would still reach beta.
"""

from kalahlab.search.alpha_beta import max_value, min_value
from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Tree, observable, searcher, takes_chance


@searcher
@takes_chance
def star1(tree: Tree) -> Line:
    """Search with alpha-beta pruning, also where chance moves; the game has a `value_range`."""
    least, greatest = tree.value_range()

    @observable
    def value(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
        if tree.deep_enough(node):
            v = tree.static(node)
            if not least <= v <= greatest:
                bounds = f"from {least:g} to {greatest:g}"
                raise ValueError(f"star1 needs values {bounds}; the evaluator returns {v}")
            return Line(v)
        if tree.is_chance(node):
            return Line(chance_value(tree, node, alpha, beta))
        if node.maximizing:
            return max_value(value, tree, node, alpha, beta)
        return min_value(value, tree, node, alpha, beta)

    def chance_value(tree: Tree, node: Node, alpha: float, beta: float) -> float:
        settled = 0.0  # the part of the mean that the searched children make up
        rest = 1.0  # the probability of the other children
        for child in tree.successors(node):
            probability = tree.probability(node, child)
            rest -= probability
            # The values of this child at which the mean cannot exceed alpha, or must reach beta.
            child_alpha = (alpha - settled - rest * greatest) / probability
            child_beta = (beta - settled - rest * least) / probability
            v = value(tree, child, child_alpha, child_beta).value
            settled += probability * v
            if v <= child_alpha:
                return settled + rest * greatest
            if v >= child_beta:
                return settled + rest * least
        return settled

    return value(tree, tree.root, -INF, INF)
