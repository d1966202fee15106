"""How large a search without pruning would be: what a branch never visited would have cost."""

from collections.abc import Callable
from functools import cache
from typing import Any

from kalahlab.games import Game
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import Node


def full_size(game: Game, depth: Depth) -> Callable[[Node], int]:
    """A function of a node: how many nodes minimax visits from there on, the node included.

    Positions that are met again are not counted again: each is looked at once.
    """

    @cache
    def size(state: Any, left: int) -> int:
        if left <= 0:
            return 1
        moves = game.moves(state)
        if left == 1 and depth.unit == "sow":
            return 1 + len(moves)
        after = [game.play(state, move) for move in moves]
        by_sow = depth.unit == "sow"
        return 1 + sum(size(to, left - (by_sow or to.player != state.player)) for to in after)

    def deep(node: Node) -> int:
        return node.sows if depth.unit == "sow" else node.turns

    return lambda node: size(node.state, depth.limit - deep(node))
