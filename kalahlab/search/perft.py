"""How large a tree is without pruning: its leaves by depth (perft), and minimax's nodes in it."""

from collections.abc import Callable
from functools import cache
from typing import Any

from kalahlab.games import Game
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import Node


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """The leaves at depths 1 to `depth`, a game over at each greater one. `ValueError` below 0."""
    if depth < 0:
        raise ValueError(f"depth is {depth}; use 0 or more")
    reached, finished = [1] + [0] * depth, [0] * (depth + 1)

    def walk(state: Any, ply: int) -> None:
        if not (moves := game.moves(state)):
            finished[ply] += 1
            return
        reached[ply + 1] += len(moves)
        if ply + 2 <= depth:
            for move in moves:
                walk(game.play(state, move), ply + 1)

    if depth:
        walk(state, 0)
    return [reached[d] + sum(finished[:d]) for d in range(1, depth + 1)]


def full_size(game: Game, depth: Depth) -> Callable[[Node], int]:
    """A function of a node: how many nodes minimax visits from there on, the node included."""
    by_sow = depth.unit == "sow"

    @cache
    def size(state: Any, left: int) -> int:
        if left <= 0 or game.over(state):
            return 1
        moves = game.moves(state)
        if left == 1 and by_sow:
            return 1 + len(moves)
        after = [game.play(state, move) for move in moves]
        return 1 + sum(size(to, left - (by_sow or to.player != state.player)) for to in after)

    return lambda node: size(node.state, depth.limit - (node.sows if by_sow else node.turns))
