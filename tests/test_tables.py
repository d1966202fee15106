"""How tables look on a page."""

import re

import pandas as pd

from kalahlab.report.draw.artifacts import Artifacts
from kalahlab.report.draw.tables import table_html


def cells(html: str, tag: str) -> list[str]:
    return re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", html)


def test_numbers_of_a_table_have_the_digits_that_say_something():
    frame = pd.DataFrame(
        {
            "big": [1234567, -5],
            "share": [0.12345, 1.0],
            "cost": [104.84, 0.5],
            "whole": [3.0, float("nan")],
            "yes_or_no": [True, False],
            "maybe": pd.array([7, None], dtype="Int64"),
            "text": ["a<b", None],
            "any": pd.Series([-1000, 2], dtype=object),
        }
    )
    html = table_html(frame)
    assert cells(html, "th") == [
        "big",
        "share",
        "cost",
        "whole",
        "yes or no",
        "maybe",
        "text",
        "any",
    ]
    assert cells(html, "td") == [
        *("1,234,567", "0.123", "104.8", "3", "yes", "7", "a&lt;b", "−1,000"),
        *("−5", "1.000", "0.5", "–", "no", "–", "–", "2"),
    ]


def test_words_stand_at_the_left_and_numbers_at_the_right():
    columns = {"who": ["e1", None], "score": ["0.5 (0.4 to 0.6)", "–"], "wins": [3, 40]}
    sides = re.findall(r"<t[hd]\b([^>]*)>", table_html(pd.DataFrame(columns)))
    assert ["left" in side for side in sides] == 3 * [True, False, False]


def test_an_index_is_named_and_not_repeated_and_the_caption_is_above():
    index = pd.MultiIndex.from_tuples(
        [("a", 1, "x"), ("a", 1, "y"), ("a", 2, "x"), ("b", 2, "x")], names=["one", None, "three"]
    )
    frame = pd.DataFrame([[1], [2], [3], [4]], index, pd.Index(["n"], name="above_all"))
    Artifacts().table("rows", frame, "Rows & more")
    html = table_html(frame)
    assert cells(html, "caption") == ["Rows &amp; more"]
    assert cells(html, "th") == [
        *("above all", "one", "", "three", "n"),
        *("a", "1", "x", "", "", "y", "", "2", "x", "b", "2", "x"),
    ]
    assert cells(html, "td")[-4:] == ["1", "2", "3", "4"]
