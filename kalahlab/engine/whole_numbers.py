"""Checked arithmetic for users' evaluators: `OverflowError` where compiled code would wrap.

Python's whole numbers have no limit, those of compiled code have 64 bits. So in functions from
outside of the package, `+`, `-`, `*`, `/`, `**` and `<<` of whole numbers are replaced by functions
that check the result. All other operations are left to numba.

A function is refused if it has numbers of other types than int64 and float64, such as the items of
a numpy array of `int8` or `float32`. numpy wraps or rounds such numbers to their size, but compiled
code calculates with 64 bits.
"""

import operator
from collections.abc import Callable
from typing import Any, cast

from numba import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes
from numba.extending import intrinsic, overload, register_jitable

from kalahlab.formatting import StableRepr

# Whole numbers up to this one convert to float64 without loss. Kernels compare float64s.
MAX_EXACT = 1 << 53
# Messages that follow "evaluator mine.mobility has".
TOO_LARGE = "whole numbers that are too large for compiled code"
NEGATIVE_POWER = "a negative power of a whole number; use a float as the base"


def _make_checked(instruction: str) -> Callable[[int, int], int]:
    """Make a function that runs an LLVM instruction and raises `OverflowError` if it overflows."""

    def operation(typing_context: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            result_and_overflow = getattr(builder, instruction)(*values)
            with builder.if_then(builder.extract_value(result_and_overflow, 1), likely=False):
                context.call_conv.return_user_exc(builder, OverflowError, (TOO_LARGE,))
            return builder.extract_value(result_and_overflow, 0)

        return types.int64(types.int64, types.int64), generate

    return cast(Callable[[int, int], int], intrinsic(operation))


def is_exact(value: float) -> bool:
    """Return whether kernels can compare a value without loss.

    The value must not be NaN, and if it is whole, it must be at most ±`MAX_EXACT`.
    """
    if value != value:  # true of NaN only
        return False
    return not isinstance(value, int) or -MAX_EXACT <= value <= MAX_EXACT


@overload(is_exact)
def _overload_is_exact(value: Any) -> Any:
    def is_small(value: Any) -> Any:
        return -MAX_EXACT <= value <= MAX_EXACT

    def is_number(value: Any) -> Any:
        return value == value  # false of NaN only

    return is_small if isinstance(value, types.Integer) else is_number


add = _make_checked("sadd_with_overflow")
subtract = _make_checked("ssub_with_overflow")
multiply = _make_checked("smul_with_overflow")


@register_jitable
def divide(left: int, right: int) -> float:
    if not (is_exact(left) and is_exact(right)):
        raise OverflowError(TOO_LARGE)
    return left / right


@register_jitable
def raise_to_power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise OverflowError(NEGATIVE_POWER)  # in Python the result is a float
    power = 1
    while exponent != 0:  # by repeated squaring
        if exponent & 1:
            power = multiply(power, base)
        exponent >>= 1
        if exponent != 0:  # the square after the last factor might overflow, and is not needed
            base = multiply(base, base)
    return power


@register_jitable
def shift_left(number: int, places: int) -> int:
    # 63 places or more are refused also for 0: the check by a shift back needs fewer than 64.
    if places < 0 or places > 62 or (number << places) >> places != number:
        raise OverflowError(TOO_LARGE)
    return number << places


def is_unsupported_number(kind: Any) -> bool:
    """Return whether a numba type is a number other than int64 and float64."""
    if isinstance(kind, types.Literal):
        return False  # the type of a constant in the code, such as 3, which becomes an int64
    if not isinstance(kind, types.Integer | types.Float):
        return False
    return kind not in (types.int64, types.float64)


# `engine/compiled.py` puts the code of these functions into the fingerprint of each user function,
# so that user functions are compiled again if one of these changes.
FINGERPRINTED = (
    add,
    subtract,
    multiply,
    divide,
    raise_to_power,
    shift_left,
    is_unsupported_number,
)


def _make_stand_in(operation: Any, checked: Any) -> Any:
    """Make the function that compiled code calls in place of an operator.

    The function that is returned, `stand_in`, is plain Python. `choose` is its overload for numba:
    numba calls `choose` with the types of the operands, and compiles the function that `choose`
    returns.

    Args:
        operation: The operator, such as `operator.add`.
        checked: The function that does the operation for two whole numbers, and checks the result.
    """

    def stand_in(left: Any, right: Any) -> Any:
        return operation(left, right)

    def stand_in_for_whole(left: Any, right: Any) -> Any:
        return checked(left, right)

    def choose(left: Any, right: Any) -> Any:
        if not (isinstance(left, types.Integer) and isinstance(right, types.Integer)):
            return stand_in
        # The checks are for signed numbers. `RefuseUnsupportedNumbers` refuses uint64, too, but not
        # constants: to numba, a constant such as 2**63 is a uint64.
        if types.uint64 in (left, right):
            raise TypingError(TOO_LARGE)
        return stand_in_for_whole

    # For operands that are not both whole numbers `choose` returns `stand_in` itself, whose body is
    # the operator.
    overload(stand_in)(choose)
    return stand_in


_CHECKED_FUNCTIONS: dict[Any, Any] = {
    operator.add: add,
    operator.iadd: add,
    operator.sub: subtract,
    operator.isub: subtract,
    operator.mul: multiply,
    operator.imul: multiply,
    operator.truediv: divide,
    operator.itruediv: divide,
    operator.pow: raise_to_power,
    operator.ipow: raise_to_power,
    operator.lshift: shift_left,
    operator.ilshift: shift_left,
}
# By operator, the function that compiled code calls in place of it.
STAND_INS = {
    operation: _make_stand_in(operation, checked)
    for operation, checked in _CHECKED_FUNCTIONS.items()
}


@register_pass(mutates_CFG=False, analysis_only=False)  # type: ignore[no-untyped-call]
class CheckWholeNumbers(StableRepr, FunctionPass):
    """A compiler pass that puts `STAND_INS` in place of the operators of a function."""

    _name = "check_whole_numbers"

    def __init__(self) -> None:  # abstract in numba, so each pass must have one
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            for expression in block.find_exprs():
                if expression.op in ("binop", "inplace_binop") and expression.fn in STAND_INS:
                    expression.fn = STAND_INS[expression.fn]
                    # For operands that cannot change in place, such as numbers, numba compiles
                    # `immutable_fn` and not `fn`.
                    if expression.op == "inplace_binop":
                        expression.immutable_fn = expression.fn
                    changed = True
        return changed


@register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[no-untyped-call]
class RefuseUnsupportedNumbers(StableRepr, FunctionPass):
    """A compiler pass that raises `TypingError` if a function has unsupported numbers."""

    _name = "refuse_unsupported_numbers"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        for kind in state.typemap.values():
            if is_unsupported_number(kind):
                raise TypingError(f"numpy calculates differently with {kind}; use int64 or float64")
        return False


class CheckingCompiler(StableRepr, CompilerBase):
    """The compiler of functions from outside of the package."""

    def define_pipelines(self) -> list[Any]:
        passes: Any = cast(Any, DefaultPassBuilder).define_nopython_pipeline(self.state)
        # after the functions inside the function became part of its code
        passes.add_pass_after(CheckWholeNumbers, InlineClosureLikes)
        # when the types of all variables are known
        passes.add_pass_after(RefuseUnsupportedNumbers, NopythonTypeInference)
        passes.finalize()
        return [passes]
