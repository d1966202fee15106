"""How tables look on a page."""

import re

import pandas as pd

from kalahlab.draw.artifacts import Artifacts
from kalahlab.draw.tables import for_reading, table_html


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
    html = table_html(Artifacts(1).table("rows", frame, "Rows & more"))
    assert cells(html, "caption") == ["Table 1.1. Rows &amp; more"]
    assert cells(html, "th") == [
        *("above all", "one", "", "three", "n"),
        *("a", "1", "x", "", "", "y", "", "2", "x", "b", "2", "x"),
    ]
    assert cells(html, "td")[-4:] == ["1", "2", "3", "4"]


def test_an_estimate_stands_beside_its_interval_and_the_file_has_all_three(tmp_path):
    columns = {
        "n": [3, 4],
        "score": [0.5, None],
        "score low": [0.25, 0.1],
        "score high": [0.75, 0.2],
    }
    frame = pd.DataFrame(columns | {"gap": [-1.26, 2.0]}, index=pd.Index(["a", "b"], name="who"))
    shown = Artifacts(1, str(tmp_path)).table("scores", frame, "Scores.", score=".0%", gap=1)
    assert list(shown) == ["n", "score", "gap"]
    assert shown["score"].tolist() == ["50% (25% to 75%)", "–"]
    assert shown["gap"].tolist() == ["−1.3", "2.0"]
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "tables/scores.csv", index_col=0), frame)
    assert for_reading(frame, {})["score"]["a"] == "0.500 (0.250 to 0.750)"
