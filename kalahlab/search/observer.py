"""What a search reports while it runs.

A node is *entered* with a window, it is *expanded* into children or *recalled* from a table, it
is *left* with a value. Windows and values are from MAX's side, whatever notation the
algorithm is written in.

A node may be entered again as soon as it is left, with another window (a probe and the search
after it), or below itself (a search made of several searches of its root). What an observer
raises ends the search and is the caller's.
"""

from collections.abc import Callable, Sequence
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


class Stopped(Exception):
    """Raised by who watches a search, to end it."""


class Watch:
    """The observer that calls `look` with the number of nodes entered, now and then.

    every: so many nodes apart; a search enters some 100,000 in a second. What `look` raises,
    `Stopped` for one, ends the search.
    """

    def __init__(self, look: Callable[[int], object], every: int = 512) -> None:
        self.entered = 0
        self.look, self._every = look, every

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        """Count the node, and call `look` if it is time."""
        self.entered += 1
        if self.entered % self._every == 0:
            self.look(self.entered)

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        """Nothing: nodes are counted where they are entered."""

    def recall(self, node: Node) -> None:
        """Nothing, as `expand`."""

    def leave(self, node: Node, value: float) -> None:
        """Nothing, as `expand`."""


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
