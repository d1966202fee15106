"""How tables and names look on a page, and what a page makes of them."""

import re
import shutil
import subprocess
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from conftest import cases
from markupsafe import Markup

from kalahlab.draw.labels import IDENTIFIER, LABELS, replace_identifiers_in_prose
from kalahlab.draw.style import make_readable
from kalahlab.evaluators.kalah import EVALUATORS, STAGED_TERMS
from kalahlab.report.artifacts import Artifacts
from kalahlab.report.cells import format_table
from kalahlab.report.tables import LONG, format_frame, table_html, table_latex, to_latex_text
from kalahlab.search import ALGORITHMS, ORDERS


def cells(html, tag):
    return re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", html)


COLUMNS = [
    ([1234567, -5], "1,234,567", "−5"),
    ([0.12345, 1.0], "0.123", "1.000"),
    ([104.84, 0.5], "104.8", "0.5"),
    ([3.0, float("nan")], "3", "–"),
    ([True, False], "yes", "no"),
    (pd.array([7, None], dtype="Int64"), "7", "–"),
    (["a<b", None], "a&lt;b", "–"),
    (pd.Series([Markup("<b>a</b>"), "<"], dtype=object), "<b>a</b>", "&lt;"),
    (pd.Series([-1000, 2], dtype=object), "−1,000", "2"),
]


@pytest.mark.parametrize(("column", "first", "second"), COLUMNS)
def test_numbers_of_a_table_have_the_digits_that_say_something(column, first, second):
    html = table_html(pd.DataFrame({"a_column": column}))
    assert cells(html, "th") == ["a column"]
    assert cells(html, "td") == [first, second]


def test_no_p_value_is_shown_as_0():
    table = Artifacts(1).table("tests", pd.DataFrame({"p": [0.0004, 0.5, None, 1]}), "Tests.", 3)
    assert [*table["p"]] == ["< 0.001", "0.500", "–"]
    assert table.attrs["caption"] == "Table 1.1. Tests. … 1 more row in the CSV."


def test_words_are_aligned_left_and_numbers_right():
    columns = {"who": ["e1", None], "score": ["0.5 (0.4 to 0.6)", "–"], "wins": [3, 40]}
    sides = re.findall(r"<t[hd]\b([^>]*)>", table_html(pd.DataFrame(columns)))
    assert ["left" in side for side in sides] == 3 * [True, False, False]


def test_an_index_is_named_and_not_repeated_and_the_caption_is_above():
    index = pd.MultiIndex.from_tuples(
        [("a", 1, "x"), ("a", 1, "y"), ("a", 2, "x"), ("b", 2, "x")], names=["one", None, "three"]
    )
    frame = pd.DataFrame([[1], [2], [3], [4]], index, pd.Index(["n"], name="above_all"))
    html = table_html(Artifacts(1).table("rows", frame, "Rows & more"))
    assert cells(html, "caption") == ["Table 1.1. Rows &amp; more"]
    assert cells(html, "th") == [
        *("above all", "one", "", "three", "n"),
        *("a", "1", "x", "", "", "y", "", "2", "x", "b", "2", "x"),
    ]
    assert cells(html, "td")[-4:] == ["1", "2", "3", "4"]
    assert "<caption>" in format_table(html, remove_caption=False)
    page = format_table(html, remove_caption=True)
    assert "<caption>" not in page
    # A row header stands for the rows that repeat it, and one without a word is no header.
    headers = BeautifulSoup(page, "html.parser").select("tbody th")
    spans = [("a", "3"), ("1", "2"), ("x", None), ("y", None), ("2", None), ("x", None)]
    spans += [("b", None), ("2", None), ("x", None)]
    assert [(header.text, header.get("rowspan")) for header in headers] == spans
    assert "></th>" in html
    assert "></th>" not in page
    assert cells(page, "td")[-4:] == ["1", "2", "3", "4"]


def test_html_without_exactly_one_table_is_unchanged():
    for html in ("<p>no table</p>", "<table></table><table></table>"):
        assert format_table(html, remove_caption=True) == html


def test_an_estimate_is_shown_with_its_interval_and_the_file_has_three_columns(tmp_path):
    columns = {
        "n": [3, 4],
        "score": [0.5, None],
        "score low": [0.25, 0.1],
        "score high": [0.75, 0.2],
    }
    frame = pd.DataFrame(columns | {"gap_%": [-1.26789, 2]}, pd.Index(["a", "b"], name="who"))
    digits = {"score": ".0%", "gap_%": 1}
    table = Artifacts(1, str(tmp_path)).table("scores", frame, "Scores & gaps.", **digits)
    assert list(table) == ["n", "score", "gap_%"]
    assert table["score"].tolist() == ["50% (25% to 75%)", "–"]
    assert table["gap_%"].tolist() == ["−1.3", "2.0"]
    saved = pd.read_csv(tmp_path / "tables/scores.csv", index_col=0)
    pd.testing.assert_frame_equal(saved, frame, check_exact=True)
    latex, html = ((tmp_path / f"tables/scores.{end}").read_text() for end in ("tex", "html"))
    for line in (
        r"n & score & gap \% \\",
        r"a & 3 & 50\% (25\% to 75\%) & $-$1.3 \\",
        r"\caption{Scores \& gaps.}",
    ):
        assert line in latex
    assert "<caption>Table 1.1. Scores &amp; gaps.</caption>" in html
    assert format_frame(frame, {})["score"]["a"] == "0.500 (0.250 to 0.750)"


