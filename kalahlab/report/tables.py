"""Formatting of tables, as HTML and LaTeX, with numbers that are rounded for reading."""

import re
import textwrap
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype, is_string_dtype

from kalahlab.draw.labels import replace_identifiers
from kalahlab.formatting import format_signed
from kalahlab.untrusted import escape_formula

MISSING_NUMBER = "–"
P_VALUE_COLUMN = re.compile(r"(Holm's )?p\b")
LEAST_P = 0.001  # smaller p values are shown as "< 0.001"
LEFT = ' style="text-align: left"'  # inline, as a notebook does not have the report's style sheet


def format_frame(frame: pd.DataFrame, digits: Mapping[str, int | str]) -> pd.DataFrame:
    """Return the table with estimates and some other columns as texts.

    The columns `x`, `x low` and `x high` of an estimate and its interval become one column.

    Args:
        frame: The table.
        digits: By column, the number of decimals, or a format such as ".0%". The decimals of other
            estimates are those of `count_decimals`. Other columns are not changed.
    """
    formatted = frame.copy()
    for name, column in frame.items():
        ends = [end for end in (f"{name} low", f"{name} high") if end in frame]
        is_tiny = _is_tiny_p_value(column)
        if not ends and name not in digits and not is_tiny.any():
            continue
        form = digits.get(str(name), count_decimals(column))
        if not isinstance(form, str):
            form = f",.{form}f"
        texts = column.map(partial(_format_number, form))
        if ends:
            interval = [frame[end].map(partial(_format_number, form)) for end in ends]
            texts = texts + " (" + interval[0] + " to " + interval[1] + ")"
        texts = texts.mask(column.isna(), MISSING_NUMBER)
        formatted[name] = texts.mask(is_tiny, f"< {LEAST_P}")
        formatted = formatted.drop(columns=ends)
    return formatted


def _is_tiny_p_value(column: "pd.Series[Any]") -> "pd.Series[bool]":
    """Return whether each value is a p value of less than `LEAST_P`."""
    if P_VALUE_COLUMN.match(str(column.name)) and is_numeric_dtype(column):
        return column < LEAST_P
    return pd.Series(False, column.index)


def _format_number(form: str, number: Any) -> str:
    if pd.isna(number):
        return MISSING_NUMBER
    return format_signed(float(number), form)


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with all texts changed that a spreadsheet would take for formulas.

    See `untrusted.escape_formula`. An index without a name gets the name `row`.
    """
    names: list[Any] = [name or "row" for name in frame.index.names]
    safe = frame.rename_axis(index=names)
    for name, column in frame.items():
        if is_object_dtype(column) or is_string_dtype(column):
            safe[name] = pd.Series([escape_formula(value) for value in column], frame.index, object)
    return safe.rename(index=escape_formula, columns=escape_formula)


def format_column(column: "pd.Series[Any]") -> list[Any]:
    """Return a column's values as a table shows them; a `Markup` stays HTML."""
    # Used for its type only. The values are those of `column`, as `infer_objects` makes a `Markup`
    # a text.
    numbers = column.infer_objects()
    if is_bool_dtype(numbers):
        return ["yes" if value else "no" for value in column]
    if is_numeric_dtype(numbers):
        return [_format_number(f",.{count_decimals(column)}f", value) for value in column]
    values = [*column]
    for row, value in enumerate(values):
        if pd.api.types.is_scalar(value) and pd.isna(value):
            values[row] = MISSING_NUMBER
    return values


def count_decimals(column: "pd.Series[Any]") -> int:
    """Return the decimals that give the median number three figures.

    Signs and zeros are ignored. Return 0 if all numbers are whole, or if there are none.
    """
    sizes = column.dropna().astype(float).abs()
    if (sizes % 1 == 0).all():
        return 0
    middle = sizes[sizes > 0].median()
    return len([bound for bound in (1, 10, 100) if middle < bound])


