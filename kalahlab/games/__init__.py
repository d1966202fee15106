"""The rules of the games, and nothing else: pure functions over frozen states.

A game is anything that keeps the `Game` protocol. A search needs no more than that,
so the same algorithm runs on Kalah and on a tree written by hand.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

Move = Hashable
"""A move: whatever the game says, often a pit's index from 0."""


class State(Protocol):
    """A frozen position.

    `player` is whose turn it is, 0 or 1; `board` is the position's numbers, which is
    what an evaluator is shown.
    """

    @property
    def player(self) -> int: ...

    @property
    def board(self) -> Sequence[float]: ...


class Game(Protocol):
    """The rules of a two-player game of perfect information."""

    def start(self) -> Any: ...

    def moves(self, state: Any) -> Sequence[Any]:
        """The legal moves of the player whose turn it is, in the game's own order.

        Empty if and only if the game is over.
        """

    def play(self, state: Any, move: Any) -> Any:
        """The state after a legal move; `ValueError` names an illegal one."""

    def over(self, state: Any) -> bool: ...

    def move_name(self, state: Any, move: Any) -> str:
        """What people call a move that is legal in `state`, short."""

    def margin(self, state: Any, player: int) -> float:
        """What the finished game is worth to `player` (for Kalah, in stones)."""
