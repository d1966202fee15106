"""The contract that every search keeps, and the values it is stated in.

value     how good the root is for MAX, the player to move there unless the game has a
          `max_player`, as a tree by hand has; an evaluator is called from MAX's side, and
          a finished game is worth its true margin
turns     whose turn it is says who chooses, never the parity of the level: after an extra
          turn the same player chooses again, and in negamax notation the value is negated
          and the window exchanged if and only if the turn passed
ties      children are tried in the given order, and the first best one wins; `RandomTies`
          shuffles those of the root
line      legal moves to a leaf of the value returned, none at a leaf only; at each node the
          first child tried, until one is strictly better, even if every move is worth minus
          infinity; with a table or in MTD(f) only the first move is the first best one
counts    see `Counts`

    minimax value of the node <= value returned <= alpha     if value returned <= alpha
    beta <= value returned <= minimax value of the node      if value returned >= beta
    value returned = minimax value of the node               in between

Windows are given as `alpha, beta` everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

INF = float("inf")


@dataclass(slots=True)
class Node:
    """A position in a search. Never changed; to freeze it would triple what making one costs.

    move: what led here (None at the root). maximizing: whether MAX moves. sows: moves
    below the root. turns: how often the turn has passed since the root.
    """

    state: Any
    move: Any
    maximizing: bool
    sows: int
    turns: int

    def __getattr__(self, name: str) -> Any:
        has = "state, move, maximizing, sows and turns"
        raise AttributeError(f"a node has no {name!r}; it has {has}")


class Line(NamedTuple):
    """A value and the path of moves that leads to it (Rich & Knight's VALUE and PATH)."""

    value: float
    path: tuple[Any, ...] = ()

    @property
    def is_leaf(self) -> bool:
        return not self.path


DeepEnough = Callable[[Node], bool]


@dataclass(frozen=True, slots=True)
class Counts:
    """What a search cost, in nodes. A node that is entered again is counted again.

    generated: children made; a node's children are made all at once, when it is expanded.
    expanded: nodes whose children were made.
    evaluated: leaves that were given a value, by the evaluator or by the rules.
    cutoffs: nodes that a search with a window left while they had children never visited.
    recalled: nodes that were answered from a table.
    visited: nodes that were entered; expanded, evaluated and recalled ones together unless given.
    """

    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    recalled: int = 0
    visited: int = -1

    def __post_init__(self) -> None:
        if self.visited < 0:
            visited = self.expanded + self.evaluated + self.recalled
            object.__setattr__(self, "visited", visited)


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
