"""Tables as LaTeX that `pdflatex` sets without further ado."""

import unicodedata
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

LONG = 30
"""The most rows of a table that floats; a longer one is a `longtable`, which goes on over pages."""

WIDE = 30
"""The most characters of a text in a column that is not broken into lines."""

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
    texts.columns = [plain(_in_words(column)) for column in table.columns]
    body = texts.to_latex(
        index=False, escape=False, longtable=long, column_format=_format(table),
        caption=plain(caption), label=f"tab:{name}",
    )  # fmt: skip
    packages = "booktabs, longtable" if long else "booktabs"
    return f"% needs: \\usepackage{{{packages}}}\n{body}"


def _in_words(name: Any) -> str:
    return str(name).replace("_", " ") if name is not None else ""


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not pd.isna(value):
        return plain(rounded(value).replace("-", "−"))
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return "--"
    return plain(str(value))


def _format(table: pd.DataFrame) -> str:
    """How each column is set: numbers at its right, long texts in lines."""
    wide = [table[column].astype(str).str.len().max() > WIDE for column in table]
    # lines are as long as the page leaves space for
    broken = (
        f"p{{{max(0.12, 0.8 / max(1, sum(wide)) - 0.05 * (len(wide) - sum(wide))):.2f}\\linewidth}}"
    )
    sides = ["r" if is_numeric_dtype(table[column]) else "l" for column in table]
    return "".join(broken if long else side for long, side in zip(wide, sides, strict=True))


def rounded(number: float) -> str:
    """A number for reading: no needless zeros, and four figures if it is tiny."""
    if number and abs(number) < 0.001:
        return f"{number:.4g}"
    return f"{number:.4f}".rstrip("0").rstrip(".")
