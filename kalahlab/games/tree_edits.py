"""A tree written by hand, edited: each function makes another tree and leaves the old one alone.

All are called with the root and a path to the node that is edited: the indices of the branches
that lead to it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from itertools import count
from typing import Concatenate, ParamSpec

from kalahlab.games.hand_tree import Branch, child_of

P = ParamSpec("P")


def at_path(
    edit: Callable[Concatenate[Branch, P], Branch],
) -> Callable[Concatenate[Branch, Sequence[int], P], Branch]:
    """An edit of a node as an edit of a tree, at the node at the end of a path."""

    @wraps(edit)
    def edited(root: Branch, path: Sequence[int], /, *args: P.args, **options: P.kwargs) -> Branch:
        if not path:
            return edit(root, *args, **options)
        first, *rest = path
        return _with_child(root, first, edited(child_of(root, first), rest, *args, **options))

    return edited


@at_path
def with_leaf(leaf: Branch, value: float) -> Branch:
    """The leaf worth `value`; `ValueError` if it is no leaf."""
    if leaf.children:
        raise ValueError(f"{leaf.name} is not a leaf; its value follows from those below it")
    return replace(leaf, value=value)


def with_name(root: Branch, path: Sequence[int], name: str) -> Branch:
    """The node renamed; `ValueError` if a branch beside it has that name."""
    if not path:
        return replace(root, name=name)
    first, *rest = path
    child = with_name(child_of(root, first), rest, name)
    if not rest and any(each.name == name for each in _others(root, first)):
        raise ValueError(f"another branch here is called {name!r}")
    return _with_child(root, first, child)


@at_path
def with_branch_at(node: Branch, branch: int, to: int) -> Branch:
    """A branch of the node moved to another place: indices before and after."""
    moved = child_of(node, branch)
    if not 0 <= to < len(node.children):
        raise ValueError(f"{node.name} has no place {to}; it has {len(node.children)} branches")
    others = _others(node, branch)
    return replace(node, children=(*others[:to], moved, *others[to:]))


@at_path
def with_new_leaf(node: Branch) -> Branch:
    """One more leaf, worth 0, as the node's last branch; if it has none, worth as much as it."""
    taken = {child.name for child in node.children}
    places = count(len(node.children) + 1)
    names = (f"{node.name}.{place}" if node.name else str(place) for place in places)
    name = next(name for name in names if name not in taken)
    if not node.children:
        return replace(node, value=0, children=(Branch(name, 1 - node.player, node.value),))
    return replace(node, children=(*node.children, Branch(name, 1 - node.player)))


@at_path
def without_branch(node: Branch, branch: int) -> Branch:
    """The node without a branch; one that has none left is a leaf, with its own value."""
    child_of(node, branch)
    return replace(node, children=_others(node, branch))


def _with_child(node: Branch, branch: int, child: Branch) -> Branch:
    return replace(node, children=(*node.children[:branch], child, *node.children[branch + 1 :]))


def _others(node: Branch, branch: int) -> tuple[Branch, ...]:
    return (*node.children[:branch], *node.children[branch + 1 :])
