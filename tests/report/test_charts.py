"""The chart of scores: what is drawn where."""

import pandas as pd
import pytest

from kalahlab.report.charts import draw_key, draw_scores

ONE, OTHER = (
    pd.DataFrame({"points": points, "points low": low, "points high": high})
    for points, low, high in (
        ([0.25, 0.75], [0.125, 0.5], [0.375, 1.0]),
        ([0.5, 0.625], [0.25, 0.5], [0.75, 0.875]),
    )
)


@pytest.fixture
def ax():
    return draw_scores(["e1", "e3"], {"one": (ONE, "blue"), "other": (OTHER, "orange")}, "A title")


def test_each_score_is_a_dot_on_the_line_of_its_interval(ax):
    for dots, bars, table in zip(ax.lines[:2], ax.collections, (ONE, OTHER), strict=True):
        assert list(dots.get_xdata()) == list(table["points"])
        for bar, place, row in zip(
            bars.get_segments(), dots.get_ydata(), table.itertuples(index=False), strict=True
        ):
            assert bar.tolist() == [[row[1], place], [row[2], place]]


def test_each_score_is_printed_at_the_end_of_its_row_beside_the_chart(ax):
    printed = {(text.get_text(), text.get_position()[1]) for text in ax.texts}
    for dots, table in zip(ax.lines[:2], (ONE, OTHER), strict=True):
        for score, place in zip(table["points"], dots.get_ydata(), strict=True):
            assert (f"{score:.2f}", place) in printed
    assert all(text.get_position()[0] > 1 for text in ax.texts)


def test_the_first_row_is_on_top(ax):
    assert [label.get_text() for label in ax.get_yticklabels()] == ["e1", "e3"]
    assert ax.yaxis_inverted()


def test_the_key_names_the_dots_by_their_colour_and_hides_none(ax):
    ax.figure.canvas.draw()
    key = ax.get_legend()
    for words, dots, text in zip(("one", "other"), ax.lines, key.get_texts(), strict=False):
        assert text.get_text() == words
        assert text.get_color() == dots.get_color()
    assert key.get_window_extent().y0 >= ax.bbox.y1


def test_dots_of_a_page_are_added_to_the_key(ax):
    ax.plot([0.25], [0], "D", label="mine")
    draw_key(ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "other", "mine"]


def test_the_line_of_equal_players_is_at_one_half(ax):
    assert list(ax.lines[2].get_xdata()) == [0.5, 0.5]
    assert ax.figure.get_suptitle() == "A title"
