"""A tree written by hand, edited: each function makes another tree and leaves the old one alone.

All but `at_path`, which edits the node at the end of a path, edit a node by itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

from kalahlab.games.hand_tree import Branch, child_of


def at_path(root: Branch, path: Sequence[int], edit: Callable[[Branch], Branch]) -> Branch:
    """The tree with one node edited; path: the indices of the branches that lead to it.

    `ValueError` if the node gets the name of a branch beside it.
    """
    if not path:
        return edit(root)
    first, *rest = path
    old = child_of(root, first)
    new, others = at_path(old, rest, edit), _others(root, first)
    if new.name != old.name and any(each.name == new.name for each in others):
        raise ValueError(f"another branch here is called {new.name!r}")
    return replace(root, children=(*others[:first], new, *others[first:]))


def with_value(leaf: Branch, value: float) -> Branch:
    """`ValueError` if it is no leaf."""
    if leaf.children:
        raise ValueError(f"{leaf.name} is not a leaf; its value follows from those below it")
    return replace(leaf, value=value)


def with_branch_at(node: Branch, branch: int, to: int) -> Branch:
    """A branch of the node moved to another place: indices before and after."""
    moved = child_of(node, branch)
    if not 0 <= to < len(node.children):
        raise ValueError(f"{node.name} has no place {to}; it has {len(node.children)} branches")
    others = _others(node, branch)
    return replace(node, children=(*others[:to], moved, *others[to:]))


def with_new_leaf(node: Branch) -> Branch:
    """One more leaf, worth 0, as the node's last branch; if it has none, worth as much as it."""
    taken = {child.name for child in node.children}
    places = count(len(node.children) + 1)
    names = (f"{node.name}.{place}" if node.name else str(place) for place in places)
    leaf = Branch(next(name for name in names if name not in taken), 1 - node.player)
    if not node.children:
        leaf, node = replace(leaf, value=node.value), replace(node, value=0)
    return replace(node, children=(*node.children, leaf))


def without_branch(node: Branch, branch: int) -> Branch:
    """The node without a branch; one that has none left is a leaf, with its own value."""
    child_of(node, branch)
    return replace(node, children=_others(node, branch))


def _others(node: Branch, branch: int) -> tuple[Branch, ...]:
    return (*node.children[:branch], *node.children[branch + 1 :])
