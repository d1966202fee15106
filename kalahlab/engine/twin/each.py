"""Alpha-beta of many positions: one call of compiled code searches all of them.

A call of a search takes ten times as long as a small tree. Here it is made once for all positions.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from kalahlab.engine import RootMove
from kalahlab.engine.compiled import is_user_function, jit
from kalahlab.engine.packed import Words, fits, pack, words_at
from kalahlab.engine.twin import general_kernel, leaf_value
from kalahlab.engine.twin.search import prepare, uses_arrays
from kalahlab.engine.twin.workspace import Workspace, workspace_at
from kalahlab.evaluators import Evaluator, is_for_finished_games
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, State, pits_of
from kalahlab.games.supported import unknown_part
from kalahlab.search.deep_enough import Depth
from kalahlab.search.ordering import ORDERS, store_first
from kalahlab.search.tree import Order, pit_order

SIMPLE_ORDERS = (pit_order, store_first)
VISIT: Any = None  # the general kernel; replaced when `visit_each` is compiled


def visit_each(positions: Words, address: int, values: Any, moves: Words, visited: Words) -> None:
    """Search each row of positions: the player, the words of both sides, stores, and stones."""
    w = workspace_at(address)
    for index in range(len(positions)):
        player, own, opp, own_store, opp_store, stones = positions[index]
        w.max_player, w.stones = player, stones
        w.expanded, w.evaluated = 0, 0
        position = (player, own, opp, own_store, opp_store)
        values[index] = VISIT(position, 0, 0, -np.inf, np.inf, address)
        moves[index] = words_at(w.lines)[0]
        visited[index] = w.expanded + w.evaluated


@cache
def kernel() -> Any:
    """Compile `visit_each`."""
    signature = "void(int64[:, ::1], int64, float64[::1], int64[::1], int64[::1])"
    return jit(
        visit_each, signature, VISIT=general_kernel.kernel(plain=True, logged=False, wide=False)
    )


def search_each(
    game: Kalah, states: Sequence[State], evaluator: Evaluator, depth: int, order: Order
) -> list[RootMove]:
    """Search positions of the same size, which `can_search_each` accepts."""
    fields, _ = prepare(game, states[0], Depth(depth))
    if evaluator is not store_difference:
        fields["function"] = leaf_value.leaf_value_address(evaluator, pits_of(states[0].board))
    workspace = Workspace(states[0], **fields, order=list(ORDERS.values()).index(order), prune=True)
    rows = [[state.player, *pack(state), sum(state.board)] for state in states]
    values = np.empty(len(states))
    moves, visited = np.empty((2, len(states)), np.int64)
    kernel()(np.array(rows), workspace.address, values, moves, visited)
    columns = values.tolist(), moves.tolist(), visited.tolist()
    return [RootMove(*row) for row in zip(*columns, strict=True)]


def can_search_each(
    game: Kalah, states: Sequence[State], evaluator: Evaluator, depth: int, order: Order
) -> bool:
    """Return whether all positions can be searched in one call.

    Values are not compared with those of the Python function, so that a user's evaluator is left to
    searches one by one.
    """
    if not states or depth < 1 or is_user_function(evaluator):
        return False
    if is_for_finished_games(evaluator):
        return False
    if order not in SIMPLE_ORDERS or len({len(state.board) for state in states}) > 1:
        return False
    for state in states:
        if unknown_part(game, state) or game.is_over(state) or not fits(state):
            return False
    # The number of stones that ends a game may differ between the positions.
    if game.rules.majority != "ignore" or uses_arrays(game, states[0]):
        return False
    return bool(leaf_value.fingerprint_if_compiled(evaluator, pits_of(states[0].board)))
