"""Numbers on colours: each written in black or white, whichever stands out more."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kalahlab.report.draw.axes import panels

MIDDLE = 0.179
"""The luminance on which black and white stand out alike, both 4.6 to 1."""


def heat_map(ax: Axes, values: pd.DataFrame, annot: Any = True, **look: Any) -> None:
    """Draw a table as a heat map. annot, look: what `seaborn.heatmap` takes."""
    import seaborn as sns

    sns.heatmap(values, annot=annot, linewidths=1, ax=ax, **look)
    _make_legible(ax)
    ax.tick_params(axis="y", rotation=0)


def _make_legible(ax: Axes) -> None:
    from seaborn.utils import relative_luminance

    cells = ax.collections[0]
    cells.update_scalarmappable()
    empty = np.ma.getmaskarray(np.ma.asarray(cells.get_array())).flat
    shown = (colour for colour, none in zip(cells.get_facecolor(), empty, strict=True) if not none)
    for text, colour in zip(ax.texts, shown, strict=True):
        text.set_color("white" if relative_luminance(colour) < MIDDLE else "black")


def margin_maps(
    frame: pd.DataFrame, index: str, columns: str, values: str, *, down: str, across: str
) -> Figure:
    """Margins, orange for the first player, a panel a rule set; an empty cell has none."""
    rules = list(frame["rules"].unique())
    figure, axes = panels(1, len(rules), (8, 3.3), sharey=True)
    widest = max(1, int(frame[values].abs().max()))
    look = {"fmt": "+.0f", "cmap": "PuOr_r", "center": 0, "vmin": -widest, "vmax": widest}
    for ax, rule in zip(axes[0], rules, strict=True):
        table = frame[frame["rules"] == rule].pivot(index=index, columns=columns, values=values)
        heat_map(ax, table, cbar=False, **look)
        ax.set(title=rule, xlabel=across, ylabel=down if ax is axes[0][0] else "")
        ax.grid(visible=False)  # an empty cell stays empty
    figure.supxlabel("in the cells: the first player's margin, in stones", fontsize="medium")
    return figure
