"""The contract that every search keeps, and the types that it is stated in.

value     the value of the root for MAX; evaluators are called from MAX's side, and a finished
          game has its true margin; MAX is the player to move at the root, unless the game has
          a `max_player`, such as a hand-written tree
chance    in a game with `has_chance`, a state whose player is `CHANCE` has moves that are made at
          random; `game.probability(state, move)` is the probability of one; its value is the mean
turns     the player whose turn it is chooses: after an extra turn the same player chooses
          again, so the level of a node does not tell whose turn it is; in negamax notation
          the value is negated and the window swapped if and only if the turn passes
ties      children are tried in the order of the search, and the first best one wins;
          `RandomTies` shuffles the children of the root
line      legal moves to a leaf that has the value returned; empty only if the root is a leaf;
          at each node the first child is best until another is strictly better, even if every
          move is worth minus infinity; with a table or in MTD(f) the first move is the first
          best one, but the moves after it need not be
counts    see `Counts`

A search with a window returns, at each node:

    minimax value of the node <= value returned <= alpha     if value returned <= alpha
    beta <= value returned <= minimax value of the node      if value returned >= beta
    value returned = minimax value of the node               in between

Windows are passed in the order `alpha, beta` everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

INF = float("inf")
CHANCE = 2  # the `state.player` of a position in which chance moves


@dataclass(slots=True)
class Node:
    """A position in a search. Treat as immutable; `frozen=True` would triple construction time.

    Attributes:
        state: The state of the game.
        move: The move that led here; None at the root.
        maximizing: True if MAX moves.
        sows: The number of moves from the root to here.
        turns: The number of times that the turn has passed since the root.
    """

    state: Any
    move: Any
    maximizing: bool
    sows: int
    turns: int

    # Python calls this method only for a missing attribute.
    def __getattr__(self, name: str) -> Any:
        attributes = "state, move, maximizing, sows and turns"
        raise AttributeError(f"a node has no {name!r}; it has {attributes}")


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
    """The cost of a search, in nodes. A node that is entered again is counted again.

    Attributes:
        generated: Children made; all children of a node are made when it is expanded.
        expanded: Nodes whose children were made.
        evaluated: Leaves that got a value from the evaluator or from the rules.
        cutoffs: Nodes that a search with a window left before it had visited all their children.
        recalled: Nodes that were answered from a table.
        visited: Nodes that were entered. -1, the default, is replaced by the sum of expanded,
            evaluated and recalled.
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
            object.__setattr__(self, "visited", visited)  # the class is frozen


Claim = Literal["estimate", "exact", "at least", "less than", "unknown"]
"""What a search claims of its value: that the margin under perfect play is about the value, exactly
the value, at least or less than the value; or nothing, as the search ended before it had an answer.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search.

    Attributes:
        value: The value of the root for MAX.
        line: The principal variation; each move is in the numbering of the player who makes it.
        counts: The cost of the search.
        claim: What the search claims of `value`; of a search to a depth it is an estimate.
    """

    value: float
    line: tuple[Any, ...]
    counts: Counts
    claim: Claim = "estimate"

    @property
    def move(self) -> Any:
        """The first move of `line`; None if the root is a leaf."""
        return self.line[0] if self.line else None
