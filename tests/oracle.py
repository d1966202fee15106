"""An oracle of the searches that does not prune, and the node counts of other programs."""

import csv
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from kalahlab.evaluators import Evaluator, static_value
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games import Game
from kalahlab.games.kalah import SOUTH, Kalah, State, pits_of, swap_sides
from kalahlab.games.rules import PRESETS
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence
from kalahlab.solver.ledger import normalize_position
from kalahlab.trace import record

PRUNING = ("alpha_beta", "minimax_a_b")
DEEPENING = ("iterative_deepening", "mtdf_deepening")
"""The searches with passes to different depths; test_iterative_deepening.py is about them."""
ONE_DEPTH = {name: search for name, search in ALGORITHMS.items() if name not in DEEPENING}
FULL = tuple(name for name in ONE_DEPTH if name != "greedy")
OPEN = ("greedy", "minimax", "expectiminimax")
"""The searches without windows."""
WATCHED = tuple(name for name in ONE_DEPTH if name not in OPEN)
LINE_OF_MINIMAX = ("minimax", *PRUNING, "scout")
"""The searches whose whole line is minimax's, not its first move only."""
LEARNED = ("killer", "history", *(name for name in ORDERS if "store_first_" in name))
"""The orders that depend on what was cut off before."""


TYPES = {1: (1, 2), 2: (3, 0), 3: (2, 2)}
"""Knuth and Moore's node types: of the first child, and of the others; 0 is not visited."""


def leaves(arity, depth, kind=1):
    """Count the leaves of a minimal tree, type by type."""
    if depth == 0:
        return 1
    first, others = TYPES[kind]
    count = leaves(arity, depth - 1, first)
    if others:
        count += (arity - 1) * leaves(arity, depth - 1, others)
    return count


def hash_board(board, player):
    """Return the last 3 bits of a hash: no sense, no symmetry, and many ties."""
    return crc32(repr((tuple(board), player)).encode()) >> 7 & 7


ASKED = {**EVALUATORS, "hashed": hash_board}


with (Path(__file__).parent / "oracles" / "kalah" / "nodes.csv").open() as lines:
    NODES = {int(depth): [*map(int, counts)] for depth, *counts in [*csv.reader(lines)][1:]}
"""By depth: value, then nodes with the pits in order and from the store, of (6,4) and (6,6)."""


def agrees_with_counts(algorithms, name, depth):
    """Return whether a search finds the values of `NODES` with the same node counts."""
    numbers = []
    for stones in (4, 6):
        args = Kalah(6, stones), Kalah(6, stones).start(), store_difference, Depth(depth)
        results = [algorithms[name](*args, ORDERS[order]) for order in ("pit", "store_first")]
        numbers += [results[0].value, *(result.counts.visited for result in results)]
    return numbers == NODES[depth]


class Task(NamedTuple):
    """The arguments of a search but for the algorithm."""

    game: Game
    state: Any
    evaluator: Evaluator
    depth: Depth | Quiescence
    order: str = "pit"

    def trace(self, algorithm):
        game, state, evaluator, depth, order = self
        return record(ALGORITHMS[algorithm], game, state, evaluator, depth, ORDERS[order])

    @property
    def max_player(self):
        return getattr(self.game, "max_player", self.state.player)


class Solved(NamedTuple):
    """The value of a position for MAX, its first best move, and the solved children by move."""

    value: float
    move: Any = None
    below: dict[Any, "Solved"] = {}  # noqa: RUF012 - never written to


def deep_enough(depth, state, sows, turns):
    limit = depth.limit
    if isinstance(depth, Quiescence) and not is_quiet(state):
        limit += depth.max_extension
    reached = sows if depth.unit == "sow" else turns
    return reached >= limit


def count_turns(turns, state, after):
    """Return the number of turns that have passed after a move."""
    if after.player == state.player:
        return turns
    return turns + 1


