"""Compiled searches: the choice of a kernel and its arguments, and perft."""

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from kalahlab.engine import Twin
from kalahlab.engine.packed import fits, pack
from kalahlab.engine.twin import fast_kernel as fast
from kalahlab.engine.twin import general_kernel, leaf_value, wide
from kalahlab.engine.twin.table import TableFull, entry_words
from kalahlab.engine.twin.workspace import (
    COUNTS,
    TOTALS,
    Position,
    Transcript,
    Workspace,
    search_fields,
    sowing_address,
    sowing_tables,
)
from kalahlab.evaluators import BadEvaluator, Evaluator, is_for_finished_games
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.validation import evaluate_line_end, validate_on_random_games
from kalahlab.games.kalah import Kalah, State, pits_of
from kalahlab.games.supported import FAST, unknown_part, unknown_rule
from kalahlab.notes import warn_about
from kalahlab.search import ALGORITHMS as TEXTBOOK
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import INF, Counts, DeepEnough, Line, Node, Result
from kalahlab.search.mtdf import null_windows
from kalahlab.search.observer import Observer
from kalahlab.search.ordering import ORDERS
from kalahlab.search.perft import perft as textbook_perft
from kalahlab.search.tree import Order, RandomTies, pit_order, shuffled

NO_TOTALS = np.zeros(4, np.int64)
FIRST_ENTRIES = 1 << 14  # the entries of the first table that a search tries, a power of 2


class Task(NamedTuple):
    """A search that a kernel can do.

    `order` is a name of `ORDERS`. `ties` is the seed that shuffles the moves of the root, or None.
    """

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
    def uses_store_difference(self) -> bool:
        """True if leaves are worth the store difference, so that no evaluator is called."""
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
    """Search with a compiled kernel.

    The textbook searches if the root is a leaf, if the board does not fit into words, or, after a
    `Note`, if the evaluator cannot be compiled.

    Raises:
        ValueError: Only the textbook can do such a search; the message names the reason.
        BadEvaluator: The evaluator returns something other than a number.
        ArithmeticError: The evaluator returns other values when compiled.
    """
    check_known(game, state)
    if observer is not None and type(observer) is not Transcript:
        raise ValueError("the engine has no observers; use kalahlab.search to watch a search")
    if type(deep_enough) is not Depth:  # a derived class may stop elsewhere
        raise ValueError(f"the engine searches to a fixed Depth, not {deep_enough!r}")
    order_name, ties = _order_and_ties(order)

    def by_textbook() -> Result:
        return TEXTBOOK[algorithm.name](game, state, evaluator, deep_enough, order, observer)

    if deep_enough.limit == 0 or game.is_over(state) or not (fits(state) or wide.fits(state)):
        return by_textbook()
    depth = Depth(1, deep_enough.unit) if algorithm.name == "greedy" else deep_enough
    task = Task(game, state, evaluator, depth, order_name, ties, algorithm)
    name = getattr(evaluator, "__name__", "given")
    search = run_fast_kernel if supports_fast_kernel(task) else run_general_kernel
    try:
        return verify_in_python(task, *search(task, observer))
    except leaf_value.NotCompiled as error:
        reason = str(error)
    except FloatingPointError:
        validate_on_random_games(evaluator, game, state)  # raises if a board with NaN is found
        raise BadEvaluator(f"evaluator {name} returns nan; it must return a number") from None
    except OverflowError as error:  # beyond 64 bits
        reason = f"evaluator {evaluator.__module__}.{name} has {error}"
    except Exception:
        with suppress(BadEvaluator):  # which says less than the exception from compiled code
            validate_on_random_games(evaluator, game, state)
        raise
    warn_once(evaluator, reason)
    return by_textbook()


def _order_and_ties(order: Order) -> tuple[str, int | None]:
    """Return the name of an order, and the seed that shuffles the moves of the root, or None."""
    ties = None
    if type(order) is RandomTies:
        ties, order = order.seed, order.order
    for name, textbook_order in ORDERS.items():
        if order is textbook_order:
            return name, ties
    raise ValueError(
        f"the engine does not know the order {order!r}; use one of {', '.join(ORDERS)}"
    )


