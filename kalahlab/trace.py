"""A search as it happened: events in, a tree out, and why each cut was made.

    trace = record(alpha_beta, game, state, store_difference, Depth(4))
    trace.result.value, trace.table(), [trace.why(cut) for cut in trace.cuts]

Windows and values are from MAX's side, in every notation. A node that a search enters twice is
visited twice: a probe, which is entered with a null window to ask a question, and the search
of the same move after it; or the passes of a search that asks about its root again and again.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.search.model import Counts, DeepEnough, Node, Result
from kalahlab.search.tree import Order, Searcher, pit_order

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["inner", "cut", "leaf", "finished", "table", "driver", "unvisited"]


class Entered(NamedTuple):
    """A node was entered with a window."""

    node: Node
    alpha: float
    beta: float


class Expanded(NamedTuple):
    """The node last entered got these children, in the order in which they will be tried."""

    children: tuple[Node, ...]


class Recalled(NamedTuple):
    """The node last entered was answered from the table."""

    node: Node


class Left(NamedTuple):
    """The node last entered and not yet left was left with a value."""

    value: float


Event = Entered | Expanded | Recalled | Left


@dataclass(slots=True)
class Recorder:
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
        return "MAX" if self.node.maximizing else "MIN"

    @property
    def label(self) -> str:
        """The name, with a question mark if it was only asked about: unique among siblings."""
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


@dataclass(frozen=True, slots=True)
class Cut:
    """Why a node was left early.

    by: the child whose value crossed the bound. value: the node's value then. bound: what
    it crossed, beta at a MAX node and alpha at a MIN node. owner: the node that set the
    bound. holds: the owner's child that gave it the bound; None if no child did, but the
    window that the owner, a probe or the root, was entered with. untried: the children never
    visited. All but the two numbers are ids.
    """

    node: int
    by: int
    value: float
    bound: float
    owner: int
    holds: int | None
    untried: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded search. `result` is what the search returned."""

    result: Result
    nodes: tuple[Visit, ...]

    @property
    def cuts(self) -> list[Cut]:
        """Every cut, in the order in which the cut nodes were entered."""
        return [self._cut(visit) for visit in self.nodes if visit.kind == "cut"]

    @property
    def principal(self) -> list[int]:
        """The ids along the principal variation, the root included.

        A move that was searched twice is there with the second visit. The line ends early at
        a node that the table knew.
        """
        passes = self.nodes[0].children if self.nodes[0].kind == "driver" else []
        ids = [0, *[id for id in passes if self._answers_yes(self.nodes[id])][-1:]]
        for move in self.result.line:
            children = self.nodes[ids[-1]].children
            ids += [c for c in children if self.nodes[c].node.move == move][-1:]
        return ids

    def visited(self) -> Iterator[Visit]:
        """The visited nodes, in the order in which they were entered."""
        return (visit for visit in self.nodes if visit.kind != "unvisited")

    def path(self, id: int) -> list[str]:
        """The labels from the root to a node."""
        visit = self.nodes[id]
        return [] if visit.parent is None else [*self.path(visit.parent), visit.label]

    def place(self, id: int) -> str:
        """Where a node is, in words."""
        path = self.path(id)
        if not path or self.nodes[0].kind != "driver":
            return f"after {', '.join(path)}" if path else "at the root"
        number_of_pass, *moves = path
        return f"in {number_of_pass}" + (f", after {', '.join(moves)}" if moves else "")

    def why(self, cut: Cut) -> str:
        """A cut in words, with both numbers and the node that owns the bound."""
        return "".join(text for text, _ in self.reason(cut))

    def reason(self, cut: Cut) -> list[tuple[str, int | None]]:
        """`why` in pieces; with those that say where something is goes that node's id."""
        node, by = self.nodes[cut.node], self.nodes[cut.by]
        hold = "get" if node.player == "MAX" else "hold this to"
        known = " (the table knows)" if by.kind == "table" else ""
        names = ", ".join(self.nodes[id].name for id in cut.untried)
        before, after = self._against(cut)
        place = self.place(cut.node)
        return [
            (place[0].upper() + place[1:], cut.node),
            (
                f": {node.player} can already {hold} {number(cut.value)} by move "
                f"{by.name}{known}; {before}",
                None,
            ),
            (self.place(cut.owner), cut.owner),
            (f"{after}: nothing below {names} can matter.", None),
        ]

    def _against(self, cut: Cut) -> tuple[str, str]:
        """What a cut's value is held against, before and after the owner's place: what the
        other player has there, or what is asked there."""
        owner = self.nodes[cut.owner]
        if cut.holds is not None:
            holds = self.nodes[cut.holds].name
            return f"{owner.player} has {number(cut.bound)} in hand from move {holds} ", ""
        if owner.question:
            question = owner.question.replace(">", "more than").replace("≥", "at least")
            return "", f" the only question is whether MAX gets {question}"
        ends = "ends" if self.nodes[cut.node].node.maximizing else "begins"
        return "", f" the window itself {ends} at {number(cut.bound)}"

    def table(self) -> "pd.DataFrame":
        """One row a node, the unvisited ones last; `value` is missing for those."""
        import pandas as pd

        numbers = dict.fromkeys(("alpha", "beta", "value", "bound"), "float")
        ids = dict.fromkeys(("parent", "owner"), "Int64")
        return pd.DataFrame(self._rows()).astype(numbers | ids)

    def to_json(self) -> str:
        """The tree and the result as JSON; infinite bounds are null, infinite values text.

        A node's `mover` is whose turn it is in the game, 0 or 1; `line` is in moves, and
        `principal` the same line in nodes.
        """
        counts = {name: getattr(self.result.counts, name) for name in _COUNTS}
        result = {"value": writable(self.result.value), "line": list(self.result.line), **counts}
        rows = [
            row
            | {
                "mover": visit.node.state.player,
                "value": writable(visit.value),
                "board": list(map(writable, visit.node.state.board)),
                "children": visit.children,
            }
            for row, visit in zip(self._rows(), self.nodes, strict=True)
        ]
        finite = [{key: _finite(value) for key, value in row.items()} for row in rows]
        return json.dumps({"result": result, "principal": self.principal, "nodes": finite})

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """The trace that `to_json` wrote. Its moves are their names, its states `Shown`.

        Raises `ValueError` for a text that is cut short or is no trace.
        """
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"the trace is cut short or no JSON: {error}") from None
        try:
            nodes = tuple(map(_visit_of, data["nodes"]))
            principal = [nodes[id].node for id in data["principal"]]
            line = tuple(node.move for node in principal if node.sows)
            counts = Counts(*(data["result"][name] for name in _COUNTS))
            return cls(Result(_written(data["result"]["value"]), line, counts), nodes)
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise ValueError(f"this is no trace: {type(error).__name__}: {error}") from None

    def _rows(self) -> list[dict[str, Any]]:
        cuts = {cut.node: cut for cut in self.cuts}
        return [self._row(visit, cuts.get(visit.id)) for visit in self.nodes]

    def _row(self, visit: Visit, cut: Cut | None) -> dict[str, Any]:
        return {
            "id": visit.id,
            "parent": visit.parent,
            "path": " ".join(self.path(visit.id)),
            "move": visit.name,
            "player": visit.player,
            "sows": visit.node.sows,
            "turns": visit.node.turns,
            "extra_turn": visit.extra_turn,
            "probe": visit.probe,
            "kind": visit.kind,
            "alpha": visit.alpha if visit.kind != "unvisited" else None,
            "beta": visit.beta if visit.kind != "unvisited" else None,
            "value": visit.value,
            "bound": cut.bound if cut else None,
            "owner": cut.owner if cut else None,
            "untried": " ".join(self.nodes[id].name for id in cut.untried) if cut else "",
        }

    def _cut(self, visit: Visit) -> Cut:
        tried = [c for c in visit.children if self.nodes[c].kind != "unvisited"]
        bound = visit.beta if visit.node.maximizing else visit.alpha
        assert visit.value is not None
        untried = tuple(c for c in visit.children if c not in tried)
        return Cut(visit.id, tried[-1], visit.value, bound, *self._owner(visit, bound), untried)

    def _owner(self, visit: Visit, bound: float) -> tuple[int, int | None]:
        """Who set the bound that a node was cut at, and by which child, None if by its window.

        The bound came down from the first node on the way that was entered with it: as what
        the parent had in hand, or as the question that was asked there.
        """

        def given(to: Visit) -> bool:
            return bound == (to.beta if visit.node.maximizing else to.alpha)

        first = visit
        while first.parent is not None and given(self.nodes[first.parent]):
            first = self.nodes[first.parent]
        if first.parent is None:
            return first.id, None
        above = self.nodes[first.parent]
        if above.kind == "driver" or above.node.maximizing == visit.node.maximizing:
            return first.id, None
        return above.id, self._holds(above, first, bound)

    def _holds(self, owner: Visit, below: Visit, bound: float) -> int:
        """The first child that was worth the bound; of two visits of a move the second counts."""
        elder = owner.children[: owner.children.index(below.id)]
        latest = {self.nodes[id].node.move: id for id in elder}
        return next(id for id in latest.values() if self.nodes[id].value == bound)

    @staticmethod
    def _answers_yes(visit: Visit) -> bool:
        return visit.value is not None and visit.value >= visit.beta


