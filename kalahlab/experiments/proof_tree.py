"""The smallest tree that proves the value of a position."""

from functools import cache
from math import inf, isinf
from typing import Any

from kalahlab.evaluators import Evaluator, static_value
from kalahlab.games import Game


def count_proof_nodes(
    game: Game,
    state: Any,
    evaluator: Evaluator,
    depth: int,
    low: float,
    high: float,
    weight: int = 1,
) -> float:
    """Return the number of nodes of the smallest tree that proves low <= value <= high.

    The value is that of minimax for MAX at a depth in sows. With `low` equal to `high` the tree
    proves an exact value. With one of them infinite it proves a bound, as the answer to a null
    window does. The result is infinite if the claim is false.

    A position that is reached on two ways counts twice, as in a search without a table. An inner
    node counts `weight` times: with 0, the result is the least number of leaves of such a tree.
    """
    max_player = getattr(game, "max_player", state.player)

    @cache
    def children(state: Any) -> list[Any]:
        return [game.play(state, move) for move in game.moves(state)]

    @cache
    def count(state: Any, depth: int, low: float, high: float) -> float:
        if isinf(low) and isinf(high):  # nothing to prove: not visited
            return 0
        if game.is_over(state):
            return 1 if low <= game.margin(state, max_player) <= high else inf
        if depth == 0:
            value = static_value(evaluator, state.board, state.player, max_player)
            return 1 if low <= value <= high else inf
        # One bound holds if it holds for one move, which is chosen; the other if it holds for all.
        for_all = (-inf, high) if state.player == max_player else (low, inf)
        nodes, chosen = float(weight), inf
        for child in reversed(children(state)):
            others = count(child, depth - 1, *for_all)
            if isinf(others):
                return inf
            nodes += others
            chosen = min(chosen, count(child, depth - 1, low, high) - others)
        return nodes + chosen

    return count(state, depth, low, high)