def check_known(game: Any, state: Any) -> None:
    """Raise ValueError for a game, a position or rules that the engine does not know."""
    unknown = unknown_part(game, state)
    if unknown:
        message = f"the engine plays Kalah, but does not know {unknown}"
        raise ValueError(f"{message}; kalahlab.search, or --backend textbook, plays any game")


_WARNED: set[str] = set()


def warn_once(evaluator: Evaluator, reason: str) -> None:
    """Warn that the textbook searches, once in a process, at the line of the evaluator."""
    if reason in _WARNED:
        return
    _WARNED.add(reason)
    warn_about(
        evaluator, f"{reason}. The textbook searches, which takes some thousand times as long"
    )


def verify_in_python(task: Task, best: Line, counts: Counts) -> Result:
    """Return the result, with the value that Python computes at the end of the line.

    So the value has the same type as in the textbook. An evaluator that raises an error in Python,
    but not when compiled, raises it here. An infinite value is not compared.

    Raises:
        ArithmeticError: The kernel found another value, so the compiled evaluator differs.
    """
    value, line = best
    # + 0 turns the -0.0 of a negated draw into 0.0
    exact = evaluate_line_end(task.evaluator, task.game, task.state, line) + 0
    if abs(value) == INF:
        return Result(value, line, counts)
    if exact != value:
        name = getattr(task.evaluator, "__name__", repr(task.evaluator))
        raise ArithmeticError(
            f"evaluator {name} returns {exact} in Python but {value} when compiled"
        )
    return Result(exact, line, counts)


def supports_fast_kernel(task: Task) -> bool:
    """Return whether the fast kernel can do a search."""
    twin = task.algorithm
    return (
        not (twin.null_windows or twin.table or twin.passes)
        and (twin.prune or task.uses_store_difference)
        and fits(task.state)
        and not unknown_rule(task.game.rules, FAST)
        and task.depth.unit == "sow"
        and fast.LEVELS <= task.depth.limit <= fast.MAX_MOVES
        and task.order in ("pit", "store_first")
        and task.ties is None
    )


def run_fast_kernel(task: Task, transcript: Transcript | None) -> tuple[Line, Counts]:
    """Search with the fast kernel."""
    pits, limit = pits_of(task.state.board), task.depth.limit
    store_first = task.order == "store_first"
    # The kernel tries pits from the lowest byte on. So the order is that of the bytes.
    places = tuple(range(pits))
    if store_first:
        places = places[::-1]
    tables = sowing_tables(pits, task.game.rules, store_first, task.algorithm.prune)
    tables_and_totals = np.concatenate((tables, NO_TOTALS))  # a copy: its totals are ours
    context: Any = ()  # a kernel that neither logs nodes nor calls an evaluator has no record
    infinite: float = fast.INFINITE if task.uses_store_difference else INF
    if transcript or not task.uses_store_difference:
        fields = {"store_first": store_first, "limit": limit}
        if not task.uses_store_difference:
            fields["function"] = leaf_value.leaf_value_address(task.evaluator, pits)
        if transcript:
            fields |= transcript.record_fields()
        workspace = Workspace(task.state, **fields)
        context = (task.state.player, workspace.address)
    packed = pack(task.state, places)
    position = packed.own, packed.opp, packed.difference
    kernel = fast.kernel(bool(transcript), not task.uses_store_difference)
    value, line, _ = kernel(
        *position, limit, -infinite, infinite, tables_and_totals.ctypes.data, context
    )
    if transcript:
        transcript.load_events(workspace)
    moves: list[int] = []
    while line:  # the lowest three bits are the next move: the byte of its pit plus one
        byte = (line & 7) - 1
        moves.append(places.index(byte))
        line >>= 3
    return Line(value, tuple(moves)), Counts(*tables_and_totals[TOTALS:].tolist())