def is_text_column(column: "pd.Series[Any]") -> bool:
    """Return True for a column of words, which is aligned left.

    All other columns, of numbers or of texts with mostly digits and signs, are aligned right. A
    column without values counts as a column of words.
    """
    return all(isinstance(value, Markup) or _is_word(value) for value in column.dropna())


def _is_word(value: Any) -> bool:
    """Return True for a text that begins with a letter, or of which more than half are letters."""
    if not isinstance(value, str):
        return False
    letters = [char for char in value if char.isalpha()]
    return value[:1].isalpha() or 2 * len(letters) > len(value)


def name_to_words(name: Any) -> str:
    """Return the name of a column as a header."""
    if name is None:
        return ""
    return str(name).replace("_", " ")


def table_html(frame: pd.DataFrame) -> str:
    """Return a table as HTML, below the caption in its `attrs`, if there is one.

    An index that does not merely count the rows is aligned left, without repeated names. (Pandas'
    `Styler.to_html` gives headers no scope, a row of index names, and needs a style sheet.)
    """
    # The number of columns of row headers; a `RangeIndex` merely counts the rows.
    levels = 0 if isinstance(frame.index, pd.RangeIndex) else frame.index.nlevels
    caption = frame.attrs.get("caption")
    lines = ['<table class="dataframe">']
    if caption:
        lines.append(f"<caption>{escape(caption)}</caption>")
    styles = [LEFT if is_text_column(column) else "" for _, column in frame.items()]
    lines += _header_rows(frame, levels, styles)
    lines.append("<tbody>")
    rows = zip(*(format_column(column) for _, column in frame.items()), strict=True)
    last: tuple[Any, ...] = ()
    for key, values in zip(frame.index, rows, strict=True):
        names = (key if isinstance(key, tuple) else (key,))[:levels]
        cells = [_cell("th", name, ' scope="row"') for name in _drop_repeated(names, last)]
        for value, style in zip(values, styles, strict=True):
            cells.append(_cell("td", value, style))
        lines.append(_row(cells))
        last = names
    lines += ["</tbody>", "</table>"]
    return "\n".join(lines)


def _header_rows(frame: pd.DataFrame, levels: int, styles: list[str]) -> list[str]:
    """Return the lines of the head: the name that all columns share, if any, and their names."""
    lines = ["<thead>"]
    if frame.columns.name:
        cells = [_cell("td", "")] * levels
        span = f' colspan="{len(frame.columns)}"'
        lines.append(_row([*cells, _cell("th", name_to_words(frame.columns.name), span)]))
    headers = [(name, LEFT) for name in frame.index.names[:levels]]
    headers += zip(frame, styles, strict=True)
    cells = [_cell("th", name_to_words(name), f' scope="col"{style}') for name, style in headers]
    return [*lines, _row(cells), "</thead>"]


def _drop_repeated(names: tuple[Any, ...], last: tuple[Any, ...]) -> list[Any]:
    """Return the index of a row, with "" in place of the outer names that the last row has, too."""
    headers = [*names]
    for level, (name, above) in enumerate(zip(names[:-1], last, strict=False)):
        if name != above:
            break
        headers[level] = ""
    return headers


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(tag: str, text: Any, attributes: str = "") -> str:
    if not isinstance(text, Markup):
        text = escape(str(text))
    return f"<{tag}{attributes}>{text}</{tag}>"


# --- LaTeX for `pdflatex`

LONG = 30  # the most rows of a floating table; a longer one is a `longtable`, over several pages
WIDE = 30  # the most characters of a text in a column without line breaks
PAGE = 60  # the most characters in a line of a page of the class `article`
# Replaces a tabular (group 1) that is too wide: scaled down.
SCALED = r"\\begin{adjustbox}{max width=\\linewidth}\n\1\n\\end{adjustbox}"
LATEX = tomllib.loads(Path(__file__).with_name("latex.toml").read_text(encoding="utf-8"))
LATEX_OF_CHARACTERS = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {sign: f"${command}$" for sign, command in LATEX["mathematics"].items()}
    | LATEX["text"]
)


