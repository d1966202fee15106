"""Things looked up by name, and numbers as text. An unknown name is a `ValueError` in one line."""

import os
import re
import sys
import sysconfig
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from hashlib import sha256
from inspect import signature
from numbers import Integral
from pathlib import Path
from pkgutil import resolve_name
from traceback import extract_tb
from typing import Any, TypeVar, cast

T = TypeVar("T")

IMPORTED: dict[tuple[str, str], Any] = {}  # by `import_path`: what it is and its path
_SOURCES: dict[str, list[str]] = {}  # by the same paths: what their code was
# What a function of a user's own must take.
_TAKES = {
    "algorithm": "game, state, evaluator, deep_enough, order, observer",
    "evaluator": "board, player",
    "order": "tree, node, children",
    "player": "game, state",
}
_SEARCHER = ", or write @searcher above a function that takes a tree: README, For researchers"
_WHERE = "_user_line"  # an attribute of errors, which are sent without their traceback
_LIBRARIES = map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
# How files begin that are not a user's own: ours, libraries, and code of no file.
_NOT_USERS = ("<", *(os.path.join(str(path), "") for path in (Path(__file__).parent, *_LIBRARIES)))


def named(what: str, name: str, known: Mapping[str, T], hint: str = "") -> T:
    """The value of a name in `known`; in a name `-` may stand for `_` and the other way round.

    Nothing is imported, so the name may come from a file, a link or a message. An import path is
    known only where `import_path` was called with it before.
    """
    if not isinstance(name, str):
        raise ValueError(
            f"give {what} by its name, such as {next(iter(known), '')!r}, not {name!r}"
        )
    for spelled in (name, name.replace("-", "_"), name.replace("_", "-")):
        if spelled in known:
            return known[spelled]
    if (what, name) in IMPORTED:
        found = IMPORTED[what, name]
        like = next(iter(known.values()), print)
        if not (callable(found) if callable(like) else isinstance(found, type(like))):
            wanted = what if callable(like) else type(like).__name__
            raise ValueError(f"{name!r} is no {wanted} but of type {type(found).__name__}")
        return cast(T, found)
    if "." in (path := _meant(name)) and what in (*_TAKES, "game"):
        hint = f"; one of your own is imported first: kalahlab.names.import_path{what, path[:80]}"
    raise ValueError(
        f"unknown {what} {name[:80]!r}; use one of {', '.join(known) or 'those imported'}{hint}"
    )


def _meant(name: str) -> str:
    """The import path that is meant by a file, such as `mine.py`, or by a colon, as in `mine:f`."""
    found = re.fullmatch(r"(?:.*[/\\])?(\w+)(\.py)?(?:[:.](\w+))?", name)
    return f"{found[1]}.{found[3] or 'f'}" if found and (found[2] or ":" in name) else name


def import_path(what: str, name: str) -> str:
    """Import what stands at a path such as `mypackage.nim.NIM`, for `named` to find by it.

    This runs code: call it with what a person typed on the command line or wrote in Python, never
    with text from a file, a link or a message. A name without a dot is left alone. `ValueError` if
    nothing can be imported, or what is there takes other parameters.
    """
    if not isinstance(name, str):
        raise ValueError(f"give {what} by its import path, such as 'mine.f', not {name!r}")
    if (path := _meant(name)) != name:
        said = f"write {path}, with a dot between the file and a function in it"
        raise ValueError(f"{what} {name!r} is no import path; {said}")
    if "." in name:
        try:
            found = resolve_name(name)
        except Exception as error:  # a module may raise anything
            if where := user_line(error):
                said = f"{type(error).__name__}: {error}"
                raise ValueError(f"{what} {name!r} cannot be imported: {where}: {said}") from error
            near = get_close_matches(name.rpartition(".")[2], dir(getattr(error, "obj", None)))
            said = f"{error}; did you mean {' or '.join(near)}?" if near else f"{error}"
            raise ValueError(f"unknown {what} {name!r}, which is no import path: {said}") from None
        check_parameters(what, name, found)
        IMPORTED[what, name], _SOURCES[name] = found, _source_digests(name, found)
    return name


def check_parameters(what: str, name: str, function: Any) -> None:
    """`ValueError` if a function of a user's own cannot be called as what it is named as."""
    wanted, code = _TAKES.get(what), getattr(function, "__code__", None)
    if wanted is None or code is None or isinstance(function, type):
        return
    try:
        (takes := signature(function)).bind(*wanted.split(", "))
    except TypeError:
        hint = _SEARCHER if what == "algorithm" else ""
        said = f"{what} {name} takes {takes}; it must take ({wanted}){hint}"
        raise ValueError(f"{code.co_filename}, line {code.co_firstlineno}: {said}") from None


def _source_digests(name: str, found: Any) -> list[str]:
    """The SHA-256 of the file of each module that a path names, and of that which defines it."""
    parts = name.partition(":")[0].split(".")
    paths = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    modules = (sys.modules.get(path) for path in (*paths, getattr(found, "__module__", None) or ""))
    files = dict.fromkeys(file for each in modules if (file := getattr(each, "__file__", None)))
    return [sha256(Path(file).read_bytes()).hexdigest() for file in files if os.path.isfile(file)]


def sources(text: str) -> dict[str, list[str]]:
    """The `_source_digests` of each import path in a JSON text, from when it was imported."""
    named = {path: re.compile(f'[":]{re.escape(path)}[":@]') for path in _SOURCES}
    return {path: _SOURCES[path] for path in sorted(named) if named[path].search(text)}


def user_line(error: BaseException) -> str:
    """`FILE, line N` of the innermost line of a user's own that an error passed; `""` if none."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    own = [frame for frame in extract_tb(error.__traceback__) if is_users_own(frame.filename)]
    here = f"{own[-1].filename}, line {own[-1].lineno}" if own else ""
    return here or vars(error).get(_WHERE, "")


def is_users_own(file: str) -> bool:
    return not file.startswith(_NOT_USERS)


def with_notes(error: BaseException) -> str:
    return "; ".join([f"{error}", *getattr(error, "__notes__", ())])


def located(call: Callable[..., T], *args: Any) -> T:
    """What a call gives; an error takes its `user_line` along to other processes."""
    try:
        return call(*args)
    except Exception as error:
        setattr(error, _WHERE, user_line(error))
        raise


def _parse(kind: Callable[[str], T], called: str, text: str, what: str) -> T:
    """The number that stands for `what`; `ValueError` names a text that is none."""
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{what} {text!r} is not a {called}") from None


parse_int = partial(_parse, int, "whole number")
parse_float = partial(_parse, float, "number")


def check_whole(what: str, number: object) -> None:
    if not isinstance(number, Integral):
        raise ValueError(f"{what} is {number!r}; use a whole number")
