"""Compiling with numba, and keeping what was compiled on disk without it ever going stale.

numba's own cache looks only at the file a function stands in. A kernel of ours also freezes
evaluators, tables and functions of other files. So its name ends in a fingerprint of its code and
of everything that it reaches; a change anywhere is another name, and is compiled anew.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import sha256
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any, TypeVar, cast

import numba
import numpy as np

from kalahlab.engine.tables import CheckedTable, Table, start_of

F = TypeVar("F", bound=Callable[..., Any])

LookedUp = list[tuple[Callable[[], Any], Any]]  # how something was looked up; what was found
CHANGING: Any = (object, None)  # in a LookedUp: it can change in place, so it is never the same

ITSELF = "itself"
"""Stands, among a function's replaced globals, for the function that is compiled."""

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
    """As `jit`, but a part of the kernels that call it: to call it from Python is a crash.

    Only a function from outside the package has its indices checked, which takes time.
    """
    wrappers: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    wrappers["boundscheck"] = from_outside(function)
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
    """What stands for a global or a cell in compiled code.

    For a plain function a piece. For a tuple of rows a `Table` of whole numbers: of a tuple that
    is indexed numba would make a branch for each item.
    """
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
    """16 hex digits of a function's code and of all that it refers to, however deep.

    It is kept with what was looked up, and made anew only if that is something else by now.
    """
    known = _known.get(function)
    if known is None or any(look_up() is not value for look_up, value in known[1]):
        looked_up: LookedUp = []
        text = "".join(parts(function, looked_up, set()))
        known = _known[function] = sha256(text.encode()).hexdigest()[:16], looked_up
    return known[0]


_known: dict[Callable[..., Any], tuple[str, LookedUp]] = {}


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object, and those of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def names(code: CodeType) -> list[str]:
    """The names that a code object may look up, those of nested functions included."""
    return [name for each in nested(code) for name in each.co_names]


def parts(value: Any, looked_up: LookedUp, seen: set[int]) -> Iterator[str]:
    """What distinguishes a value, as text; what it looks up is noted."""
    if id(value) in seen:
        return
    function = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    if isinstance(function, FunctionType):
        seen |= {id(value), id(function)}
        if from_outside(function):
            yield f"checked {function.__module__}"  # numba imports it when it loads what is on disk
        cells = [(cell, "cell_contents") for cell in function.__closure__ or ()]
        attributes = [(function, "__code__"), (function, "__defaults__"), *cells]
        for look_up in (
            *(partial(getattr, *each) for each in attributes),
            *(partial(function.__globals__.get, name) for name in names(function.__code__)),
        ):
            found = look_up()
            looked_up.append((look_up, found))
            yield from parts(found, looked_up, seen)
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
