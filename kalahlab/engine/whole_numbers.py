"""Checked arithmetic for users' evaluators: `OverflowError` where compiled code would wrap.

Python's whole numbers have no limit, those of compiled code have 64 bits. So in functions from
outside of the package, `+`, `-`, `*`, `/`, `**` and `<<` of whole numbers are replaced by functions
that check the result. Numbers of fewer bits, as in an array of numpy's `int8` or `float32`, are
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


def _make_checked(instruction: str) -> Callable[[int, int], int]:
    """Make a function from an LLVM instruction that also reports whether the result fits."""

    def operation(typing_context: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pair = getattr(builder, instruction)(*values)
            with builder.if_then(builder.extract_value(pair, 1), likely=False):
                context.call_conv.return_user_exc(builder, OverflowError, (TOO_LARGE,))
            return builder.extract_value(pair, 0)

        return types.int64(types.int64, types.int64), generate

    return cast(Callable[[int, int], int], intrinsic(operation))


def is_exact(value: float) -> bool:
    """Return whether a number is an exact float: no whole number beyond `EXACT`, and not NaN."""
    if value != value:
        return False
    return not isinstance(value, int) or -EXACT <= value <= EXACT


@overload(is_exact)
def _is_exact(value: Any) -> Any:
    def is_small(value: Any) -> Any:
        return -EXACT <= value <= EXACT

    def is_number(value: Any) -> Any:
        return value == value

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
    """Return whether a numba type is one of numbers with which numpy calculates differently."""
    if not isinstance(kind, types.Integer | types.Float) or isinstance(kind, types.Literal):
        return False
    return kind not in (types.int64, types.float64)


CHECKS = (add, subtract, multiply, divide, raise_to_power, shift_left, is_narrow)


def _make_stand_in(operation: Any, checked: Any) -> Any:
    """Make the function that compiled code calls in place of an operator."""

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


_CHECKED_BY_OPERATOR: dict[Any, Any] = {
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
CHECKED = {
    operation: _make_stand_in(operation, checked)
    for operation, checked in _CHECKED_BY_OPERATOR.items()
}


@register_pass(mutates_CFG=False, analysis_only=False)  # type: ignore[no-untyped-call]
class CheckWholeNumbers(FunctionPass):
    """A compiler pass that replaces the operators in a function."""

    _name = "check_whole_numbers"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return "<CheckWholeNumbers>"

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            for expression in block.find_exprs():
                if expression.op in ("binop", "inplace_binop") and expression.fn in CHECKED:
                    expression.fn = CHECKED[expression.fn]
                    if expression.op == "inplace_binop":
                        expression.immutable_fn = expression.fn
                    changed = True
        return changed


@register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[no-untyped-call]
class RefuseNarrowNumbers(FunctionPass):
    """A compiler pass that raises `TypingError` for a function with narrow numbers."""

    _name = "refuse_narrow_numbers"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return "<RefuseNarrowNumbers>"

    def run_pass(self, state: Any) -> bool:
        for kind in state.typemap.values():
            if is_narrow(kind):
                raise TypingError(f"numpy calculates differently with {kind}; use int64 or float64")
        return False


class Checking(CompilerBase):
    """The compiler of functions from outside of the package."""

    def __repr__(self) -> str:
        return "<Checking>"

    def define_pipelines(self) -> list[Any]:
        passes: Any = cast(Any, DefaultPassBuilder).define_nopython_pipeline(self.state)
        passes.add_pass_after(CheckWholeNumbers, InlineClosureLikes)
        passes.add_pass_after(RefuseNarrowNumbers, NopythonTypeInference)
        passes.finalize()
        return [passes]
