"""Compiling with numba, and keeping what was compiled on disk without it ever going stale.

numba's own cache looks only at the file a function stands in. A kernel of ours also freezes
evaluators, tables and functions of other files. So its name ends in a fingerprint of its code and
of everything that it reaches; a change anywhere is another name, and is compiled anew.

A table's numbers are a part of what is compiled, from where a line of the processor's cache starts.
Their address is read from a variable, so that compiled code has it in a register: of a constant the
compiler makes one constant of eight bytes for each row that it reads.
"""

import operator
from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import sha256
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite.ir import ArrayType, Constant, GlobalVariable, IntType
from numba import carray, types
from numba.core.cgutils import voidptr_t
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, overload, register_model, typeof_impl

from kalahlab.engine.whole_numbers import CHECKS, Checking
from kalahlab.user_code import is_users_own

LINE = 64  # bytes of a line of the processor's cache
F = TypeVar("F", bound=Callable[..., Any])

LookedUp = list[tuple[Callable[[], Any], Any]]  # how something was looked up; what was found
CHANGING: Any = (object, None)  # in a LookedUp: it can change in place, so it is never the same
ITSELF = "itself"  # among a function's replaced globals: the function that is compiled
# What cannot change in place, beside functions, tuples and modules.
UNCHANGING = (NoneType, bool, int, float, str, type, BuiltinFunctionType)


def inlined(function: F) -> F:
    """A function that is compiled into each kernel that calls it, and can be called alone."""
    return cast(F, numba.njit(forceinline=True)(function))


def jit(function: F, signature: str | None = None, **replaced: Any) -> F:
    """The function compiled with some globals of its module replaced, cached on disk.

    At its first call, or at once for a signature, which one that calls itself needs. The plain
    functions that it calls are compiled into it, those of its module with the same replacements.
    """
    copy = replace(function, replaced)
    try:
        dispatcher: Any = numba.njit(cache=True, nogil=True)(copy)
    except RuntimeError:  # no folder can be written to, the user's cache neither
        dispatcher = numba.njit(nogil=True)(copy)
    copy.__globals__.update(dict.fromkeys(own_names(function, replaced), dispatcher))
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return cast(F, dispatcher)


def from_outside(function: Callable[..., Any]) -> bool:
    return not f"{function.__module__}".startswith("kalahlab.")


def piece(function: F, inline: bool = True, **replaced: Any) -> F:
    """As `jit`, but a part of the kernels that call it: to call it from Python is a crash. Only a
    function from outside the package has its indices and its whole numbers checked, which takes
    time; see `whole_numbers`."""
    wrappers: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    wrappers["boundscheck"] = from_outside(function)
    if from_outside(function):
        wrappers["pipeline_class"] = Checking
    return cast(F, numba.njit(forceinline=inline, **wrappers)(replace(function, replaced)))


@cache
def callee(function: F, replaced: tuple[tuple[str, Any], ...], mark: str) -> F:
    """The piece that stands for a plain function in compiled ones. mark: its fingerprint."""
    return piece(function, **dict(replaced))


def replace(function: Callable[..., Any], replaced: dict[str, Any]) -> FunctionType:
    """A copy of a plain function over other globals, in which plain functions are pieces."""
    plain = cast(FunctionType, function)
    found = {**plain.__globals__, **replaced, **dict.fromkeys(own_names(plain, replaced))}
    for name in set(names(plain.__code__)) & found.keys():
        called, known = found[name], set[str]()
        if isinstance(called, FunctionType) and called.__globals__ is plain.__globals__:
            known = replaced.keys() & reached(called)
        at = tuple((each, replaced[each]) for each in sorted(known))
        found[name] = frozen(called, at, checked=from_outside(plain))
    cells = tuple(
        CellType(frozen(cell.cell_contents, checked=from_outside(plain)))
        for cell in plain.__closure__ or ()
    )
    copy = FunctionType(plain.__code__, found, plain.__name__, plain.__defaults__, cells)
    copy.__qualname__ = f"{plain.__name__}_{fingerprint(copy)}"
    return copy


def frozen(value: Any, replaced: tuple[tuple[str, Any], ...] = (), *, checked: bool = False) -> Any:
    """What stands for a global or a cell: a piece for a function, a `Table` for a tuple of rows."""
    if isinstance(value, FunctionType):
        return callee(value, replaced, fingerprint(value))
    rows = isinstance(value, tuple) and value and all(type(row) is tuple for row in value)
    return (CheckedTable if checked else Table)(value) if rows else value


