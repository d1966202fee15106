"""Conversion of values to text."""

import json
import math
from collections.abc import Mapping, Sequence
from math import isfinite
from textwrap import fill
from typing import Any

from kalahlab.untrusted import escape_control_characters

WIDTH = 80  # columns of a terminal


def to_json(value: Any, **options: Any) -> str:
    """Return a value as JSON that every reader accepts, without NaN and infinite numbers.

    Such numbers become the texts "nan", "inf" and "-inf". The options are those of `json.dumps`.
    """
    try:  # most values need no change, and a copy of a large one takes long
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_with_texts(value), allow_nan=False, **options)


def _with_texts(value: Any) -> Any:
    """Return a copy of a value in which NaN and infinite numbers are texts."""
    if isinstance(value, float) and not isfinite(value):
        return str(float(value))  # `float`, because numpy's floats have another `str`
    if isinstance(value, dict):
        return {_with_texts(key): _with_texts(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_texts(part) for part in value]
    return value


class StableRepr:
    """A mixin whose `repr` is the same in each run. Python's own `repr` contains an address."""

    __slots__ = ()  # so that a class with slots may derive from it

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Reference(StableRepr):
    """An object that is shown as the name of a function, in place of the function itself."""

    def __init__(self, function: object) -> None:
        self._name = name_of(function)

    def __repr__(self) -> str:
        return self._name


def name_of(value: object) -> str:
    """Return the name of a function or class, and the `repr` of any other value.

    The `repr` of a function contains an address, which differs between runs.
    """
    return str(getattr(value, "__qualname__", repr(value)))


def format_bytes(size: int) -> str:
    """Format a number of bytes for people: 226 MB, 2.7 GB."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            number = size / scale
            if number < 10:
                return f"{number:.1f} {unit}"
            return f"{number:.0f} {unit}"
    if size == 1:
        return "1 byte"
    return f"{size} bytes"


def format_duration(seconds: float) -> str:
    """Format a duration for people, with one unit: 40 s, 3 min, 7 h."""
    minutes = seconds / 60
    if minutes < 2:
        return f"{seconds:.0f} s"
    if minutes < 120:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.0f} h"


def format_number(value: float | None) -> str:
    """Format a value for people: no trailing zeros, a true minus sign, infinity as a symbol.

    Returns "" for None.
    """
    if value is None:
        return ""
    text = "∞" if math.isinf(value) else f"{abs(value):.10g}"
    if value < 0:
        return f"\N{MINUS SIGN}{text}"
    return text


def format_chance(probability: float) -> str:
    """Format a probability with three decimals, or as many as tell it from 0 and 1."""
    decimals = 3
    while decimals < 9 and round(probability, decimals) in (0, 1):
        decimals += 1
    if probability in (0, 1):
        decimals = 0
    return format_number(round(probability, decimals))


def format_brief(value: float) -> str:
    """Format a number briefly: with three digits if it is long, with an exponent if it is huge."""
    text = format_number(value)
    if len(text) <= 5:
        return text
    digits, exponent = f"{value:.1e}".split("e")  # such as 1.2 and +07
    if -5 < int(exponent) < 6:
        return format_number(float(f"{value:.3g}"))
    return f"{format_number(float(digits))}e{format_number(int(exponent))}"


def format_signed(value: float, form: str) -> str:
    """Format a number with a true minus sign, and without the sign of -0.

    `form` is a format specification of Python, such as `+.2f`.
    """
    sign = "+" if form.startswith("+") else ""
    # "z" turns -0 into 0; Python expects it after the sign.
    return format(value, f"{sign}z{form.removeprefix(sign)}").replace("-", "\N{MINUS SIGN}")


def capitalize_first(text: str) -> str:
    return text[0].upper() + text[1:]


def format_columns(answer: dict[str, Any]) -> str:
    """Return the names and the values of an answer as two columns of text."""
    width = max(map(len, answer)) + 2
    indent = " " * width
    return "\n".join(
        fill(
            format_value(value),
            WIDTH,
            initial_indent=f"{name:{width}}",
            subsequent_indent=indent,
        )
        for name, value in answer.items()
    )


def format_value(value: Any) -> str:
    """Return a value of an answer as text; `-` for None and for an empty list."""
    if isinstance(value, list | tuple):
        return " ".join(map(format_value, value)) or "-"
    if value is None:
        return "-"
    if value is True:  # before the test for int, as a bool is an int
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, int):
        return f"{value:,}"
    return escape_control_characters(f"{value}", allowed="")  # a value is one line


def format_bounds(lower: float | None, upper: float | None) -> str:
    """Return the bounds of a value as text: `+3`, `at least 0, at most +4`, "" without bounds."""
    if lower is not None and lower == upper:
        return format_bound(lower)
    parts = []
    if lower is not None:
        parts.append(f"at least {format_bound(lower)}")
    if upper is not None:
        parts.append(f"at most {format_bound(upper)}")
    return ", ".join(parts)


def format_bound(value: float) -> str:
    """Format a value with its sign, but 0 without one."""
    if value == 0:
        return "0"
    return f"{value:+g}"


def format_grid(
    rows: Sequence[Mapping[Any, Any]], columns: Sequence[str] = (), optional: Sequence[str] = ()
) -> str:
    """Return rows as a table with a line of column names.

    Args:
        rows: At least one row.
        columns: The names of the columns; by default those of the first row.
        optional: The names of columns that are left out if the table is wider than a terminal.
    """
    names = columns or [*rows[0]]
    lines = [list(names)]
    for row in rows:
        lines.append([format_value(row[name]) for name in names])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    gaps = 2 * (len(widths) - 1)
    if optional and sum(widths) + gaps > WIDTH:
        return format_grid(rows, [name for name in names if name not in optional])
    aligned_lines = []
    for line in lines:
        aligned = [text.rjust(width) for text, width in zip(line, widths, strict=True)]
        aligned_lines.append("  ".join(aligned))
    return "\n".join(aligned_lines)
