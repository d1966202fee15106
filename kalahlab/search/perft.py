"""The size of a tree without pruning: its leaves by depth (perft), and minimax's nodes in it."""

from collections.abc import Callable
from functools import cache
from typing import Any

from kalahlab.games import Game
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import Node


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """Return the number of leaves of the trees of depth 1, 2, ..., `depth`, in sows.

    A game that is finished earlier is a leaf of each deeper tree, too.

    Raises:
        ValueError: `depth` is negative.
    """
    if depth < 0:
        raise ValueError(f"depth is {depth}; use 0 or more")
    # By ply, from 0 to `depth`: the number of nodes, and of finished games among them.
    reached = [1] + [0] * depth
    finished = [0] * (depth + 1)

    def walk(state: Any, ply: int) -> None:
        moves = game.moves(state)
        if not moves:
            finished[ply] += 1
            return
        reached[ply + 1] += len(moves)
        if ply + 1 < depth:  # the nodes of the last ply are counted, but not walked to
            for move in moves:
                walk(game.play(state, move), ply + 1)

    if depth:
        walk(state, 0)
    # The leaves of a tree: all nodes of its last ply, and the games finished at earlier plies.
    return [reached[ply] + sum(finished[:ply]) for ply in range(1, depth + 1)]


def count_full_tree(game: Game, depth: Depth) -> Callable[[Node], int]:
    """Return a function that counts the nodes minimax visits from a node on, this node included."""
    by_sow = depth.unit == "sow"

    @cache
    def count_below(state: Any, remaining: int) -> int:
        if remaining <= 0 or game.is_over(state):
            return 1
        moves = game.moves(state)
        if remaining == 1 and by_sow:  # each child is a leaf
            return 1 + len(moves)
        nodes = 1
        for move in moves:
            child = game.play(state, move)
            is_deeper = by_sow or child.player != state.player
            remaining_below = remaining - 1 if is_deeper else remaining
            nodes += count_below(child, remaining_below)
        return nodes

    def size_below(node: Node) -> int:
        depth_of_node = node.sows if by_sow else node.turns
        return count_below(node.state, depth.limit - depth_of_node)

    return size_below
