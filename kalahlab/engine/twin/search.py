"""From a search as it is asked for to the kernel that does it, and back to a `Result`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nextafter
from types import ModuleType
from typing import Any

from kalahlab.engine.packed import fits, pack
from kalahlab.engine.twin import array_position, general_kernel, leaf_value, packed_position
from kalahlab.engine.twin import fast_kernel as fast
from kalahlab.engine.twin.algorithms import ALGORITHMS, ALPHA_BETA, MINIMAX, Algorithm
from kalahlab.engine.twin.table import TableFull
from kalahlab.engine.twin.transcript import (
    KEPT,
    REVERSED,
    Entered,
    Log,
    Transcript,
    log_root,
    new_log,
    read_log,
)
from kalahlab.engine.twin.workspace import (
    GENERATED,
    LENGTHS,
    LINES,
    RECALLED,
    SearchSettings,
    new_workspace,
)
from kalahlab.evaluators import Evaluator, is_for_mover, static_value
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, Rules, State, pits_of
from kalahlab.search import ALGORITHMS as TEXTBOOK
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import INF, Counts, DeepEnough, Result
from kalahlab.search.ordering import ORDERS
from kalahlab.search.tree import Order, RandomTies, shuffled

Line = tuple[int, ...]
Found = tuple[float, Line, Counts]
Search = Callable[["Task", Log | None], Found]

FIRST_ENTRIES = 1 << 14
"""The entries of the first table that a search tries, a power of 2."""


@dataclass(frozen=True, slots=True)
class Task:
    """A search that the engine can do."""

    game: Kalah
    state: State
    evaluator: Evaluator
    depth: Depth
    order: str
    name: str
    ties: int | None = None

    @property
    def algorithm(self) -> Algorithm:
        """How it searches."""
        return ALGORITHMS[self.name]

    @property
    def root(self) -> list[int]:
        """The pits in the order in which the root tries them, if ties are broken at random."""
        if self.ties is None:
            return []
        moves = self.game.moves(self.state)
        empty = set(range(pits_of(self.state.board))).difference(moves)
        return [*shuffled(self.state, moves, self.ties), *empty]


def task(
    game: Any, state: State, evaluator: Evaluator, depth: DeepEnough, order: Order, name: str
) -> Task:
    """The search asked for; `ValueError` names what only the textbook can do."""
    if not isinstance(game, Kalah):
        raise ValueError(f"the engine plays Kalah, not {type(game).__name__}")
    if not isinstance(depth, Depth):
        raise ValueError(f"the engine searches to a fixed Depth, not {depth!r}")
    if name == "greedy":
        depth = Depth(min(1, depth.limit), depth.unit)
    ties = None
    if isinstance(order, RandomTies):
        ties, order = order.seed, order.order
    for known, compiled in ORDERS.items():
        if order is compiled:
            return Task(game, state, evaluator, depth, known, name, ties)
    raise ValueError(f"the engine knows no order {order!r}; use one of {', '.join(ORDERS)}")


def run(asked: Task) -> Result:
    """Do a search. A root that is a leaf is left to the textbook."""
    if is_leaf(asked):
        return textbook(asked, None)
    return result(asked, *kernel_of(asked)(asked, None))


def transcribe(asked: Task, keep: int = 0) -> tuple[Result, int, list[Entered]]:
    """Do a search and say which nodes it entered: their checksum, and the first `keep`."""
    if is_leaf(asked):
        nodes = Transcript(keep)
        return textbook(asked, nodes), nodes.checksum, nodes.kept
    log = new_log(asked.state, asked.depth.limit, keep)
    found = kernel_of(asked)(asked, log)
    return result(asked, *found), *read_log(log)


def is_leaf(asked: Task) -> bool:
    """Whether the root is a leaf."""
    return asked.depth.limit == 0 or asked.game.over(asked.state)


def textbook(asked: Task, observer: Transcript | None) -> Result:
    """The same search by the textbook."""
    order = ORDERS[asked.order]
    search = TEXTBOOK[asked.name]
    return search(asked.game, asked.state, asked.evaluator, asked.depth, order, observer)


def result(asked: Task, value: float, line: Line, counts: Counts) -> Result:
    """The result, its value taken from the end of the line as the textbook takes it.

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
    return static_value(asked.evaluator, leaf.board, leaf.player, player)


