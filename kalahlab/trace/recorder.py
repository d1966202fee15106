"""The observer that records a search, as a tree of visited and unvisited nodes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from reprlib import repr as short
from typing import Literal

from kalahlab.formatting import format_number
from kalahlab.games import Game
from kalahlab.search.model import CHANCE, Node
from kalahlab.search.observer import Observer


@dataclass(slots=True)
class Visit:
    """A visit of a node, or a node of the recorded tree that was made and never visited.

    Attributes:
        id: The index in `Trace.nodes`. Visits come first, in the order in which the search entered
            their nodes, then the nodes that were made and never visited.
        parent: The id of the visit above; None at the root.
        node: The node.
        name: The name of the move that led here, or `pass 2` below a driver.
        alpha, beta: The window on entry.
        value: Exact inside the window, else a bound; None if never visited.
        kind: One of
            inner: Its children were made. So is a node that the search left early without a cutoff.
            cut: The search cut off and counted the cutoff, see `observable`.
            leaf: It got a static value.
            finished: The game is over.
            table: Its value came from a transposition table.
            driver: The root of a search that searches its root several times. Its children are the
                passes, which are visits of the root, too.
            unvisited: It was made and never visited.
        extra_turn: Whether the player who made the move that led here moves again.
        probe: Whether the search chose a null window. A window that is null like the parent's, or
            because two values differ by a rounding, is no probe.
        reason: How the value follows, in a search that does not back up by minimax; else "".
        children: The ids of the children in the order in which they were or would have been tried.
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
    reason: str = ""
    children: list[int] = field(default_factory=list)

    @property
    def final_value(self) -> float:
        """The `value` of a visited node, which is never None."""
        assert self.value is not None, "a search that has ended has left each node that it entered"
        return self.value

    @property
    def is_exact(self) -> bool:
        return self.alpha < self.final_value < self.beta

    def within(self, value: float) -> float:
        """Return the value, clamped to the window."""
        return min(max(value, self.alpha), self.beta)

    def is_cut_by(self, value: float) -> bool:
        """Return whether the value of a child reaches the bound at which the search may leave."""
        if self.is_chance:
            return not self.alpha < value < self.beta
        if self.node.maximizing:
            return value >= self.beta
        return value <= self.alpha

    @property
    def is_cut_above(self) -> bool:
        """True if a cutoff needs a value of at least beta, and not one of at most alpha.

        Where chance moves, both are possible, and the value tells.
        """
        if self.is_chance:
            return self.value is not None and self.value >= self.beta
        return self.node.maximizing

    @property
    def is_chance(self) -> bool:
        return bool(self.node.state.player == CHANCE)

    @property
    def player(self) -> str:
        """MAX, MIN or CHANCE, whoever moves at the node."""
        if self.is_chance:
            return "CHANCE"
        return "MAX" if self.node.maximizing else "MIN"

    @property
    def label(self) -> str:
        """The name, and a question mark after it if the visit is a probe; unique among siblings."""
        if self.probe and self.node.move is not None:  # a pass has no move, and a name of its own
            return f"{self.name}?"
        return self.name

    @property
    def is_extra_turn(self) -> bool:
        """Like `extra_turn`, but False at the end of the game, where nobody moves again."""
        return self.extra_turn and self.kind != "finished"

    @property
    def inequality(self) -> str:
        """≤ or ≥ if the value is only a bound of the true one, else "".

        A static value, a finished game's and an infinite value are always exact.
        """
        if self.value is None or math.isinf(self.value) or self.kind in ("leaf", "finished"):
            return ""
        if self.value <= self.alpha:
            return "≤"
        if self.value >= self.beta:
            return "≥"
        return ""

    @property
    def question(self) -> str:
        """The condition that a null window tests, such as `> 3` or `≥ 3`; "" for other windows.

        The ends of a null window are neighbouring floats. The end with the shorter `repr` is shown,
        because the `repr` of the other has up to 17 digits.
        """
        if not self.alpha < self.beta <= math.nextafter(self.alpha, math.inf):
            return ""
        if len(repr(float(self.beta))) < len(repr(float(self.alpha))):
            return f"≥ {format_number(self.beta)}"
        return f"> {format_number(self.alpha)}"


