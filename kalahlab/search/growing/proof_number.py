"""Proof-number search: expand the leaf that helps most to answer a question with yes or no.

Allis, *Searching for Solutions in Games and Artificial Intelligence*, thesis (1994).
The question is whether MAX reaches a margin. At an OR node MAX moves, at an AND node MIN, whatever
the level: after an extra turn two nodes of the same kind follow each other.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from kalahlab.search.growing.loop import GrowingTree, growing_search
from kalahlab.search.growing.model import Policy, TreeNode
from kalahlab.search.limits import Nodes, Seconds
from kalahlab.search.model import Claim


class Proof(NamedTuple):
    """The proof number and the disproof number of a node.

    The least number of leaves that must be proved to prove, or disprove, the node: 0 if it is done,
    infinite if it cannot be done.
    """

    pn: float
    dn: float


PROVED, DISPROVED, UNKNOWN = Proof(0, inf), Proof(inf, 0), Proof(1, 1)


class ProofNumber(Policy):
    """Prove or disprove that MAX reaches a margin.

    Args:
        evaluator: Ignored; leaves have no static values.
        at_least: The margin in stones.
    """

    limits, evaluates_children = (Nodes, Seconds), True

    def __init__(self, evaluator: object = None, at_least: float = 1) -> None:
        self.at_least = at_least

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        return (-child.pn,) if maximizing else (-child.dn,)

    def is_finished(self, path: Sequence[TreeNode]) -> bool:
        return 0 in path[0].numbers

    def evaluate(self, tree: GrowingTree, node: TreeNode) -> float | None:
        return tree.margin(node.state) if node.is_over else None

    def make_numbers(self, tree: GrowingTree, nodes: Sequence[TreeNode]) -> Sequence[Any]:
        return [self._first_proof(tree.values[node]) for node in nodes]

    def _first_proof(self, margin: float | None) -> Proof:
        if margin is None:
            return UNKNOWN
        return PROVED if margin >= self.at_least else DISPROVED

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        for node in reversed(path):
            pns, dns = zip(*(child.numbers for child in node.children), strict=True)
            if node.maximizing:
                node.numbers = Proof(min(pns), sum(dns))
            else:
                node.numbers = Proof(sum(pns), min(dns))

    def conclude(self, tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
        pn, dn = tree.root.numbers
        if pn == 0:
            return self.at_least, "at least", follow_proof(tree.root, PROVED)
        if dn == 0:
            return self.at_least, "less than", follow_proof(tree.root, DISPROVED)
        return self.at_least, "unknown", []


def follow_proof(node: TreeNode, proof: Proof) -> list[Any]:
    """Return the moves from a proved or disproved node, each to the first child that is so, too."""
    line = list[Any]()
    while node.children:
        node = next(child for child in node.children if child.numbers == proof)
        line.append(node.move)
    return line


proof_number = growing_search(ProofNumber, "proof_number")
