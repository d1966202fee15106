"""Sending of user functions by value to processes that cannot import them: workers of a cluster."""

import ast
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from kalahlab import names
from kalahlab.user_code import UserModules, importing, is_user_file

T = TypeVar("T")

_SENT = set[str]()  # names of the modules that this process has received


def pack_user_code() -> bytes:
    """Serialize by value all that `import_named` imported; return `b""` if that is nothing.

    The modules that define it are included, as the compiler needs their names, and those that its
    functions import when they are called.

    Raises:
        ValueError: Something cannot be sent.
    """
    if not names.IMPORTED:
        return b""
    try:
        import cloudpickle
    except ImportError:  # it comes with distributed; processes of other executors can import
        return b""
    sent = {module.__name__: module for module in _late_modules()}
    modules = _user_modules()
    defining = {getattr(value, "__module__", "") for value in names.IMPORTED.values()}
    sent |= {module.__name__: module for module in modules if module.__name__ in defining}
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps((names.IMPORTED, names.SOURCES, sent)))
    except Exception as error:  # a user's object may raise anything
        paths = ", ".join(sorted({path for _, path in names.IMPORTED}))
        message = f"{paths} cannot be sent to other machines: {type(error).__name__}: {error}"
        raise ValueError(message) from None
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def call_with_user_code(packed: bytes, work: Callable[[Any], T], point: Any) -> T:
    """Call `work(point)` in a worker, after making the code of `pack_user_code` known there."""
    try:
        imported, digests, sent = _unpack(packed)
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        raise ValueError(f"a worker cannot read the code that was sent: {message}") from None
    for name, module in sent.items():
        if name in _SENT or name not in sys.modules:
            sys.modules[name] = module
            _SENT.add(name)
    for (kind, path), value in imported.items():
        if (kind, path) not in names.IMPORTED or names.SOURCES.get(path) != digests[path]:
            names.IMPORTED[kind, path] = value
            names.SOURCES[path] = digests[path]
    return work(point)


@lru_cache(8)
def _unpack(packed: bytes) -> Any:
    return pickle.loads(packed)


def _user_modules() -> list[ModuleType]:
    """Return the imported modules that are user code."""
    return [
        module
        for name, module in [*sys.modules.items()]
        if _is_user_module(module) and module.__name__ == name
    ]


def _is_user_module(module: ModuleType) -> bool:
    return is_user_file(getattr(module, "__file__", None) or "<")


def _late_modules() -> Iterator[ModuleType]:
    """Import and yield the user modules that functions of user modules import when called."""
    seen = set[str]()
    waiting = _user_modules()
    while waiting:
        for name in _iter_late_imports(waiting.pop()):
            for package_or_module in accumulate(name.split("."), "{}.{}".format):
                if package_or_module in seen:
                    continue
                seen.add(package_or_module)
                module = _import_user_module(package_or_module)
                if module is not None:
                    waiting.append(module)
                    yield module


def _import_user_module(name: str) -> ModuleType | None:
    """Import a module if it is user code; return None if it is not, or does not exist."""
    top = name.partition(".")[0]
    if top not in sys.modules and PathFinder.find_spec(top, UserModules.folders) is None:
        return None
    try:
        with importing(top):
            module = import_module(name)
    except ImportError:  # the name is that of something inside a module
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
                yield from _names_of_import(node, module.__package__ or "")


def _names_of_import(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the absolute names that an import statement imports; nothing for another node."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        base = resolve_name("." * node.level + (node.module or ""), package)
        yield base
        for alias in node.names:
            yield f"{base}.{alias.name}"
