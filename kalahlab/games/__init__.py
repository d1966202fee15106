"""The rules of the games: pure functions of frozen states."""

from collections.abc import Sequence
from typing import Any, Protocol


class State(Protocol):
    """An immutable position: the player to move, 0 or 1, and the numbers passed to an evaluator."""

    @property
    def player(self) -> int: ...

    @property
    def board(self) -> Sequence[float]: ...


class Game(Protocol):
    """The rules of a two-player game of perfect information; a move is any hashable value."""

    def start(self) -> Any: ...

    def moves(self, state: Any) -> Sequence[Any]:
        """Return the legal moves in the game's order; empty if and only if the game is over."""

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after a legal move; raise ValueError for an illegal one."""

    def is_over(self, state: Any) -> bool: ...

    def move_name(self, state: Any, move: Any) -> str:
        """Return the short name that people use for a move that is legal in `state`."""

    def margin(self, state: Any, player: int) -> float:
        """Return the outcome of a finished game for `player` (for Kalah, in stones)."""
