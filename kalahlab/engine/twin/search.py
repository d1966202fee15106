"""From a search as it is asked for to the kernel that does it, and back to a `Result`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kalahlab.engine.packed import fits, pack
from kalahlab.engine.twin import (
    array_position as rows,
)
from kalahlab.engine.twin import (
    general_kernel as walk,
)
from kalahlab.engine.twin import (
    packed_position as words,
)
from kalahlab.engine.twin import (
    store_difference_kernel as difference,
)
from kalahlab.engine.twin.transcript import REVERSED, Entered, Log, Transcript, new_log, read_log
from kalahlab.engine.twin.workspace import EXPANDED, LENGTHS, LINES, MOST_PLIES, Walk, new_slate
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, Rules, State, pits_of
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import INF, Counts, DeepEnough, Node, Result
from kalahlab.search.ordering import ORDERS
from kalahlab.search.tree import Order

Found = tuple[float, tuple[int, ...], Counts]
"""The value, the line and the counts."""


@dataclass(frozen=True, slots=True)
class Task:
    """A search that the engine can do."""

    game: Kalah
    state: State
    evaluator: Evaluator
    depth: Depth
    order: str
    prune: bool


def task(
    game: Any, state: State, evaluator: Evaluator, depth: DeepEnough, order: Order, prune: bool
) -> Task:
    """The search asked for; `ValueError` names what only the textbook half can do."""
    if not isinstance(game, Kalah):
        raise ValueError(f"the engine plays Kalah, not {type(game).__name__}")
    if not isinstance(depth, Depth):
        raise ValueError(f"the engine searches to a fixed Depth, not {depth!r}")
    for name in walk.ORDERS:
        if order is ORDERS[name]:
            return Task(game, state, evaluator, depth, name, prune)
    raise ValueError(f"the engine knows no order {order!r}; use one of {', '.join(walk.ORDERS)}")


def run(asked: Task) -> Result:
    """Do a search."""
    if is_leaf(asked):
        return Result(worth(asked, asked.state) + 0, (), Counts(evaluated=1))
    return result(asked, *kernel_of(asked)(asked, None))


def transcribe(asked: Task, keep: int = 0) -> tuple[Result, int, list[Entered]]:
    """Do a search and tell which nodes it entered: their checksum, and the first `keep`."""
    if is_leaf(asked):
        root = Transcript(keep)
        root.enter(Node(asked.state, None, maximizing=True, sows=0, turns=0), -INF, INF)
        return run(asked), root.checksum, root.kept
    log = new_log(asked.state, asked.depth.limit, keep)
    found = kernel_of(asked)(asked, log)
    return result(asked, *found), *read_log(log)


def is_leaf(asked: Task) -> bool:
    """Whether the root is a leaf."""
    return asked.depth.limit == 0 or asked.game.over(asked.state)


def result(asked: Task, value: float, line: tuple[int, ...], counts: Counts) -> Result:
    """The result, its value taken from the end of the line as the textbook half takes it.

    An infinite value ends no line, for nothing is better than what a search starts from.
    Raises `ArithmeticError` if that is not what the kernel found: then the evaluator does not
    mean the same in Python and compiled.
    """
    if abs(value) == INF:
        return Result(value, line, counts)
    leaf = asked.state
    for move in line:
        leaf = asked.game.play(leaf, move)
    exact = worth(asked, leaf) + 0
    if exact != value:
        name = getattr(asked.evaluator, "__name__", repr(asked.evaluator))
        raise ArithmeticError(f"evaluator {name} says {exact} in Python but {value} compiled")
    return Result(exact, line, counts)


def worth(asked: Task, leaf: State) -> float:
    """What a leaf is worth to the root's player."""
    player = asked.state.player
    if asked.game.over(leaf):
        return asked.game.margin(leaf, player)
    return asked.evaluator(leaf.board, player)


def kernel_of(asked: Task) -> Callable[[Task, Log | None], Found]:
    """The fastest kernel that can do it."""
    if not fits(asked.state):
        return on_rows
    rules = replace(asked.game.rules, capture_empty=False)
    made_for_speed = (
        asked.evaluator is store_difference
        and rules == Rules()
        and asked.depth.unit == "sow"
        and difference.LEVELS <= asked.depth.limit <= difference.MOVES
        and asked.order in ("pit", "store_first")
    )
    return by_difference if made_for_speed else on_words


def by_difference(asked: Task, log: Log | None) -> Found:
    """Search the store difference."""
    way = difference.Way(
        pits_of(asked.state.board),
        asked.game.rules.capture_empty,
        asked.order == "store_first",
        asked.prune,
    )
    telling: Any = ()
    if log is not None:
        log[REVERSED] = way.store_first
        telling = log, asked.state.player
    packed, tables = pack(asked.state, way.places), difference.tables(way)
    value, line, expanded, generated, evaluated, cutoffs = difference.kernel(log is not None)(
        *(packed.own, packed.opp, packed.difference, asked.depth.limit),
        *(-difference.INFINITE, difference.INFINITE),
        *(tables.ctypes.data, telling),
    )
    pits = tuple(way.places.index(place) for place in difference.line_places(line))
    return value, pits, Counts(generated, expanded, evaluated, cutoffs)


def on_words(asked: Task, log: Log | None) -> Found:
    """Walk packed boards."""
    return by_walk(words, asked, log)


def on_rows(asked: Task, log: Log | None) -> Found:
    """Walk boards of any size."""
    return by_walk(rows, asked, log)


def by_walk(boards: Any, asked: Task, log: Log | None) -> Found:
    """Walk with any evaluator."""
    kernel, evaluator = walk.kernel(boards, log is not None), walk.compiled(asked.evaluator)
    way = Walk(
        min(asked.depth.limit, MOST_PLIES),
        asked.depth.unit == "turn",
        asked.prune,
        walk.ORDERS.index(asked.order),
    )
    slate = new_slate(asked.game, asked.state, way, boards.sowing(pits_of(asked.state.board)))
    telling = () if log is None else log
    value = kernel(
        *(boards.first(asked.state), 0, asked.depth.limit, -INF, INF),
        *(evaluator, slate.ctypes.data, telling),
    )
    start, length = slate[LINES], slate[slate[LENGTHS]]
    line = tuple(int(pit) for pit in slate[start : start + length])
    expanded, generated, evaluated, cutoffs = slate[EXPANDED : EXPANDED + 4].tolist()
    return value, line, Counts(generated, expanded, evaluated, cutoffs)
