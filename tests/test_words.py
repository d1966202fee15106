"""The words that go with numbers."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from kalahlab.matches.rating import Interval
from kalahlab.words import Words, tables

STUDIES = Path(__file__).resolve().parents[1] / "kalahlab" / "studies"


def test_a_template_writes_numbers_and_lists_as_people_do(monkeypatch) -> None:
    text = "{a!n}, {b!n}; {c:.1f}; {d:.0%}; {e[nodes]:,}; {f!s}; {g!a}; {h:+d}, {i:.0%}; {j}"
    monkeypatch.setitem(tables("studies"), "page", {"said": text})
    facts = {"a": -2.0, "b": [float("-inf"), 1.50], "c": [1.25, 2], "d": Interval(0.5, 0.25, 0.75)}
    facts |= {"h": -7, "i": Interval(-0.25, -0.5, 0.125), "j": "alpha-beta"}
    said = Words("studies", "page")("said", **facts, e={"nodes": 1000}, f=[1, 2], g=["x", "y"])
    assert said == (
        "−2, −∞, 1.5; 1.2, 2.0; 50% (25% to 75%); 1,000; [1, 2]; x and y; "
        "−7, −25% (−50% to 12%); alpha-beta"
    )
    with pytest.raises(KeyError, match="'g'"):
        Words("studies", "page")("said", **facts, e={"nodes": 1000}, f=[1, 2])


def module_source(table: str) -> str:
    """The source of the study of that name: of all its modules, if it is a folder."""
    paths = sorted((STUDIES / table).glob("*.py")) or [STUDIES / f"{table}.py"]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def texts_of(node: ast.AST) -> set[str]:
    """All string constants below a node, parts of f-strings, too."""
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {text for text in found if isinstance(text, str)}


def used(key: str, texts: set[str]) -> bool:
    """Whether a template is asked for by its name, or by a name that is put together."""
    return key in texts or any(text.endswith("-") and key.startswith(text) for text in texts)


def asked_by(call: ast.Call, function: ast.FunctionDef) -> set[str]:
    """The names of templates that a call may ask for, by what its first argument may be."""
    name = call.args[0]
    values = [name]
    if isinstance(name, ast.Name):
        assigned = (each for each in ast.walk(function) if isinstance(each, ast.Assign))
        values = [each.value for each in assigned if name.id in ast.unparse(each.targets[0])]
    return {text for value in values for text in texts_of(value)}


SAYING = [name for name in tables("studies") if "follows" in tables("studies")[name]]
SAYING += ["s00_definitions"]


def test_every_table_is_of_a_study_or_of_names() -> None:
    named = ["terms", "formulas", "rules", "evaluators", "features"]
    assert {*tables("studies")} - {*SAYING} == {*named}


@pytest.mark.parametrize("table", SAYING)
def test_each_template_is_asked_for_and_each_field_is_given(table: str) -> None:
    templates, tree = tables("studies")[table], ast.parse(module_source(table))
    assert [key for key in templates if not used(key, texts_of(tree))] == []
    for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
        say = [each for each in ast.walk(function) if ast.unparse(each).startswith("say(")]
        calls = [each for each in say if isinstance(each, ast.Call)]
        asked = {text for call in calls for text in asked_by(call, function)}
        given = {word.arg for call in calls for word in call.keywords} | texts_of(function)
        for key in (key for key in templates if used(key, asked)):
            fields = (name for _, name, _, _ in Formatter().parse(templates[key]) if name)
            missing = {re.split(r"[.\[]", name)[0] for name in fields} - given
            assert not missing, f"{function.name}: {key}"
