"""What several charts have in common: panels, axes with plain numbers, legends, looks of lines."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogFormatter, MaxNLocator

from kalahlab.report.draw.style import PALETTE, alt

LOOKS = list(zip("osD^vXP*", PALETTE.values(), strict=True))
"""A marker and a colour for each line, told apart without the colour too."""


def panels(rows: int, columns: int, size: tuple[float, float], **shared: Any) -> tuple[Figure, Any]:
    """A figure of so many inches, and its axes as an array of rows and columns.

    shared: `sharex` and `sharey`, as `matplotlib.pyplot.subplots` takes them.
    """
    return plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained", **shared)


def plain_numbers(axis: Axis) -> None:
    """Decades, written as people write numbers: 1,000 and 0.01; within one decade, some more."""
    axis.set_major_formatter(FuncFormatter(_plain))
    axis.set_minor_formatter(_BetweenDecades())


def _plain(value: float, _: object = None) -> str:
    return f"{value:,.10g}"


class _BetweenDecades(LogFormatter):
    """Numbers between decades, where an axis shows less than one."""

    def __call__(self, value: float, pos: int | None = None) -> str:
        return _plain(value) if super().__call__(value, pos) else ""


def whole_numbers(axis: Axis) -> None:
    """Ticks at whole numbers only."""
    axis.set_major_locator(MaxNLocator(integer=True))


def legend_above(figure: Figure, ax: Axes) -> None:
    """One legend for all panels, in a line above them at the right: that of one panel."""
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=len(labels))


def draw_growth(frame: pd.DataFrame, column: str, by: str, label: str, text: str) -> Figure:
    """A cost against depth on a log scale, one line for each value of `by`.

    Dashes let a line be seen that lies below another. label: of the cost; text: the alt text.
    """
    import seaborn as sns  # takes a second, which most notebooks do without

    figure, ax = plt.subplots(layout="constrained")
    sns.lineplot(frame, x="depth", y=column, hue=by, style=by, markers=True, markersize=8, ax=ax)
    ax.set(yscale="log", xlabel="depth in sows", ylabel=label)
    whole_numbers(ax.xaxis)
    plain_numbers(ax.yaxis)
    ax.legend(title=None, handlelength=4)
    return alt(figure, text)