def kernel_of(asked: Task) -> Search:
    """The fastest kernel that can do it."""
    if not fits(asked.state):
        return on_arrays
    made_for_speed = (
        asked.algorithm in ((MINIMAX, ALPHA_BETA) if alone(asked) else (ALPHA_BETA,))
        and replace(asked.game.rules, capture_empty=False) == Rules()
        and asked.depth.unit == "sow"
        and fast.LEVELS <= asked.depth.limit <= fast.MAX_MOVES
        and asked.order in ("pit", "store_first")
        and asked.ties is None
    )
    return for_speed if made_for_speed else on_packed_boards


def alone(asked: Task) -> bool:
    """Whether the evaluator is the store difference."""
    return asked.evaluator is store_difference


def for_speed(asked: Task, log: Log | None) -> Found:
    """Search by the kernel that is made for speed."""
    settings = fast.Settings(
        pits_of(asked.state.board),
        asked.game.rules.capture_empty,
        asked.order == "store_first",
        asked.algorithm,
    )
    if log is not None:
        log[REVERSED] = settings.store_first
    address = 0 if log is None else log.ctypes.data
    context: Any = () if log is None else (address, asked.state.player)
    infinite: float = fast.INFINITE
    if not alone(asked):
        facts = leaf_value.facts(asked.evaluator, asked.state, settings.store_first)
        context, infinite = (address, asked.state.player, facts.ctypes.data), INF
    packed, tables = pack(asked.state, settings.places), fast.tables(settings)
    value, line, expanded, generated, evaluated, cutoffs = fast.kernel(
        log is not None, not alone(asked)
    )(
        *(packed.own, packed.opp, packed.difference, asked.depth.limit),
        *(-infinite, infinite),
        *(tables.ctypes.data, context),
    )
    pits = tuple(settings.places.index(place) for place in fast.line_places(line))
    return value, pits, Counts(generated, expanded, evaluated, cutoffs)


def on_packed_boards(asked: Task, log: Log | None) -> Found:
    """Search packed boards."""
    return in_general(packed_position, asked, log)


def on_arrays(asked: Task, log: Log | None) -> Found:
    """Search boards of any size."""
    return in_general(array_position, asked, log)


def in_general(representation: ModuleType, asked: Task, log: Log | None) -> Found:
    """Search with any algorithm and evaluator: anew with a larger table if one was too small."""
    entries = FIRST_ENTRIES * asked.algorithm.table
    while True:
        try:
            return with_table(representation, asked, log, entries)
        except TableFull:
            entries *= 4
            if log is not None:
                log[:KEPT] = 0  # nothing entered yet


def with_table(representation: ModuleType, asked: Task, log: Log | None, entries: int) -> Found:
    """Search with a transposition table of so many entries. Raises `TableFull`."""
    order = list(ORDERS).index(asked.order)
    plain = asked.algorithm.plain and order <= general_kernel.WORST_FIRST
    kernel = general_kernel.kernel(representation, plain, log is not None)
    evaluator = general_kernel.compiled(asked.evaluator)
    by_turn = asked.depth.unit == "turn"
    settings = SearchSettings(
        asked.depth.limit,
        by_turn,
        asked.algorithm,
        order,
        asked.root,
        is_for_mover(asked.evaluator),
    )
    pits = pits_of(asked.state.board)
    sowing, key_words = representation.sowing(pits), representation.key_words(pits)
    workspace = new_workspace(asked.game, asked.state, settings, sowing, key_words, entries)
    root, logged = representation.start(asked.state), () if log is None else log.ctypes.data

    def search(alpha: float, beta: float) -> tuple[float, Line]:
        value = kernel(root, 0, 0, alpha, beta, evaluator, workspace.ctypes.data, logged)
        start, length = workspace[LINES], workspace[workspace[LENGTHS]]
        return value, tuple(workspace[start : start + length].tolist())

    if asked.algorithm.passes:
        if log is not None:
            log_root(log, asked.state)
        value, line = passes(search)
    else:
        value, line = search(-INF, INF)
    return value, line, Counts(*workspace[GENERATED : RECALLED + 1].tolist())


def passes(search: Callable[[float, float], tuple[float, Line]]) -> tuple[float, Line]:
    """MTD(0), as `kalahlab.search.mtdf`: null windows until the bounds are the same."""
    lower, upper, guess, line = -INF, INF, 0.0, Line()
    while lower < upper:
        beta = nextafter(guess, INF) if guess == lower else guess
        guess, found = search(nextafter(beta, -INF), beta)
        if guess < beta:
            upper = guess
        if guess >= beta or guess == -INF:
            lower, line = guess, found
    return lower, line
