"""What a search tells while it runs, and the one place where it is counted.

An observer hears four things: a node is *entered* with a window, it is *expanded* into
children or *recalled* from a table, it is *left* with a value. Windows and values are told from
MAX's side, whatever notation the algorithm is written in. `@observable` wraps an algorithm's
recursive function, so that nothing of this stands in the algorithm's own text; the tree's table,
if it has one, is asked in the same place.

A node may be entered again as soon as it is left, with another window (a probe and the search
after it), or below itself (a search made of several searches of its root).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kalahlab.search.model import Line, Node, Tree

INF = float("inf")


class Observer(Protocol):
    """Hears a search. Nodes are told in the order in which they are visited."""

    def enter(self, node: "Node", alpha: float, beta: float) -> None: ...
    def expand(self, node: "Node", children: Sequence["Node"]) -> None: ...
    def recall(self, node: "Node") -> None: ...
    def leave(self, node: "Node", value: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Counts:
    """What a search cost, in nodes. A node that is entered again is counted again.

    generated: children made; a node's children are made all at once, when it is expanded,
        as MOVE-GEN does, so generated + 1 - visited were made but never visited, in a search
        that enters no node twice.
    expanded: nodes whose children were made.
    evaluated: leaves that were given a value, by the evaluator or by the rules.
    cutoffs: nodes that were left while they had children never visited.
    recalled: nodes that were answered from a table.
    """

    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    recalled: int = 0

    @property
    def visited(self) -> int:
        """Nodes entered."""
        return self.expanded + self.evaluated + self.recalled

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.generated + other.generated,
            self.expanded + other.expanded,
            self.evaluated + other.evaluated,
            self.cutoffs + other.cutoffs,
            self.recalled + other.recalled,
        )


LEAF = -1
"""What stands for the unvisited children of a node that has not been expanded."""


def nobody(node: "Node", move: Any) -> None:
    """Hears of a cut-off, and learns nothing from it."""


class Counter:
    """The observer that counts, and tells `cut` of each cut-off and the move that made it."""

    def __init__(self, cut: Callable[["Node", Any], None] = nobody) -> None:
        self.generated = self.expanded = self.evaluated = self.cutoffs = self.recalled = 0
        self._cut = cut
        self._unvisited = [1]
        self._latest: list[Node | None] = [None]

    def enter(self, node: "Node", alpha: float, beta: float) -> None:
        if self._latest[-1] is not node:
            self._latest[-1] = node
            self._unvisited[-1] -= 1
        self._latest.append(None)
        self._unvisited.append(LEAF)

    def expand(self, node: "Node", children: Sequence["Node"]) -> None:
        self.expanded += 1
        self.generated += len(children)
        self._unvisited[-1] = len(children)

    def recall(self, node: "Node") -> None:
        self.recalled += 1
        self._unvisited[-1] = 0

    def leave(self, node: "Node", value: float) -> None:
        unvisited, latest = self._unvisited.pop(), self._latest.pop()
        self.evaluated += unvisited == LEAF
        if unvisited > 0 and latest is not None:
            self.cutoffs += 1
            self._cut(node, latest.move)

    def counts(self) -> Counts:
        return Counts(self.generated, self.expanded, self.evaluated, self.cutoffs, self.recalled)


class Both:
    """Tells two observers the same."""

    def __init__(self, first: Observer, second: Observer) -> None:
        self._observers = (first, second)

    def enter(self, node: "Node", alpha: float, beta: float) -> None:
        for observer in self._observers:
            observer.enter(node, alpha, beta)

    def expand(self, node: "Node", children: Sequence["Node"]) -> None:
        for observer in self._observers:
            observer.expand(node, children)

    def recall(self, node: "Node") -> None:
        for observer in self._observers:
            observer.recall(node)

    def leave(self, node: "Node", value: float) -> None:
        for observer in self._observers:
            observer.leave(node, value)


Search = Callable[..., "Line"]


def observable(search: Search) -> Search:
    """Tell the visits of a search written from MAX's side: (tree, node[, alpha, beta])."""

    @wraps(search)
    def visit(tree: "Tree", node: "Node", *window: float) -> "Line":
        alpha, beta = window or (-INF, INF)
        tree.observer.enter(node, alpha, beta)
        line = tree.known(node, alpha, beta) or search(tree, node, *window)
        tree.keep(node, alpha, beta, line)
        tree.observer.leave(node, line.value)
        return line

    return visit


def observable_from_mover(search: Search) -> Search:
    """Tell the visits of a search in negamax notation: (tree, node[, use-, pass-threshold]).

    The mover's window is (pass, use); MIN's is MAX's negated and exchanged.
    """

    @wraps(search)
    def visit(tree: "Tree", node: "Node", *window: float) -> "Line":
        use, passed = window or (INF, -INF)
        alpha, beta = (passed, use) if node.maximizing else (-use, -passed)
        tree.observer.enter(node, alpha, beta)
        line = tree.known(node, passed, use) or search(tree, node, *window)
        tree.keep(node, passed, use, line)
        tree.observer.leave(node, line.value if node.maximizing else -line.value)
        return line

    return visit


def told(observer: Observer | None, counter: Counter) -> Any:
    """The counter alone, or it and the caller's observer."""
    return counter if observer is None else Both(counter, observer)
