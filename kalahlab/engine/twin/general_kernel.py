"""The node loop for every algorithm, evaluator, move order, unit of depth and set of rules.

Negamax: a node's value and window are its mover's. A position is a small tuple whose functions
are put in when the kernel is compiled, so that the same loop searches packed boards
(`packed_position`) and boards of any size (`array_position`); so is the function that logs a
node. What algorithms differ in is read from the workspace.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numba.core.types import FunctionType, WrapperAddressProtocol

from kalahlab.engine.compiled import fingerprint, piece, specialise
from kalahlab.engine.packed import words_at
from kalahlab.engine.twin import packed_position
from kalahlab.engine.twin.leaf_value import asking
from kalahlab.engine.twin.table import NONE, find, probe, recall, store
from kalahlab.engine.twin.transcript import LOG_BOARD, fold
from kalahlab.engine.twin.workspace import (
    BY_TURN,
    COUNTS,
    CUTOFFS,
    ENTRIES,
    EVALUATED,
    EVALUATION,
    EXPANDED,
    FOR_MOVER,
    GENERATED,
    LEARNED,
    LENGTHS,
    LIMIT,
    LINES,
    MAX_PLAYER,
    MOVES,
    NULL_WINDOWS,
    ORDER,
    ORDER_SCORES,
    PITS,
    PLIES,
    PRUNE,
    ROOT,
    Workspace,
)
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import store_difference

PIT, STORE_FIRST, STATIC, WORST_FIRST, KILLER, HISTORY, ORACLE, ANTI_ORACLE = range(8)
"""The order of a workspace, as `kalahlab.search.ORDERS` lists them."""

Position = tuple[int, ...]
CompiledEvaluator = Callable[[Workspace, int], float]
Visit = Callable[[Position, int, int, float, float, CompiledEvaluator, int, Any], float]

# What kind of position, unless the kernel is compiled with something else in its place.
STONES_IN: Callable[[Any, int, Workspace], int] = packed_position.stones_in
PLAYED: Callable[[Any, int, int, Workspace], Any] = packed_position.played
ENDED: Callable[[Any, Workspace], bool] = packed_position.ended
BOARD_OF: Callable[[Any, Workspace], Workspace] = packed_position.board_of
KEY: Callable[[Any, Workspace], int] = packed_position.key

EVALUATOR: Any = store_difference

EXACT: Any = None
"""None in the plain kernel. In the full one the plain one, for the orders that search; only the
full one has null windows, the table and orders that learn, too."""


def no_log(
    log: Any,
    position: Position,
    ply: int,
    alpha: float,
    beta: float,
    mover: int,
    workspace: Workspace,
) -> None:
    """Log nothing."""


def log_node(
    log: Any,
    position: Position,
    ply: int,
    alpha: float,
    beta: float,
    mover: int,
    workspace: Workspace,
) -> None:
    """Fold a node into the checksum of the log at an address. mover: whose window it is."""
    board, into = BOARD_OF(position, workspace), words_at(log)
    for place in range(len(board)):  # a loop: numba compiles a slice on the left for 3 s
        into[LOG_BOARD + place] = board[place]
    low, high = turned(alpha, beta, mover == workspace[MAX_PLAYER])
    fold(into, position[0], ply, low, high)


def turned(alpha: float, beta: float, same_player: bool) -> tuple[float, float]:
    """A window as the same player or as the other one sees it."""
    return (alpha, beta) if same_player else (-beta, -alpha)


def is_leaf(position: Position, ply: int, turns: int, workspace: Workspace) -> bool:
    """Whether a node is a leaf: as deep as the limit, or the game is over."""
    depth = turns if workspace[BY_TURN] != 0 else ply
    return depth >= workspace[LIMIT] or ENDED(position, workspace)


def leaf_value(
    position: Position, player: int, evaluator: CompiledEvaluator, workspace: Workspace
) -> float:
    """What a leaf is worth to a player: a finished game its outcome, else what it looks like."""
    board = BOARD_OF(position, workspace)
    if ENDED(position, workspace):
        half = workspace[PITS] + 1
        lead = board[half - 1] - board[2 * half - 1]
        return float(lead if player == 0 else -lead)
    asked = position[0] if workspace[FOR_MOVER] != 0 else workspace[MAX_PLAYER]
    value = evaluator(board, asked)
    return value if player == asked else -value


def evaluate(
    position: Position, player: int, ply: int, evaluator: CompiledEvaluator, workspace: Workspace
) -> float:
    """What a leaf that is visited is worth to a player. It is counted; no line goes on from it."""
    workspace[EVALUATED] += 1
    workspace[workspace[LENGTHS] + ply] = 0
    return leaf_value(position, player, evaluator, workspace)


def expand(
    position: Position,
    ply: int,
    turns: int,
    evaluator: CompiledEvaluator,
    address: int,
    workspace: Workspace,
) -> int:
    """Write the moves in the order in which they are to be tried; how many there are."""
    if ply >= workspace[PLIES]:
        raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
    pits, order = workspace[PITS], workspace[ORDER]
    moves = workspace[workspace[MOVES] + ply * pits :]
    scores = workspace[workspace[ORDER_SCORES] :].view(np.float64)
    shuffled = ply == 0 and workspace[workspace[ROOT]] != 0
    if shuffled:
        order = PIT
    count = 0
    for step in range(pits):
        pit = pits - 1 - step if order == STORE_FIRST else step
        if shuffled:
            pit = workspace[workspace[ROOT] + step] - 1
        if STONES_IN(position, pit, workspace) == 0:
            continue
        at = count
        if order > STORE_FIRST:
            score = order_score(position, pit, ply, turns, evaluator, address, workspace)
            while at > 0 and scores[at - 1] < score:
                moves[at], scores[at] = moves[at - 1], scores[at - 1]
                at -= 1
            scores[at] = score
        moves[at] = pit
        count += 1
    workspace[EXPANDED] += 1
    workspace[GENERATED] += count
    return count


def order_score(
    position: Position,
    pit: int,
    ply: int,
    turns: int,
    evaluator: CompiledEvaluator,
    address: int,
    workspace: Workspace,
) -> float:
    """How soon a move is tried: the higher, the sooner; of equals the first pit."""
    order, player = workspace[ORDER], position[0]
    if EXACT is not None and order in (KILLER, HISTORY):
        return learned_score(player, pit, ply, workspace)
    child = PLAYED(position, pit, ply, workspace)
    turns += child[0] != player
    if EXACT is None or order <= WORST_FIRST or is_leaf(child, ply + 1, turns, workspace):
        score = leaf_value(child, player, evaluator, workspace)
    else:
        score = exact_value(child, ply + 1, turns, evaluator, address, workspace)
        score = score if child[0] == player else -score
    return -score if order in (WORST_FIRST, ANTI_ORACLE) else score


def exact_value(
    position: Position,
    ply: int,
    turns: int,
    evaluator: CompiledEvaluator,
    address: int,
    workspace: Workspace,
) -> float:
    """The value of an inner node to its mover, by a search of its own that is not counted."""
    counts, order, prune = workspace[:COUNTS].copy(), workspace[ORDER], workspace[PRUNE]
    workspace[ORDER], workspace[PRUNE] = STORE_FIRST, 1
    value: float = EXACT(position, ply, turns, -np.inf, np.inf, evaluator, address, ())
    for place in range(COUNTS):  # a loop: numba compiles a slice on the left for 3 s
        workspace[place] = counts[place]
    workspace[ORDER], workspace[PRUNE] = order, prune
    return value


def learned_score(player: int, pit: int, ply: int, workspace: Workspace) -> float:
    """What the killer or the history order has learned of a move; see `cut_off`."""
    if workspace[ORDER] == HISTORY:
        weights = workspace[workspace[LEARNED] :].view(np.float64)
        return float(weights[player * workspace[PITS] + pit])
    killers = workspace[LEARNED] + 4 * ply + 2 * player
    for nth in range(2):
        if workspace[killers + nth] == pit + 1:
            return 2.0 - nth
    return 0.0


def cut_off(player: int, pit: int, ply: int, workspace: Workspace) -> None:
    """Count a cutoff. For history its move weighs more; of the two killers it is the latest.

    As in `kalahlab.search.ordering`; the killers of a ply and player are pits, counted from 1.
    """
    workspace[CUTOFFS] += 1
    if EXACT is None:
        return
    if workspace[ORDER] == HISTORY:
        weights = workspace[workspace[LEARNED] :].view(np.float64)
        weights[player * workspace[PITS] + pit] += 0.5**ply
    killers = workspace[LEARNED] + 4 * ply + 2 * player
    if workspace[ORDER] == KILLER and workspace[killers] != pit + 1:
        workspace[killers], workspace[killers + 1] = pit + 1, workspace[killers]


def update_pv(ply: int, pit: int, workspace: Workspace) -> None:
    """Make a move and the best line after it the best line from here."""
    plies = workspace[PLIES]
    length = workspace[workspace[LENGTHS] + ply + 1]
    line = workspace[LINES] + ply * plies
    workspace[line] = pit
    for index in range(length):
        workspace[line + 1 + index] = workspace[line + plies + index]
    workspace[workspace[LENGTHS] + ply] = length + 1


LOG_NODE: Callable[..., None] = no_log


def visit(
    position: Position,
    ply: int,
    turns: int,
    alpha: float,
    beta: float,
    evaluator: CompiledEvaluator,
    address: int,
    log: Any,
) -> float:
    """The value of an inner node to its mover, exact inside its mover's (alpha, beta)."""
    workspace, player = words_at(address), position[0]
    LOG_NODE(log, position, ply, alpha, beta, player, workspace)
    entry = 0
    if EXACT is not None and workspace[ENTRIES] != 0:
        entry = find(player, KEY(position, workspace), ply, turns, workspace)
        bound = probe(entry, alpha, beta, player, workspace)
        if bound != NONE:
            return recall(entry, bound, ply, workspace)
    best, low, high = -np.inf, alpha, beta
    count = expand(position, ply, turns, evaluator, address, workspace)
    for tried in range(count):
        pit = workspace[workspace[MOVES] + ply * workspace[PITS] + tried]
        child = PLAYED(position, pit, ply, workspace)
        same = child[0] == player
        passed, sign = (turns, 1) if same else (turns + 1, -1)
        if is_leaf(child, ply + 1, passed, workspace):
            LOG_NODE(log, child, ply + 1, low, high, player, workspace)
            value = evaluate(child, player, ply + 1, evaluator, workspace)
        else:
            while True:
                x, y = turned(low, high, same)
                value = sign * visit(child, ply + 1, passed, x, y, evaluator, address, log)
                if not high <= value < beta:
                    break
                high = beta  # better than the null window: search for its value
        if tried == 0 or value > best:
            best = value
            update_pv(ply, pit, workspace)
        if workspace[PRUNE] != 0:
            if best >= beta:
                if tried + 1 < count:
                    cut_off(player, pit, ply, workspace)
                break
            low = max(low, best)
            null = EXACT is not None and workspace[NULL_WINDOWS] != 0
            high = np.nextafter(low, np.inf) if null else beta
    if entry != 0:
        store(entry, ply, best, alpha, beta, workspace)
    return best


