"""Conversion of values to text."""

import json
from math import isfinite
from typing import Any


def to_json(value: Any, **options: Any) -> str:
    """Return a value as JSON that every reader accepts, without NaN and infinite numbers.

    These become the texts "nan", "inf" and "-inf". The options are those of `json.dumps`.
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_with_texts(value), allow_nan=False, **options)


def _with_texts(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return str(float(value))
    if isinstance(value, dict):
        return {_with_texts(key): _with_texts(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_texts(part) for part in value]
    return value


class StableRepr:
    """A mixin whose text is the same in each run, unlike Python's, which has an address."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Reference(StableRepr):
    """A stand-in for a function where it is displayed, such as a default in a signature."""

    def __init__(self, function: object) -> None:
        self._name = name_of(function)

    def __repr__(self) -> str:
        return self._name


def name_of(value: object) -> str:
    """Return the name of a function or class, as its text has an address, or else the text."""
    return str(getattr(value, "__qualname__", repr(value)))
