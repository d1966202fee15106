"""Things looked up by name, and numbers as text.

An unknown name is a `ValueError` in one line that lists the known ones.
"""

from collections.abc import Iterable, Mapping
from pkgutil import resolve_name
from typing import Any, TypeVar, cast

T = TypeVar("T")

_IMPORTED: dict[tuple[str, str], Any] = {}
"""What `import_path` imported, by what it is and its path."""


def named(what: str, name: str, known: Mapping[str, T]) -> T:
    """The value of a name in `known`; in a name `-` may stand for `_` and the other way round.

    Nothing is imported, so the name may come from a file, a link or a message. An import path is
    known only where `import_path` was called with it before.
    """
    for spelled in (name, name.replace("-", "_"), name.replace("_", "-")):
        if spelled in known:
            return known[spelled]
    if (what, name) in _IMPORTED:
        return cast(T, _IMPORTED[what, name])
    raise ValueError(
        f"unknown {what} {name[:80]!r}; use one of {', '.join(known) or 'those imported'}"
    )


def import_path(what: str, name: str) -> str:
    """Import what stands at a path such as `mypackage.nim.NIM`, for `named` to find by it.

    This runs the code of that module: call it with what a person typed on the command line or
    wrote in Python, and never with text from a file, a link or a message. A name without a dot
    is left alone. `ValueError` if nothing can be imported.
    """
    if "." in name:
        try:
            _IMPORTED[what, name] = resolve_name(name)
        except Exception as error:  # a module may raise anything
            raise ValueError(f"unknown {what} {name!r}, which is no import path: {error}") from None
    return name


def imported() -> list[tuple[str, str]]:
    """What has been imported, for `import_all` in another process of the same person."""
    return [*_IMPORTED]


def import_all(paths: Iterable[tuple[str, str]]) -> None:
    """Import what another process has `imported`."""
    for what, name in paths:
        import_path(what, name)


def parse_int(text: str, what: str) -> int:
    """The whole number that stands for `what`; `ValueError` names a text that is none."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{what} {text!r} is not a whole number") from None


def parse_float(text: str, what: str) -> float:
    """The number that stands for `what`; `ValueError` names a text that is none."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what} {text!r} is not a number") from None
