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
    ends = []
    for line in axes.get_lines():
        label = str(line.get_label())
        if not label.startswith("_"):  # matplotlib's own names of lines without a label
            x, y = np.asarray(line.get_xydata(), float)[-1]
            height = float(axes.transData.transform((x, y))[1])
            ends.append((height, x, y, label, line))
    points = 72 / figure.dpi
    line_height = 1.25 * mpl.rcParams["font.size"]
    lowest = -float("inf")
    for height, x, y, label, line in sorted(ends, key=lambda end: end[0]):
        place = max(height * points, lowest)
        lowest = place + line_height * (1 + label.count("\n"))
        weight = "bold" if line.get_linewidth() > mpl.rcParams["lines.linewidth"] else "normal"
        axes.annotate(
            label,
            (x, y),
            (7, place - height * points),
            textcoords="offset points",
            va="center",
            color=line.get_color(),
            weight=weight,
        )