def is_quiet(state):
    """Return whether no move captures or gives an extra turn, by sowing stone by stone."""
    board, player = state
    pits = pits_of(board)
    store, skipped_store = pits, 2 * pits + 1
    if player != SOUTH:
        store, skipped_store = skipped_store, store
    for pit in range(store - pits, store):
        if not board[pit]:
            continue
        counts, last = [*board], pit
        counts[pit] = 0
        for _ in range(board[pit]):
            last = (last + 1) % len(board)
            if last == skipped_store:
                last = (last + 1) % len(board)
            counts[last] += 1
        is_alone = store - pits <= last < store and counts[last] == 1
        if last == store or (is_alone and counts[2 * pits - last]):
            return False
    return True


def oracle(task, state, sows=0, turns=0):
    """Solve a position by plain recursion; `max` and `min` keep the first of equal moves."""
    game, me = task.game, task.max_player
    if game.is_over(state):
        return Solved(game.margin(state, me))
    if deep_enough(task.depth, state, sows, turns):
        return Solved(static_value(task.evaluator, state.board, state.player, me))
    below = {}
    for move in order_moves(task, state, sows, turns):
        after = game.play(state, move)
        below[move] = oracle(task, after, sows + 1, count_turns(turns, state, after))
    choose = max if state.player == me else min
    best = choose(below, key=lambda move: below[move].value)
    return Solved(below[best].value, best, below)


def order_moves(task, state, sows, turns):
    """Return the moves in the order of the task, before an order has learned anything."""
    moves = list(task.game.moves(state))
    sign = 1 if state.player == task.max_player else -1

    def value(move, depth=task.depth):
        """Return the value of a move for the mover."""
        after = task.game.play(state, move)
        in_pit_order = task._replace(order="pit", depth=depth)
        return sign * oracle(in_pit_order, after, sows + 1, count_turns(turns, state, after)).value

    keys = {
        "static": lambda move: -value(move, Depth(0)),
        "worst_first": lambda move: value(move, Depth(0)),
        "oracle": lambda move: -value(move),
        "anti_oracle": value,
    }
    if task.order in keys:
        return sorted(moves, key=keys[task.order])
    if task.order.startswith("store_first"):
        return moves[::-1]
    return moves


@cache
def plain_minimax(game):
    """Return a plain minimax for positions with empty stores and South to move: margins by move."""

    @cache
    def margin(state):
        return max(move_margins(state).values())

    def move_margins(state):
        margins = {}
        for move in game.moves(state):
            after = game.play(state, move)
            turn_passes = after.player != SOUTH
            mover = swap_sides(after) if turn_passes else after
            value = banked = mover.board[game.pits] - mover.board[-1]
            if not game.is_over(after):  # positions that differ in the stores only are solved once
                counts = list(mover.board)
                counts[game.pits] = counts[-1] = 0
                value = banked + margin(State(tuple(counts), SOUTH))
            margins[move] = -value if turn_passes else value
        return margins

    return move_margins


def exact_moves(row):
    """Return the values of the moves of a judged position by plain minimax, None if illegal."""
    position, missing = normalize_position(row.state)
    values = plain_minimax(Kalah(len(row.moves), 1, PRESETS[row.rules]))(position)
    pits = range(len(row.moves))
    return tuple(values[pit] - missing if pit in values else None for pit in pits)


def at(solved, path):
    for move in path:
        solved = solved.below[move]
    return solved


def paths(solved, path=()):
    """Yield the moves to each node, depth first."""
    yield path
    for move, child in solved.below.items():
        yield from paths(child, (*path, move))


def size(task, state, most, sows=0, turns=0):
    """Count the nodes of a task's tree; stop counting above `most`."""
    if deep_enough(task.depth, state, sows, turns):
        return 1
    nodes = 1
    for move in task.game.moves(state):
        after = task.game.play(state, move)
        turns_after = count_turns(turns, state, after)
        nodes += size(task, after, most - nodes, sows + 1, turns_after)
        if nodes > most:
            break
    return nodes
