"""The tree of a search: the nodes as it visited them, and those that it never visited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from kalahlab.games import Game
from kalahlab.search.model import Node
from kalahlab.search.observer import Observer, Watch


@dataclass(slots=True)
class Visit:
    """A visit of a node, or a node of the recorded tree that was made and never visited.

    id: its place in `Trace.nodes`. Visited nodes come first, in the order in which they
    were entered; those that were made and never visited come after.
    name: what people call the move that led here, or `pass 2` below a driver.
    alpha, beta: the window on entry. value: exact inside the window, else a bound.
    kind: `cut` if the search said so, see `observable`; a node that it left without a word while
    children were not visited is `inner`. `table` if the answer was known, `driver` if it came from
    passes over the same node.
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
    kind: Literal["inner", "cut", "leaf", "finished", "table", "driver", "unvisited"] = "unvisited"
    extra_turn: bool = False
    probe: bool = False
    children: list[int] = field(default_factory=list)

    @property
    def found(self) -> float:
        assert self.value is not None, "a search that has ended has left all that it entered"
        return self.value

    @property
    def is_exact(self) -> bool:
        return self.alpha < self.found < self.beta

    def within(self, value: float) -> float:
        """Return the value, or the end of the window that it is beyond."""
        return min(max(value, self.alpha), self.beta)

    def is_cut_by(self, value: float) -> bool:
        """Return whether a value of a child reaches the bound that lets the search leave."""
        return value >= self.beta if self.node.maximizing else value <= self.alpha

    @property
    def player(self) -> str:
        return "MAX" if self.node.maximizing else "MIN"

    @property
    def label(self) -> str:
        """The name, with a question mark if the visit was a probe: unique among siblings."""
        return f"{self.name}?" if self.probe and self.node.move is not None else self.name

    @property
    def again(self) -> bool:
        return self.extra_turn and self.kind != "finished"

    @property
    def bound(self) -> str:
        """≤ or ≥ if the value is only a bound; none exceeds an infinite one."""
        if self.value is None or math.isinf(self.value) or self.kind in ("leaf", "finished"):
            return ""
        return "≤" if self.value <= self.alpha else "≥" if self.value >= self.beta else ""

    @property
    def question(self) -> str:
        """What a null window asks of the value, `> 3` or `≥ 3`, by its shorter end; else ''."""
        if not self.alpha < self.beta <= math.nextafter(self.alpha, math.inf):
            return ""
        if len(repr(float(self.beta))) < len(repr(float(self.alpha))):
            return f"≥ {number(self.beta)}"
        return f"> {number(self.alpha)}"


EACH = "write @observable above each function that searches a node"
FROM_MOVER = "for a negamax, write @observable_from_mover in place of @observable"
FROM_MOVER += ", and negate only where the turn passes"


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


class Recorder(Observer):
    """The observer that makes a search's tree, of up to `max_nodes` nodes (else `ValueError`)."""

    def __init__(self, game: Game, max_nodes: float = math.inf, watch: Watch | None = None) -> None:
        self.game, self.max_nodes, self.watch = game, max_nodes, watch
        self.visited: list[Visit] = []
        self._made: dict[int, Sequence[Node]] = {}
        self._root: tuple[Node, Sequence[Node]] | None = None  # as expanded by what is not observed
        self._path: list[Visit] = []

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        if len(self.visited) >= self.max_nodes:
            raise ValueError(f"the search has more than {self.max_nodes:,} nodes; search less deep")
        parent = self._path[-1] if self._path else None
        visit = self._visit(len(self.visited), parent, node)
        visit.alpha, visit.beta = alpha + 0, beta + 0  # no -0.0, as in Result
        visit.kind = "finished" if self.game.over(node.state) else "leaf"
        visit.probe = bool(visit.question) and not (parent and parent.question)
        self.visited.append(visit)
        self._path.append(visit)
        if self.watch is not None:
            self.watch.enter(node, alpha, beta)

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        if not self._path:
            self._root = node, children
        elif self._path[-1].node is not node:
            raise ValueError(f"a node is expanded that was not entered; {EACH}")
        else:
            self._made[self._path[-1].id], self._path[-1].kind = children, "inner"

    def recall(self, node: Node) -> None:
        self._path[-1].kind = "table"

    def cut(self, node: Node) -> None:
        self._path[-1].kind = "cut"

    def leave(self, node: Node, value: float) -> None:
        self._path.pop().value = value + 0

    def tree(self, value: float | None = None) -> tuple[Visit, ...]:
        """Return the visited nodes, then those made and never visited. Call it once, at the end.

        Args:
            value: What the search found, if it may be another value than the last pass over the
                root returned, or the best of its moves.
        """
        unvisited: list[Visit] = []
        if not self.visited:
            raise ValueError("no node is entered; write @observable above what searches a node")
        self._join(value)
        if self._of_mover():
            raise ValueError(f"the values are those of the player to move; {FROM_MOVER}")
        for id, nodes in self._made.items():
            visit = self.visited[id]
            tried = {self.visited[child].node.move for child in visit.children}
            for node in (each for each in nodes if each.move not in tried):
                unvisited.append(self._visit(len(self.visited) + len(unvisited), visit, node))
        return (*self.visited, *unvisited)

    def _join(self, value: float | None) -> None:
        """Searches of the root, or of its moves, one after the other get a node above them."""
        tops = [visit for visit in self.visited if visit.parent is None]
        if tops[0].node.move is None and len(tops) == 1:
            return
        passes = tops[0].node.move is None
        root, children = (tops[0].node, ()) if passes else self._root or (tops[0].node, ())
        if root.move is not None:
            raise ValueError(f"the root is not entered; {EACH}")
        above = Visit(0, None, root, "", kind="inner")
        for visit in self.visited:
            visit.id, visit.children = visit.id + 1, [id + 1 for id in visit.children]
            visit.parent = None if visit.parent is None else visit.parent + 1
        self._made = {id + 1: made for id, made in self._made.items()} | {0: children}
        for top in tops:
            self._place(top, above)
        best = max if root.maximizing else min
        above.value = tops[-1].value if passes else best(top.found for top in tops)
        above.value = above.value if value is None else value
        self.visited.insert(0, above)

    def _of_mover(self) -> bool:
        """Whether the values follow from those below as a negamax has them, not a minimax."""
        negamax, minimax = [], []
        for visit in (each for each in self.visited if each.children and each.kind != "driver"):
            high, below = visit.node.maximizing, [self.visited[id] for id in visit.children]
            signed = [c.found if c.node.maximizing == high else -c.found for c in below]
            best = max(signed), (max if high else min)(c.found for c in below)
            kept = [(each, min(max(each, visit.alpha), visit.beta)) for each in best]
            negamax.append(visit.value in kept[0])
            minimax.append(visit.value in kept[1])
        return all(negamax) and not all(minimax)

    def _visit(self, id: int, parent: Visit | None, node: Node) -> Visit:
        visit = Visit(id, None, node, "")
        if parent is not None:
            self._place(visit, parent)
        return visit

    def _place(self, visit: Visit, parent: Visit) -> None:
        """Below its parent, after those that are there."""
        parent.children.append(visit.id)
        visit.parent, node, before = parent.id, visit.node, parent.node.state
        if node is parent.node:
            parent.kind, visit.name = "driver", f"pass {len(parent.children)}"
        else:
            if parent.kind == "leaf":  # its children were made when it was entered before
                parent.kind = "inner"
            visit.name = self.game.move_name(before, node.move)
            visit.extra_turn = node.state.player == before.player
