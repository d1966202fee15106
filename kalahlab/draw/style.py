"""The style of figures and tables.

Colours: Okabe and Ito, "Color Universal Design" (2008), for readers of any colour vision.
"""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.style
import pandas as pd
from IPython.core.getipython import get_ipython
from matplotlib.axis import Axis
from matplotlib.category import StrCategoryLocator
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter

from kalahlab.draw.labels import NAME, readable
from kalahlab.draw.tables import table_html

# The palette by name, in the order of the series of a chart (faint yellow last).
PALETTE = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "black": "#000000",
    "yellow": "#F0E442",
}
# Settings with which the same figure always gives the same bytes.
STABLE: dict[Any, Any] = {"svg.hashsalt": "kalahlab", "svg.fonttype": "path", "pdf.fonttype": 42}
LOOK = Path(__file__).with_name("figures.mplstyle")


def use_style() -> None:
    """Set the report's style; put the name of a table into its output's metadata, for the pages."""
    mpl.style.use([LOOK, STABLE | {"axes.prop_cycle": cycler(color=[*PALETTE.values()])}])
    pd.set_option("display.max_rows", None)  # show all rows of a table
    shell = get_ipython()
    if shell is not None and (formatter := shell.display_formatter):
        formatter.formatters["text/html"].for_type(pd.DataFrame, _table_output)


def _table_output(frame: pd.DataFrame) -> tuple[str, dict[str, str]]:
    metadata = {}
    if "name" in frame.attrs:
        metadata["name"] = frame.attrs["name"]
    return table_html(frame), metadata


def make_readable(figure: Figure) -> None:
    """Replace the names of the code in all texts of a figure by their labels."""
    for text in figure.findobj(Text):
        if isinstance(text, Text) and NAME.search(text.get_text()):
            text.set_text(readable(text.get_text()))
    for axes in figure.axes:
        _make_ticks_readable(axes.xaxis)
        _make_ticks_readable(axes.yaxis)


def _make_ticks_readable(axis: Axis) -> None:
    if not isinstance(axis.get_major_locator(), FixedLocator | StrCategoryLocator):
        return
    formatter = axis.get_major_formatter()
    labels = formatter.format_ticks(list(axis.get_majorticklocs()))
    if any(NAME.search(str(label)) for label in labels):  # some are numbers
        axis.set_major_formatter(
            FuncFormatter(lambda value, position: readable(str(formatter(value, position))))
        )
