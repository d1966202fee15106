"""Numbers of users' evaluators: compiled, they raise `OverflowError` where whole ones would wrap.

Python's whole numbers have no end, those of compiled code have 64 bits. So in what comes from
outside of the package, `+`, `-`, `*`, `/`, `**` and `<<` of whole numbers are replaced by functions
that check the result. Numbers of fewer bits, as of an array of numpy's `int8` or `float32`, are
refused: numpy wraps and rounds them, compiled code has 64 bits. All else is left to numba.
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

EXACT = 1 << 53  # up to it, each whole number is a float, which is what kernels compare
TOO_LARGE = "whole numbers that are too large for compiled code"


def _checked(instruction: str) -> Callable[[int, int], int]:
    """Return the function of an instruction of LLVM that says whether the result fits."""

    def operation(typing_context: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pair = getattr(builder, instruction)(*values)
            with builder.if_then(builder.extract_value(pair, 1), likely=False):
                context.call_conv.return_user_exc(builder, OverflowError, (TOO_LARGE,))
            return builder.extract_value(pair, 0)

        return types.int64(types.int64, types.int64), generate

    return cast(Callable[[int, int], int], intrinsic(operation))


def is_exact(value: float) -> bool:
    """Return whether a kernel's float is a value: no whole number beyond `EXACT`, and not NaN."""
    return value == value and (not isinstance(value, int) or -EXACT <= value <= EXACT)


@overload(is_exact)
def _is_exact(value: Any) -> Any:
    def is_small(value: Any) -> Any:
        return -EXACT <= value <= EXACT

    def is_number(value: Any) -> Any:
        return value == value

    return is_small if isinstance(value, types.Integer) else is_number


add, subtract = _checked("sadd_with_overflow"), _checked("ssub_with_overflow")
multiply = _checked("smul_with_overflow")


@register_jitable
def divide(left: int, right: int) -> float:
    if not (is_exact(left) and is_exact(right)):
        raise OverflowError(TOO_LARGE)
    return left / right


@register_jitable
def raise_to_power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise OverflowError(TOO_LARGE)  # it is no whole number
    power = 1
    while exponent != 0:
        if exponent & 1:
            power = multiply(power, base)
        exponent >>= 1
        if exponent != 0:
            base = multiply(base, base)
    return power


@register_jitable
def shift_left(number: int, places: int) -> int:
    if places < 0 or places > 62 or (number << places) >> places != number:
        raise OverflowError(TOO_LARGE)
    return number << places


def is_narrow(kind: Any) -> bool:
    """Return whether a type of numba's is of numbers with which numpy calculates otherwise."""
    is_number = isinstance(kind, types.Integer | types.Float) and not isinstance(
        kind, types.Literal
    )
    return is_number and kind not in (types.int64, types.float64)


CHECKS = (add, subtract, multiply, divide, raise_to_power, shift_left, is_narrow)


def _stand_in(operation: Any, checked: Any) -> Any:
    """Return the function that compiled code calls in place of an operator."""

    def stand_in(left: Any, right: Any) -> Any:
        return operation(left, right)

    def stand_in_for_whole(left: Any, right: Any) -> Any:
        return checked(left, right)

    def choose(left: Any, right: Any) -> Any:
        if not (isinstance(left, types.Integer) and isinstance(right, types.Integer)):
            return stand_in
        if types.uint64 in (left, right):
            raise TypingError(TOO_LARGE)
        return stand_in_for_whole

    overload(stand_in)(choose)
    return stand_in


CHECKED = {
    operation: _stand_in(operation, checked)
    for checked, operations in {
        add: (operator.add, operator.iadd),
        subtract: (operator.sub, operator.isub),
        multiply: (operator.mul, operator.imul),
        divide: (operator.truediv, operator.itruediv),
        raise_to_power: (operator.pow, operator.ipow),
        shift_left: (operator.lshift, operator.ilshift),
    }.items()
    for operation in operations
}


@register_pass(mutates_CFG=False, analysis_only=False)  # type: ignore[no-untyped-call]
class CheckWholeNumbers(FunctionPass):
    """Replaces the operators in a function that is being compiled."""

    _name = "check_whole_numbers"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return "<CheckWholeNumbers>"

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            for each in block.find_exprs():
                if each.op in ("binop", "inplace_binop") and each.fn in CHECKED:
                    each.fn = CHECKED[each.fn]
                    if each.op == "inplace_binop":
                        each.immutable_fn = each.fn
                    changed = True
        return changed


@register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[no-untyped-call]
class RefuseNarrowNumbers(FunctionPass):
    """Raises `TypingError` for a function that is being compiled and has such numbers."""

    _name = "refuse_narrow_numbers"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return "<RefuseNarrowNumbers>"

    def run_pass(self, state: Any) -> bool:
        if narrow := next(filter(is_narrow, state.typemap.values()), None):
            raise TypingError(f"numpy calculates otherwise with {narrow}; use int64 or float64")
        return False


class Checking(CompilerBase):
    """The compiler for what comes from outside of the package."""

    def __repr__(self) -> str:
        return "<Checking>"

    def define_pipelines(self) -> list[Any]:
        passes: Any = cast(Any, DefaultPassBuilder).define_nopython_pipeline(self.state)
        passes.add_pass_after(CheckWholeNumbers, InlineClosureLikes)
        passes.add_pass_after(RefuseNarrowNumbers, NopythonTypeInference)
        passes.finalize()
        return [passes]
