"""Tables as LaTeX that `pdflatex` sets without further ado."""

import re
import textwrap
import unicodedata

import pandas as pd

from kalahlab.draw.labels import readable
from kalahlab.draw.tables import in_words, is_words, texts

LONG = 30
"""The most rows of a table that floats; a longer one is a `longtable`, which goes on over pages."""

WIDE = 30  # the most characters of a text in a column that is not broken into lines
PAGE = 60  # the most characters in a line of a page of the class `article`

SCALED = r"\\begin{adjustbox}{max width=\\linewidth}\n\1\n\\end{adjustbox}"
"""What replaces a tabular (group 1) that is too wide: the same, made smaller."""

SIGNS = {
    "×": r"\times", "÷": r"\div", "−": "-", "±": r"\pm", "≥": r"\geq", "≤": r"\leq", "≠": r"\neq",
    "≈": r"\approx", "→": r"\to", "∞": r"\infty", "√": r"\surd", "·": r"\cdot", "∗": "*",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "λ": r"\lambda", "μ": r"\mu",
    "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\varphi", "χ": r"\chi",
    "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "²": "^2", "³": "^3", "½": r"\frac12", "¼": r"\frac14", "¾": r"\frac34",
}  # fmt: skip
"""Signs that stand in mathematics only. Styler's own escape leaves them, and pdflatex stops."""

TRANSLATED = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {sign: f"${command}$" for sign, command in SIGNS.items()}
    | {
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "\n": " ",
        "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}",
        "\u00a0": "~", "\u202f": r"\,", "\u2009": r"\,", "•": r"\textbullet{}", "§": r"\S{}",
    }
)  # fmt: skip


def plain(text: str) -> str:
    """A text for `pdflatex`: ASCII, and letters with accents."""

    def letter(found: re.Match[str]) -> str:
        simple = unicodedata.normalize("NFKD", found[0]).encode("ascii", "ignore").decode()
        return simple or f"[U+{ord(found[0]):04X}]"

    return re.sub("[^\0-\x7fÀ-ž]", letter, text.translate(TRANSLATED))


def table_latex(frame: pd.DataFrame, name: str, caption: str) -> str:
    """A table as a page shows it, with its caption and the label `tab:NAME`.

    It stands after a comment on the packages that it needs.
    """
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