def own_names(function: Callable[..., Any], replaced: dict[str, Any]) -> list[str]:
    return [function.__name__, *(name for name, value in replaced.items() if value is ITSELF)]


@cache
def reached(function: FunctionType) -> frozenset[str]:
    """The globals of its module that a plain function looks up, itself or by what it calls."""
    found = set(names(function.__code__))
    for name in tuple(found):
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and called is not function:
            found |= reached(called) if called.__globals__ is function.__globals__ else set()
    return frozenset(found)


def fingerprint(function: Callable[..., Any]) -> str:
    """16 hex digits of all that a function refers to, kept while what it looks up is the same."""
    known = _known.get(function)
    if known is None or any(look_up() is not value for look_up, value in known[1]):
        looked_up: LookedUp = []
        text = "".join(parts(function, looked_up, set()))
        known = _known[function] = sha256(text.encode()).hexdigest()[:16], looked_up
    return known[0]


_known: dict[Callable[..., Any], tuple[str, LookedUp]] = {}


def nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def names(code: CodeType) -> list[str]:
    return [name for each in nested(code) for name in each.co_names]


def is_users_module(value: Any) -> bool:
    """Return whether a value is a module of a user's own, whose attributes are frozen, too."""
    return isinstance(value, ModuleType) and is_users_own(getattr(value, "__file__", "") or "<")


def parts(value: Any, looked_up: LookedUp, seen: set[int]) -> Iterator[str]:
    """What distinguishes a value, as text; what it looks up is noted."""
    if id(value) in seen:
        return
    function = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    if isinstance(function, FunctionType):
        seen |= {id(value), id(function)}
        if from_outside(function):
            yield f"checked {function.__module__}"  # numba imports it when it loads what is on disk
            yield from parts(CHECKS, looked_up, seen)
        cells = [(cell, "cell_contents") for cell in function.__closure__ or ()]
        attributes = [(function, "__code__"), (function, "__defaults__"), *cells]
        named, modules = names(function.__code__), list[ModuleType]()
        look_ups = [partial(getattr, *each) for each in attributes]
        look_ups += [partial(function.__globals__.get, name) for name in named]
        for look_up in look_ups:
            found = look_up()
            looked_up.append((look_up, found))
            yield from parts(found, looked_up, seen)
            if is_users_module(found) and found not in modules:
                modules.append(found)
                look_ups += [partial(vars(found).get, name) for name in named]
    elif isinstance(value, np.ndarray):
        looked_up.append(CHANGING)
        yield f"{value.dtype}{value.shape}{sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, Table):
        yield repr(value)
        yield from parts(start_of, looked_up, seen)
    elif isinstance(value, CodeType):
        for code in nested(value):  # without its place in the file
            constants = ["" if isinstance(each, CodeType) else each for each in code.co_consts]
            yield code.co_code.hex()
            yield repr((code.co_names, code.co_varnames, code.co_freevars, constants))
    elif isinstance(value, tuple):
        for item in value:
            yield from parts(item, looked_up, seen)
    elif isinstance(value, ModuleType):
        yield value.__name__
    else:
        if not isinstance(value, UNCHANGING):
            looked_up.append(CHANGING)
        yield repr(value)


class Table(tuple[tuple[int, ...], ...]):
    """Rows of the same length, read as an array: of a tuple numba makes a branch for each item."""


class CheckedTable(Table):
    """A table of which compiled code reads no row that it does not have: `IndexError`."""


class TableType(types.Type):
    def __init__(self, table: Table) -> None:
        self.numbers = np.array(table, np.int64)
        self.digits = sha256(self.numbers.tobytes()).hexdigest()[:16]
        self.checked = isinstance(table, CheckedTable)
        super().__init__(f"{type(table).__name__}({self.numbers.shape}, {self.digits})")


register_model(TableType)(models.OpaqueModel)
typeof_impl.register(Table)(lambda table, context: TableType(table))
cast(Any, lower_constant)(TableType)(lambda context, *_: context.get_dummy_value())


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


start_of = cast(Callable[[Any], Any], intrinsic(_start_of))  # a pointer to a table's numbers


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
