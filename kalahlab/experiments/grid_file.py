"""Grids of settings from TOML files."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kalahlab.experiments.points import Setting, make_grid
from kalahlab.untrusted import read_text

LONGEST = 1_000_000  # bytes of a grid file
KINDS = {str: "text", int: "whole number"}
# The keys of a grid file and their types: of lists, and of values that all settings share.
LISTS = {"algorithms": str, "evaluators": str, "depths": int, "rules": str}
SINGLE = {"openings": int, "leaf": str, "order": str, "pits": int, "stones": int}
SINGLE |= {"backend": str, "ties": int}


def read_grid(path: Path, **more: Sequence[str]) -> list[Setting]:
    """Load a grid file: TOML with the arguments of `make_grid` and the fields of `Setting`.

    Args:
        path: The file.
        more: Values to be added to its lists. An import path is known only if it was imported, see
            `names`.

    Raises:
        ValueError: The file is no grid file; in one line.
    """
    try:
        settings = tomllib.loads(read_text(path, LONGEST))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    for name, values in more.items():
        if values and isinstance(settings.setdefault(name, []), list):
            settings[name] += [value for value in values if value not in settings[name]]
    for name in settings:
        if name not in LISTS | SINGLE:
            raise ValueError(f"unknown key {name!r}; use one of {', '.join(LISTS | SINGLE)}")
    for name in ("algorithms", "evaluators", "depths"):
        if not settings.get(name):
            raise ValueError(f"{path} gives no {name}; give a list")
    for name, value in settings.items():
        _check_type(name, value)
    try:
        return make_grid(**settings)
    except ValueError as error:
        for kind in ("algorithm", "evaluator"):
            for name in settings[f"{kind}s"]:
                if "." in name and repr(name) in str(error):
                    message = f"{kind} {name!r} is an import path, and a file imports no code"
                    raise ValueError(f"{message}; give it as --{kind} {name}, too") from None
        raise


def _check_type(name: str, value: Any) -> None:
    """Raise `ValueError` if the value of a key in a grid file has not the type of that key."""
    if name in SINGLE:
        expected = KINDS[SINGLE[name]]
        is_valid = KINDS.get(type(value)) == expected
    else:
        kind = KINDS[LISTS[name]]
        expected = f"list of {kind}s"
        is_valid = type(value) is list and all(KINDS.get(type(item)) == kind for item in value)
    if not is_valid:
        raise ValueError(f"{name} is {value!r}; use a {expected}")
