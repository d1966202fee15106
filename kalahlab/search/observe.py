"""What a search tells while it runs, and the one place where it is counted.

An observer hears three things: a node is *entered* with a window, a node is *expanded* into
children, a node is *left* with a value. Windows and values are told from MAX's side,
whatever notation the algorithm is written in. `@observable` wraps an algorithm's recursive
function, so that nothing of this stands in the algorithm's own text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kalahlab.search.contract import Line, Node, Tree

INF = float("inf")


class Observer(Protocol):
    """Hears a search. Nodes are told in the order in which they are visited."""

    def enter(self, node: "Node", alpha: float, beta: float) -> None: ...
    def expand(self, node: "Node", children: Sequence["Node"]) -> None: ...
    def leave(self, node: "Node", value: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Counts:
    """What a search cost, in nodes.

    generated: children made; a node's children are made all at once, when it is expanded,
        as MOVE-GEN does, so generated + 1 - expanded - evaluated were made but never visited.
    expanded: nodes whose children were made.
    evaluated: leaves that were given a value, by the evaluator or by the rules.
    cutoffs: nodes that were left while they had children never visited.
    """

    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.generated + other.generated,
            self.expanded + other.expanded,
            self.evaluated + other.evaluated,
            self.cutoffs + other.cutoffs,
        )


class Counter:
    """The observer that counts."""

    def __init__(self) -> None:
        self.generated = self.expanded = self.evaluated = self.cutoffs = 0
        self._unvisited = [1]

    def enter(self, node: "Node", alpha: float, beta: float) -> None:
        self._unvisited[-1] -= 1
        self._unvisited.append(-1)

    def expand(self, node: "Node", children: Sequence["Node"]) -> None:
        self.expanded += 1
        self.generated += len(children)
        self._unvisited[-1] = len(children)

    def leave(self, node: "Node", value: float) -> None:
        unvisited = self._unvisited.pop()
        self.evaluated += unvisited < 0
        self.cutoffs += unvisited > 0

    def counts(self) -> Counts:
        return Counts(self.generated, self.expanded, self.evaluated, self.cutoffs)


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
        line = search(tree, node, *window)
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
        line = search(tree, node, *window)
        tree.observer.leave(node, line.value if node.maximizing else -line.value)
        return line

    return visit


def told(observer: Observer | None, counter: Counter) -> Any:
    """The counter alone, or it and the caller's observer."""
    return counter if observer is None else Both(counter, observer)
