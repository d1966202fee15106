"""How figures and tables look.

Colours: Okabe and Ito, "Color Universal Design" (2008), for readers of any colour vision.
"""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.style
import pandas as pd
from IPython.core.getipython import get_ipython
from matplotlib.category import StrCategoryLocator
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter

from kalahlab.draw.labels import NAME, readable
from kalahlab.draw.tables import table_html

# The palette by name, in the order in which series take it (faint yellow last).
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
# Settings under which one figure always gives the same bytes.
STABLE: dict[Any, Any] = {"svg.hashsalt": "kalahlab", "svg.fonttype": "path", "pdf.fonttype": 42}
LOOK = Path(__file__).with_name("figures.mplstyle")


def use_style() -> None:
    """Set the report's look. A table's name is in its output's metadata, for the pages."""
    mpl.style.use([LOOK, STABLE | {"axes.prop_cycle": cycler(color=[*PALETTE.values()])}])
    pd.set_option("display.max_rows", None)  # a table of the report is shown whole
    shell = get_ipython()
    if shell is not None and (formatter := shell.display_formatter):
        formatter.formatters["text/html"].for_type(pd.DataFrame, _table_output)


def _table_output(frame: pd.DataFrame) -> tuple[str, dict[str, str]]:
    return table_html(frame), {key: frame.attrs[key] for key in ("name",) if key in frame.attrs}


def make_readable(figure: Figure) -> None:
    for text in figure.findobj(Text):
        if isinstance(text, Text) and NAME.search(text.get_text()):
            text.set_text(readable(text.get_text()))
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        if isinstance(axis.get_major_locator(), FixedLocator | StrCategoryLocator):
            names = axis.get_major_formatter()
            shown = names.format_ticks(list(axis.get_majorticklocs()))
            if any(NAME.search(str(each)) for each in shown):  # some are numbers
                axis.set_major_formatter(
                    FuncFormatter(lambda at, place, names=names: readable(str(names(at, place))))
                )
