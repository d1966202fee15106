"""Values as text."""

import json
from math import isfinite
from typing import Any


def to_json(value: Any, **options: Any) -> str:
    """Write JSON that every reader takes. It has no NaN and no infinite numbers: they become the
    texts "nan", "inf" and "-inf". options: those of `json.dumps`."""
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
    """Give an object a text that is the same in each run: Python's own has its address."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Reference(StableRepr):
    """Stand for a function where it is shown, as in a signature."""

    def __init__(self, function: object) -> None:
        self._name = name_of(function)

    def __repr__(self) -> str:
        return self._name


def name_of(value: object) -> str:
    """Return the text of a value; of a function its name, for its text has its address."""
    return str(getattr(value, "__qualname__", repr(value)))
