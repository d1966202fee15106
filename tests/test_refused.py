"""What is refused in Python: a call, in the names of its module, and what is said of it."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from conftest import cases

from kalahlab.games import kalah


@cases(Path(__file__).with_name("refused_calls.csv"))
def test_what_is_refused_is_named_in_one_line(monkeypatch, module, call, says):
    """The beginning of it; three dots stand for anything."""
    monkeypatch.setattr("kalahlab.names.IMPORTED", {})
    said = re.escape(says).replace(re.escape("..."), ".*")
    with pytest.raises((ValueError, TypeError), match=f"^{said}.*$"):
        eval(call, {"kalah": kalah} | vars(import_module(f"kalahlab.{module}")))
