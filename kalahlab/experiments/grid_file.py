"""Grids of settings from TOML files."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kalahlab.experiments.settings import Setting, make_grid
from kalahlab.untrusted import read_text

MAX_SIZE = 1_000_000  # bytes of a grid file
TYPE_NAMES = {str: "text", int: "whole number"}
# The keys of lists, with the type of their members.
LIST_KEYS = {"algorithms": str, "evaluators": str, "depths": int, "rules": str, "limits": str}
# The keys of values that all settings share, with the type of the value.
VALUE_KEYS = {
    "openings": int,
    "leaf": str,
    "order": str,
    "pits": int,
    "stones": int,
    "backend": str,
    "ties": int,
}


def read_grid(path: Path, **more: Sequence[str]) -> list[Setting]:
    """Load a grid file: TOML with the arguments of `make_grid` and the fields of `Setting`.

    Args:
        path: The file.
        more: Values to be added to the lists of the file, by key.

    An import path in a list is known only if its module has been imported; see `kalahlab.names`.

    Raises:
        ValueError: The file is not a grid file; the message has one line.
    """
    try:
        settings = tomllib.loads(read_text(path, MAX_SIZE))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    for name, values in more.items():
        if not values:
            continue
        settings.setdefault(name, [])
        if isinstance(settings[name], list):  # `_check_type` reports any other type
            settings[name] += [value for value in values if value not in settings[name]]
    for name in settings:
        if name not in LIST_KEYS | VALUE_KEYS:
            keys = ", ".join(LIST_KEYS | VALUE_KEYS)
            raise ValueError(f"unknown key {name!r}; use one of {keys}")
    if settings.get("limits"):
        settings.setdefault("depths", [])
    for name in ("algorithms", "evaluators", "depths"):
        if not settings.get(name) and not (name == "depths" and settings.get("limits")):
            raise ValueError(f"{path} has no {name}; add a list of them")
    for name, value in settings.items():
        _check_type(name, value)
    try:
        return make_grid(**settings)
    except ValueError as error:
        # An unknown name, which the message quotes, is an import path if it has a dot.
        for kind in ("algorithm", "evaluator"):
            for name in settings[f"{kind}s"]:
                if "." in name and repr(name) in str(error):
                    message = f"{kind} {name!r} is an import path, and a grid file imports no code"
                    raise ValueError(f"{message}; add --{kind} {name} to the command") from None
        raise


def _check_type(name: str, value: Any) -> None:
    """Raise `ValueError` if a value in a grid file does not have the type of its key."""
    # `type`, not `isinstance`, as True is an instance of int, but not a whole number.
    if name in VALUE_KEYS:
        expected = TYPE_NAMES[VALUE_KEYS[name]]
        is_valid = type(value) is VALUE_KEYS[name]
    else:
        member_type = LIST_KEYS[name]
        expected = f"list of {TYPE_NAMES[member_type]}s"
        is_valid = type(value) is list and all(type(member) is member_type for member in value)
    if not is_valid:
        raise ValueError(f"{name} is {value!r}; use a {expected}")