# Advice at the end of error messages, about `observable` and `observable_from_mover`.
EACH = "write @observable above each function that searches a node"
FROM_MOVER = "for a negamax, write @observable_from_mover in place of @observable"
FROM_MOVER += ", and negate only where the turn passes"


@dataclass(slots=True, eq=False)
class _Entry:
    """A visit while the search runs, with its parent and its children as entries.

    The attributes `id`, `parent` and `children` of the visit itself are set when the search has
    ended: unvisited nodes get their ids after all visits.
    """

    visit: Visit
    parent: "_Entry | None" = None
    children: list["_Entry"] = field(default_factory=list)


class Recorder(Observer):
    """An observer that records the tree of a search.

    Args:
        game: The game that is searched.
        max_nodes: The largest number of visits; one more raises `ValueError`.
        watch: Another observer, whose `enter` is called, too; it may stop the search.
    """

    def __init__(
        self, game: Game, max_nodes: float = math.inf, watch: Observer | None = None
    ) -> None:
        self.game, self.max_nodes, self.watch = game, max_nodes, watch
        self._entries: list[_Entry] = []  # in the order in which they were entered
        self._generated: dict[_Entry, Sequence[Node]] = {}  # the children that the search made
        self._path: list[_Entry] = []  # entered and not yet left, from the root down
        # The root and its children, if the function that expands the root is not observed.
        self._root: tuple[Node, Sequence[Node]] | None = None

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        if len(self._entries) >= self.max_nodes:
            raise ValueError(
                f"the search has more than {self.max_nodes:,} nodes; use a smaller depth"
            )
        visit = Visit(0, None, node, "")  # `_append_child` sets the name, `_number_visits` the id
        visit.alpha, visit.beta = alpha + 0, beta + 0  # no -0.0, as in Result
        # The kind for now: `expand`, `recall` and `cut` change it.
        visit.kind = "finished" if self.game.is_over(node.state) else "leaf"
        visit.probe = bool(visit.question)
        entry = _Entry(visit)
        if self._path:
            parent = self._path[-1]
            self._append_child(parent, entry)
            visit.probe = visit.probe and _chooses_window(parent.visit, visit)
        self._entries.append(entry)
        self._path.append(entry)
        if self.watch is not None:
            self.watch.enter(node, alpha, beta)

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        if not self._path:  # the algorithm expands the root without having entered it
            self._root = node, children
            return
        entry = self._path[-1]
        if entry.visit.node is not node:
            raise ValueError(f"a node was expanded before it was entered; {EACH}")
        self._generated[entry] = children
        entry.visit.kind = "inner"

    def recall(self, node: Node) -> None:
        self._path[-1].visit.kind = "table"

    def cut(self, node: Node) -> None:
        self._path[-1].visit.kind = "cut"

    def explain(self, node: Node, describe: Callable[[], str]) -> None:
        reason = describe()
        if not isinstance(reason, str):
            raise ValueError(f"a value is explained by {short(reason)}; it must be a text")
        self._path[-1].visit.reason = reason

    def leave(self, node: Node, value: float) -> None:
        self._path.pop().visit.value = value + 0  # no -0.0

    def tree(self, value: float | None = None) -> tuple[Visit, ...]:
        """Return the visits, then the nodes that were made and never visited.

        Call this method only once, when the search has ended: it completes the visits in place.

        Args:
            value: The value that the search returned, for a driver. By default a driver gets the
                value of the last pass over the root, or of the best move.

        Raises:
            ValueError: A function that searches a node has no decorator `observable`, or has it
                although its values are those of the player to move.
        """
        if not self._entries:
            raise ValueError(f"no node is entered; {EACH}")
        self._add_driver(value)
        if self._has_values_of_mover():
            raise ValueError(f"the values are those of the player to move; {FROM_MOVER}")
        unvisited: list[_Entry] = []
        for entry, generated in self._generated.items():
            visited_moves = {child.visit.node.move for child in entry.children}
            for node in generated:
                if node.move not in visited_moves:
                    child = _Entry(Visit(0, None, node, ""))
                    self._append_child(entry, child)
                    unvisited.append(child)
        return _number_visits([*self._entries, *unvisited])

    def _add_driver(self, value: float | None) -> None:
        """Add a visit above all others, unless a single visit of the root is above them already.

        A driver is added if the search entered the root several times, or if it entered only the
        children of the root.
        """
        tops = [entry for entry in self._entries if entry.parent is None]
        first = tops[0].visit.node
        is_root = first.move is None
        if is_root and len(tops) == 1:
            return
        if is_root:
            root: Node = first
            children: Sequence[Node] = ()
        elif self._root is not None and self._root[0].move is None:
            root, children = self._root
        else:
            raise ValueError(f"the root is not entered; {EACH}")
        driver = _Entry(Visit(0, None, root, "", kind="inner"))
        for top in tops:
            self._append_child(driver, top)
        if value is not None:
            driver.visit.value = value
        elif is_root:
            driver.visit.value = tops[-1].visit.value
        else:
            best = max if root.maximizing else min
            driver.visit.value = best(top.visit.final_value for top in tops)
        self._entries.insert(0, driver)
        self._generated[driver] = children

    def _has_values_of_mover(self) -> bool:
        """Return whether negamax, and not minimax, explains each value by the children's values.

        Return False if both explain the values, as in a game in which all values are 0.
        """
        follows_minimax = True
        for entry in self._entries:
            visit = entry.visit
            if not entry.children or visit.kind == "driver" or visit.is_chance:
                continue
            children = [child.visit for child in entry.children]
            negamax_value = max(_value_to_parent(visit, child) for child in children)
            if visit.value not in (negamax_value, visit.within(negamax_value)):
                return False
            best = max if visit.node.maximizing else min
            minimax_value = best(child.final_value for child in children)
            if visit.value not in (minimax_value, visit.within(minimax_value)):
                follows_minimax = False
        return not follows_minimax

    def _append_child(self, parent: _Entry, child: _Entry) -> None:
        """Append a child to those of an entry, and name it."""
        parent.children.append(child)
        child.parent = parent
        visit = child.visit
        node = visit.node
        state = parent.visit.node.state
        if node is parent.visit.node:  # the child is a pass, and its parent a driver
            parent.visit.kind = "driver"
            visit.name = f"pass {len(parent.children)}"
            return
        # A node that is entered again need not be expanded again, as its children exist.
        if parent.visit.kind == "leaf":
            parent.visit.kind = "inner"
        visit.name = self.game.move_name(state, node.move)
        visit.extra_turn = node.state.player == state.player


def _chooses_window(parent: Visit, child: Visit) -> bool:
    """Return whether a search chose the window of a child, as for a pass or a probe.

    Else the window is the parent's, narrowed by the values of elder siblings, which move alpha if
    the parent maximizes, else beta.
    """
    if child.node is parent.node:
        return True
    if parent.node.maximizing:
        return child.beta != parent.beta
    return child.alpha != parent.alpha


def _value_to_parent(parent: Visit, child: Visit) -> float:
    """Return the value of a child from the side of the parent's mover, for values of movers."""
    if child.node.maximizing == parent.node.maximizing:
        return child.final_value
    return -child.final_value


def _number_visits(entries: Sequence[_Entry]) -> tuple[Visit, ...]:
    """Assign the ids in the order of the entries, and return the visits in that order."""
    for id, entry in enumerate(entries):
        entry.visit.id = id
    for entry in entries:
        entry.visit.children = [child.visit.id for child in entry.children]
        if entry.parent is not None:
            entry.visit.parent = entry.parent.visit.id
    return tuple(entry.visit for entry in entries)
