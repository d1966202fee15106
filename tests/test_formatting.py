"""Values as text: all JSON of this package can be read by every reader."""

import ast
import json
from dataclasses import dataclass
from math import inf, isfinite, nan
from pathlib import Path

from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from notebook_files import write

import kalahlab
from kalahlab.cli.options import Answer, json_command
from kalahlab.formatting import to_json
from kalahlab.parallel import run_all
from kalahlab.report import manifest
from kalahlab.report.build import build
from kalahlab.widgets.page import page

LEAVES = st.floats() | st.integers() | st.booleans() | st.none() | st.text()
VALUES = st.recursive(
    LEAVES, lambda part: st.lists(part) | st.tuples(part) | st.dictionaries(st.text(), part)
)
BAD = {"none": nan, "high": inf, "low": -inf}


def strict(text):
    """Return the value of JSON as all other languages read it."""

    def refuse(name):
        raise ValueError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def as_read(value):
    """Return a value as JSON stores it: infinite numbers as texts, tuples as lists."""
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, dict):
        return {key: as_read(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [*map(as_read, value)]
    return value


@given(VALUES)
def test_json_has_no_nan_and_keeps_all_else(value):
    assert strict(to_json(value)) == as_read(value)
    if "NaN" not in json.dumps(value) and "Infinity" not in json.dumps(value):
        assert to_json(value) == json.dumps(value)


def test_numbers_that_are_not_finite_may_be_keys():
    assert strict(to_json({nan: 1, inf: 2, 0.5: 3})) == {"nan": 1, "inf": 2, "0.5": 3}


def test_there_is_one_writer_of_json():
    root = Path(kalahlab.__file__).parent
    names = {"json.dump", "json.dumps", "json.JSONEncoder"}
    writers = set()
    for file in [*root.rglob("*.py"), *root.parent.glob("data/make/*.py")]:
        text = file.read_text(encoding="utf-8")
        if "json" not in text:  # saves the time to parse it
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in names:
                writers.add(file.relative_to(root).as_posix())
    assert writers == {"formatting.py"}


WIDGETS = """
from IPython.display import JSON, display
from ipywidgets import FloatText
display(JSON({"a": float("nan")}), FloatText(float("inf")))
"""


def test_all_json_of_a_report_is_json(tmp_path):
    write(tmp_path, "01_far", WIDGETS, parameters="far = 1e999\nlist = [1.5]\nout = None")
    out = tmp_path / "out"
    parameters = ["01.list=[1e999, NaN]", "01.far=-Infinity"]
    first = build(out=out, notebooks=tmp_path, parameters=parameters, progress=lambda line: None)
    assert not first.failures
    stored = strict((out / manifest.FILE).read_text(encoding="utf-8"))
    assert stored["notebooks"][0]["parameters"] == {"far": "-inf", "list": ["inf", "nan"]}
    assert [record.notebook for record in manifest.load_manifest(out)] == ["01_far"]
    again = build(out=out, notebooks=tmp_path, parameters=parameters, progress=lambda line: None)
    assert again.ran == ()
    for file in ("01_far.ipynb", "datapackage.json"):
        assert strict((out / file).read_text(encoding="utf-8"))
    assert "far = &#34;-inf&#34;" in (out / "01_far.html").read_text(encoding="utf-8")


def test_a_command_and_a_page_write_json(capsys):
    json_command(name="try")(lambda: Answer(BAD)).main(["--json"], standalone_mode=False)
    assert strict(capsys.readouterr().out) == as_read(BAD)
    html = page("A page", [("export default {}", "", BAD | {"recipe": None})])
    [parts] = BeautifulSoup(html, "html.parser").select("script[type='application/json']")[:1]
    state = strict(parts.text)["widgets"][0]["state"]
    assert state == as_read(BAD) | {"recipe": None}


@dataclass(frozen=True)
class Point:
    name: str


def work(point):
    return {"name": point.name, **BAD}


def test_rows_of_a_grid_are_kept_as_json_and_read_as_numbers(tmp_path):
    for _ in range(2):  # the second time from the files
        [row] = run_all(work, [Point("a")], folder=tmp_path)
        assert (row["high"], row["low"], row["name"]) == (inf, -inf, "a")
        assert row["none"] != row["none"]
    [file] = (tmp_path / "points").glob("*.json")
    assert strict(file.read_text(encoding="utf-8"))["row"]["high"] == "inf"
