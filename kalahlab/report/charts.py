"""The chart of scores that several pages draw."""

from collections.abc import Mapping, Sequence
from math import ceil
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kalahlab.draw.style import PALETTE

SPREAD = 0.18  # how far the first and the last series lie above and below their row
WIDTH = 5.2  # inches, as wide as a telephone can show without scrolling
LETTERS_A_LINE = 44  # of a title
COLUMNS = 2  # of the key


def draw_scores(
    names: Sequence[str], series: Mapping[str, tuple[pd.DataFrame, str]], title: str
) -> Axes:
    """Draw scores with their intervals beside the line of equal players, and return the axes.

    The scores are also printed at the ends of the rows.

    Args:
        names: The names of the rows, from the top.
        series: By the words that name a series in the key: a table of `estimates` of
            `points` with the rows of the chart, and a colour of `PALETTE`.
        title: What the chart shows.
    """
    figure, ax = plt.subplots(figsize=(WIDTH, WIDTH), layout="constrained")
    shifts = np.linspace(-SPREAD, SPREAD, len(series))
    for shift, (words, (table, color)) in zip(shifts, series.items(), strict=True):
        places = np.arange(len(names)) + shift
        ax.hlines(places, table["points low"], table["points high"], color=PALETTE[color])
        ax.plot(table["points"], places, "o", color=PALETTE[color], markersize=7, label=words)
        for place, score in zip(places, table["points"], strict=True):
            ax.text(1.03, place, f"{score:.2f}", size=9, color=PALETTE[color], va="center")
    ax.axvline(0.5, color="black", linewidth=1)
    ax.set(xlim=(0, 1), xticks=[0, 0.25, 0.5, 0.75, 1], ylim=(len(names) - 0.5, -0.5))
    ax.set(yticks=range(len(names)), yticklabels=names)
    figure.suptitle(fill(title, LETTERS_A_LINE), x=0, ha="left", size=13, weight="bold")
    draw_key(ax)
    return ax


def draw_key(ax: Axes) -> None:
    """Draw the key of all dots above a chart of scores, and make the chart as high as both need."""
    rows, dots = len(ax.get_yticks()), len(ax.get_legend_handles_labels()[1])
    figure = ax.get_figure(root=True)
    assert figure
    figure.set_figheight(1.5 + 0.4 * rows + 0.22 * ceil(dots / COLUMNS))
    ax.legend(
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=COLUMNS,
        frameon=False,
        labelcolor="linecolor",
    )
