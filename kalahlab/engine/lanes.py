"""Vectors of eight numbers, with which compiled code computes at once.

A processor that has instructions for vectors uses them; for others LLVM makes single steps. Each
number is rounded like a number that is computed alone, so the results are the same.
"""

import operator
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core.cgutils import false_bit
from numba.extending import intrinsic, models, overload, register_model

LANES = 8
DOUBLE, WORD = ir.DoubleType(), ir.IntType(64)
VECTOR, BITS = ir.VectorType(DOUBLE, LANES), ir.IntType(LANES)


class VectorType(types.Type):
    """The numba type of a vector."""

    def __init__(self) -> None:
        super().__init__(f"Vector({LANES})")


VECTOR_TYPE = VectorType()
_model = cast(Any, models).PrimitiveModel
register_model(VectorType)(lambda manager, kind: _model(manager, kind, VECTOR))


def step(result: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: make a compiled function from a function that generates the LLVM code for it.

    Args:
        result: The numba type of the result.
    """

    def decorate(generate: Callable[..., Any]) -> Any:
        def resolve_type(typing_context: Any, *arguments: Any) -> Any:
            def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                [packed] = values  # numba packs the arguments of `*arguments` into a tuple
                values = [builder.extract_value(packed, i) for i in range(len(arguments))]
                return generate(builder, *values)

            return result(cast(Any, types).StarArgTuple(arguments)), lower

        return intrinsic(resolve_type)

    return decorate


@step(VECTOR_TYPE)
def load(builder: Any, address: Any) -> Any:
    """Return the eight numbers at an address."""
    return builder.load(builder.inttoptr(address, VECTOR.as_pointer()), align=8)


def repeat(builder: Any, number: Any) -> Any:
    """Return a vector in which each number is this one."""
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, WORD(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, first, zeros)


fill = step(VECTOR_TYPE)(repeat)


add = step(VECTOR_TYPE)(lambda builder, a, b: builder.fadd(a, b))
multiply = step(VECTOR_TYPE)(lambda builder, a, b: builder.fmul(a, b))
divide = step(VECTOR_TYPE)(lambda builder, a, b: builder.fdiv(a, b))


@step(VECTOR_TYPE)
def sqrt(builder: Any, numbers: Any) -> Any:
    """Return the square roots."""
    return _call(builder, f"llvm.sqrt.v{LANES}f64", VECTOR, numbers, ())


@step(VECTOR_TYPE)
def where_zero(builder: Any, numbers: Any, if_zero: Any, otherwise: Any) -> Any:
    """Return the numbers of `if_zero` where `numbers` are 0, and those of `otherwise` elsewhere."""
    zeros = ir.Constant(VECTOR, [0.0] * LANES)
    return builder.select(builder.fcmp_ordered("==", numbers, zeros), if_zero, otherwise)


@step(types.int64)
def first_greatest(builder: Any, numbers: Any, count: Any) -> Any:
    """Return the index of the first greatest of the first `count` numbers, which are 1 to 7.

    With a nan among the numbers it may be any index of the vector.
    """
    first_bits = builder.sub(builder.shl(BITS(1), builder.trunc(count, BITS)), BITS(1))
    is_used = builder.bitcast(first_bits, ir.VectorType(ir.IntType(1), LANES))
    least = ir.Constant(VECTOR, [float("-inf")] * LANES)
    numbers = builder.select(is_used, numbers, least)
    greatest = _call(builder, f"llvm.vector.reduce.fmax.v{LANES}f64", DOUBLE, numbers, ("nnan",))
    is_greatest = builder.fcmp_ordered("==", numbers, repeat(builder, greatest))
    bits = builder.zext(builder.bitcast(is_greatest, BITS), WORD)
    return builder.and_(builder.cttz(bits, false_bit), WORD(LANES - 1))


def _call(builder: Any, name: str, result: Any, argument: Any, flags: tuple[str, ...]) -> Any:
    """Call an intrinsic function of LLVM; the flags allow it to round or order otherwise."""
    function = builder.module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(result, [argument.type])
        function = ir.Function(builder.module, kind, name)
    return builder.call(function, [argument], fastmath=flags)


def _define_operator(function: Any, implementation: Any) -> None:
    overload(function)(lambda a, b: implementation if isinstance(a, VectorType) else None)


_define_operator(operator.add, lambda a, b: add(a, b))
_define_operator(operator.mul, lambda a, b: multiply(a, b))
_define_operator(operator.truediv, lambda a, b: divide(a, b))
