"""Compiling with numba, and keeping what was compiled on disk without it ever going stale.

numba's own cache looks only at the file a function stands in. A kernel of ours also freezes
what it refers to: evaluators, sowing tables, functions of other files. So each kernel is
given a name that ends in a fingerprint of its code and of everything that it reaches; a
change anywhere is another name, and is compiled anew.
"""

import hashlib
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

def inlined(function: F) -> F:
    """A piece that is compiled into each kernel that calls it, and never alone."""
    return cast(F, numba.njit(error_model="numpy", forceinline=True)(function))


def kernel(signature: str | None = None) -> Callable[[F], F]:
    """Compile a function and cache it on disk, at once if its signature is given.

    A function that calls itself needs one.
    """

    def compiled(function: F) -> F:
        return specialise(function, signature)

    return compiled


def specialise(function: F, signature: str | None = None, **replaced: Any) -> F:
    """The function compiled with some of its globals replaced, cached on disk.

    Functions among the replacements are compiled into it, dispatchers and intrinsics taken
    as they are.
    """
    namespace = {**function.__globals__, **{k: callee(v) for k, v in replaced.items()}}
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    copy.__qualname__ = f"{function.__name__}_{fingerprint(copy)}"
    dispatcher = _cached(copy)
    namespace[function.__name__] = dispatcher  # what the function calls when it calls itself
    if signature is not None:
        dispatcher.compile(signature)
    return cast(F, dispatcher)


def _cached(function: Callable[..., Any]) -> Any:
    try:
        return numba.njit(cache=True, error_model="numpy", nogil=True)(function)
    except RuntimeError:  # no folder can be written to, the user's cache neither
        return numba.njit(error_model="numpy", nogil=True)(function)


def callee(value: Any) -> Any:
    """A plain function as compiled code can call it, the functions that it calls included."""
    if not isinstance(value, FunctionType):
        return value
    namespace = dict(value.__globals__)
    for name in names(value.__code__):
        if namespace.get(name) is not value:
            namespace[name] = callee(namespace.get(name))
    copy = FunctionType(value.__code__, namespace, value.__name__, value.__defaults__)
    namespace[value.__name__] = inlined(copy)
    return namespace[value.__name__]


def fingerprint(function: Callable[..., Any]) -> str:
    """16 hex digits of a function's code and of all that it refers to, however deep."""
    digest = hashlib.sha256()
    for part in _parts(function, set()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def names(code: CodeType) -> Iterator[str]:
    """The names that a code object may look up, those of nested functions included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names(constant)


def _parts(value: Any, seen: set[int]) -> Iterator[str]:
    """What distinguishes a value, as text."""
    if id(value) in seen:
        return
    function = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    if isinstance(function, FunctionType):
        seen |= {id(value), id(function)}
        yield from _code_parts(function.__code__)
        yield repr(function.__defaults__)
        for name in names(function.__code__):
            yield from _parts(function.__globals__.get(name), seen)
        for cell in function.__closure__ or ():
            yield from _parts(cell.cell_contents, seen)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, ModuleType):
        yield value.__name__
    else:
        yield repr(value)


def _code_parts(code: CodeType) -> Iterator[str]:
    """A code object's instructions and constants, without its place in the file."""
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        else:
            yield repr(constant)
