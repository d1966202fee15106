"""What a leaf of a packed board is worth by an evaluator.

For each evaluator only `leaf_value` is compiled, with the evaluator in it, and a kernel calls it by
its address. The board lies on the stack, so that the compiler can keep it in registers. Six pits
are a constant, so that loops over them are unrolled.
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
from kalahlab.engine.packed import MAX_PITS, Words
from kalahlab.engine.twin.workspace import workspace_at, write_board
from kalahlab.engine.whole_numbers import TOO_LARGE, is_exact
from kalahlab.evaluators import Evaluator, is_for_mover
from kalahlab.evaluators.kalah import store_difference

SIGNATURE = "float64(int64, int64, int64, int64, int64, int64)"
USUAL_PITS = 6  # a side, of the boards that have a function of their own

# These are replaced when a function is compiled.
EVALUATOR: Any = store_difference
FOR_MOVER = False  # whether the evaluator takes the player to move, not MAX
PITS = 0  # a side, if they are a constant


def leaf_value(own: int, opp: int, ahead: int, extra: int, player: int, address: int) -> float:
    """What a leaf is worth to a player: a finished game its outcome, else what it looks like.

    own, opp, ahead: as the player sees it. extra: 1 if the player moves. address: of the record.
    """
    if own == 0:
        return float(ahead)
    w = workspace_at(address)
    pits = PITS if PITS != 0 else w.pits & 7
    board = new_board(2 * pits + 2)
    south, north, lead = (own, opp, ahead) if player == 0 else (opp, own, -ahead)
    write_board(south, north, lead, w, board)
    asked = w.max_player
    if FOR_MOVER:
        asked = player if extra != 0 else 1 - player
    said = EVALUATOR(board, asked & 1)
    if said != said:
        raise FloatingPointError("the evaluator gives NaN")
    if not is_exact(said):
        raise OverflowError(TOO_LARGE)
    value = float(said)
    return value if asked == player else -value


def _room_for_a_board(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        with builder.goto_entry_block():
            room = builder.alloca(context.get_value_type(types.int64), 2 * MAX_PITS + 2)
        return builder.bitcast(room, voidptr_t)

    return types.voidptr(), generate


room_for_a_board = cast(Callable[[], Any], intrinsic(_room_for_a_board))


@inlined
def new_board(length: int) -> Words:
    return carray(room_for_a_board(), (length,), np.int64)


def _call(
    typing: Any, address: Any, own: Any, opp: Any, ahead: Any, extra: Any, player: Any, at: Any
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


# Calls the function at an address with the arguments of `leaf_value`; an error goes on.
call = cast(Callable[..., float], intrinsic(_call))


class NotCompiled(Exception):
    """An evaluator that numba does not take; it says why."""


def compiled(evaluator: Evaluator, pits: int) -> int:
    """The address of `leaf_value`; `NotCompiled` if the evaluator can't be compiled."""
    if not isinstance(evaluator, FunctionType | BuiltinFunctionType | Dispatcher):
        kind = type(evaluator).__name__  # an object, which may change
        raise NotCompiled(f"an evaluator of the type {kind} is not compiled. Write a function")
    constant = pits if pits == USUAL_PITS else 0
    found = _compiled(evaluator, is_for_mover(evaluator), constant, fingerprint(evaluator))
    if isinstance(found, str):
        raise NotCompiled(found)
    return found[1]


def compiled_mark(evaluator: Evaluator, pits: int) -> str:
    """Return the fingerprint of a compiled evaluator; "" of another, which may come to differ."""
    try:
        compiled(evaluator, pits)
    except NotCompiled:
        return ""
    return fingerprint(evaluator)


@cache  # which keeps the function as long as its address is in use, and is quick to refuse again
def _compiled(evaluator: Evaluator, for_mover: bool, pits: int, mark: str) -> tuple[Any, int] | str:
    try:
        function: Any = jit(
            leaf_value, SIGNATURE, EVALUATOR=evaluator, FOR_MOVER=for_mover, PITS=pits
        )
    except (NumbaError, UnsupportedBytecodeError, NotImplementedError) as error:
        name = f"{evaluator.__module__}.{getattr(evaluator, '__name__', repr(evaluator))}"
        lines = [line.strip(" >") for line in str(error).splitlines()]
        said, *more = [line for line in lines if line and not line.startswith("Failed in")]
        if said.endswith("found for signature:"):  # of a call, which stands below
            said = f"numba has no {more[0]}"
        fix = "return a number on every path, and use loops and indexing only"
        return f"evaluator {name} cannot be compiled: {said.rstrip('.')}. To be fast, {fix}"
    [found] = function.overloads.values()
    return function, found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
