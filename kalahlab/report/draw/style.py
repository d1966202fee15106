"""How figures and tables look, and how descriptions of figures reach the page.

Colours: Okabe and Ito, "Color Universal Design" (2008), which readers with any of the
common colour-vision deficiencies can tell apart.
"""

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.style
import pandas as pd
from IPython.core.getipython import get_ipython
from IPython.core.pylabtools import print_figure
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.category import StrCategoryLocator
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter
from matplotlib.transforms import Bbox
from PIL import Image

from kalahlab.report.draw.labels import NAME, readable
from kalahlab.report.draw.tables import table_html

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
"""The palette by name, in the order in which series take it (faint yellow last)."""

STABLE: dict[Any, Any] = {"svg.hashsalt": "kalahlab", "svg.fonttype": "path", "pdf.fonttype": 42}
"""Settings under which one figure always gives the same bytes."""

LOOK = Path(__file__).with_name("figures.mplstyle")

SHARPNESS = 2
"""Pixels of a PNG to a pixel of the page: sharp enough, and still under 100 kB."""


def use_style() -> None:
    """Set the report's look; each notebook's first cell calls it.

    In a notebook, figures shown from then on carry their description and name (see `alt` and
    `named`) in the output's metadata, where the pages look for them, and so do tables, which are
    as `kalahlab.report.draw.tables` writes them.
    """
    mpl.style.use([LOOK, STABLE | {"axes.prop_cycle": cycler(color=[*PALETTE.values()])}])
    pd.set_option("display.max_rows", None)  # a table of the report is shown whole
    shell = get_ipython()
    if shell is None:
        return
    if "inline" in mpl.get_backend():
        # Importing the backend installs its own formatter, so that must come before ours.
        import matplotlib_inline.backend_inline  # noqa: F401
    if formatter := shell.display_formatter:
        formatter.formatters["image/png"].for_type(Figure, _png)
        formatter.formatters["text/html"].for_type(pd.DataFrame, _table)


def alt(figure: Figure | Axes, text: str) -> Figure:
    """Describe a figure for those who cannot see it, and return it.

    figure: a figure, or any of its axes. text: one or two sentences, which must not
    be empty (`ValueError`): what the picture shows, not how it is drawn.
    """
    if not text.strip():
        raise ValueError("alt text is empty; say in a sentence what the figure shows")
    owner = figure_of(figure)
    owner.set_label(text)
    return owner


def named(figure: Figure, name: str) -> Figure:
    """Give a figure the name under which it is kept, and return it."""
    figure.set_gid(name)
    return figure


def laid_out(figure: Figure) -> Bbox:
    """Place all parts of a figure for good, and return what is drawn of it, in inches.

    Each file would lay it out anew, which takes longer than to draw it.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"])


def make_readable(figure: Figure) -> None:
    """Make all that is written in a figure readable, the names on its axes too."""
    for text in figure.findobj(Text):
        if isinstance(text, Text) and NAME.search(text.get_text()):
            text.set_text(readable(text.get_text()))
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        if isinstance(axis.get_major_locator(), FixedLocator | StrCategoryLocator):
            _label_readably(axis)


def _label_readably(axis: Axis) -> None:
    names = axis.get_major_formatter()
    shown = names.format_ticks(list(axis.get_majorticklocs()))
    if any(NAME.search(str(each)) for each in shown):  # some are numbers
        axis.set_major_formatter(FuncFormatter(lambda at, place: readable(str(names(at, place)))))


def figure_of(figure: Figure | Axes) -> Figure:
    """The figure itself, whether it or one of its axes is given."""
    owner = figure.get_figure(root=True)
    if not isinstance(owner, Figure):
        raise ValueError(f"{figure!r} is in no figure")
    return owner


def _png(figure: Figure) -> tuple[str, dict[str, Any]] | None:
    """The figure as base64 PNG and the metadata that a page needs; None if it is empty."""
    drawn = print_figure(figure, dpi=SHARPNESS * figure.dpi)
    if drawn is None:
        return None
    # A chart has few colours. A palette of 256 keeps them, at a third of the size.
    picture = Image.open(BytesIO(drawn)).convert("RGB")
    small = BytesIO()
    picture.quantize(256, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    metadata: dict[str, Any] = {"width": round(picture.width / SHARPNESS)}
    if text := str(figure.get_label()):
        metadata["alt"] = text
    if name := figure.get_gid():
        metadata["name"] = name
    return base64.b64encode(small.getvalue()).decode("ascii"), metadata


def _table(frame: pd.DataFrame) -> tuple[str, dict[str, str]]:
    """The table as HTML, and the name under which it is kept, if it is."""
    return table_html(frame), {key: frame.attrs[key] for key in ["name"] if key in frame.attrs}
