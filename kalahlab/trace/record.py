"""Events in, a tree out: the nodes of a search as it visited them, and those it never visited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kalahlab.games import Game
from kalahlab.search.model import Node
from kalahlab.search.observer import Observer

Kind = Literal["inner", "cut", "leaf", "finished", "table", "driver", "unvisited"]


class Entered(NamedTuple):
    node: Node
    alpha: float
    beta: float


class Expanded(NamedTuple):
    children: tuple[Node, ...]


class Recalled(NamedTuple):
    node: Node


class Left(NamedTuple):
    value: float


Event = Entered | Expanded | Recalled | Left
"""What an `Observer` is called with; all but `Entered` are about the node last entered and not
yet left."""


@dataclass(slots=True)
class Recorder(Observer):
    """The observer that writes the events down, of up to `max_nodes` nodes (else `ValueError`)."""

    events: list[Event] = field(default_factory=list)
    max_nodes: float = math.inf
    entered: int = 0

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        self.entered += 1
        if self.entered > self.max_nodes:
            raise ValueError(f"the search has more than {self.max_nodes:,} nodes; search less deep")
        self.events.append(Entered(node, alpha + 0, beta + 0))  # no -0.0, as in Result

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        self.events.append(Expanded(tuple(children)))

    def recall(self, node: Node) -> None:
        self.events.append(Recalled(node))

    def leave(self, node: Node, value: float) -> None:
        self.events.append(Left(value + 0))


@dataclass(slots=True)
class Visit:
    """A visit of a node, or a node of the recorded tree that was made and never visited.

    id: its place in `Trace.nodes`. Visited nodes come first, in the order in which they
    were entered; those that were made and never visited come after.
    name: what people call the move that led here, or `pass 2` below a driver.
    alpha, beta: the window on entry. value: exact inside the window, else a bound.
    kind: `table` if the answer was known, `driver` if it came from passes over the same node.
    extra_turn: whether the move that led here earned the same player another.
    probe: whether the window is null and its parent's is not.
    children: ids in the order in which they were or would have been tried.
    """

    id: int
    parent: int | None
    node: Node
    name: str
    alpha: float = -math.inf
    beta: float = math.inf
    value: float | None = None
    kind: Kind = "unvisited"
    extra_turn: bool = False
    probe: bool = False
    children: list[int] = field(default_factory=list)

    @property
    def player(self) -> str:
        """Who moves at the node, `MAX` or `MIN`."""
        return "MAX" if self.node.maximizing else "MIN"

    @property
    def label(self) -> str:
        """The name, with a question mark if the visit was a probe: unique among siblings."""
        return f"{self.name}?" if self.probe and self.node.move is not None else self.name

    @property
    def question(self) -> str:
        """What a null window asks of the value, `> 3` or `≥ 3`; else nothing.

        One of its ends is a number that the search has, the one shorter to write; the other
        lies next to it.
        """
        if self.beta > math.nextafter(self.alpha, math.inf):
            return ""
        if len(repr(float(self.beta))) < len(repr(float(self.alpha))):
            return f"≥ {number(self.beta)}"
        return f"> {number(self.alpha)}"


def number(value: float | None) -> str:
    """A value as people write it: no trailing zeros, a true minus sign, infinity as a sign."""
    if value is None:
        return ""
    text = "∞" if math.isinf(value) else f"{abs(value):.10g}"
    return f"\N{MINUS SIGN}{text}" if value < 0 else text


def signed(value: float, form: str) -> str:
    """A number in a format, with a true minus sign, and none before a zero."""
    sign = "+" if form.startswith("+") else ""
    return format(value, f"{sign}z{form.removeprefix(sign)}").replace("-", "\N{MINUS SIGN}")


def grow(game: Game, events: Sequence[Event]) -> tuple[Visit, ...]:
    """The tree that the events make: visited nodes in order, then those made and never visited."""
    visited: list[Visit] = []
    made: dict[int, list[Node]] = {}
    path: list[Visit] = []
    for event in events:
        match event:
            case Entered():
                path.append(_entered(game, len(visited), path[-1] if path else None, event))
                visited.append(path[-1])
            case Expanded(children):
                made[path[-1].id], path[-1].kind = list(children), "inner"
            case Recalled():
                path[-1].kind = "table"
            case Left(value):
                path.pop().value = value
    unvisited: list[Visit] = []
    for id, nodes in made.items():
        tried = {visited[child].node.move for child in visited[id].children}
        for node in nodes[len(tried) :]:
            unvisited.append(_visit(game, len(visited) + len(unvisited), visited[id], node))
            visited[id].kind = "cut"
    return (*visited, *unvisited)


def _entered(game: Game, id: int, parent: Visit | None, event: Entered) -> Visit:
    visit = _visit(game, id, parent, event.node)
    visit.alpha, visit.beta = event.alpha, event.beta
    visit.kind = "finished" if game.over(event.node.state) else "leaf"
    visit.probe = bool(visit.question) and not (parent and parent.question)
    return visit


def _visit(game: Game, id: int, parent: Visit | None, node: Node) -> Visit:
    if parent is None:
        return Visit(id, None, node, "")
    parent.children.append(id)
    if node is parent.node:
        parent.kind = "driver"
        return Visit(id, parent.id, node, f"pass {len(parent.children)}")
    before = parent.node.state
    again = node.state.player == before.player
    return Visit(id, parent.id, node, game.move_name(before, node.move), extra_turn=again)
