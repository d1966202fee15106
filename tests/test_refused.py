"""Calls in Python that are refused, in the names of their module, and the messages."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from conftest import cases

from kalahlab.games import kalah


@cases(Path(__file__).with_name("refused_calls.csv"))
def test_a_refused_call_has_a_message_of_one_line(monkeypatch, module, call, message):
    """Compare with the beginning of the message, in which three dots stand for anything."""
    monkeypatch.setattr("kalahlab.names.IMPORTED", {})
    pattern = re.escape(message).replace(re.escape("..."), ".*")
    with pytest.raises((ValueError, TypeError), match=f"^{pattern}.*$"):
        eval(call, {"kalah": kalah} | vars(import_module(f"kalahlab.{module}")))