def run_general_kernel(task: Task, transcript: Transcript | None) -> tuple[Line, Counts]:
    """Search with the general kernel; if the table is too small, again with a larger one."""
    entries = FIRST_ENTRIES if task.algorithm.table else 0
    # The textbook enters the root once before the passes, so the transcript does, too.
    if transcript and task.algorithm.passes:
        transcript.enter(Node(task.state, None, True, 0, 0), -INF, INF)
    while True:
        try:
            return run_with_table(task, transcript, entries)
        except TableFull:
            entries *= 4


def run_with_table(task: Task, transcript: Transcript | None, entries: int) -> tuple[Line, Counts]:
    """Search with the general kernel and a table of `entries`. Raise TableFull if it fills up."""
    game, state, algorithm = task.game, task.state, task.algorithm
    order, pits = list(ORDERS).index(task.order), pits_of(state.board)
    fields, position = prepare(game, state, task.depth)
    in_arrays = uses_arrays(game, state)
    copy_board = None
    if in_arrays:
        copy_board = wide.copy_board
    if not task.uses_store_difference:
        fields["function"] = leaf_value.leaf_value_address(task.evaluator, pits, copy_board)
        fields["for_finished_games"] = int(is_for_finished_games(task.evaluator))
    if entries:
        words = entry_words(fields["plies"])
        if in_arrays:
            words += wide.BOARD_WORDS
        table = np.zeros(entries * words, np.int64)
        fields |= {"entries": entries, "entry_words": words, "table": table.ctypes.data}
    if transcript:
        fields |= transcript.record_fields()
    workspace = Workspace(
        state,
        **fields,
        order=order,
        prune=algorithm.prune,
        null_windows=algorithm.null_windows,
    )
    if task.ties is not None:
        moves = game.moves(state)
        empty = set(range(pits)).difference(moves)  # the kernel skips these
        workspace.order_root([pit + 1 for pit in (*shuffled(state, moves, task.ties), *empty)])
    # The orders up to `WORST_FIRST` need no memory and no searches of their own.
    needs_full = algorithm.null_windows or algorithm.table or order > general_kernel.WORST_FIRST
    kernel = general_kernel.kernel(not needs_full, bool(transcript), in_arrays)

    def search(alpha: float, beta: float) -> Line:
        # The kernel must run first, as it writes what `line_from_root` reads.
        value = kernel(position, 0, 0, alpha, beta, workspace.address)
        return Line(value, workspace.line_from_root())

    best = null_windows(search, algorithm.first_guess) if algorithm.passes else search(-INF, INF)
    if transcript:
        transcript.load_events(workspace)
    return best, Counts(*workspace.words[COUNTS].tolist())


def uses_arrays(game: Kalah, state: State) -> bool:
    """Return whether boards are in arrays, as tables cannot sow a relay or a board of many pits."""
    return game.rules.relay or not fits(state)


def prepare(game: Kalah, state: State, depth: Depth) -> tuple[dict[str, Any], Position]:
    """Return the fields of a `Workspace` for a search, and its root."""
    fields = search_fields(game, state, depth)
    if uses_arrays(game, state):
        boards, position = wide.allocate_boards(game, state, fields["plies"])
        return fields | boards, position
    sowing = sowing_address(pits_of(state.board), game.rules)
    return fields | {"sowing": sowing}, (state.player, *pack(state))


def perft(game: Any, state: State, depth: int) -> list[int]:
    """Count leaves like `kalahlab.search.perft`; leave boards that do not fit into words to it."""
    check_known(game, state)
    if depth < 1 or game.is_over(state) or not (fits(state) or wide.fits(state)):
        return textbook_perft(game, state, depth)
    fields, position = prepare(game, state, Depth(depth))
    workspace = Workspace(state, **fields)
    leaves = np.zeros((2, depth + 1), np.int64)
    kernel = general_kernel.perft_kernel(uses_arrays(game, state))
    kernel(position, 0, workspace.address, leaves)
    reached, finished = leaves
    # The leaves at a depth are the positions there and the games that finished before.
    return [int(reached[ply] + finished[:ply].sum()) for ply in range(1, depth + 1)]
