"""Tables of whole numbers, as compiled code reads them.

The numbers are a part of what is compiled. They start where a line of the processor's cache does.
Where they are is read from a variable, so that compiled code has it in a register: of a constant
the compiler makes one constant of eight bytes for each row that it reads.
"""

import operator
from collections.abc import Callable
from hashlib import sha256
from typing import Any, cast

import numpy as np
from llvmlite.ir import ArrayType, Constant, GlobalVariable, IntType
from numba import carray, types
from numba.core.cgutils import voidptr_t
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, overload, register_model, typeof_impl

LINE = 64


class Table(tuple[tuple[int, ...], ...]):
    """A tuple of rows of the same length, which compiled code reads as rows of an array."""


class CheckedTable(Table):
    """A table of which compiled code reads no row that it does not have: `IndexError`."""


class TableType(types.Type):
    def __init__(self, table: Table) -> None:
        self.numbers = np.array(table, np.int64)
        self.digits = sha256(self.numbers.tobytes()).hexdigest()[:16]
        self.checked = isinstance(table, CheckedTable)
        super().__init__(f"{type(table).__name__}({self.numbers.shape}, {self.digits})")


register_model(TableType)(models.OpaqueModel)


@typeof_impl.register(Table)
def _type_of(table: Table, context: Any) -> TableType:
    return TableType(table)


def _constant(context: Any, builder: Any, kind: TableType, table: Table) -> Any:
    return context.get_dummy_value()


cast(Any, lower_constant)(TableType)(_constant)


def _start_of(typing_context: Any, table: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        name, module = f"start_of_table_{table.digits}", builder.module
        if name not in module.globals:
            data = bytearray(table.numbers.tobytes())
            numbers = Constant(ArrayType(IntType(8), len(data)), data)
            held = GlobalVariable(module, numbers.type, f"table_{table.digits}")
            held.linkage, held.global_constant, held.align = "internal", True, LINE
            held.initializer = numbers
            start = GlobalVariable(module, voidptr_t, name)
            start.linkage = "linkonce"  # one of another module may be taken: so it is not known
            start.initializer = held.bitcast(voidptr_t)
        return builder.load(module.globals[name])

    return types.voidptr(table), generate


start_of = cast(Callable[[Any], Any], intrinsic(_start_of))
"""A pointer to a table's numbers."""


@overload(operator.getitem)
def _row(table: Any, at: Any) -> Any:
    if not isinstance(table, TableType):
        return None
    shape, checked = table.numbers.shape, table.checked

    def row(table: Any, at: Any) -> Any:
        if checked and not -shape[0] <= at < shape[0]:
            raise IndexError("tuple index out of range")
        return carray(start_of(table), shape, np.int64)[at]

    return row