_COUNTS = ("generated", "expanded", "evaluated", "cutoffs", "recalled")


class Shown(NamedTuple):
    """A state as a trace file shows it: the board, and whose turn it is."""

    board: tuple[float, ...]
    player: int


def _visit_of(row: dict[str, Any]) -> Visit:
    state = Shown(tuple(map(_written, row["board"])), row["mover"])
    maximizing = row["player"] == "MAX"
    move = row["move"] if row["sows"] else None  # the root, and the passes over it
    node = Node(state, move, maximizing, row["sows"], row["turns"])
    visit = Visit(row["id"], row["parent"], node, row["move"], probe=row["probe"])
    visit.kind, visit.value = row["kind"], _written(row["value"])
    visit.extra_turn, visit.children = row["extra_turn"], row["children"]
    if visit.kind != "unvisited":
        if visit.value is None:
            raise ValueError(f"node {visit.id} is visited and has no value")
        visit.alpha = -math.inf if row["alpha"] is None else row["alpha"]
        visit.beta = math.inf if row["beta"] is None else row["beta"]
    return visit


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def writable(value: float | None) -> float | str | None:
    """A value for JSON, which has no infinite numbers: `inf` and `-inf` are text."""
    return str(value) if value is not None and math.isinf(value) else value


def _written(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf") else value


def number(value: float | None) -> str:
    """A value as people write it: no trailing zeros, a true minus sign, infinity as a sign."""
    if value is None:
        return ""
    text = "∞" if math.isinf(value) else f"{abs(value):.10g}"
    return f"\N{MINUS SIGN}{text}" if value < 0 else text


def grow(game: Game, events: Sequence[Event]) -> tuple[Visit, ...]:
    """The tree that the events tell of: visited nodes in order, then the unvisited ones."""
    visited: list[Visit] = []
    made: dict[int, list[Node]] = {}
    path: list[Visit] = []
    for event in events:
        match event:
            case Entered():
                visited.append(_entered(game, len(visited), path[-1] if path else None, event))
                path.append(visited[-1])
            case Expanded(children):
                made[path[-1].id], path[-1].kind = list(children), "inner"
            case Recalled():
                path[-1].kind = "table"
            case Left(value):
                path.pop().value = value
    return (*visited, *_ghosts(game, visited, made))


def _ghosts(game: Game, visited: list[Visit], made: dict[int, list[Node]]) -> list[Visit]:
    """The children that were made and never visited; marks their parents as cut."""
    ghosts: list[Visit] = []
    for id, children in made.items():
        parent = visited[id]
        tried = {visited[child].node.move for child in parent.children}
        for node in children[len(tried) :]:
            ghosts.append(_visit(game, len(visited) + len(ghosts), parent, node))
            parent.kind = "cut"
    return ghosts


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


def record(
    search: Searcher,
    game: Game,
    state: State,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    max_nodes: float = math.inf,
) -> Trace:
    """Run a search and keep all of it: memory grows with the number of nodes.

    `ValueError` if it has more than `max_nodes`.
    """
    recorder = Recorder(max_nodes=max_nodes)
    result = search(game, state, evaluator, deep_enough, order, recorder)
    return Trace(result, grow(game, recorder.events))
