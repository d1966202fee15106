"""Move orders: which child is tried first. An order's look at a child is no evaluation."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.search.alpha_beta_table import value
from kalahlab.search.model import INF, Node
from kalahlab.search.table import Table
from kalahlab.search.tree import Counter, Order, Tree, pit_order


def store_first(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The pit nearest the mover's store first: pit order reversed."""
    return children[::-1]


def by_static_value(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The child that looks best to the mover first; ties in pit order."""
    return sorted(children, key=tree.look, reverse=node.maximizing)


def worst_first(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The child that looks worst to the mover first; ties in pit order."""
    return sorted(children, key=tree.look, reverse=not node.maximizing)


def oracle_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The child of the mover's best value first, found by another search; ties in pit order.

    In a uniform tree no order visits fewer nodes. In others, such as Kalah's, another order may.
    """
    return sorted(children, key=_exact(tree), reverse=node.maximizing)


def anti_oracle_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The child of the mover's worst value first, found by another search."""
    return sorted(children, key=_exact(tree), reverse=not node.maximizing)


def _exact(tree: Tree) -> Callable[[Node], float]:
    """What a child is worth to MAX at the depth of the tree."""
    aside = replace(tree, order=store_first, observer=None, counter=Counter(), table=Table())
    return lambda child: value(aside, child, -INF, INF).value


class Killer(StableRepr):
    """The moves that last cut off a node as many sows deep of the same player, then pit order.

    Akl & Newborn, "The principal continuation and the killer heuristic", *Proceedings of the ACM
    National Conference* (1977), pages 466-473. Two are kept for a depth, the latest first.
    """

    def __init__(self) -> None:
        self._killers: defaultdict[tuple[int, bool], list[Any]] = defaultdict(list)

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        killers = self._killers[node.sows, node.maximizing]
        first = [child for move in killers for child in children if child.move == move]
        return [*first, *(child for child in children if child.move not in killers)]

    def on_cutoff(self, node: Node, move: Any) -> None:
        killers = self._killers[node.sows, node.maximizing]
        killers[:] = [move, *(other for other in killers if other != move)][:2]


class History(StableRepr):
    """The moves that cut off most so far, wherever it was, then pit order.

    Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", *IEEE
    Transactions on Pattern Analysis and Machine Intelligence* 11(11) (1989), pages 1203-1212.
    A cut-off counts half as much with each sow from the root, as his weights of 2 to the
    remaining depth do; best moves that cut nothing off, which he counts too, are not counted here.
    """

    def __init__(self) -> None:
        self._weights: defaultdict[tuple[bool, Any], float] = defaultdict(float)

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        return sorted(children, key=lambda child: -self._weights[node.maximizing, child.move])

    def on_cutoff(self, node: Node, move: Any) -> None:
        self._weights[node.maximizing, move] += 0.5**node.sows


ORDERS: dict[str, Order] = {
    "pit": pit_order,
    "store_first": store_first,
    "static": by_static_value,
    "worst_first": worst_first,
    "killer": Killer,
    "history": History,
    "oracle": oracle_order,
    "anti_oracle": anti_oracle_order,
}
