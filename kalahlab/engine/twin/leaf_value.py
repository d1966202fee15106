"""The value of a leaf by an evaluator, compiled.

For each evaluator only `leaf_value` is compiled, with the evaluator in it; the kernels are compiled
once, and call `leaf_value` by its address. The board is on the stack, so that the compiler can keep
the board in registers. On boards of six pits a side the number of pits is a constant, so that loops
over the pits are unrolled.
"""

from collections.abc import Callable
from functools import cache
from types import BuiltinFunctionType, FunctionType
from typing import Any, cast

import numpy as np
from numba import carray, types
from numba.core.cgutils import voidptr_t
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import intrinsic

from kalahlab.engine.compiled import fingerprint, inlined, jit
from kalahlab.engine.packed import Words
from kalahlab.engine.twin.workspace import MOST_PITS, workspace_at, write_board
from kalahlab.engine.whole_numbers import TOO_LARGE, is_exact
from kalahlab.evaluators import Evaluator, is_for_finished_games, is_for_mover
from kalahlab.evaluators.kalah import store_difference

SIGNATURE = "float64(int64, int64, int64, int64, int64, int64)"
USUAL_PITS = 6  # a side, of the boards for which a separate function is compiled

# These are replaced when a function is compiled.
EVALUATOR: Any = store_difference
FOR_MOVER = False  # True if the evaluator takes the player to move, and not MAX
FOR_FINISHED_GAMES = False  # True if the evaluator values finished games, too
COPY_BOARD: Any = None  # the function that reads a board from an array, if boards are in arrays
PITS = 0  # the pits of a side if their number is a constant, else 0


def leaf_value(own: int, opp: int, ahead: int, extra: int, player: int, address: int) -> float:
    """Return the value of a leaf to a player: the outcome of a finished game, else an estimate.

    An evaluator `for_finished_games` estimates these, too.

    Args:
        own: The player's pits.
        opp: The opponent's pits.
        ahead: The player's store minus the opponent's.
        extra: 1 if the player is to move, else 0.
        player: The player.
        address: The address of the workspace's record.
    """
    # A side is only empty after the end of the game.
    if own == 0 and not FOR_FINISHED_GAMES:
        return float(ahead)
    w = workspace_at(address)
    # `& 7` and, below, `& 1` change no value: they tell the compiler how large the numbers can be.
    pits = PITS if PITS != 0 else w.pits & 15
    board = new_board(2 * pits + 2)
    if COPY_BOARD is not None:
        COPY_BOARD(own, pits, board)
    else:
        south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
        write_board(south, north, lead, w, board)
    viewer = w.max_player
    if FOR_MOVER:
        viewer = player if extra != 0 else 1 - player
    estimate = EVALUATOR(board, viewer & 1)
    if estimate != estimate:  # true of NaN only
        raise FloatingPointError("the evaluator returns NaN")
    if not is_exact(estimate):
        raise OverflowError(TOO_LARGE)
    value = float(estimate)
    return value if viewer == player else -value


def _board_buffer(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        # At the start of the function, so that memory is reserved once and not in each round of a
        # loop.
        with builder.goto_entry_block():
            buffer = builder.alloca(context.get_value_type(types.int64), 2 * MOST_PITS + 2)
        return builder.bitcast(buffer, voidptr_t)

    return types.voidptr(), generate


room_for_a_board = cast(Callable[[], Any], intrinsic(_board_buffer))


@inlined
def new_board(length: int) -> Words:
    """Return an array on the stack."""
    return carray(room_for_a_board(), (length,), np.int64)


def _call(
    typing: Any, function: Any, own: Any, opp: Any, ahead: Any, extra: Any, player: Any, record: Any
) -> Any:
    result_type = types.float64
    argument_types = (types.int64,) * 6

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        calls = context.call_conv
        pointer = calls.get_function_type(result_type, argument_types).as_pointer()
        status, result = calls.call_function(
            builder, builder.inttoptr(values[0], pointer), result_type, argument_types, values[1:]
        )
        with builder.if_then(status.is_error, likely=False):
            calls.return_status_propagate(builder, status)
        return result

    return result_type(types.int64, *argument_types), generate


# Calls the function at an address with the arguments of `leaf_value`; propagates its errors.
call = cast(Callable[..., float], intrinsic(_call))


class NotCompiled(Exception):
    """Raised when numba cannot compile an evaluator; the message has the reason."""


def leaf_value_address(
    evaluator: Evaluator, pits: int, copy_board: Callable[..., None] | None = None
) -> int:
    """Return the address of `leaf_value`. Raise NotCompiled if the evaluator can't be compiled.

    Args:
        evaluator: The evaluator.
        pits: The pits of a side.
        copy_board: The function that reads a board from an array, if boards are in arrays.
    """
    if not isinstance(evaluator, FunctionType | BuiltinFunctionType | Dispatcher):
        # Other objects may change after they are compiled.
        kind = type(evaluator).__name__
        raise NotCompiled(f"an evaluator of the type {kind} cannot be compiled. Write a function")
    constant = 0
    if pits == USUAL_PITS and copy_board is None:
        constant = pits
    result = _compile_leaf_value(
        evaluator,
        is_for_mover(evaluator),
        is_for_finished_games(evaluator),
        constant,
        copy_board,
        fingerprint(evaluator),
    )
    if isinstance(result, str):
        raise NotCompiled(result)
    _, address = result
    return address


def fingerprint_if_compiled(evaluator: Evaluator, pits: int) -> str:
    """Return an evaluator's fingerprint, or "" for an evaluator that cannot be compiled.

    Such an evaluator may be an object that changes, so no fingerprint would identify it.
    """
    try:
        leaf_value_address(evaluator, pits)
    except NotCompiled:
        return ""
    return fingerprint(evaluator)


@cache  # keeps each function alive, as its address is in use; also remembers failures
def _compile_leaf_value(
    evaluator: Evaluator,
    for_mover: bool,
    for_finished_games: bool,
    pits: int,
    copy_board: Callable[..., None] | None,
    mark: str,
) -> tuple[Any, int] | str:
    """Return the compiled function and its address, or a message if numba cannot compile it.

    `mark` is the evaluator's fingerprint, which is only a part of the key of the cache.
    """
    try:
        function: Any = jit(
            leaf_value,
            SIGNATURE,
            EVALUATOR=evaluator,
            FOR_MOVER=for_mover,
            FOR_FINISHED_GAMES=for_finished_games,
            PITS=pits,
            COPY_BOARD=copy_board,
        )
    except (NumbaError, UnsupportedBytecodeError, NotImplementedError) as error:
        name = f"{evaluator.__module__}.{getattr(evaluator, '__name__', repr(evaluator))}"
        lines = [line.strip(" >") for line in str(error).splitlines()]
        # numba's message begins with the steps of the compiler that failed
        reason, *details = [line for line in lines if line and not line.startswith("Failed in")]
        if reason.endswith("found for signature:"):  # the next line of numba's message has the call
            reason = f"numba has no {details[0]}"
        fix = "return a number on every path, and use loops and indexing only"
        return f"evaluator {name} cannot be compiled: {reason.rstrip('.')}. To be fast, {fix}"
    [overload] = function.overloads.values()
    return function, overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name)
