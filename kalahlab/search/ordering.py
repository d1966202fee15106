"""Move orders as values: which child is tried first.

The better the order, the earlier the cut-offs. An order's own look at the children is not
counted as an evaluation.
"""

from collections.abc import Sequence

from kalahlab.search.contract import Node, Order, Tree, pit_order


def store_first(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The pit nearest the mover's store first: pit order reversed."""
    return children[::-1]


def by_static_value(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The child that looks best to the mover first; ties in pit order."""
    return sorted(children, key=tree.static, reverse=node.maximizing)


def worst_first(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """The child that looks worst to the mover first; ties in pit order."""
    return sorted(children, key=tree.static, reverse=not node.maximizing)


ORDERS: dict[str, Order] = {
    "pit": pit_order,
    "store_first": store_first,
    "static": by_static_value,
    "worst_first": worst_first,
}
