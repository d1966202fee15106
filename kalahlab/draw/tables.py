"""How tables look in HTML and LaTeX: numbers for reading, no column that merely counts the rows."""

import re
import textwrap
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import partial
from html import escape
from itertools import repeat, takewhile
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype, is_string_dtype

from kalahlab.draw.labels import readable
from kalahlab.outside import cell
from kalahlab.trace import signed

NONE = "–"  # what stands where there is no number
P_VALUES, LEAST_P = re.compile(r"(Holm's )?p\b"), 0.001
LEFT = ' style="text-align: left"'  # written out, for a notebook has no style sheet of ours


def for_reading(frame: pd.DataFrame, digits: Mapping[str, int | str]) -> pd.DataFrame:
    """The table with an estimate and its interval, `x low` and `x high`, in one column. digits: of
    a column, how many decimals, or a format such as ".0%"; else see `decimals`."""
    shown = frame.copy()
    for name in frame:
        ends = [end for end in (f"{name} low", f"{name} high") if end in frame]
        is_p = P_VALUES.match(str(name)) and is_numeric_dtype(frame[name])
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
    """With texts that are no formulas, see `outside.cell`; a nameless index is called `row`."""
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

    An index that does not merely count the rows stands at the left, without what repeats. (Pandas'
    `Styler.to_html` gives headers no scope, a row of index names, and needs a style sheet.)
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


# --- LaTeX that `pdflatex` sets without further ado

LONG = 30  # the most rows of a table that floats; a longer one is a `longtable`, over several pages
WIDE = 30  # the most characters of a text in a column that is not broken into lines
PAGE = 60  # the most characters in a line of a page of the class `article`
# What replaces a tabular (group 1) that is too wide: the same, made smaller.
SCALED = r"\\begin{adjustbox}{max width=\\linewidth}\n\1\n\\end{adjustbox}"
LATEX = tomllib.loads(Path(__file__).with_name("latex.toml").read_text(encoding="utf-8"))
TRANSLATED = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {sign: f"${command}$" for sign, command in LATEX["mathematics"].items()}
    | LATEX["text"]
)


def plain(text: str) -> str:
    """A text for `pdflatex`: ASCII, and letters with accents."""

    def letter(found: re.Match[str]) -> str:
        simple = unicodedata.normalize("NFKD", found[0]).encode("ascii", "ignore").decode()
        return simple or f"[U+{ord(found[0]):04X}]"

    return re.sub("[^\0-\x7fÀ-ž]", letter, text.translate(TRANSLATED))


def table_latex(frame: pd.DataFrame, name: str, caption: str) -> str:
    """A table as a page shows it, with its caption and the label `tab:NAME`, after a comment on the
    packages that it needs."""
    index = [] if isinstance(frame.index, pd.RangeIndex) else [*range(frame.index.nlevels)]
    columns = [frame.index.get_level_values(level).astype(str).to_series() for level in index]
    columns += [column for _, column in frame.items()]
    long, cells, heads, widths = len(frame) > LONG, [], [], []
    for column in columns:
        cells.append([plain(readable(str(text))) for text in texts(column)])
        width = max(map(len, cells[-1]), default=0)
        # a name in lines as long as its cells, or as its longest word
        head = "" if column.name is None else in_words(readable(str(column.name)))
        head_lines = textwrap.wrap(head, max(width, 8), break_long_words=False)
        widths.append(max([width, *map(len, head_lines)]))
        lines = r" \\ ".join(map(plain, head_lines))
        heads.append(rf"\shortstack[l]{{{lines}}}" if len(head_lines) > 1 else lines)
    # long texts in lines that share what is left of the page
    left = 1 - sum(width + 2 for width in widths if width <= WIDE) / PAGE
    share = max(0.1 if long else 0.15, left / max(1, sum(width > WIDE for width in widths)))
    sides = (
        f"p{{{share:.2f}\\linewidth}}" if width > WIDE else "l" if is_words(column) else "r"
        for column, width in zip(columns, widths, strict=True)
    )
    body = (
        pd.DataFrame([*zip(*cells, strict=True)], columns=heads)
        .style.hide()
        .to_latex(
            hrules=True,
            column_format="".join(sides),
            environment="longtable" if long else "table",
            caption=plain(caption),
            label=f"tab:{name}",
        )
    )
    return _fitted(body, sum(min(WIDE, width) + 2 for width in widths), long)


def _fitted(body: str, characters: int, long: bool) -> str:
    packages = ["booktabs", *["longtable"] * long]
    if characters > PAGE and not long:
        body = re.sub(r"(?s)(\\begin{tabular}.*\\end{tabular})", SCALED, body)
        packages.append("adjustbox")
    elif characters > PAGE:
        body = f"{{\\scriptsize\\setlength{{\\tabcolsep}}{{3pt}}\n{body}}}\n"
        if characters > 1.4 * PAGE:
            body = f"\\begin{{landscape}}\n{body}\\end{{landscape}}\n"
            packages.append("pdflscape")
    return f"% needs: \\usepackage{{{', '.join(packages)}}}\n{body}"
