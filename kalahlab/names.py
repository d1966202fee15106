"""What is asked for by name, and numbers as text.

An unknown name is a `ValueError` in one line that lists the known ones.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, TypeVar

T = TypeVar("T")


def named(what: str, name: str, known: Mapping[str, T]) -> T:
    """What is known by a name, in which `-` may stand for `_` and the other way round.

    A name with a dot that is not known is an import path, as `mypackage.nim.NIM`.
    """
    for spelled in (name, name.replace("-", "_"), name.replace("_", "-")):
        if spelled in known:
            return known[spelled]
    if "." in name:
        found: T = _imported(what, name)
        return found
    raise ValueError(f"unknown {what} {name!r}; use one of {', '.join(known)}")


def _imported(what: str, path: str) -> Any:
    try:
        return resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"unknown {what} {path!r}, which is no import path: {error}") from None


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
