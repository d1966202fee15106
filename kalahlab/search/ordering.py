"""Move orders. Static values computed for ordering are not counted as evaluations.

`sorted` keeps ties in the order of the children, pit order, also with `reverse=True`.
"""

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
    """Try the pit nearest the mover's store first: pit order reversed."""
    return children[::-1]


def by_static_value(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Try the child with the best static value for the mover first; ties in pit order."""
    return sorted(children, key=tree.peek_value, reverse=node.maximizing)


def worst_first(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Try the child with the worst static value for the mover first; ties in pit order."""
    return sorted(children, key=tree.peek_value, reverse=not node.maximizing)


def oracle_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Try the child with the best searched value for the mover first; ties in pit order.

    In a uniform tree no order visits fewer nodes; in other trees, such as Kalah's, one may.
    """
    return sorted(children, key=_exact_key(tree), reverse=node.maximizing)


def anti_oracle_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Try the child with the worst searched value for the mover first; ties in pit order."""
    return sorted(children, key=_exact_key(tree), reverse=not node.maximizing)


def _exact_key(tree: Tree) -> Callable[[Node], float]:
    """Return a function that returns a child's minimax value for MAX; its search is not counted."""
    # The order does not change the value. Observer and counter are those of another tree.
    uncounted = replace(tree, order=store_first, observer=None, counter=Counter(), table=Table())
    return lambda child: value(uncounted, child, -INF, INF).value


class Killer(StableRepr):
    """The killer heuristic: moves that caused the latest cutoffs at the same depth come first.

    Akl & Newborn, "The principal continuation and the killer heuristic", *Proceedings of the ACM
    National Conference* (1977), pages 466-473. For each depth in sows and each player to move it
    keeps two moves, the latest first. All other moves follow in the order given, pit order.
    """

    def __init__(self) -> None:
        self._killers: defaultdict[tuple[int, bool], list[Any]] = defaultdict(list)

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        killers = self._killers[node.sows, node.maximizing]
        ordered: list[Node] = []
        for move in killers:
            # The killers come from other nodes. A killer that is not legal here matches no child.
            ordered += [child for child in children if child.move == move]
        return [*ordered, *(child for child in children if child.move not in killers)]

    def on_cutoff(self, node: Node, move: Any) -> None:
        killers = self._killers[node.sows, node.maximizing]
        others = [killer for killer in killers if killer != move]
        killers[:] = [move, *others][:2]  # changes the list that `_killers` holds


class History(StableRepr):
    """The history heuristic: moves with the most cutoffs anywhere in the tree come first.

    Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", *IEEE
    Transactions on Pattern Analysis and Machine Intelligence* 11(11) (1989), pages 1203-1212.
    A cutoff counts half as much with each sow from the root. Schaeffer's weight, 2 to the power of
    the remaining depth, also halves with each sow. Schaeffer counts best moves that cut nothing
    off, too; here they are not counted. Ties are in pit order.
    """

    def __init__(self) -> None:
        self._weights: defaultdict[tuple[bool, Any], float] = defaultdict(float)

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        return sorted(children, key=lambda child: -self._weights[node.maximizing, child.move])

    def on_cutoff(self, node: Node, move: Any) -> None:
        self._weights[node.maximizing, move] += 0.5**node.sows


class StoreFirstKiller(Killer):
    """Killers come first, and after them the pit nearest the mover's store."""

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        return super().__call__(tree, node, store_first(tree, node, children))


class StoreFirstHistory(History):
    """The moves with the most cutoffs come first; of equals, the pit nearest the mover's store."""

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        return super().__call__(tree, node, store_first(tree, node, children))


class StoreFirstKillerHistory(StableRepr):
    """Killers come first, then the moves with the most cutoffs; of equals, the pit at the store."""

    def __init__(self) -> None:
        self._killer, self._history = Killer(), StoreFirstHistory()

    def __call__(self, tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
        return self._killer(tree, node, self._history(tree, node, children))

    def on_cutoff(self, node: Node, move: Any) -> None:
        self._killer.on_cutoff(node, move)
        self._history.on_cutoff(node, move)


ORDERS: dict[str, Order] = {
    "pit": pit_order,
    "store_first": store_first,
    "static": by_static_value,
    "worst_first": worst_first,
    "killer": Killer,
    "history": History,
    "oracle": oracle_order,
    "anti_oracle": anti_oracle_order,
    "store_first_killer": StoreFirstKiller,
    "store_first_history": StoreFirstHistory,
    "store_first_killer_history": StoreFirstKillerHistory,
}