@cases(Path(__file__).parent / "prose.csv")
def test_an_identifier_is_replaced_by_its_label_unless_quoted(text, expected):
    assert replace_identifiers_in_prose(text) == expected


def test_labels_are_of_names_that_are_there():
    for name, label in LABELS.items():
        assert IDENTIFIER.fullmatch(name)
        assert not IDENTIFIER.search(label)
    assert {*LABELS} <= {*ALGORITHMS, *ORDERS, *EVALUATORS, *STAGED_TERMS}


def test_a_page_and_latex_write_labels_and_other_names_as_code():
    frame = pd.DataFrame({"player": ["store_difference", "some_function"], "store_first": [1, 2]})
    page = format_table(table_html(frame), remove_caption=False)
    assert ">store difference<" in page
    assert "<code>some_function</code>" in page
    defined = format_table(table_html(frame), remove_caption=False, keep_identifiers=True)
    assert "<code>store_difference</code>" in defined
    assert "<code>some_function</code>" in defined
    quoted = format_table(table_html(pd.DataFrame({"player": ["`staged` < alpha_beta"]})), False)
    assert "<code>staged</code> &lt; alpha-beta" in quoted
    rules = format_table(table_html(pd.DataFrame({"rules": ["end=mover, rest_to=leader"]})), False)
    assert "<code>end=mover</code>, <code>rest_to=leader</code>" in rules
    assert "store difference" in table_latex(frame, "name", "A caption.")


def test_a_figure_has_labels_in_its_legend_and_on_its_axes():
    figure, ax = plt.subplots()
    ax.plot([0, 1], label="alpha_beta")
    ax.set_xticks([0, 1], ["store_first", "pit"])
    ax.set_yticks([0, 1], [2, 4])
    ax.legend()
    make_readable(figure)
    figure.draw_without_rendering()
    assert ax.get_legend().get_texts()[0].get_text() == "alpha-beta"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["store first", "pit"]
    plt.close(figure)


FRAME = pd.DataFrame(
    {
        "ρ, τ": [0.5, -0.25],
        "1 × 2 ÷ 3 − 4 ≥ 5": ["“a”…", "b–c_d & 50 %"],
        "score": ["0.65 (0.61 to 0.69)", "none"],
    }
)


def wide(rows, columns):
    names = [f"a name of column {i}" for i in range(columns)]
    return pd.DataFrame([["a cell of it"] * columns] * rows, columns=names)


@pytest.mark.parametrize(
    ("frame", "needs"),
    [
        (FRAME, "booktabs"),
        (pd.concat([FRAME] * LONG, ignore_index=True), "booktabs, longtable"),
        (wide(2, 5), "booktabs, adjustbox"),
        (wide(2, 20), "booktabs, adjustbox"),
        (wide(LONG + 1, 5), "booktabs, longtable"),
        (wide(LONG + 1, 12), "booktabs, longtable, pdflscape"),
    ],
)
def test_latex_tables_fit_their_page_and_compile_or_could(frame, needs, tmp_path):
    text = table_latex(frame, "scores", "Ranks: ρ & τ")
    assert text.startswith(f"% needs: \\usepackage{{{needs}}}\n")
    for environment, used in (("longtable", len(frame) > LONG), ("tabular", len(frame) <= LONG)):
        for end in ("begin", "end"):
            assert text.count(rf"\{end}{{{environment}}}") == used
    assert all(char.isascii() or char.isalpha() for char in text)
    body = text[text.index(r"\midrule") :]
    assert len(re.findall(r"(?<!\\)&", body)) >= (len(frame.columns) - 1) * len(frame)
    assert not re.search(r"(?<!\\)[%#_]", body)
    assert text.count("$") % 2 == 0
    assert text.count("{") == text.count("}")
    assert r"\caption{Ranks: $\rho$ \& $\tau$}" in text
    assert r"\label{tab:scores}" in text
    if shutil.which("pdflatex"):
        page = f"\\documentclass{{article}}\\usepackage{{{needs}}}\\begin{{document}}\n{text}"
        (tmp_path / "t.tex").write_text(page + "\\end{document}\n")
        command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        assert "Overfull" not in done.stdout


def test_no_character_is_left_that_pdflatex_refuses():
    assert to_latex_text("é ρ × ÷ − ≥ … “a” ⌈d/2⌉ 1_000 50 %") == (
        r"é $\rho$ $\times$ $\div$ $-$ $\geq$ \ldots{} ``a'' $\lceil$d/2$\rceil$ 1\_000 50 \%"
    )
    assert to_latex_text("棋") == "[U+68CB]"
