"""Sending of user functions by value to the workers of a cluster, which cannot import them."""

import ast
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from kalahlab import names
from kalahlab.user_code import UserModules, importing, is_user_file

T = TypeVar("T")

_RECEIVED_MODULES = set[str]()  # the names of modules that came from another process


def pack_user_code() -> bytes:
    """Serialize by value all values that `import_named` imported; return `b""` if there are none.

    The modules that define the values are included, as the compiler needs the modules' names. So
    are the modules that functions of these modules import when they are called.

    Raises:
        ValueError: A value or a module cannot be serialized.
    """
    if not names.IMPORTED:
        return b""
    try:
        import cloudpickle
    except ImportError:
        # cloudpickle comes with dask. Without dask the workers can import the code themselves.
        return b""
    sent_modules = {module.__name__: module for module in _import_late_modules()}
    modules = _user_modules()  # with the late ones, which are imported now
    defining_names = {getattr(value, "__module__", "") for value in names.IMPORTED.values()}
    sent_modules |= {
        module.__name__: module for module in modules if module.__name__ in defining_names
    }
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps((names.IMPORTED, names.SOURCES, sent_modules)))
    except Exception as error:  # a user's object may raise anything
        paths = ", ".join(sorted({path for _, path in names.IMPORTED}))
        message = f"{paths} cannot be sent to other machines: {type(error).__name__}: {error}"
        raise ValueError(message) from None
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def call_with_user_code(packed: bytes, work: Callable[[Any], T], point: Any) -> T:
    """Call `work(point)` in a worker, after unpacking the code of `pack_user_code` there."""
    try:
        imported, digests, sent_modules = _unpack(packed)
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        raise ValueError(f"a worker cannot read the code that was sent: {message}") from None
    for name, module in sent_modules.items():
        # A module that this process imported itself is not replaced.
        if name in _RECEIVED_MODULES or name not in sys.modules:
            sys.modules[name] = module
            _RECEIVED_MODULES.add(name)
    for (kind, path), value in imported.items():
        if (kind, path) not in names.IMPORTED or names.SOURCES.get(path) != digests[path]:
            names.IMPORTED[kind, path] = value
            names.SOURCES[path] = digests[path]
    return work(point)


@lru_cache(8)  # each point comes with the same code
def _unpack(packed: bytes) -> Any:
    return pickle.loads(packed)


def _user_modules() -> list[ModuleType]:
    """Return the imported modules that are user code."""
    return [
        module
        for name, module in [*sys.modules.items()]
        if _is_user_module(module) and module.__name__ == name  # not under a second name
    ]


def _is_user_module(module: ModuleType) -> bool:
    # A module without a file is not user code: "<" begins the names of code without a file.
    return is_user_file(getattr(module, "__file__", None) or "<")


def _import_late_modules() -> Iterator[ModuleType]:
    """Import and yield the user modules that functions of user modules import when called."""
    seen = set[str]()
    waiting = _user_modules()
    while waiting:
        for name in _iter_late_imports(waiting.pop()):
            for package_or_module in names.path_prefixes(name):
                if package_or_module in seen:
                    continue
                seen.add(package_or_module)
                module = _import_user_module(package_or_module)
                if module is not None:
                    waiting.append(module)
                    yield module


def _import_user_module(name: str) -> ModuleType | None:
    """Import a module that is user code; return None if the name is not that of such a module."""
    top = name.partition(".")[0]
    # Do not run a library's code that nothing has imported yet.
    if top not in sys.modules and PathFinder.find_spec(top, UserModules.folders) is None:
        return None
    try:
        with importing(top):
            module = import_module(name)
    except ImportError:  # the name is that of a value in a module, from `from module import value`
        return None
    return module if _is_user_module(module) else None


def _iter_late_imports(module: ModuleType) -> Iterator[str]:
    """Yield the names that the functions of a module import, if it is in a user's folder."""
    file = Path(getattr(module, "__file__", None) or "")
    if file.suffix != ".py":
        return
    if not any(file.is_relative_to(folder) for folder in UserModules.folders):
        return
    for function in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                yield from _iter_imported_names(node, module.__package__ or "")


def _iter_imported_names(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the absolute names that an import statement imports, and nothing for any other node."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        base = resolve_name("." * node.level + (node.module or ""), package)
        yield base
        for alias in node.names:
            yield f"{base}.{alias.name}"
