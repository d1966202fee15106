"""The contract that every search keeps, and the values it is stated in.

value     how good the root is for MAX, the player to move at the root; an evaluator is
          always asked from MAX's side, and a finished game is worth its true margin
turns     whose turn it is says who chooses, never the parity of the level: after an extra
          turn the same player chooses again, and in negamax notation the value is negated
          and the window exchanged if and only if the turn passed
ties      children are tried in the given order, and the first best one wins
line      legal moves to a leaf of the value returned; each is the first best one at its node,
          but with a table or in MTD(f) only the first move promises that
counts    see `kalahlab.search.observer.Counts`

    minimax value of the node <= value returned <= alpha     if value returned <= alpha
    beta <= value returned <= minimax value of the node      if value returned >= beta
    value returned = minimax value of the node               in between
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game, State
from kalahlab.search.observer import Counter, Counts, Observer, told

if TYPE_CHECKING:
    from kalahlab.search.table import Table


class Node(NamedTuple):
    """A position in a search.

    move: what led here (None at the root). maximizing: whether MAX moves. sows: moves
    below the root. turns: how often the turn has passed since the root.
    """

    state: Any
    move: Any
    maximizing: bool
    sows: int
    turns: int


class Line(NamedTuple):
    """A value and the path of moves that leads to it (Rich & Knight's VALUE and PATH)."""

    value: float
    path: tuple[Any, ...] = ()


DeepEnough = Callable[[Node], bool]


class MoveOrdering(Protocol):
    """Puts the children into the order in which they are tried: a permutation of `children`."""

    def __call__(self, tree: "Tree", node: Node, children: Sequence[Node], /) -> Sequence[Node]: ...


class LearnedOrdering(MoveOrdering, Protocol):
    """A sorter that learns from the search that it sorts for."""

    def cut(self, node: Node, move: Any, /) -> None:
        """Hear that `move` cut off the node."""


Order = MoveOrdering | type[LearnedOrdering]
"""A move order. One that learns is given as its class: each search makes a fresh one."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree that a search walks: Rich & Knight's STATIC, DEEP-ENOUGH and MOVE-GEN.

    table: what is known of it, for a search that keeps one.
    """

    game: Game
    evaluator: Evaluator
    deep_enough_at: DeepEnough
    order: MoveOrdering
    root: Node
    observer: Observer
    table: "Table | None" = None

    def deep_enough(self, node: Node) -> bool:
        """Whether the node is a leaf: cut off there, or the game is over."""
        return self.deep_enough_at(node) or self.game.over(node.state)

    def static(self, node: Node) -> float:
        """What a leaf is worth to MAX."""
        max_player = self.root.state.player
        if self.game.over(node.state):
            return self.game.margin(node.state, max_player)
        return self.evaluator(node.state.board, max_player)

    def successors(self, node: Node) -> Sequence[Node]:
        """The children, made and put into the order in which they are to be tried."""
        children = self.order(self, node, [self._child(node, m) for m in self._moves(node)])
        self.observer.expand(node, children)
        return children

    def known(self, node: Node, alpha: float, beta: float) -> Line | None:
        """The table's answer to a search of the node with a window, if it has one."""
        if self.table is None:
            return None
        line = self.table.answer(node, alpha, beta)
        if line is not None:
            self.observer.recall(node)
        return line

    def keep(self, node: Node, alpha: float, beta: float, line: Line) -> None:
        """Put what a search of the node with a window found into the table."""
        if self.table is not None:
            self.table.keep(node, alpha, beta, line)

    def _moves(self, node: Node) -> Sequence[Any]:
        return self.game.moves(node.state)

    def _child(self, node: Node, move: Any) -> Node:
        state = self.game.play(node.state, move)
        if state.player == node.state.player:
            return Node(state, move, node.maximizing, node.sows + 1, node.turns)
        return Node(state, move, not node.maximizing, node.sows + 1, node.turns + 1)


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    value: for MAX. move: the first move of `line`, None if the root is a leaf. line: the
    principal variation, each move in the numbering of its own mover.
    """

    value: float
    line: tuple[Any, ...]
    counts: Counts

    @property
    def move(self) -> Any:
        return self.line[0] if self.line else None


class Searcher(Protocol):
    """A search as its users call it; what `@searcher` makes of an algorithm."""

    def __call__(
        self,
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough,
        order: Order = ...,
        observer: Observer | None = None,
    ) -> Result: ...


def pit_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """As the game lists the moves: in Kalah, pits from the mover's left."""
    return children


def searcher(algorithm: Callable[[Tree], Line]) -> Searcher:
    """Make an algorithm over a `Tree` callable on a game and a state, and count it."""

    @wraps(algorithm)
    def search(
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough,
        order: Order = pit_order,
        observer: Observer | None = None,
    ) -> Result:
        sorter, counter = start_ordering(order)
        root = Node(state, None, maximizing=True, sows=0, turns=0)
        line = algorithm(Tree(game, evaluator, deep_enough, sorter, root, told(observer, counter)))
        # + 0 turns the -0.0 of a negated draw into 0
        return Result(line.value + 0, line.path, counter.counts())

    return search


def start_ordering(order: Order) -> tuple[MoveOrdering, Counter]:
    """What sorts and what counts in one search: a learner is told of the cut-offs counted."""
    if not isinstance(order, type):
        return order, Counter()
    learner = order()
    return learner, Counter(learner.cut)
