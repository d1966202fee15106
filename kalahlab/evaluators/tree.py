"""The evaluator of hand-written trees."""

from collections.abc import Sequence


def written_value(board: Sequence[float], player: int) -> float:
    """Return the value written at the node, from the player's side."""
    return board[0] if player == 0 else -board[0]
