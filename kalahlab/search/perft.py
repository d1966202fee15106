"""Perft: how many lines of play there are; a game over counts as a leaf of each greater depth."""

from typing import Any

from kalahlab.games import Game


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """The leaves at depths 1 to `depth`. Raises `ValueError` for a negative depth."""
    if depth < 0:
        raise ValueError(f"depth is {depth}; use 0 or more")
    reached, finished = [1] + [0] * depth, [0] * (depth + 1)

    def walk(state: Any, ply: int) -> None:
        moves = game.moves(state)
        if not moves:
            finished[ply] += 1
            return
        reached[ply + 1] += len(moves)
        if ply + 2 <= depth:
            for move in moves:
                walk(game.play(state, move), ply + 1)

    if depth:
        walk(state, 0)
    return [reached[d] + sum(finished[:d]) for d in range(1, depth + 1)]
