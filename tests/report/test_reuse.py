"""What others take: tables as files, their description, how to cite."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
import yaml
from describe_data import of_data

from kalahlab import __version__
from kalahlab.draw.tables import LONG, plain, table_latex
from kalahlab.report import datapackage
from kalahlab.report.rendering import TITLE

ROOT = Path(__file__).resolve().parents[2]
FRAME = pd.DataFrame(
    {
        "ρ, τ": [0.5, -0.25],
        "1 × 2 ÷ 3 − 4 ≥ 5": ["“a”…", "b–c_d & 50 %"],
        "score": ["0.65 (0.61 to 0.69)", "none"],
    }
)
LONGER = pd.concat([FRAME] * LONG, ignore_index=True)


def wide(rows, columns):
    names = [f"a name of column {i}" for i in range(columns)]
    return pd.DataFrame([["a cell of it"] * columns] * rows, columns=names)


@pytest.mark.parametrize(
    ("frame", "needs"),
    [
        (FRAME, "booktabs"),
        (LONGER, "booktabs, longtable"),
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
    assert plain("é ρ × ÷ − ≥ … “a” ⌈d/2⌉ 1_000 50 %") == (
        r"é $\rho$ $\times$ $\div$ $-$ $\geq$ \ldots{} ``a'' $\lceil$d/2$\rceil$ 1\_000 50 \%"
    )
    assert plain("棋") == "[U+68CB]"


def test_data_is_described_as_it_is():
    there = (ROOT / "data" / datapackage.FILE).read_text(encoding="utf-8")
    message = "run: python data/make/describe_data.py data"
    assert there == of_data(ROOT / "data"), message
    schema = (ROOT / "tests" / "oracles" / "tabular-data-package.json").read_text()
    jsonschema.validate(json.loads(there), json.loads(schema))
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
    assert (cited["cff-version"], cited["license"]) == ("1.2.0", "MIT")
    assert str(cited["version"]) == __version__
    assert cited["title"].startswith(TITLE)
    assert all(author.get("name") or author.get("family-names") for author in cited["authors"])
