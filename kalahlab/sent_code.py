"""User functions sent by value to processes that cannot import them: the workers of a cluster."""

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
from kalahlab.user_code import UserModules, importing, is_users_own

T = TypeVar("T")

_SENT = set[str]()  # the modules of this process that were sent to it


def pack_user_code() -> bytes:
    """Return what `import_path` imported, by value; `b""` if that is nothing.

    Modules that its functions import when they are called are sent, too, and its own, by whose
    names the compiler knows them. Raises `ValueError` for what cannot be sent.
    """
    if not names.IMPORTED:
        return b""
    try:
        import cloudpickle
    except ImportError:  # distributed brings it; other executors know what their processes import
        return b""
    sent = {module.__name__: module for module in _late_modules()}
    modules = _user_modules()
    homes = {getattr(found, "__module__", "") for found in names.IMPORTED.values()}
    sent |= {module.__name__: module for module in modules if module.__name__ in homes}
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
    """Call work on a point in a process that knows what `pack_user_code` packed."""
    try:
        imported, digests, sent = _unpack(packed)
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        raise ValueError(f"a worker cannot read the code that was sent: {message}") from None
    for name, module in sent.items():
        if name in _SENT or name not in sys.modules:
            sys.modules[name] = module
            _SENT.add(name)
    for (what, path), found in imported.items():
        if (what, path) not in names.IMPORTED or names.SOURCES.get(path) != digests[path]:
            names.IMPORTED[what, path], names.SOURCES[path] = found, digests[path]
    return work(point)


@lru_cache(8)
def _unpack(packed: bytes) -> Any:
    return pickle.loads(packed)


def _user_modules() -> list[ModuleType]:
    """Return the modules of a user's own that are imported."""
    return [
        module
        for name, module in [*sys.modules.items()]
        if is_users_own(getattr(module, "__file__", None) or "<") and module.__name__ == name
    ]


def _late_modules() -> Iterator[ModuleType]:
    """Import the modules beside a user's that its functions import when they are called."""
    known, waiting = set[str](), _user_modules()
    while waiting:
        for name in _imported_late(waiting.pop()):
            parts = name.split(".")
            for count in range(1, len(parts) + 1):
                if (part := ".".join(parts[:count])) in known:
                    continue
                known.add(part)
                if (module := _import_user_module(part)) is not None:
                    waiting.append(module)
                    yield module


def _import_user_module(name: str) -> ModuleType | None:
    """Import a module of a user's own; None if it is another's, or there is none."""
    top = name.partition(".")[0]
    if top not in sys.modules and PathFinder.find_spec(top, UserModules.folders) is None:
        return None
    try:
        with importing(top):
            module = import_module(name)
    except ImportError:  # it is no module, but what is in one
        return None
    return module if is_users_own(getattr(module, "__file__", None) or "<") else None


def _imported_late(module: ModuleType) -> Iterator[str]:
    """Yield the names of what functions of a module import."""
    file = Path(getattr(module, "__file__", None) or "")
    if file.suffix != ".py" or not any(file.is_relative_to(each) for each in UserModules.folders):
        return
    tree = ast.parse(file.read_bytes())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for node in (inner for function in functions for inner in ast.walk(function)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), module.__package__ or "")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
