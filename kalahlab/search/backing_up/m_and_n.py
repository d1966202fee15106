"""M & N procedure: a node is worth more if more than one of its moves is good.

Slagle & Dixon, "Experiments with the M & N tree-searching program", *Communications of the ACM*
13(3) (1970), pages 147-154: "it is desirable to have many options when making decisions in the face
of uncertainty"; a MAX node gets "some function of the M highest" values, a MIN node one of the N
lowest. The abstract, all that could be read, does not give the function. Here it is the expected
best of the values if each is wrong by a random error of about a stone: T ln(e^(v1/T) + e^(v2/T)),
with M = N = 2 and T = 1 stone. Two equal moves are worth 0.7 stones more than one.
"""

from collections.abc import Sequence
from math import exp, log

from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree


def count_options(
    tree: Tree,
    node: Node,
    values: Sequence[float],
    height: int,
    best: int = 2,
    error: float = 1.0,
) -> float:
    """Return the best value and a bonus for the next ones, the greater the nearer they are.

    Args:
        tree: The tree.
        node: The node.
        values: The values of its children.
        height: Not used.
        best: How many values count, M and N.
        error: T, in stones.
    """
    sign = 1 if node.maximizing else -1
    first, *others = sorted((sign * value for value in values), reverse=True)[:best]
    ahead = sum(exp((other - first) / error) for other in others)
    return sign * (first + error * log(1 + ahead))


def explain(tree: Tree, node: Node, values: Sequence[float], height: int) -> str:
    """Say what the best moves are worth, and what the second one adds."""
    best = sorted(values, reverse=node.maximizing)[:2]
    moves = " and ".join(f"{value:.2f}" for value in best)
    value = count_options(tree, node, values, height)
    return f"The best {len(best)} moves are worth {moves}: together {value:.2f}."


M_AND_N = Backup("m_and_n", Tree.static, count_options, explain)
m_and_n = backup_search(M_AND_N, "Back up the two best values of each node, not the best alone.")
