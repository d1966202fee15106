"""Compilation with numba, and a cache on disk that never goes stale.

numba's own cache only checks the file that defines a function. Our kernels also freeze evaluators,
tables and functions of other files. So the name of a kernel ends in a fingerprint of its code and
of everything that the code can reach. After a change anywhere the kernel has another name and is
compiled again.

The numbers of a table are part of the compiled code, aligned to a line of the processor's cache.
The address of the numbers is read from a variable, so that compiled code keeps the address in a
register. If the address were a constant, the compiler would put a constant of eight bytes into the
code for each row that is read.
"""

import operator
from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import sha256
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from llvmlite.ir import ArrayType, Constant, GlobalVariable, IntType
from numba import carray, types
from numba.core.cgutils import voidptr_t
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, overload, register_model, typeof_impl

from kalahlab.engine.whole_numbers import FINGERPRINTED, CheckingCompiler
from kalahlab.user_code import is_user_file

CACHE_LINE_BYTES = 64
F = TypeVar("F", bound=Callable[..., Any])

# The values on which a fingerprint depends, as pairs (function that looks up the value, value). A
# fingerprint is up to date if each function still returns the same object.
LookedUp = list[tuple[Callable[[], Any], Any]]
# The pair for a value that can change in place. The function `object` never returns None, so the
# fingerprint is computed again each time.
ALWAYS_OUTDATED: Any = (object, None)
ITSELF = "itself"  # as the new value of a global, see `jit`: the function that is compiled
# Types whose values cannot change in place, beside functions, tuples and modules.
IMMUTABLE_TYPES = (NoneType, bool, int, float, str, type, BuiltinFunctionType)


def inlined(function: F) -> F:
    """Decorator: compile a function into each kernel that calls it; Python can call it, too."""
    return cast(F, numba.njit(forceinline=True)(function))


def jit(function: F, signature: str | None = None, **replaced: Any) -> F:
    """Compile a function with some globals of its module replaced, and cache it on disk.

    The plain Python functions that the function calls are compiled into it. In those of the same
    module the same globals are replaced.

    Args:
        function: A plain function.
        signature: The types for which the function is compiled at once. Without a signature it is
            compiled at the first call. A function that calls itself needs a signature.
        **replaced: The new values of globals, by name.
    """
    copy = copy_with_globals(function, replaced)
    try:
        dispatcher: Any = numba.njit(cache=True, nogil=True)(copy)
    except RuntimeError:  # numba can write to no folder, not even to the user's cache
        dispatcher = numba.njit(nogil=True)(copy)
    # The function may call itself, and then calls the compiled function.
    copy.__globals__.update(dict.fromkeys(own_global_names(function, replaced), dispatcher))
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()  # from here on, other types do not make numba compile again
    return cast(F, dispatcher)


def is_user_function(function: Callable[..., Any]) -> bool:
    # `__module__` is None for a function that `exec` made without a module's name.
    return not f"{function.__module__}".startswith("kalahlab.")


def piece(function: F, inline: bool = True, **replaced: Any) -> F:
    """Like `jit`, but for functions that only compiled code calls. A call from Python crashes.

    In a user function, which is one from outside of the package, indices and whole numbers are
    checked, which takes time; see `whole_numbers`.
    """
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    options["boundscheck"] = is_user_function(function)
    if is_user_function(function):
        options["pipeline_class"] = CheckingCompiler
    return cast(F, numba.njit(forceinline=inline, **options)(copy_with_globals(function, replaced)))


def call_by_registers(function: F | None, result: Any) -> F:
    """Make a call that passes the result in registers; a compiled function can use the call.

    numba's functions write the result to memory and return a status. Here the status is dropped, so
    that the call is only for functions that raise nothing.

    Args:
        function: The piece to be called; None for the function that makes the call.
        result: The numba type of the result.
    """

    def resolve_type(typing_context: Any, *arguments: Any) -> Any:
        piece: Any = function
        if piece is not None:
            piece.compile(arguments)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            callee = builder.function
            if piece is not None:
                compiled = piece.overloads[arguments]
                context.active_code_library.add_linking_library(compiled.library)
                callee = context.declare_function(builder.module, compiled.fndesc)
            [packed] = values  # numba packs the arguments of `*arguments` into a tuple
            values = [builder.extract_value(packed, place) for place in range(len(arguments))]
            words = context.call_conv._get_arg_packer(arguments).as_arguments(builder, values)
            wrapper = _wrapper_of(callee, words, builder.module)
            return context.get_returned_value(builder, result, builder.call(wrapper, words))

        return result(cast(Any, types).StarArgTuple(arguments)), generate

    return cast(F, intrinsic(resolve_type))


