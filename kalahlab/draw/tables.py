"""How tables look: numbers for reading, and no column that merely counts the rows."""

from collections.abc import Mapping
from functools import partial
from html import escape
from itertools import repeat, takewhile
from typing import Any

import pandas as pd
from markupsafe import Markup
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype, is_string_dtype

from kalahlab.outside import cell
from kalahlab.trace import signed

NONE = "–"  # what stands where there is no number
P_VALUES, LEAST_P = ("p", "Holm's p"), 0.001
LEFT = ' style="text-align: left"'  # written out, for a notebook has no style sheet of ours


def for_reading(frame: pd.DataFrame, digits: Mapping[str, int | str]) -> pd.DataFrame:
    """The table with an estimate and its interval, `x low` and `x high`, in one column.

    digits: of a column, how many decimals, or a format such as ".0%"; else see `decimals`.
    """
    shown = frame.copy()
    for name in frame:
        ends = [end for end in (f"{name} low", f"{name} high") if end in frame]
        is_p = name in P_VALUES and is_numeric_dtype(frame[name])
        tiny = frame[name] < LEAST_P if is_p else pd.Series(False, frame.index)
        if not ends and name not in digits and not tiny.any():
            continue
        form = digits.get(str(name), decimals(frame[name]))
        form = form if isinstance(form, str) else f",.{form}f"
        texts = [frame[each].map(partial(_formatted, form)) for each in (name, *ends)]
        shown[name] = texts[0] if not ends else texts[0] + " (" + texts[1] + " to " + texts[2] + ")"
        shown[name] = shown[name].mask(frame[name].isna(), NONE).mask(tiny, f"< {LEAST_P}")
        shown = shown.drop(columns=ends)
    return shown


def _formatted(form: str, number: Any) -> str:
    return NONE if pd.isna(number) else signed(float(number), form)


def for_spreadsheets(frame: pd.DataFrame) -> pd.DataFrame:
    """A table whose texts are no formulas where a spreadsheet opens it; see `outside.cell`.

    What names its rows has a name, too: `row`, if it has no other.
    """
    names: list[Any] = [name or "row" for name in frame.index.names]
    safe = frame.rename_axis(index=names)
    for name, column in frame.items():
        if is_object_dtype(column) or is_string_dtype(column):
            safe[name] = pd.Series([cell(each) for each in column], frame.index, object)
    return safe.rename(index=cell, columns=cell)


def texts(column: "pd.Series[Any]") -> list[Any]:
    """A column's values as they are written; a `Markup` stays HTML."""
    numbers = column.infer_objects()  # of texts it would make plain ones
    if is_bool_dtype(numbers):
        return ["yes" if value else "no" for value in column]
    if is_numeric_dtype(numbers):
        return [_formatted(f",.{decimals(column)}f", value) for value in column]
    return [NONE if pd.api.types.is_scalar(each) and pd.isna(each) else each for each in column]


def decimals(column: "pd.Series[Any]") -> int:
    """Digits with which the middle one of the numbers shows three figures; 0 if all are whole."""
    sizes = column.dropna().astype(float).abs()
    if (sizes % 1 == 0).all():
        return 0
    middle = sizes[sizes > 0].median()
    return sum(middle < bound for bound in (1, 10, 100))


def is_words(column: "pd.Series[Any]") -> bool:
    """Whether a column stands at the left; numbers, in a text too, stand at the right."""
    return all(
        isinstance(each, Markup)
        or (
            isinstance(each, str)
            and (each[:1].isalpha() or 2 * sum(map(str.isalpha, each)) > len(each))
        )
        for each in column.dropna()
    )


def in_words(name: Any) -> str:
    return "" if name is None else str(name).replace("_", " ")


def table_html(frame: pd.DataFrame) -> str:
    """A table as HTML, below the caption in its `attrs`, if there is one.

    An index that does not merely count the rows stands at the left, without what repeats; the name
    of all columns stands above them. It is not pandas' `Styler.to_html`, whose headers have no
    scope, whose index has its names in a row of their own, and which needs a style sheet.
    """
    levels = 0 if isinstance(frame.index, pd.RangeIndex) else frame.index.nlevels
    caption, above = frame.attrs.get("caption"), frame.columns.name
    sides = [LEFT if is_words(column) else "" for _, column in frame.items()]
    lines = [f"<caption>{escape(caption)}</caption>"] if caption else []
    lines.append("<thead>")
    if above:
        named = _cell("th", in_words(above), f' colspan="{len(frame.columns)}"')
        lines.append(_row([*repeat(_cell("td", ""), levels), named]))
    heads = [*zip(frame.index.names[:levels], repeat(LEFT)), *zip(frame, sides, strict=True)]
    lines.append(_row(_cell("th", in_words(name), f' scope="col"{at}') for name, at in heads))
    lines += ["</thead>", "<tbody>"]
    rows = zip(*(texts(column) for _, column in frame.items()), strict=True)
    last: tuple[Any, ...] = ()
    for key, values in zip(frame.index, rows, strict=True):
        keys = (key if isinstance(key, tuple) else (key,))[:levels]
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(keys, last, strict=False))])
        said = ["" if n < min(same, levels - 1) else name for n, name in enumerate(keys)]
        cells = (_cell("td", value, at) for value, at in zip(values, sides, strict=True))
        lines.append(_row([*(_cell("th", name, ' scope="row"') for name in said), *cells]))
        last = keys
    return "\n".join(['<table class="dataframe">', *lines, "</tbody>", "</table>"])


def _row(cells: Any) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(tag: str, text: Any, attributes: str = "") -> str:
    html = text if isinstance(text, Markup) else escape(str(text))
    return f"<{tag}{attributes}>{html}</{tag}>"
