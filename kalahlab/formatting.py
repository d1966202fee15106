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
