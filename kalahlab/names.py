"""Things looked up by name, and numbers as text.

An unknown name is a `ValueError` in one line that lists the known ones.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import TypeVar, cast

T = TypeVar("T")


def named(what: str, name: str, known: Mapping[str, T]) -> T:
    """The value of a name in `known`; in a name `-` may stand for `_` and the other way round.

    A name with a dot that is not known is an import path, as `mypackage.nim.NIM`.
    """
    for spelled in (name, name.replace("-", "_"), name.replace("_", "-")):
        if spelled in known:
            return known[spelled]
    if "." not in name:
        raise ValueError(f"unknown {what} {name!r}; use one of {', '.join(known)}")
    try:
        return cast(T, resolve_name(name))
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"unknown {what} {name!r}, which is no import path: {error}") from None


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
