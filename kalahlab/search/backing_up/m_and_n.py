"""M & N procedure: a node is worth more if more than one of its moves is good.

Slagle & Dixon, "Experiments with the M & N tree-searching program", *Communications of the ACM*
13(3) (1970), pages 147-154: "it is desirable to have many options when making decisions in the face
of uncertainty"; a MAX node gets "some function of the M highest" values, a MIN node one of the N
lowest. The abstract, all that could be read, does not give the function. Here it is the expected
best of the values if each is wrong by a random error of about a stone: T ln(e^(v1/T) + e^(v2/T)),
with M = N = 2 and T = 1 stone. Two equal moves are worth 0.7 stones more than one.
"""

from collections.abc import Sequence
from math import exp, isinf, log

from kalahlab.formatting import format_number
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def count_options(
    tree: Tree,
    node: Node,
    values: Sequence[float],
    best: int = 2,
    error: float = 1.0,
) -> float:
    """Return the best value and a bonus for the next ones, the greater the nearer they are.

    Args:
        tree: The tree.
        node: The node.
        values: The values of its children.
        best: How many values count, M and N.
        error: T, in stones.
    """
    sign = 1 if node.maximizing else -1
    first, *others = sorted((sign * value for value in values), reverse=True)[:best]
    if isinf(first):  # nothing can be added to it
        return sign * first
    ahead = sum(exp((other - first) / error) for other in others)
    return sign * (first + error * log(1 + ahead))


def explain(tree: Tree, node: Node, values: Sequence[float]) -> str:
    """Say what the best moves are worth, and what the second one adds."""
    best = sorted(values, reverse=node.maximizing)[:2]
    moves = " and ".join(format_number(round(value, 2)) for value in best)
    if len(best) == 1:
        return f"There is one move, so nothing is added to its value, {moves}."
    value = format_number(round(count_options(tree, node, values), 2))
    player = "MAX" if node.maximizing else "MIN"
    return f"The two best moves for {player} are worth {moves}: together {value}."


M_AND_N = Backup("m_and_n", Tree.static, count_options, explain)
m_and_n = backup_search(M_AND_N, "Back up the two best values of each node, not the best alone.")
