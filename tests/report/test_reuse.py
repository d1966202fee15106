"""What others take: tables as files, their description, how to cite, the interface's pages."""

import ast
import importlib
import inspect
import json
import pkgutil
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
import yaml

import kalahlab
from kalahlab import __version__
from kalahlab.draw.latex import LONG, plain, table_latex
from kalahlab.report import datapackage

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads(
    (Path(__file__).parents[1] / "oracles" / "tabular-data-package.json").read_text()
)

FRAME = pd.DataFrame(
    {
        "ρ, τ": [0.5, -0.25],
        "1 × 2 ÷ 3 − 4 ≥ 5": ["“a”…", "b–c_d & 50 %"],
        "score": ["0.65 (0.61 to 0.69)", "none"],
    }
)


@pytest.mark.parametrize("rows", [2, LONG + 1])
def test_latex_tables_compile_or_could(rows, tmp_path):
    frame = pd.concat([FRAME] * rows, ignore_index=True)[:rows]
    text = table_latex(frame, "scores", "Ranks: ρ & τ")
    long = rows > LONG
    needs = "booktabs, longtable" if long else "booktabs"
    assert text.startswith(f"% needs: \\usepackage{{{needs}}}\n")
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == long
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1 - long
    assert all(char.isascii() or char.isalpha() for char in text)
    body = text[text.index(r"\midrule") :]
    assert len(re.findall(r"(?<!\\)&", body)) >= 2 * rows
    assert not re.search(r"(?<!\\)[%#_]", body)
    assert text.count("$") % 2 == 0
    assert text.count("{") == text.count("}")
    assert r"\caption{Ranks: $\rho$ \& $\tau$}" in text
    assert r"\label{tab:scores}" in text
    if shutil.which("pdflatex"):
        compile_with_pdflatex(text, needs, tmp_path)


def compile_with_pdflatex(text, packages, folder):
    (folder / "t.tex").write_text(
        f"\\documentclass{{article}}\\usepackage{{{packages}}}\\begin{{document}}\n{text}"
        "\\end{document}\n"
    )
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


@pytest.mark.parametrize(
    ("rows", "columns", "needs"),
    [
        (2, 5, "booktabs, adjustbox"),
        (2, 20, "booktabs, adjustbox"),
        (LONG + 1, 5, "booktabs, longtable"),
        (LONG + 1, 12, "booktabs, longtable, pdflscape"),
    ],
)
def test_a_wide_latex_table_fits_its_page(rows, columns, needs, tmp_path):
    names = [f"a name of column {i}" for i in range(columns)]
    text = table_latex(pd.DataFrame([["a cell of it"] * columns] * rows, columns=names), "w", "W")
    assert text.startswith(f"% needs: \\usepackage{{{needs}}}\n")
    if shutil.which("pdflatex"):
        compile_with_pdflatex(text, needs, tmp_path)


def test_no_character_is_left_that_pdflatex_refuses():
    assert plain("é ρ × ÷ − ≥ … “a” ⌈d/2⌉ 1_000 50 %") == (
        r"é $\rho$ $\times$ $\div$ $-$ $\geq$ \ldots{} ``a'' $\lceil$d/2$\rceil$ 1\_000 50 \%"
    )
    assert plain("棋") == "[U+68CB]"


def test_data_is_described_as_it_is():
    there = (ROOT / "data" / datapackage.FILE).read_text(encoding="utf-8")
    message = "run: python -m kalahlab.report.datapackage data"
    assert there == datapackage.of_data(ROOT / "data"), message
    jsonschema.validate(json.loads(there), SCHEMA)
    names = [each["path"] for each in json.loads(there)["resources"]]
    assert names == sorted(p.name for p in (ROOT / "data").iterdir() if ".csv" in p.name)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "", "-2"], "integer"),
        (["1", "0.5", "1e-9"], "number"),
        (["True", "False"], "boolean"),
        (["01", "02"], "string"),
        (["1 2"], "string"),
        (["", ""], "string"),
    ],
)
def test_a_column_has_the_type_of_its_values(values, kind):
    assert datapackage.field(values)["type"] == kind


def test_how_to_cite_is_said_in_the_standard_form():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["cff-version"] == "1.2.0"
    assert str(cited["version"]) == __version__
    assert cited["license"] == "MIT"
    assert all(author.get("name") or author.get("family-names") for author in cited["authors"])


def public_modules():
    names = [each.name for each in pkgutil.walk_packages(kalahlab.__path__, "kalahlab.")]
    return [name for name in names if not any(part[0] == "_" for part in name.split("."))]


@pytest.mark.parametrize("name", public_modules())
def test_every_public_name_says_what_it_is(name):
    module = importlib.import_module(name)
    assert module.__doc__, name
    tree = ast.parse(inspect.getsource(module))
    assert [*undocumented(tree)] == []


def undocumented(tree):
    """The public functions, classes and methods that say nothing."""
    for each in tree.body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name[0] != "_":
            if not ast.get_docstring(each):
                yield each.name
            if isinstance(each, ast.ClassDef):
                yield from (f"{each.name}.{name}" for name in undocumented(each))
