"""Searches by the kernel that fits, as a `Result`; and perft."""

import sys
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kalahlab.engine import Twin
from kalahlab.engine.packed import fits, pack
from kalahlab.engine.supported import SOLVED, unknown_part, unknown_rule
from kalahlab.engine.twin import fast_kernel as fast
from kalahlab.engine.twin import general_kernel, leaf_value
from kalahlab.engine.twin.table import TableFull, entry_words
from kalahlab.engine.twin.workspace import COUNTS, Transcript, Workspace, room, sowing_tables
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, State, pits_of
from kalahlab.search import ALGORITHMS as TEXTBOOK
from kalahlab.search.arguments import BadEvaluator, ask_along_games, value_at_end
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import INF, Counts, DeepEnough, Line, Node, Result
from kalahlab.search.mtdf import null_windows
from kalahlab.search.observer import Observer
from kalahlab.search.ordering import ORDERS
from kalahlab.search.perft import perft as textbook_perft
from kalahlab.search.tree import Order, RandomTies, pit_order, shuffled

FIRST_ENTRIES = 1 << 14  # of the first table that a search tries, a power of 2


class Task(NamedTuple):
    """A search that a kernel can do. ties: the seed that shuffles the moves of the root."""

    game: Kalah
    state: State
    evaluator: Evaluator
    depth: Depth
    order: str
    ties: int | None
    algorithm: Twin

    def __repr__(self) -> str:
        return f"<{self.algorithm.name} of {self.state}, {self.depth}>"

    @property
    def alone(self) -> bool:
        return self.evaluator is store_difference


def run(
    algorithm: Twin,
    game: Any,
    state: State,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    observer: Observer | None = None,
) -> Result:
    """Search; `ValueError` names what only the textbook can do. A root that is a leaf, a board that
    does not fit and, with a note, an evaluator that cannot be compiled are left to the textbook."""
    check_known(game, state)
    if not (observer is None or type(observer) is Transcript):
        raise ValueError("the engine has no observers; use kalahlab.search to watch a search")
    if type(deep_enough) is not Depth:  # one that derives from it may stop elsewhere
        raise ValueError(f"the engine searches to a fixed Depth, not {deep_enough!r}")
    ties, below = (order.seed, order.order) if type(order) is RandomTies else (None, order)
    if not (known := [each for each, compiled in ORDERS.items() if below is compiled]):
        raise ValueError(f"the engine knows no order {below!r}; use one of {', '.join(ORDERS)}")

    def by_textbook() -> Result:
        return TEXTBOOK[algorithm.name](game, state, evaluator, deep_enough, order, observer)

    if deep_enough.limit == 0 or game.over(state) or not fits(state):
        return by_textbook()
    depth = Depth(1, deep_enough.unit) if algorithm.name == "greedy" else deep_enough
    task = Task(game, state, evaluator, depth, known[0], ties, algorithm)
    search = for_speed if made_for_speed(task) else in_general
    try:
        return checked(task, *search(task, observer))
    except leaf_value.NotCompiled as error:
        note(f"{error}. The textbook searches, which takes some thousand times as long")
        return by_textbook()
    except FloatingPointError:
        ask_along_games(evaluator, game, state)  # which names a board
        name = getattr(evaluator, "__name__", "given")
        raise BadEvaluator(f"evaluator {name} gives nan; it must give a number") from None
    except OverflowError as error:  # or it raises this itself, which it does there, too
        name = f"evaluator {evaluator.__module__}.{getattr(evaluator, '__name__', 'given')}"
        note(f"{name} has {error}. The textbook searches, which takes some thousand times as long")
        return by_textbook()
    except Exception:
        with suppress(BadEvaluator):  # numba says more of it
            ask_along_games(evaluator, game, state)
        raise


def check_known(game: Any, state: Any) -> None:
    """Raise `ValueError` for a game, a position or rules that are not those of the engine."""
    if unknown := unknown_part(game, state):
        message = f"the engine plays Kalah, but does not know {unknown}"
        raise ValueError(f"{message}; kalahlab.search, or --backend textbook, plays any game")


@cache
def note(text: str) -> None:
    """Once in a process."""
    print(f"note: {text}", file=sys.stderr)


def checked(task: Task, found: Line, counts: Counts) -> Result:
    """The result, its value taken from the end of the line as the textbook takes it.

    `ArithmeticError` if the kernel found another: the evaluator means another thing compiled. One
    that raises in Python, which compiled code does not, raises here. An infinite value stands.
    """
    value, line = found
    exact = value_at_end(task.evaluator, task.game, task.state, line) + 0
    if abs(value) == INF:
        return Result(value, line, counts)
    if exact != value:
        name = getattr(task.evaluator, "__name__", repr(task.evaluator))
        raise ArithmeticError(f"evaluator {name} says {exact} in Python but {value} compiled")
    return Result(exact, line, counts)


