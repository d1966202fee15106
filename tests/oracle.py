"""The pruning-free oracle of the searches, and a search as its events tell of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from zlib import crc32

from kalahlab.evaluators import Evaluator, static_value
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games import Game
from kalahlab.games.kalah import SOUTH, Kalah, State, swap_sides
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Result, Searcher
from kalahlab.trace import Entered, Event, Expanded, Left, Recalled, Recorder

PRUNING = ("alpha_beta", "minimax_a_b")
FULL = tuple(name for name in ALGORITHMS if name != "greedy")
LINE_OF_MINIMAX = ("minimax", *PRUNING, "scout")
"""The searches whose whole line is minimax's, not its first move only."""
LEARNED = ("killer", "history")
"""The orders that depend on what was cut off before."""


def hashed(board: Any, player: int) -> float:
    """An evaluator without sense or symmetry, cut to 3 bits, so that ties abound."""
    return crc32(repr((tuple(board), player)).encode()) >> 7 & 7


ASKED = {**EVALUATORS, "hashed": hashed}


NODES = {  # depth: value, then nodes with the pits in order and from the store, of (6,4) and (6,6)
    1: (1, 7, 7, 1, 7, 7),
    2: (2, 24, 22, 2, 17, 22),
    3: (1, 92, 90, 1, 52, 61),
    4: (1, 390, 303, 2, 120, 164),
    5: (2, 1042, 688, 1, 506, 371),
    6: (3, 3786, 1607, 2, 1088, 1165),
    7: (3, 10121, 3852, 1, 5664, 2089),
    8: (4, 30823, 9334, 2, 19287, 7059),
    9: (5, 103731, 20108, 1, 100494, 19994),
    10: (5, 283665, 40377, 2, 255856, 115027),
    11: (5, 979196, 79710, 3, 606925, 468768),
    12: (6, 2669913, 137444, 3, 2124524, 1675460),
    13: (6, 8238659, 233916, 4, 5179232, 4913788),
    14: (7, 21705791, 578113, 5, 12918641, 11496428),
}
"""Counted by a C++ program and by one on int8 boards, from a look-up of its own.

In pit order those of (6,4) are also OpenSpiel's.
"""


def as_counted(algorithms: Mapping[str, Searcher], name: str, depth: int) -> bool:
    """Whether a search finds the values of `NODES` in as many nodes."""
    row, found = NODES[depth], []
    for stones in (4, 6):
        game, counts = Kalah(6, stones), []
        for order in ("pit", "store_first"):
            asked = (game, game.start(), store_difference, Depth(depth), ORDERS[order])
            result = algorithms[name](*asked)
            counts.append(result.counts.visited)
        found += [result.value, *counts]
    return tuple(found) == row


class Task(NamedTuple):
    """What is searched."""

    game: Game
    state: Any
    evaluator: Evaluator
    depth: Depth
    order: str


class Solved(NamedTuple):
    """A position's value to the root's player, its first best move, and what lies below."""

    value: float
    move: Any = None
    below: dict[Any, "Solved"] = {}  # noqa: RUF012 - never written to


def oracle(task: Task, state: Any, sows: int = 0, turns: int = 0) -> Solved:
    """Plain recursion by whose turn it is; `max` and `min` keep the first of equals."""
    game, me = task.game, task.state.player
    if game.over(state):
        return Solved(game.margin(state, me))
    if (sows if task.depth.unit == "sow" else turns) >= task.depth.limit:
        return Solved(static_value(task.evaluator, state.board, state.player, me))
    below = {}
    for move in tried(task, state, sows, turns):
        after = game.play(state, move)
        below[move] = oracle(task, after, sows + 1, turns + (after.player != state.player))
    best = (max if state.player == me else min)(below, key=lambda move: below[move].value)
    return Solved(below[best].value, best, below)


