"""The words that go with numbers."""

import pytest

from kalahlab.matches.rating import Interval
from kalahlab.words import Words, tables


def test_a_template_writes_numbers_and_lists_as_people_do(monkeypatch) -> None:
    text = "{a!n}, {b!n}; {c:.1f}; {d:.0%}; {e[nodes]:,}; {f!s}; {g!a}"
    monkeypatch.setitem(tables("studies"), "page", {"said": text})
    facts = {"a": -2.0, "b": [float("-inf"), 1.50], "c": [1.25, 2], "d": Interval(0.5, 0.25, 0.75)}
    said = Words("studies", "page")("said", **facts, e={"nodes": 1000}, f=[1, 2], g=["x", "y"])
    assert said == "−2, −∞, 1.5; 1.2, 2.0; 50% (25% to 75%); 1,000; [1, 2]; x and y"
    with pytest.raises(KeyError, match="'g'"):
        Words("studies", "page")("said", **facts, e={"nodes": 1000}, f=[1, 2])