def made_for_speed(task: Task) -> bool:
    twin = task.algorithm
    return (
        not (twin.null_windows or twin.table or twin.passes)
        and (twin.prune or task.alone)
        and not unknown_rule(task.game.rules, SOLVED)
        and task.depth.unit == "sow"
        and fast.LEVELS <= task.depth.limit <= fast.MAX_MOVES
        and task.order in ("pit", "store_first")
        and task.ties is None
    )


def for_speed(task: Task, nodes: Transcript | None) -> tuple[Line, Counts]:
    pits, limit = pits_of(task.state.board), task.depth.limit
    store_first = task.order == "store_first"
    places = tuple(range(pits))[:: -1 if store_first else 1]
    capture_empty, prune = task.game.rules.capture_empty, task.algorithm.prune
    tables = sowing_tables(pits, capture_empty, store_first, prune)
    context: Any = ()
    infinite: float = fast.INFINITE if task.alone else INF
    if nodes or not task.alone:
        workspace = Workspace(
            task.state,
            function=0 if task.alone else leaf_value.compiled(task.evaluator, pits),
            store_first=store_first,
            limit=limit,
            **(nodes.given() if nodes else {}),
        )
        context = (task.state.player, workspace.address)
    packed = pack(task.state, places)
    position = packed.own, packed.opp, packed.difference
    kernel = fast.kernel(bool(nodes), not task.alone)
    found = kernel(*position, limit, -infinite, infinite, tables.ctypes.data, context)
    value, line, expanded, generated, evaluated, cutoffs = found
    if nodes:
        nodes.read(workspace)
    moves: tuple[int, ...] = ()
    while line:
        moves, line = (*moves, places.index((line & 7) - 1)), line >> 3
    return Line(value, moves), Counts(generated, expanded, evaluated, cutoffs)


def in_general(task: Task, nodes: Transcript | None) -> tuple[Line, Counts]:
    """Search with any algorithm and evaluator: anew with a larger table if one was too small."""
    entries = FIRST_ENTRIES * task.algorithm.table
    if nodes and task.algorithm.passes:
        nodes.enter(Node(task.state, None, True, 0, 0), -INF, INF)
    while True:
        try:
            return with_table(task, nodes, entries)
        except TableFull:
            entries *= 4


def with_table(task: Task, nodes: Transcript | None, entries: int) -> tuple[Line, Counts]:
    game, state, algorithm = task.game, task.state, task.algorithm
    order, pits = list(ORDERS).index(task.order), pits_of(state.board)
    root: list[int] = []  # the pits, from 1, in the order in which it tries them
    if task.ties is not None:
        moves = game.moves(state)
        empty = set(range(pits)).difference(moves)
        root = [pit + 1 for pit in (*shuffled(state, moves, task.ties), *empty)]
    space = room(game, state, task.depth, root)
    words = entry_words(space["plies"])
    table = np.zeros(entries * words, np.int64)
    workspace = Workspace(
        state,
        **space,
        function=leaf_value.compiled(task.evaluator, pits),
        order=order,
        prune=algorithm.prune,
        null_windows=algorithm.null_windows,
        entries=entries,
        entry_words=words,
        table=table.ctypes.data,
        **(nodes.given() if nodes else {}),
    )
    learns = algorithm.null_windows or algorithm.table or order > general_kernel.WORST_FIRST
    kernel = general_kernel.kernel(not learns, bool(nodes))
    position = (state.player, *pack(state))

    def search(alpha: float, beta: float) -> Line:
        return Line(kernel(position, 0, 0, alpha, beta, workspace.address), workspace.line())

    found = null_windows(search) if algorithm.passes else search(-INF, INF)
    if nodes:
        nodes.read(workspace)
    return found, Counts(*workspace.words[COUNTS].tolist())


def perft(game: Any, state: State, depth: int) -> list[int]:
    """As `kalahlab.search.perft`, which counts on boards that do not fit."""
    check_known(game, state)
    if depth < 1 or game.over(state) or not fits(state):
        return textbook_perft(game, state, depth)
    workspace = Workspace(state, **room(game, state, Depth(depth)))
    leaves = np.zeros((2, depth + 1), np.int64)
    general_kernel.perft_kernel()((state.player, *pack(state)), 0, workspace.address, leaves)
    reached, finished = leaves
    return [int(reached[d] + finished[:d].sum()) for d in range(1, depth + 1)]
