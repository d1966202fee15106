"""Memory by its address: prefetched and read."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import instruction, pointer_to


def _prefetch(builder: Any, address: Any) -> Any:
    """Call LLVM's intrinsic of that name, declared once a module."""
    name, flag, module = "llvm.prefetch.p0", ir.IntType(32), builder.module
    pointer = builder.inttoptr(address, ir.IntType(8).as_pointer())
    for_reading, everywhere, as_data = (flag(each) for each in (0, 3, 1))
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, flag, flag, flag])
    known = module.globals.get(name) or ir.Function(module, kind, name)
    builder.call(known, [pointer, for_reading, everywhere, as_data])
    return address


prefetch = instruction(_prefetch)
"""Have the memory at an address brought near, without waiting for it."""


@inlined
def prefetch_item(array: Any, index: int) -> None:
    """The same for an array's element."""
    prefetch(array.ctypes.data + array.itemsize * index)


@inlined
def byte_at(address: int) -> int:
    """The signed byte at an address."""
    return int(carray(pointer_to(address), (1,), np.int8)[0])


@inlined
def word_at(address: int) -> int:
    """The word at an address."""
    return int(carray(pointer_to(address), (1,), np.int64)[0])