def _wrapper_of(callee: Any, words: Any, module: Any) -> Any:
    """Return an LLVM function with a compiled function inside it, which returns its result."""
    name = f"by_registers.{callee.name}"
    if name in module.globals:
        return module.globals[name]
    place, error = (argument.type.pointee for argument in callee.args[:2])
    wrapper = ir.Function(module, ir.FunctionType(place, [word.type for word in words]), name)
    wrapper.linkage = "internal"
    wrapper.attributes.add("noinline")
    builder = ir.IRBuilder(wrapper.append_basic_block())
    memory = builder.alloca(place)
    arguments = [memory, builder.alloca(error), *wrapper.args]
    builder.call(callee, arguments, attrs=("alwaysinline",))
    builder.ret(builder.load(memory))
    return wrapper


@cache
def callee(function: F, replaced: tuple[tuple[str, Any], ...], mark: str) -> F:
    """Return the piece that compiled functions call in place of a plain one.

    Args:
        function: A plain function.
        replaced: The new values of globals of the function's module.
        mark: The fingerprint of the function. It is not used, but is a key of the cache, so that a
            changed function is compiled again.
    """
    return piece(function, **dict(replaced))


def copy_with_globals(function: Callable[..., Any], replaced: dict[str, Any]) -> FunctionType:
    """Return a copy of a plain function with other globals, in which plain functions are pieces."""
    plain = cast(FunctionType, function)
    checked = is_user_function(plain)
    namespace = {
        **plain.__globals__,
        **replaced,
        # None until `jit` puts the compiled function there, so that it is not compiled as a piece
        **dict.fromkeys(own_global_names(plain, replaced)),
    }
    for name in set(referenced_names(plain.__code__)) & namespace.keys():
        value = namespace[name]
        passed_on: tuple[tuple[str, Any], ...] = ()
        if isinstance(value, FunctionType) and value.__globals__ is plain.__globals__:
            # Sorted, so that equal replacements are the same key of the cache of `callee`.
            needed = sorted(replaced.keys() & reachable_globals(value))
            passed_on = tuple((key, replaced[key]) for key in needed)
        namespace[name] = freeze_value(value, passed_on, checked=checked)
    cells = tuple(
        CellType(freeze_value(cell.cell_contents, checked=checked))
        for cell in plain.__closure__ or ()
    )
    copy = FunctionType(plain.__code__, namespace, plain.__name__, plain.__defaults__, cells)
    copy.__qualname__ = f"{plain.__name__}_{fingerprint(copy)}"
    return copy


def freeze_value(
    value: Any, replaced: tuple[tuple[str, Any], ...] = (), *, checked: bool = False
) -> Any:
    """Convert the value of a global or a cell to one that compiled code can use.

    Args:
        value: The value.
        replaced: If the value is a plain function, the new values of globals of its module.
        checked: True if a user function refers to the value.

    Returns:
        A piece for a plain function, a `Table` for a tuple of tuples (a `CheckedTable` if
        `checked`), any other value unchanged.
    """
    if isinstance(value, FunctionType):
        return callee(value, replaced, fingerprint(value))
    if isinstance(value, tuple) and value and all(type(row) is tuple for row in value):
        return CheckedTable(value) if checked else Table(value)
    return value


def own_global_names(function: Callable[..., Any], replaced: dict[str, Any]) -> list[str]:
    """Return the names of the globals by which a function can call itself: its own and `ITSELF`."""
    return [function.__name__, *(name for name, value in replaced.items() if value is ITSELF)]


@cache
def reachable_globals(function: FunctionType) -> frozenset[str]:
    """Return the names to which a plain function, or one of its module that it calls, refers."""
    module = function.__globals__
    reachable = set(referenced_names(function.__code__))
    for name in tuple(reachable):
        value = module.get(name)
        if not isinstance(value, FunctionType) or value is function:
            continue
        if value.__globals__ is module:
            reachable |= reachable_globals(value)
    return frozenset(reachable)


def fingerprint(function: Callable[..., Any]) -> str:
    """Return 16 hex digits of all that a function refers to.

    The digits are cached as long as each value that the function looks up is the same object.
    """
    if function in _fingerprints:
        digits, looked_up = _fingerprints[function]
        for look_up, value in looked_up:
            if look_up() is not value:
                break
        else:
            return digits
    looked_up = []
    text = "".join(fingerprint_parts(function, looked_up, set()))
    digits = sha256(text.encode()).hexdigest()[:16]
    _fingerprints[function] = digits, looked_up
    return digits


_fingerprints: dict[Callable[..., Any], tuple[str, LookedUp]] = {}


