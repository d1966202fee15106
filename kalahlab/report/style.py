"""The style of the figures and tables in a notebook."""

import matplotlib as mpl
import matplotlib.style
import pandas as pd
from IPython.core.getipython import get_ipython
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
