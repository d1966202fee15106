"""What Python offers at its prompt: the names of the package, help, and the API pages."""

import re
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

import kalahlab
from kalahlab.search import ALGORITHMS

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", kalahlab.PLACES)
def test_the_package_offers_what_most_users_need(name):
    assert getattr(kalahlab, name).__name__ == name
    assert name in dir(kalahlab)
    assert re.search(rf"\b{name}\b", kalahlab.__doc__)


def test_a_prompt_offers_nothing_else():
    assert {name for name in dir(kalahlab) if not name.startswith("__")} == {*kalahlab.PLACES}


def test_a_name_that_is_none_is_an_attribute_error():
    with pytest.raises(AttributeError, match="alphabeta"):
        kalahlab.alphabeta  # noqa: B018


@pytest.mark.parametrize("name", ALGORITHMS)
def test_help_shows_how_a_search_is_called(name):
    parameters = list(signature(ALGORITHMS[name]).parameters)
    assert parameters == ["game", "state", "evaluator", "deep_enough", "order", "observer"]
    assert all(parameter in ALGORITHMS[name].__doc__ for parameter in parameters)


def test_the_pages_of_the_interface_have_no_error(tmp_path):
    rooms = ["kalahlab.search", "kalahlab.widgets", "kalahlab.estimates"]
    command = [sys.executable, "docs/api.py", str(tmp_path), *rooms]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Warn" not in ran.stderr
    for page, name in (("search/alpha_beta", "deep_enough"), ("widgets/explorer", 'id="explore"')):
        assert name in (tmp_path / "kalahlab" / f"{page}.html").read_text(encoding="utf-8")