def to_latex_text(text: str) -> str:
    """Return a text for `pdflatex`, with only ASCII and letters with accents.

    Any other character is replaced by ASCII letters if it has some, or else by its number, such as
    [U+4E2D].
    """

    def to_latex_letter(match: re.Match[str]) -> str:
        simple = unicodedata.normalize("NFKD", match[0]).encode("ascii", "ignore").decode()
        return simple or f"[U+{ord(match[0]):04X}]"

    return re.sub("[^\0-\x7fÀ-ž]", to_latex_letter, text.translate(LATEX_OF_CHARACTERS))


def table_latex(frame: pd.DataFrame, name: str, caption: str) -> str:
    """Return a table as LaTeX, with its caption and the label `tab:NAME`.

    The LaTeX begins with a comment that lists the packages that the table needs.
    """
    columns: list[pd.Series[Any]] = []
    if not isinstance(frame.index, pd.RangeIndex):
        for level in range(frame.index.nlevels):
            columns.append(frame.index.get_level_values(level).astype(str).to_series())
    columns += [column for _, column in frame.items()]
    is_long = len(frame) > LONG
    cells, heads, widths = [], [], []
    for column in columns:
        column_cells = [
            to_latex_text(replace_identifiers(str(text))) for text in format_column(column)
        ]
        cells.append(column_cells)
        width = max(map(len, column_cells), default=0)
        # The title is broken into lines as long as the cells, or as its longest word.
        title = ""
        if column.name is not None:
            title = name_to_words(replace_identifiers(str(column.name)))
        title_lines = textwrap.wrap(title, max(width, 8), break_long_words=False)
        widths.append(max([width, *map(len, title_lines)]))
        head = r" \\ ".join(map(to_latex_text, title_lines))
        if len(title_lines) > 1:
            head = rf"\shortstack[l]{{{head}}}"
        heads.append(head)
    texts = pd.DataFrame([*zip(*cells, strict=True)], columns=heads)
    body = texts.style.hide().to_latex(  # without the index, which is among the columns
        hrules=True,
        column_format=_column_format(columns, widths, is_long),
        environment="longtable" if is_long else "table",
        caption=to_latex_text(caption),
        label=f"tab:{name}",
    )
    return _fit_table(body, sum(min(WIDE, width) + 2 for width in widths), is_long)


def _column_format(
    columns: Sequence["pd.Series[Any]"], widths: Sequence[int], is_long: bool
) -> str:
    """Return the format of each column; wide columns share what narrow ones leave of the page."""
    narrow = [width for width in widths if width <= WIDE]
    remaining = 1 - sum(width + 2 for width in narrow) / PAGE
    wide_columns = len(widths) - len(narrow)
    # Where too little is left, the columns get a least share, and `_fit_table` shrinks the table.
    share = max(0.1 if is_long else 0.15, remaining / max(1, wide_columns))
    formats = []
    for column, width in zip(columns, widths, strict=True):
        if width > WIDE:
            formats.append(f"p{{{share:.2f}\\linewidth}}")
        elif is_text_column(column):
            formats.append("l")
        else:
            formats.append("r")
    return "".join(formats)


def _fit_table(body: str, characters: int, is_long: bool) -> str:
    """Shrink a table that is too wide, and list the needed packages in a comment above it.

    Args:
        body: The table as LaTeX.
        characters: The width of the table in characters.
        is_long: Whether the table is a `longtable`.
    """
    packages = ["booktabs"]
    if is_long:
        packages.append("longtable")
    if characters > PAGE and not is_long:
        body = re.sub(r"(?s)(\\begin{tabular}.*\\end{tabular})", SCALED, body)
        packages.append("adjustbox")
    elif characters > PAGE:
        body = f"{{\\scriptsize\\setlength{{\\tabcolsep}}{{3pt}}\n{body}}}\n"
        if characters > 1.4 * PAGE:
            body = f"\\begin{{landscape}}\n{body}\\end{{landscape}}\n"
            packages.append("pdflscape")
    return f"% needs: \\usepackage{{{', '.join(packages)}}}\n{body}"
