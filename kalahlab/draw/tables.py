"""How tables look on a page: numbers for reading, and no column that merely counts the rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import takewhile
from typing import Any

import pandas as pd
from markupsafe import Markup
from pandas.api.types import (
    is_bool_dtype,
    is_float_dtype,
    is_integer_dtype,
    is_object_dtype,
    is_scalar,
    is_string_dtype,
)

from kalahlab.outside import cell
from kalahlab.trace import signed

NONE = "–"
"""What stands where there is no number."""

LEFT = ' style="text-align: left"'
"""Written out, for a notebook has no style sheet of ours."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A cell that a page shows as text, and that a file holds as the numbers it is made of.

    numbers: by what is added to the column's name for each, "" for nothing; None if there is
    no such number.
    """

    text: str
    numbers: Mapping[str, float | None]

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return self.text == str(other)

    def __hash__(self) -> int:
        return hash(self.text)


def as_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """A table with a column for each number of its `Shown` cells, in place of theirs.

    What names its rows has a name, too: `row`, if it has no other.
    """
    columns: dict[Any, Any] = {}
    for name, column in frame.items():
        cells = [cell.numbers if isinstance(cell, Shown) else {} for cell in column]
        parts = dict.fromkeys(part for cell in cells for part in cell)
        for part in parts:
            numbers = pd.Series([cell.get(part) for cell in cells], frame.index)
            columns[f"{name} {part}".strip()] = numbers.convert_dtypes()
        if not parts:
            columns[name] = column
    names = [name or "row" for name in frame.index.names]
    return pd.DataFrame(columns, frame.index).set_axis(frame.index.set_names(names))


def for_reading(frame: pd.DataFrame, digits: Mapping[str, int | str]) -> pd.DataFrame:
    """The table with an estimate and its interval in one column: `x (low to high)`.

    The ends are in the columns `x low` and `x high`. digits: of a column, how many decimals, or a
    format such as ".0%"; by default as many as show three figures of the middle number.
    """
    shown = frame.copy()
    for name in frame:
        ends = [end for end in (f"{name} low", f"{name} high") if end in frame]
        if not ends and name not in digits:
            continue
        form = digits.get(str(name), decimals(frame[name]))
        form = form if isinstance(form, str) else f",.{form}f"
        texts = [frame[each].map(partial(_formatted, form)) for each in (name, *ends)]
        shown[name] = texts[0] if not ends else texts[0] + " (" + texts[1] + " to " + texts[2] + ")"
        shown[name] = shown[name].mask(frame[name].isna(), NONE)
        shown = shown.drop(columns=ends)
    return shown


def _formatted(form: str, number: Any) -> str:
    return NONE if pd.isna(number) else signed(float(number), form)


def for_spreadsheets(frame: pd.DataFrame) -> pd.DataFrame:
    """A table whose texts are no formulas where a spreadsheet opens it; see `outside.cell`."""
    safe = frame.copy()
    for name, column in frame.items():
        if is_object_dtype(column) or is_string_dtype(column):
            safe[name] = pd.Series([cell(each) for each in column], frame.index, object)
    return safe.rename(index=cell, columns=cell)


def table_html(frame: pd.DataFrame) -> str:
    """A table as HTML, below the caption in its `attrs`, if there is one.

    The index stands at the left unless it merely counts the rows; of what repeats from row to
    row there only the first is written. Columns have one level. A `Markup` in it stays HTML.
    """
    caption = frame.attrs.get("caption")
    lines = [f"<caption>{escape(caption)}</caption>"] if caption else []
    lines += ["<thead>", *_head(frame), "</thead>", "<tbody>", *_body(frame), "</tbody>"]
    return "\n".join(['<table class="dataframe">', *lines, "</table>"])


def _levels(frame: pd.DataFrame) -> int:
    return 0 if isinstance(frame.index, pd.RangeIndex) else frame.index.nlevels


def _head(frame: pd.DataFrame) -> Iterator[str]:
    """The names of the columns, and above them what all of them are, if that has a name."""
    left = [_in_words(name or "") for name in frame.index.names][: _levels(frame)]
    if frame.columns.name:
        above = _cell("th", _in_words(frame.columns.name), f' colspan="{len(frame.columns)}"')
        yield _row([*(_cell("td", "") for _ in left), above])
    names = (
        _cell("th", _in_words(name), f' scope="col"{_side(column)}')
        for name, column in frame.items()
    )
    yield _row([*(_cell("th", name, f' scope="col"{LEFT}') for name in left), *names])


def _in_words(name: Any) -> str:
    return str(name).replace("_", " ")


def _body(frame: pd.DataFrame) -> Iterator[str]:
    columns = [(_form(column.infer_objects()), _side(column)) for _, column in frame.items()]
    last: tuple[Any, ...] = ()
    for key, values in zip(frame.index, frame.itertuples(index=False), strict=True):
        keys = (key if isinstance(key, tuple) else (key,))[: _levels(frame)]
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(keys, last, strict=False))])
        said = ["" if n < min(same, len(keys) - 1) else name for n, name in enumerate(keys)]
        cells = (
            _cell("td", form(value), side)
            for (form, side), value in zip(columns, values, strict=True)
        )
        yield _row([*(_cell("th", name, ' scope="row"') for name in said), *cells])
        last = keys


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(tag: str, text: Any, attributes: str = "") -> str:
    html = text if isinstance(text, Markup) else escape(str(text))
    return f"<{tag}{attributes}>{html}</{tag}>"


def _side(column: "pd.Series[Any]") -> str:
    """Words stand at the left of their column; numbers, in a text too, at its right."""
    return LEFT if all(map(_is_words, column.dropna())) else ""


def _is_words(value: Any) -> bool:
    if not isinstance(value, str) or isinstance(value, Markup):
        return isinstance(value, Markup)
    return value[:1].isalpha() or 2 * sum(map(str.isalpha, value)) > len(value)


def _form(column: "pd.Series[Any]") -> Callable[[Any], Any]:
    """How a column's values are written."""
    if is_bool_dtype(column):
        return lambda value: "yes" if value else "no"
    if is_integer_dtype(column) or is_float_dtype(column):
        digits = decimals(column)
        return lambda value: NONE if pd.isna(value) else signed(float(value), f",.{digits}f")
    return lambda value: NONE if is_scalar(value) and pd.isna(value) else value


def decimals(column: "pd.Series[Any]") -> int:
    """So many that the middle one of the numbers shows three figures; none if all are whole."""
    sizes = column.dropna().astype(float).abs()
    if (sizes % 1 == 0).all():
        return 0
    middle = sizes[sizes > 0].median()
    return sum(middle < bound for bound in (1, 10, 100))
