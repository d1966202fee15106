"""The rules of the games, and nothing else: pure functions over frozen states."""

from collections.abc import Sequence
from typing import Any, Protocol


class State(Protocol):
    """A frozen position: whose turn it is, 0 or 1, and the numbers that an evaluator is shown."""

    @property
    def player(self) -> int: ...

    @property
    def board(self) -> Sequence[float]: ...


class Game(Protocol):
    """The rules of a two-player game of perfect information; a move is any hashable value."""

    def start(self) -> Any: ...

    def moves(self, state: Any) -> Sequence[Any]:
        """The legal moves of the mover, in the game's own order; none if and only if it is over."""

    def play(self, state: Any, move: Any) -> Any:
        """The state after a legal move; `ValueError` names an illegal one."""

    def over(self, state: Any) -> bool: ...

    def move_name(self, state: Any, move: Any) -> str:
        """What people call a move that is legal in `state`, short."""

    def margin(self, state: Any, player: int) -> float:
        """What the finished game is worth to `player` (for Kalah, in stones)."""
