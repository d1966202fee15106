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
    by_sow = depth.unit == "sow"

    @cache
    def size(state: Any, left: int) -> int:
        if left <= 0:
            return 1
        moves = game.moves(state)
        if left == 1 and by_sow:
            return 1 + len(moves)
        after = [game.play(state, move) for move in moves]
        return 1 + sum(size(to, left - (by_sow or to.player != state.player)) for to in after)

    return lambda node: size(node.state, depth.limit - (node.sows if by_sow else node.turns))
