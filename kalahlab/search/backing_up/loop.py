"""The loop of the searches that back values up otherwise than by the best child alone.

All of them walk the same tree as minimax, without pruning, and the player to move chooses the child
with the best value. They differ in what they believe of a leaf and of a node with children.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from reprlib import repr as short
from typing import Any, Literal

from kalahlab.formatting import StableRepr
from kalahlab.search.model import Line, Node
from kalahlab.search.tree import Searcher, Tree, observable, searcher

Belief = Any
"""What a search believes of a node, for MAX: a number, or an object whose `float` is the value."""


def explain_nothing(tree: Tree, node: Node, belief: Belief) -> str:
    """Return "": the value of a leaf is its static value, which needs no sentence."""
    return ""


@dataclass(frozen=True, repr=False)
class Backup(StableRepr):
    """How values are backed up. All values are MAX's.

    Attributes:
        name: The name of the search.
        value_leaf: (tree, node) -> what is believed of a leaf.
        back_up: (tree, node, beliefs) -> what is believed of a node; `beliefs` are its children's.
        explain: The same arguments -> a sentence on how the value follows from the children's.
        explain_leaf: (tree, node, belief) -> a sentence on the value of a leaf, or "".
        unit: What the values are.
    """

    name: str
    value_leaf: Callable[[Tree, Node], Belief] = field(hash=False)
    back_up: Callable[[Tree, Node, Sequence[Belief]], Belief] = field(hash=False)
    explain: Callable[[Tree, Node, Sequence[Belief]], str] = field(hash=False)
    explain_leaf: Callable[[Tree, Node, Belief], str] = field(hash=False, default=explain_nothing)
    unit: Literal["value", "probability"] = "value"


def backup_search(backup: Backup, description: str) -> Searcher:
    """Make the search that backs values up in this way; its line follows the best children.

    A user's search is assigned to the name of its backup, so that the explorer finds it.
    """

    def search(tree: Tree) -> Line:
        beliefs: dict[int, Belief] = {}  # by the identity of a node, until its parent is valued

        @observable
        def visit(tree: Tree, node: Node) -> Line:
            if tree.deep_enough(node):
                belief = backup.value_leaf(tree, node)
                beliefs[id(node)] = belief
                explain_to(tree, node, backup.explain_leaf, belief)
                return Line(value_of(backup, belief))
            lines = [(visit(tree, child), child) for child in tree.successors(node)]
            best = max if node.maximizing else min
            line, child = best(lines, key=lambda pair: pair[0].value)
            below = [beliefs.pop(id(child)) for _, child in lines]
            belief = backup.back_up(tree, node, below)
            beliefs[id(node)] = belief
            explain_to(tree, node, backup.explain, below)
            return Line(value_of(backup, belief), (child.move, *line.path))

        return visit(tree, tree.root)

    search.__name__ = search.__qualname__ = backup.name
    # So that a user's search is found by its name in the module that has the user's function.
    search.__module__ = getattr(backup.back_up, "__module__", __name__)
    search.__doc__ = description
    result = searcher(search)
    result.backup = backup  # type: ignore[attr-defined]
    return result


def value_of(backup: Backup, belief: Belief) -> float:
    """Return the value of what is believed.

    Raises:
        ValueError: A user's backup returns no number, and nothing whose `float` is one.
    """
    if not hasattr(belief, "__float__"):
        raise ValueError(f"backup {backup.name} returns {short(belief)}; it must return a number")
    return float(belief)


def explain_to(tree: Tree, node: Node, explain: Callable[..., str], *arguments: Any) -> None:
    """Tell the observer of the tree how to explain the value of a node."""
    if tree.observer is not None:
        tree.observer.explain(node, partial(explain, tree, node, *arguments))
