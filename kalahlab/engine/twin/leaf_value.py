"""What a leaf of a packed board is worth by an evaluator.

The kernel that is made for speed is compiled once. For each evaluator only `leaf_value` is
compiled, with the evaluator in it, and the kernel calls it by its address, with six numbers. The
board lies on the stack, so that the compiler can keep it in registers. For boards of six pits
there is a function of its own, in which the number of pits is a constant and loops over pits are
unrolled; boards of all other sizes share one.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import carray, types
from numba.core.cgutils import voidptr_t
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from kalahlab.engine.compiled import fingerprint, inlined, specialise
from kalahlab.engine.packed import MAX_PITS, Words, reverse_bytes, stones, words_at
from kalahlab.evaluators import Evaluator, is_for_mover
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import State, pits_of

F = TypeVar("F", bound=Callable[..., Any])

SIGNATURE = "float64(int64, int64, int64, int64, int64, int64)"

ROOM = 2 * MAX_PITS + 2
"""Numbers of the largest board."""

USUAL_PITS = 6
"""The pits a side of the boards that have a function of their own."""

FUNCTION, STONES, PITS_A_SIDE, STORE_FIRST, ROOT_PLAYER = range(5)
"""Where `facts` has the address of the compiled function, the stones of the board, the pits a
side, whether the first pit is in the highest byte, and the player at the root."""

# These are replaced when a function is compiled.
EVALUATOR: Any = store_difference
FOR_MOVER = False
"""Whether the evaluator is asked for the player to move."""

PITS = 0
"""The pits a side, if they are a constant."""


def facts(evaluator: Evaluator, state: State, store_first: bool) -> Words:
    """What is the same for all leaves of a search. state: at the root."""
    pits = pits_of(state.board)
    address = compiled(evaluator, pits).address
    return np.array([address, sum(state.board), pits, store_first, state.player], np.int64)


def leaf_value(own: int, opp: int, ahead: int, extra: int, player: int, at: int) -> float:
    """What a leaf is worth to its parent's mover: a finished game its outcome, else what it looks
    like.

    own, opp, ahead: as the parent's mover, `player`, sees it. extra: whether that player moves
    again, 1 or 0. at: the address of `facts`.
    """
    if own == 0:
        return float(ahead)
    known = words_at(at)
    pits = PITS if PITS != 0 else known[PITS_A_SIDE] & 7
    board = new_board(2 * pits + 2)
    south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
    write_board(south, north, lead, known, board)
    asked = known[ROOT_PLAYER]
    if FOR_MOVER:
        asked = player if extra != 0 else 1 - player
    value = float(EVALUATOR(board, asked & 1))
    return value if asked == player else -value


def write_board(south: int, north: int, lead: int, known: Words, board: Words) -> None:
    """Write a position as a board. lead: South's store minus North's.

    All seven bytes of a side are written, which the compiler does at a stroke. What is too much is
    written over by the next part, or lies behind the board.
    """
    half = len(board) // 2
    in_stores = known[STONES] - stones(south) - stones(north)
    if known[STORE_FIRST] != 0:
        unused = 8 * (MAX_PITS + 2 - half)
        south, north = reverse_bytes(south) >> unused, reverse_bytes(north) >> unused
    for pit in range(MAX_PITS):
        board[pit] = south >> 8 * pit & 255
    for pit in range(MAX_PITS):
        board[half + pit] = north >> 8 * pit & 255
    board[half - 1] = (in_stores + lead) >> 1
    board[2 * half - 1] = (in_stores - lead) >> 1


def _room_for_a_board(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        with builder.goto_entry_block():
            room = builder.alloca(context.get_value_type(types.int64), ROOM)
        return builder.bitcast(room, voidptr_t)

    return types.voidptr(), generate


room_for_a_board = cast(Callable[[], Any], intrinsic(_room_for_a_board))
"""A pointer into the stack."""


@inlined
def new_board(length: int) -> Words:
    """A board of so many numbers, not yet written."""
    return carray(room_for_a_board(), (length,), np.int64)


def _call(
    typing_context: Any,
    address: Any,
    own: Any,
    opp: Any,
    ahead: Any,
    extra: Any,
    player: Any,
    at: Any,
) -> Any:
    value, taken = types.float64, (types.int64,) * 6

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        calls = context.call_conv
        function = calls.get_function_type(value, taken).as_pointer()
        status, found = calls.call_function(
            builder, builder.inttoptr(values[0], function), value, taken, values[1:]
        )
        with builder.if_then(status.is_error, likely=False):
            calls.return_status_propagate(builder, status)
        return found

    return value(types.int64, *taken), generate


call = cast(Callable[..., float], intrinsic(_call))
"""Calls the function at an address with the arguments of `leaf_value`; an error goes on."""


class Compiled(NamedTuple):
    """A compiled `leaf_value`, which must live as long as its address is in use."""

    function: Callable[..., float]
    address: int


def compiled(evaluator: Evaluator, pits: int) -> Compiled:
    """`leaf_value` for an evaluator and boards with so many pits a side.

    Raises `ValueError` if the evaluator can't be compiled.
    """
    constant = pits if pits == USUAL_PITS else 0
    return _compiled(evaluator, is_for_mover(evaluator), constant, fingerprint(evaluator))


@cache
def _compiled(evaluator: Evaluator, for_mover: bool, pits: int, mark: str) -> Compiled:
    replaced = {"EVALUATOR": evaluator, "FOR_MOVER": for_mover, "PITS": pits}
    function: Any = asking(evaluator, leaf_value, SIGNATURE, replaced)
    [found] = function.overloads.values()
    return Compiled(function, found.library.get_pointer_to_function(found.fndesc.llvm_func_name))


def asking(evaluator: Evaluator, function: F, signature: str, replaced: dict[str, Any]) -> F:
    """A function that asks an evaluator, compiled.

    Raises `ValueError` if the evaluator can't be compiled.
    """
    try:
        return specialise(function, signature, **replaced)
    except NumbaError as error:
        name = getattr(evaluator, "__name__", repr(evaluator))
        lines = [line for line in str(error).splitlines() if not line.startswith("Failed in")]
        raise ValueError(f"numba cannot compile evaluator {name}: {lines[0]}") from error