def iter_nested_code(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects inside it, such as those of nested functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from iter_nested_code(constant)


def referenced_names(code: CodeType) -> list[str]:
    """Return the names of the globals and attributes that code refers to."""
    result: list[str] = []
    for inner in iter_nested_code(code):
        result += inner.co_names
    return result


def is_user_module(value: Any) -> bool:
    """Return whether a value is a module of the user, whose attributes are frozen, too."""
    if not isinstance(value, ModuleType):
        return False
    file = getattr(value, "__file__", None)
    if not file:  # a built-in module has none
        return False
    return is_user_file(file)


def fingerprint_parts(value: Any, looked_up: LookedUp, seen: set[int]) -> Iterator[str]:
    """Yield the texts that distinguish a value from others.

    Args:
        value: The value.
        looked_up: The list to which the values that this one refers to are appended.
        seen: The ids of the functions that have been visited, to which this one's is added.
    """
    if id(value) in seen:
        return
    # A compiled function has its Python function in `py_func`, an intrinsic in `_defn`.
    function = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    if isinstance(function, FunctionType):
        seen |= {id(value), id(function)}
        yield from _function_parts(function, looked_up, seen)
    elif isinstance(value, np.ndarray):
        looked_up.append(ALWAYS_OUTDATED)
        yield f"{value.dtype}{value.shape}{sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, Table):
        yield repr(value)
        # the code that reads a table is compiled, too
        yield from fingerprint_parts(start_of, looked_up, seen)
    elif isinstance(value, CodeType):
        for code in iter_nested_code(value):
            # Line numbers are left out, as they may change without effect. Nested code is left out
            # of the constants, as it has its own turn.
            yield code.co_code.hex()
            constants = [
                "" if isinstance(constant, CodeType) else constant for constant in code.co_consts
            ]
            yield repr((code.co_names, code.co_varnames, code.co_freevars, constants))
    elif isinstance(value, tuple):
        for item in value:
            yield from fingerprint_parts(item, looked_up, seen)
    elif isinstance(value, ModuleType):
        yield value.__name__
    else:
        if not isinstance(value, IMMUTABLE_TYPES):
            looked_up.append(ALWAYS_OUTDATED)
        yield repr(value)


def _function_parts(function: FunctionType, looked_up: LookedUp, seen: set[int]) -> Iterator[str]:
    if is_user_function(function):
        # The module's name matters: numba imports the module when it loads the code from disk.
        yield f"checked {function.__module__}"
        yield from fingerprint_parts(FINGERPRINTED, looked_up, seen)
    # Functions, and not values: `fingerprint` calls them again later.
    look_ups: list[Callable[[], Any]] = [
        partial(getattr, function, "__code__"),
        partial(getattr, function, "__defaults__"),
    ]
    look_ups += [partial(getattr, cell, "cell_contents") for cell in function.__closure__ or ()]
    global_names = referenced_names(function.__code__)
    look_ups += [partial(function.__globals__.get, name) for name in global_names]
    modules: list[ModuleType] = []
    for look_up in look_ups:  # the list grows: attributes of users' modules are appended below
        value = look_up()
        looked_up.append((look_up, value))
        yield from fingerprint_parts(value, looked_up, seen)
        if is_user_module(value) and value not in modules:
            modules.append(value)
            look_ups += [partial(vars(value).get, name) for name in global_names]


class Table(tuple[tuple[int, ...], ...]):
    """Rows of the same length that compiled code reads as an array.

    For a tuple numba would make a branch for each item.
    """


class CheckedTable(Table):
    """A table of a user function: compiled code raises `IndexError` for a row that is missing."""


class TableType(types.Type):
    """The numba type of a table. Each table has a type of its own, which holds the numbers."""

    def __init__(self, table: Table) -> None:
        self.numbers = np.array(table, np.int64)
        self.digits = sha256(self.numbers.tobytes()).hexdigest()[:16]
        self.checked = isinstance(table, CheckedTable)
        # numba takes types of the same name for one type, so the name has a hash of the numbers.
        super().__init__(f"{type(table).__name__}({self.numbers.shape}, {self.digits})")


# At run time a table is an empty value, as compiled code finds the numbers by the type.
register_model(TableType)(models.OpaqueModel)
typeof_impl.register(Table)(lambda table, context: TableType(table))
cast(Any, lower_constant)(TableType)(lambda context, *_: context.get_dummy_value())


def _start_of(typing_context: Any, table: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        module = builder.module
        name = f"start_of_table_{table.digits}"
        if name not in module.globals:
            data = bytearray(table.numbers.tobytes())
            numbers = Constant(ArrayType(IntType(8), len(data)), data)
            array = GlobalVariable(module, numbers.type, f"table_{table.digits}")
            array.linkage = "internal"
            array.global_constant = True
            array.align = CACHE_LINE_BYTES
            array.initializer = numbers
            start = GlobalVariable(module, voidptr_t, name)
            # With this linkage the linker may take the variable of the same name from another
            # module, so the compiler cannot assume its value and make the address a constant.
            start.linkage = "linkonce"
            start.initializer = array.bitcast(voidptr_t)
        return builder.load(module.globals[name])

    return types.voidptr(table), generate


start_of = cast(Callable[[Any], Any], intrinsic(_start_of))  # a pointer to a table's numbers


@overload(operator.getitem)
def _row(table: Any, index: Any) -> Any:
    if not isinstance(table, TableType):
        return None  # for numba: this overload is not for these types
    shape = table.numbers.shape
    checked = table.checked

    def row(table: Any, index: Any) -> Any:
        if checked and not -shape[0] <= index < shape[0]:
            raise IndexError("tuple index out of range")
        return carray(start_of(table), shape, np.int64)[index]

    return row
