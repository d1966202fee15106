"""Memory by its address: asked for before it is needed, and read."""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        for_reading, everywhere, as_data = (ir.IntType(32)(flag) for flag in (0, 3, 1))
        instruction = _instruction(builder.module, pointer.type)
        builder.call(instruction, [pointer, for_reading, everywhere, as_data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def _instruction(module: Any, pointer: Any) -> Any:
    """LLVM's intrinsic of that name, declared once a module."""
    name, flag = "llvm.prefetch.p0", ir.IntType(32)
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag]), name)


def _prefetch_at(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        for_reading, everywhere, as_data = (ir.IntType(32)(flag) for flag in (0, 3, 1))
        instruction = _instruction(builder.module, pointer.type)
        builder.call(instruction, [pointer, for_reading, everywhere, as_data])
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _reader(bits: int) -> Any:
    def read(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = builder.inttoptr(args[0], ir.IntType(bits).as_pointer())
            return _as_word(builder, builder.load(pointer))

        return types.int64(types.int64), generate

    return read


def _as_word(builder: Any, value: Any) -> Any:
    return value if value.type.width == 64 else builder.sext(value, ir.IntType(64))


prefetch_at = cast(Callable[[int], None], intrinsic(_prefetch_at))
"""Have the memory at an address brought near, without waiting for it."""

byte_at = cast(Callable[[int], int], intrinsic(_reader(8)))
"""The signed byte at an address."""

word_at = cast(Callable[[int], int], intrinsic(_reader(64)))
"""The word at an address."""

prefetch = cast(Callable[[Any, int], None], intrinsic(_prefetch))
"""Have an array's element brought near, without waiting for it."""
