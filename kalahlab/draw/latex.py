"""Tables as LaTeX that `pdflatex` sets without further ado."""

import re
import textwrap
import unicodedata
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from kalahlab.draw.labels import readable

LONG = 30
"""The most rows of a table that floats; a longer one is a `longtable`, which goes on over pages."""

WIDE = 30
"""The most characters of a text in a column that is not broken into lines."""

SCALED = r"\\begin{adjustbox}{max width=\\linewidth}\n\1\n\\end{adjustbox}"
"""What replaces a tabular (group 1) that is too wide: the same, made smaller."""

PAGE = 60
"""The most characters in a line of a page of the class `article`, with two between columns."""

ESCAPED = {char: f"\\{char}" for char in "&%$#_{}"} | {
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
"""The characters that LaTeX would read as commands, or set as others."""

SIGNS = {
    "×": r"\times", "÷": r"\div", "−": "-", "±": r"\pm", "≥": r"\geq", "≤": r"\leq", "≠": r"\neq",
    "≈": r"\approx", "→": r"\to", "∞": r"\infty", "√": r"\surd", "·": r"\cdot", "∗": "*",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "λ": r"\lambda", "μ": r"\mu",
    "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\varphi", "χ": r"\chi",
    "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "²": "^2", "³": "^3", "½": r"\frac12", "¼": r"\frac14", "¾": r"\frac34",
}  # fmt: skip
"""Signs that stand in mathematics only."""

MARKS = {
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}",
    "\u00a0": "~", "\u202f": r"\,", "\u2009": r"\,", "•": r"\textbullet{}", "§": r"\S{}",
    "\n": " ",
}  # fmt: skip

TRANSLATED = ESCAPED | {sign: f"${command}$" for sign, command in SIGNS.items()} | MARKS


def plain(text: str) -> str:
    """A text for `pdflatex`: ASCII, and letters with accents."""
    return "".join(TRANSLATED.get(char) or _letter(char) for char in text)


def _letter(char: str) -> str:
    if char.isascii() or "À" <= char <= "ž":
        return char
    simple = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    return simple or f"[U+{ord(char):04X}]"


def table_latex(frame: pd.DataFrame, name: str, caption: str) -> str:
    """A table with its caption and the label `tab:NAME`, after a comment on what it needs."""
    long = len(frame) > LONG
    index = not isinstance(frame.index, pd.RangeIndex)
    table = frame.reset_index() if index else frame
    # a copy of objects, for a column of whole numbers may have a gap that is words
    texts = table.astype(object).map(_cell)
    cells = [max(map(len, texts[column]), default=0) for column in table]
    heads = [_head(column, width) for column, width in zip(table, cells, strict=True)]
    lines = [max(width, *map(len, head)) for width, head in zip(cells, heads, strict=True)]
    texts.columns = [_stacked(head) for head in heads]
    body = texts.to_latex(
        index=False, escape=False, longtable=long, column_format=_format(table, lines),
        caption=plain(caption), label=f"tab:{name}",
    )  # fmt: skip
    body, packages = _fitted(body, sum(min(WIDE, line) + 2 for line in lines), long)
    return f"% needs: \\usepackage{{{', '.join(packages)}}}\n{body}"


def _head(column: Any, width: int) -> list[str]:
    """A column's name, in lines that are as long as its cells, or as its longest word."""
    name = "" if column is None else readable(str(column)).replace("_", " ")
    return textwrap.wrap(name, max(width, 8), break_long_words=False) or [""]


def _stacked(head: list[str]) -> str:
    lines = r" \\ ".join(plain(line) for line in head)
    return rf"\shortstack[l]{{{lines}}}" if len(head) > 1 else lines


def _fitted(body: str, characters: int, long: bool) -> tuple[str, list[str]]:
    """A table that is no wider than the page, and the packages that it needs."""
    packages = ["booktabs", *["longtable"] * long]
    if characters <= PAGE:
        return body, packages
    if not long:
        inside = re.sub(r"(?s)(\\begin{tabular}.*\\end{tabular})", SCALED, body)
        return inside, [*packages, "adjustbox"]
    small = f"{{\\scriptsize\\setlength{{\\tabcolsep}}{{3pt}}\n{body}}}\n"
    if characters <= 1.4 * PAGE:
        return small, packages
    return f"\\begin{{landscape}}\n{small}\\end{{landscape}}\n", [*packages, "pdflscape"]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not pd.isna(value):
        return plain(rounded(value).replace("-", "−"))
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return "--"
    return plain(readable(str(value)))


def _format(table: pd.DataFrame, lines: list[int]) -> str:
    """How each column is set: numbers at its right, long texts in lines that share what is left."""
    left = 1 - sum(line + 2 for line in lines if line <= WIDE) / PAGE
    least = 0.1 if len(table) > LONG else 0.15
    share = max(least, left / max(1, sum(line > WIDE for line in lines)))
    broken = f"p{{{share:.2f}\\linewidth}}"
    sides = ["r" if is_numeric_dtype(table[column]) else "l" for column in table]
    return "".join(broken if line > WIDE else side for line, side in zip(lines, sides, strict=True))


def rounded(number: float) -> str:
    """A number for reading: no needless zeros, and four figures if it is tiny."""
    if number and abs(number) < 0.001:
        return f"{number:.4g}"
    return f"{number:.4f}".rstrip("0").rstrip(".")