def evaluated(board: Workspace, player: int) -> float:
    """What an evaluator says, as a float."""
    return float(EVALUATOR(board, player))


def compiled(evaluator: Evaluator) -> CompiledEvaluator:
    """An evaluator as a kernel calls it. Raises `ValueError` if it can't be compiled."""
    return _compiled(evaluator, fingerprint(evaluator))


class Addressed(WrapperAddressProtocol):
    """A compiled evaluator with its type and address, which numba would find anew at each call."""

    def __init__(self, function: Any) -> None:
        [found] = function.overloads.values()
        self._function, self._signature = function, found.signature
        self._address = found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name)
        self._numba_type_ = FunctionType(found.signature)

    def __wrapper_address__(self) -> int:
        return int(self._address)

    def signature(self) -> Any:
        """The types of its arguments and of what it says."""
        return self._signature

    def __call__(self, board: Workspace, player: int) -> float:
        return float(self._function(board, player))


@cache
def _compiled(evaluator: Evaluator, mark: str) -> CompiledEvaluator:
    return Addressed(asking(evaluator, evaluated, EVALUATION, {"EVALUATOR": evaluator}))


@cache
def kernel(representation: ModuleType, plain: bool, logged: bool) -> Visit:
    """The kernel over `packed_position` or `array_position`; compiled when needed.

    plain: for minimax and alpha-beta in the first four orders, a third faster. logged: into a
    log, whose address is the last argument then, and else ().
    """
    logging = piece(log_node, inline=False, BOARD_OF=representation.board_of) if logged else no_log
    replaced: dict[str, Any] = {
        "STONES_IN": representation.stones_in,
        "PLAYED": representation.played,
        "ENDED": representation.ended,
        "BOARD_OF": representation.board_of,
        "KEY": representation.key,
        "EXACT": None if plain else kernel(representation, plain=True, logged=False),
        "LOG_NODE": logging,
    }
    signature = (
        f"float64(UniTuple(int64, {representation.NUMBERS}), int64, int64, float64, float64, "
        f"FunctionType({EVALUATION}), int64, {'int64' if logged else 'Tuple(())'})"
    )
    return specialise(visit, signature, **replaced)
