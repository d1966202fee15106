"""Memory by its address: asked for before it is needed, and read."""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _prefetch(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _ask(builder, builder.inttoptr(args[0], ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _prefetch_item(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        _ask(builder, builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def _ask(builder: Any, pointer: Any) -> None:
    """Call LLVM's intrinsic of that name, declared once a module."""
    name, flag, module = "llvm.prefetch.p0", ir.IntType(32), builder.module
    for_reading, everywhere, as_data = (flag(each) for each in (0, 3, 1))
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, flag, flag, flag])
    known = module.globals.get(name) or ir.Function(module, kind, name)
    builder.call(known, [pointer, for_reading, everywhere, as_data])


def _reader(bits: int) -> Any:
    def read(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = builder.load(builder.inttoptr(args[0], ir.IntType(bits).as_pointer()))
            return builder.sext(value, ir.IntType(64)) if bits < 64 else value

        return types.int64(types.int64), generate

    return read


prefetch = cast(Callable[[int], None], intrinsic(_prefetch))
"""Have the memory at an address brought near, without waiting for it."""

byte_at = cast(Callable[[int], int], intrinsic(_reader(8)))
"""The signed byte at an address."""

prefetch_item = cast(Callable[[Any, int], None], intrinsic(_prefetch_item))
"""Have an array's element brought near, without waiting for it."""

word_at = cast(Callable[[int], int], intrinsic(_reader(64)))
"""The word at an address."""
