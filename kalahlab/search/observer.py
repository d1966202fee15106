"""The events that a search reports while it runs.

A node is *entered* with a window, *expanded* into children or *recalled* from a table, perhaps
*cut*, and *left* with a value, which the search may *explain*. Windows and values are MAX's,
whatever notation the algorithm is written in. A node may be entered again with another window:
after it is left, as by the search that follows a probe, or before, as by MTD(f), whose visit of the
root consists of visits of the root. An exception that an observer raises ends the search and
reaches the caller of the search.
"""

from collections.abc import Callable, Sequence

from kalahlab.formatting import StableRepr
from kalahlab.search.model import Node


class Observer(StableRepr):
    """Base class of observers; its methods are called at the events of a search.

    The methods do nothing: a subclass overrides those that it needs. `expand` is called with the
    node entered last and its children, in the order in which they are tried. `recall` is called
    when the table answers for the node entered last. `cut` is called just before `leave` if the
    search cuts the node off; see `observable`. `explain` is called before `leave` by searches that
    are not minimax, with a function that returns a sentence on how the value of the node follows.
    """

    def enter(self, node: Node, alpha: float, beta: float) -> None: ...

    def expand(self, node: Node, children: Sequence[Node]) -> None: ...

    def recall(self, node: Node) -> None: ...

    def cut(self, node: Node) -> None: ...

    def explain(self, node: Node, describe: Callable[[], str]) -> None: ...

    def leave(self, node: Node, value: float) -> None: ...


class Stopped(Exception):
    """Raised by an observer to end the search."""


class NodeCounter(Observer):
    """An observer that calls `look` with the number of nodes entered, every `every` nodes."""

    def __init__(self, look: Callable[[int], object], every: int = 512) -> None:
        self.entered = 0
        self.look = look
        self._every = every

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        self.entered += 1
        if self.entered % self._every == 0:
            self.look(self.entered)