def tried(task: Task, state: Any, sows: int, turns: int) -> list[Any]:
    """The moves in the order in which the task has them tried, before an order learns."""
    moves = list(task.game.moves(state))
    me = task.state.player

    def look(move: Any) -> float:
        """How good the move looks to the mover."""
        game, after = task.game, task.game.play(state, move)
        value = (
            game.margin(after, me)
            if game.over(after)
            else static_value(task.evaluator, after.board, after.player, me)
        )
        return value if state.player == me else -value

    def worth(move: Any) -> float:
        """How good the move is to the mover."""
        after = task.game.play(state, move)
        passed = after.player != state.player
        value = oracle(task._replace(order="pit"), after, sows + 1, turns + passed).value
        return value if state.player == me else -value

    return {
        "pit": lambda: moves,
        "killer": lambda: moves,
        "history": lambda: moves,
        "store_first": lambda: moves[::-1],
        "static": lambda: sorted(moves, key=lambda move: -look(move)),
        "worst_first": lambda: sorted(moves, key=look),
        "oracle": lambda: sorted(moves, key=lambda move: -worth(move)),
        "anti_oracle": lambda: sorted(moves, key=worth),
    }[task.order]()


def plain_minimax(game: Kalah) -> Callable[[State], dict[int, int]]:
    """Each move's margin from a position with empty stores and South to move."""

    @cache
    def margin(state: State) -> int:
        return max(move_margins(state).values())

    def move_margins(state: State) -> dict[int, int]:
        worth = {}
        for move in game.moves(state):
            after = game.play(state, move)
            passed = after.player != SOUTH
            mover = swap_sides(after) if passed else after
            value = banked = mover.board[game.pits] - mover.board[-1]
            if not game.over(after):  # without the stores each position is looked at once
                bare = list(mover.board)
                bare[game.pits] = bare[-1] = 0
                value = banked + margin(State(tuple(bare), SOUTH))
            worth[move] = -value if passed else value
        return worth

    return move_margins


class Seen(NamedTuple):
    """A visit: of which one it is below, the moves to it, its window, what was returned.

    made: the moves of the children, in order, if they were made. recalled: whether the answer
    came from a table.
    """

    parent: int | None
    path: tuple[Any, ...]
    maximizing: bool
    alpha: float
    beta: float
    value: float = 0
    made: tuple[Any, ...] | None = None
    recalled: bool = False


class Run(NamedTuple):
    """What a search returned, and the nodes in the order in which it entered them."""

    result: Result
    seen: list[Seen]


def run(task: Task, algorithm: str) -> Run:
    recorder = Recorder()
    game, state, evaluator, depth, order = task
    search = ALGORITHMS[algorithm]
    result = search(game, state, evaluator, depth, ORDERS[order], recorder)
    return Run(result, list(replayed(recorder.events)))


def replayed(events: Sequence[Event]) -> list[Seen]:
    """The visits that the events tell of."""
    seen: list[Seen] = []
    open_at: list[int] = []
    for event in events:
        match event:
            case Entered(node, alpha, beta):
                parent = open_at[-1] if open_at else None
                path = () if node.move is None else (*seen[parent or 0].path, node.move)
                open_at.append(len(seen))
                seen.append(Seen(parent, path, node.maximizing, alpha, beta))
            case Expanded(children):
                made = tuple(child.move for child in children)
                seen[open_at[-1]] = seen[open_at[-1]]._replace(made=made)
            case Recalled():
                seen[open_at[-1]] = seen[open_at[-1]]._replace(recalled=True)
            case Left(value):
                at = open_at.pop()
                seen[at] = seen[at]._replace(value=value)
    return seen


def below(seen: list[Seen]) -> list[list[Seen]]:
    """For each visit the visits directly below it, in order."""
    found: list[list[Seen]] = [[] for _ in seen]
    for visit in seen:
        if visit.parent is not None:
            found[visit.parent].append(visit)
    return found


def at(solved: Solved, path: tuple[Any, ...]) -> Solved:
    for move in path:
        solved = solved.below[move]
    return solved


def paths(solved: Solved, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The moves to each node, depth first."""
    yield path
    for move, child in solved.below.items():
        yield from paths(child, (*path, move))


def size(task: Task, state: Any, most: int, sows: int = 0, turns: int = 0) -> int:
    """The number of nodes of a task's tree, counted no further than `most`."""
    if (sows if task.depth.unit == "sow" else turns) >= task.depth.limit:
        return 1
    nodes = 1
    for move in task.game.moves(state):
        after = task.game.play(state, move)
        turned = turns + (after.player != state.player)
        nodes += size(task, after, most - nodes, sows + 1, turned)
        if nodes > most:
            break
    return nodes
