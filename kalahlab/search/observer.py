"""What a search reports while it runs.

A node is *entered* with a window, it is *expanded* into children or *recalled* from a table, it
is *left* with a value. Windows and values are from MAX's side, whatever notation the
algorithm is written in.

A node may be entered again as soon as it is left, with another window (a probe and the search
after it), or below itself (a search made of several searches of its root). What an observer
raises ends the search and is the caller's.
"""

from collections.abc import Sequence
from typing import Protocol

from kalahlab.search.model import Node


class Observer(Protocol):
    """Called at each event of a search, in the order in which nodes are visited."""

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        """A node is entered, with the window (alpha, beta) of MAX."""

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        """The children of the node entered last are made, in the order in which they are tried."""

    def recall(self, node: Node) -> None:
        """The table answers for the node entered last."""

    def leave(self, node: Node, value: float) -> None:
        """A node is left with the value that was found."""


class CompositeObserver:
    """Several observers as one, called in the order in which they are given."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        """Tell each observer."""
        for observer in self._observers:
            observer.enter(node, alpha, beta)

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        """Tell each observer."""
        for observer in self._observers:
            observer.expand(node, children)

    def recall(self, node: Node) -> None:
        """Tell each observer."""
        for observer in self._observers:
            observer.recall(node)

    def leave(self, node: Node, value: float) -> None:
        """Tell each observer."""
        for observer in self._observers:
            observer.leave(node, value)
