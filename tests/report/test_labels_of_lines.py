"""Labels at the ends of lines: no two overlap, and each is in its line's colour."""

from itertools import pairwise

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from kalahlab.report.style import label_lines


def make_axes():
    figure = Figure(figsize=(6, 4))
    FigureCanvasAgg(figure)  # measures texts
    return figure.subplots()


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_labels_of_lines_that_end_close_together_do_not_overlap(scale):
    axes = make_axes()
    for number, height in enumerate([5, 5.01, 5.02, 80, 79.9, 1]):
        axes.plot([1, 2], [1, height], color=f"C{number}", label=f"line {number}")
    axes.plot([1, 2], [5, 5])  # without a label
    axes.set_yscale(scale)
    label_lines(axes)
    boxes = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert sorted(boxes) == [f"line {number}" for number in range(6)]
    in_order = sorted(boxes.values(), key=lambda box: box.y0)
    for lower, upper in pairwise(in_order):
        assert lower.y1 <= upper.y0
    for number, text in enumerate(sorted(axes.texts, key=lambda text: text.get_text())):
        assert text.get_color() == f"C{number}"


def test_a_label_alone_is_at_the_height_of_its_end_and_bold_if_its_line_is_thick():
    axes = make_axes()
    axes.plot([1, 2], [1, 3], lw=mpl.rcParams["lines.linewidth"] + 1, label="thick")
    label_lines(axes)
    (text,) = axes.texts
    end = axes.transData.transform((2, 3))[1]
    box = text.get_window_extent()
    assert abs((box.y0 + box.y1) / 2 - end) < 4
    assert text.get_weight() == "bold"


def test_a_label_far_to_the_left_of_another_stays_where_its_line_ends():
    axes = make_axes()
    axes.plot([1, 2], [1, 3], label="short")
    axes.plot([1, 100], [1, 3], label="long")
    label_lines(axes)
    short, long = (text.get_window_extent() for text in axes.texts)
    assert short.y0 == pytest.approx(long.y0, abs=3)
