"""The chart of scores that several pages draw."""

from collections.abc import Mapping, Sequence
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kalahlab.draw.style import PALETTE

SPREAD = 0.15  # how far the first and the last series lie above and below their row
WIDTH = 5.2  # inches, as wide as a telephone can show without scrolling
LETTERS_A_LINE = 44  # of a title


def draw_scores(
    names: Sequence[str], series: Mapping[str, tuple[pd.DataFrame, str]], title: str
) -> Axes:
    """Draw scores with their intervals beside the line of equal players, and return the axes.

    Args:
        names: The names of the rows, from the top.
        series: By the words that name a series beside its first row: a table of `estimates` of
            `points` with the rows of the chart, and a colour of `PALETTE`.
        title: What the chart shows.
    """
    figure, ax = plt.subplots(figsize=(WIDTH, 1.4 + 0.5 * len(names)), layout="constrained")
    shifts = np.linspace(-SPREAD, SPREAD, len(series))
    for shift, (words, (table, color)) in zip(shifts, series.items(), strict=True):
        places = np.arange(len(names)) + shift
        ax.hlines(places, table["points low"], table["points high"], color=PALETTE[color])
        ax.plot(table["points"], places, "o", color=PALETTE[color], markersize=7)
        ax.text(
            table["points high"].iloc[0] + 0.02,
            places[0],
            words,
            color=PALETTE[color],
            va="center",
            weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    ax.axvline(0.5, color="black", linewidth=1)
    ax.set(xlim=(0, 1), xticks=[0, 0.25, 0.5, 0.75, 1], ylim=(len(names) - 0.5, -0.5))
    ax.set(yticks=range(len(names)), yticklabels=names)
    figure.suptitle(fill(title, LETTERS_A_LINE), x=0, ha="left", size=13, weight="bold")
    return ax
