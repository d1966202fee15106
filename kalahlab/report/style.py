"""The style of the figures and tables in a notebook."""

from typing import Any

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pandas as pd
from IPython.core.getipython import get_ipython
from matplotlib.axes import Axes
from matplotlib.rcsetup import cycler

from kalahlab.draw.style import PALETTE, STABLE_SETTINGS, STYLE_FILE
from kalahlab.report.tables import table_html


def use_style() -> None:
    """Set the style of figures, and let cells show tables by `_table_output`."""
    mpl.style.use(
        [STYLE_FILE, STABLE_SETTINGS | {"axes.prop_cycle": cycler(color=[*PALETTE.values()])}]
    )
    pd.set_option("display.max_rows", None)  # show all rows of a table
    shell = get_ipython()  # None outside a notebook
    if shell is not None and (formatter := shell.display_formatter):
        formatter.formatters["text/html"].for_type(pd.DataFrame, _table_output)


def _table_output(frame: pd.DataFrame) -> tuple[str, dict[str, str]]:
    """Return a table as HTML, and the metadata of the output: the name that `Artifacts` gave it."""
    metadata = {}
    if "name" in frame.attrs:
        metadata["name"] = frame.attrs["name"]
    return table_html(frame), metadata


def label_lines(axes: Axes) -> None:
    """Write the label of each line at its right end, in its colour, in place of a legend.

    Labels that would overlap are moved up. Call this last: it uses the limits of the axes.
    """
    figure: Any = axes.get_figure(root=True)
    figure.draw_without_rendering()  # sets the limits of the axes
    points = 72 / figure.dpi
    ends = []
    for line in axes.get_lines():
        label = str(line.get_label())
        if not label.startswith("_"):  # matplotlib's own names of lines without a label
            end = np.asarray(line.get_xydata(), float)[-1]
            x, y = axes.transData.transform(end) * points
            ends.append((y, x, tuple(end), label, line))
    size = mpl.rcParams["font.size"]
    placed: list[tuple[float, float, float]] = []  # left and right end, and height of the next
    for y, x, end, label, line in sorted(ends, key=lambda end: end[0]):
        width = 0.7 * size * len(label)
        near = [above for start, stop, above in placed if start < x + width and x < stop]
        place = max([y, *near])
        placed.append((x, x + width, place + 1.25 * size))
        weight = "bold" if line.get_linewidth() > mpl.rcParams["lines.linewidth"] else "normal"
        axes.annotate(
            label,
            end,
            (7, place - y),
            textcoords="offset points",
            va="center",
            color=line.get_color(),
            weight=weight,
        )
