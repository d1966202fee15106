"""The node loop for every evaluator, move order, unit of depth and set of rules.

A position is a small tuple whose first four functions are put in when the kernel is compiled,
so that the same loop walks packed boards (`words`) and boards of any size (`rows`); with
them come the evaluator and, for a transcript, the function that tells of a node.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from kalahlab.engine.compiled import fingerprint, specialise
from kalahlab.engine.packed import words_at
from kalahlab.engine.twin import packed_position as words
from kalahlab.engine.twin.transcript import BOARD, ROW, fold
from kalahlab.engine.twin.workspace import (
    BY_TURN,
    CUTOFFS,
    EVALUATED,
    EXPANDED,
    GENERATED,
    LENGTHS,
    LINES,
    LOOKS,
    MAX_PLAYER,
    MOVES,
    ORDER,
    PITS,
    PLIES,
    PRUNE,
    Slate,
)
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import store_difference

ORDERS = ("pit", "store_first", "static", "worst_first")
"""Those of `kalahlab.search.ordering` that are compiled."""

PIT, STORE_FIRST, STATIC, WORST_FIRST = range(4)

EVALUATION = "float64(int64[::1], int64)"

Position = tuple[int, ...]
Looks = Callable[[Slate, int], float]
Visit = Callable[[Position, int, int, float, float, Looks, int, Any], float]

# What kind of position, unless the kernel is compiled with something else in its place.
HOLDS: Callable[[Any, int, Slate], int] = words.holds
PLAYED: Callable[[Any, int, int, Slate], Any] = words.played
ENDED: Callable[[Any, Slate], bool] = words.ended
SHOWN: Callable[[Any, Slate], Slate] = words.shown

EVALUATOR: Any = store_difference


def silent(
    log: Any, position: Position, sows: int, alpha: float, beta: float, slate: Slate
) -> None:
    """Tell nobody that a node is entered."""


def told(log: Any, position: Position, sows: int, alpha: float, beta: float, slate: Slate) -> None:
    """Write a node into the log, from which it goes into the checksum."""
    board = SHOWN(position, slate)
    log[ROW + BOARD : ROW + BOARD + len(board)] = board
    fold(log, position[0], sows, alpha, beta)


def valued(position: Position, evaluator: Looks, slate: Slate) -> float:
    """What a leaf is worth to MAX: the outcome of a finished game, else what it looks like."""
    board, player = SHOWN(position, slate), slate[MAX_PLAYER]
    if ENDED(position, slate):
        half = slate[PITS] + 1
        lead = board[half - 1] - board[2 * half - 1]
        return float(lead if player == 0 else -lead)
    return evaluator(board, player)


def ordered(position: Position, ply: int, evaluator: Looks, slate: Slate) -> int:
    """Write the moves in the order in which they are to be tried; how many there are."""
    pits, order = slate[PITS], slate[ORDER]
    moves = slate[slate[MOVES] + ply * pits :]
    looks = slate[slate[LOOKS] :].view(np.float64)
    count = 0
    for step in range(pits):
        pit = pits - 1 - step if order == STORE_FIRST else step
        if HOLDS(position, pit, slate) == 0:
            continue
        at = count
        if order >= STATIC:
            look = valued(PLAYED(position, pit, ply, slate), evaluator, slate)
            if (position[0] == slate[MAX_PLAYER]) == (order == STATIC):
                look = -look
            while at > 0 and looks[at - 1] > look:
                moves[at], looks[at] = moves[at - 1], looks[at - 1]
                at -= 1
            looks[at] = look
        moves[at] = pit
        count += 1
    return count


def remembered(ply: int, pit: int, slate: Slate) -> None:
    """Make a move and the best line after it the best line from here."""
    plies = slate[PLIES]
    length = slate[slate[LENGTHS] + ply + 1]
    line = slate[LINES] + ply * plies
    slate[line] = pit
    for index in range(length):
        slate[line + 1 + index] = slate[line + plies + index]
    slate[slate[LENGTHS] + ply] = length + 1


TOLD: Callable[..., None] = silent


def visit(
    position: Position,
    ply: int,
    left: int,
    alpha: float,
    beta: float,
    evaluator: Looks,
    address: int,
    log: Any,
) -> float:
    """The value to MAX of a node that is no leaf, `left` sows or turns above them."""
    slate = words_at(address)
    if ply >= slate[PLIES]:
        raise RecursionError("a line of play is longer than 512 sows; use a smaller depth")
    TOLD(log, position, ply, alpha, beta, slate)
    maximizing = position[0] == slate[MAX_PLAYER]
    best = -np.inf if maximizing else np.inf
    slate[slate[LENGTHS] + ply] = 0
    count = ordered(position, ply, evaluator, slate)
    slate[EXPANDED] += 1
    slate[GENERATED] += count
    for tried in range(count):
        pit = slate[slate[MOVES] + ply * slate[PITS] + tried]
        child = PLAYED(position, pit, ply, slate)
        below = left - 1
        if slate[BY_TURN] != 0 and child[0] == position[0]:
            below = left
        if below == 0 or ENDED(child, slate):
            TOLD(log, child, ply + 1, alpha, beta, slate)
            value = valued(child, evaluator, slate)
            slate[EVALUATED] += 1
            slate[slate[LENGTHS] + ply + 1] = 0
        else:
            value = visit(child, ply + 1, below, alpha, beta, evaluator, address, log)
        if value > best if maximizing else value < best:
            best = value
            remembered(ply, pit, slate)
        if slate[PRUNE] != 0:
            if best >= beta if maximizing else best <= alpha:
                slate[CUTOFFS] += tried + 1 < count
                break
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
    return best


def evaluated(board: Slate, player: int) -> float:
    """What an evaluator says, as a float."""
    return float(EVALUATOR(board, player))


def compiled(evaluator: Evaluator) -> Looks:
    """An evaluator as a kernel calls it. Raises `ValueError` if it can't be compiled."""
    return _compiled(evaluator, fingerprint(evaluator))


@cache
def _compiled(evaluator: Evaluator, mark: str) -> Looks:
    try:
        return specialise(evaluated, EVALUATION, EVALUATOR=evaluator)
    except NumbaError as error:
        name = getattr(evaluator, "__name__", repr(evaluator))
        lines = [line for line in str(error).splitlines() if not line.startswith("Failed in")]
        raise ValueError(f"numba cannot compile evaluator {name}: {lines[0]}") from error


@cache
def kernel(boards: ModuleType, tell: bool) -> Visit:
    """The kernel over `words` or `rows`; compiled when needed.

    tell: into a log, which is the last argument then, and else ().
    """
    replaced: dict[str, Any] = {
        "HOLDS": boards.holds,
        "PLAYED": boards.played,
        "ENDED": boards.ended,
        "SHOWN": boards.shown,
        "TOLD": told if tell else silent,
    }
    signature = (
        f"float64(UniTuple(int64, {boards.NUMBERS}), int64, int64, float64, float64, "
        f"FunctionType({EVALUATION}), int64, {'int64[::1]' if tell else 'Tuple(())'})"
    )
    return specialise(visit, signature, **replaced)
