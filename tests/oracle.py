"""The pruning-free oracle of the searches, and what other programs counted."""

import csv
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from kalahlab.evaluators import Evaluator, static_value
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games import Game
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah, State, pits_of, swap_sides
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence
from kalahlab.solver.ledger import normalize_position
from kalahlab.trace import record

PRUNING = ("alpha_beta", "minimax_a_b")
FULL = tuple(name for name in ALGORITHMS if name != "greedy")
OPEN = ("greedy", "minimax")
"""The searches without windows."""
WATCHED = tuple(name for name in ALGORITHMS if name not in OPEN)
LINE_OF_MINIMAX = ("minimax", *PRUNING, "scout")
"""The searches whose whole line is minimax's, not its first move only."""
LEARNED = ("killer", "history")
"""The orders that depend on what was cut off before."""


TYPES = {1: (1, 2), 2: (3, 0), 3: (2, 2)}
"""Knuth and Moore's types of a node: of its first child, and of the others; 0 is not visited."""


def leaves(arity, depth, kind=1):
    """The leaves of a minimal tree, counted type by type."""
    if depth == 0:
        return 1
    first, others = TYPES[kind]
    other = (arity - 1) * leaves(arity, depth - 1, others) if others else 0
    return leaves(arity, depth - 1, first) + other


def hashed(board, player):
    """An evaluator without sense or symmetry, cut to 3 bits, so that ties abound."""
    return crc32(repr((tuple(board), player)).encode()) >> 7 & 7


ASKED = {**EVALUATORS, "hashed": hashed}


with (Path(__file__).parent / "oracles" / "kalah" / "nodes.csv").open() as lines:
    NODES = {int(depth): [*map(int, counts)] for depth, *counts in [*csv.reader(lines)][1:]}
"""By depth: value, then nodes with the pits in order and from the store, of (6,4) and (6,6)."""


def as_counted(algorithms, name, depth):
    """Whether a search finds the values of `NODES` in as many nodes."""
    found = []
    for stones in (4, 6):
        asked = Kalah(6, stones), Kalah(6, stones).start(), store_difference, Depth(depth)
        results = [algorithms[name](*asked, ORDERS[order]) for order in ("pit", "store_first")]
        found += [results[0].value, *(result.counts.visited for result in results)]
    return found == NODES[depth]


class Task(NamedTuple):
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
    """A position's value to MAX, its first best move, and what lies below."""

    value: float
    move: Any = None
    below: dict[Any, "Solved"] = {}  # noqa: RUF012 - never written to


def deep_enough(depth, state, sows, turns):
    quiet = isinstance(depth, Depth) or is_quiet(state)
    limit = depth.limit if quiet else depth.limit + depth.max_extension
    return (sows if depth.unit == "sow" else turns) >= limit


def is_quiet(state):
    """By sowing each pit stone by stone."""
    pits, (board, player) = pits_of(state.board), state
    store, other = (pits, 2 * pits + 1)[:: 1 if player == SOUTH else -1]
    for pit in range(store - pits, store):
        counts, last = [*board], pit
        counts[pit] = 0
        for _ in range(board[pit]):
            last = (last + 1 + (last + 1 == other)) % len(board)
            counts[last] += 1
        lone = store - pits <= last < store and counts[last] == 1
        if board[pit] and (last == store or (lone and counts[2 * pits - last])):
            return False
    return True


def oracle(task, state, sows=0, turns=0):
    """Plain recursion by whose turn it is; `max` and `min` keep the first of equals."""
    game, me = task.game, task.max_player
    if game.is_over(state):
        return Solved(game.margin(state, me))
    if deep_enough(task.depth, state, sows, turns):
        return Solved(static_value(task.evaluator, state.board, state.player, me))
    below = {}
    for move in tried(task, state, sows, turns):
        after = game.play(state, move)
        below[move] = oracle(task, after, sows + 1, turns + (after.player != state.player))
    best = (max if state.player == me else min)(below, key=lambda move: below[move].value)
    return Solved(below[best].value, best, below)


def tried(task, state, sows, turns):
    """The moves in the order in which the task has them tried, before an order learns."""
    moves = list(task.game.moves(state))
    sign = 1 if state.player == task.max_player else -1

    def worth(move, depth=task.depth):
        """To the mover."""
        after = task.game.play(state, move)
        aside, passed = task._replace(order="pit", depth=depth), after.player != state.player
        return sign * oracle(aside, after, sows + 1, turns + passed).value

    keys = {
        "static": lambda move: -worth(move, Depth(0)),
        "worst_first": lambda move: worth(move, Depth(0)),
        "oracle": lambda move: -worth(move),
        "anti_oracle": worth,
    }
    if task.order in keys:
        return sorted(moves, key=keys[task.order])
    return moves[::-1] if task.order == "store_first" else moves


@cache
def plain_minimax(game):
    """Each move's margin from a position with empty stores and South to move."""

    @cache
    def margin(state):
        return max(move_margins(state).values())

    def move_margins(state):
        worth = {}
        for move in game.moves(state):
            after = game.play(state, move)
            passed = after.player != SOUTH
            mover = swap_sides(after) if passed else after
            value = banked = mover.board[game.pits] - mover.board[-1]
            if not game.is_over(after):  # without the stores each position is looked at once
                bare = list(mover.board)
                bare[game.pits] = bare[-1] = 0
                value = banked + margin(State(tuple(bare), SOUTH))
            worth[move] = -value if passed else value
        return worth

    return move_margins


def exact_moves(row):
    """What each move of a judged position is worth by plain minimax."""
    position, missing = normalize_position(row.state)
    values = plain_minimax(Kalah(len(row.moves), 1, PRESETS[row.rules]))(position)
    return tuple(values[pit] - missing if pit in values else None for pit in range(len(row.moves)))


def at(solved, path):
    for move in path:
        solved = solved.below[move]
    return solved


def paths(solved, path=()):
    """The moves to each node, depth first."""
    yield path
    for move, child in solved.below.items():
        yield from paths(child, (*path, move))


def size(task, state, most, sows=0, turns=0):
    """The number of nodes of a task's tree, counted no further than `most`."""
    if deep_enough(task.depth, state, sows, turns):
        return 1
    nodes = 1
    for move in task.game.moves(state):
        after = task.game.play(state, move)
        nodes += size(task, after, most - nodes, sows + 1, turns + (after.player != state.player))
        if nodes > most:
            break
    return nodes
