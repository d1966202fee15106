"""The style of figures and tables.

Colours: Okabe and Ito, "Color Universal Design" (2008), for readers of any colour vision. Their
orange and yellow are darker here, so that lines have a contrast of 3 on white.
"""

from pathlib import Path
from typing import Any

from matplotlib.axis import Axis
from matplotlib.category import StrCategoryLocator
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter

from kalahlab.draw import svg
from kalahlab.draw.labels import IDENTIFIER, replace_identifiers

# The palette by name, in the order of the series of a chart (sky, the palest, is for areas).
PALETTE = {
    "blue": svg.BLUE,
    "orange": "#B87A00",
    "green": svg.GREEN,
    "vermilion": svg.VERMILION,
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "black": "#000000",
    "yellow": "#8F8600",
}
# Settings with which the same figure is always saved as the same bytes: letters are outlines in an
# SVG, and TrueType fonts (42) in a PDF.
STABLE_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "kalahlab",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
STYLE_FILE = Path(__file__).with_name("figures.mplstyle")


def make_readable(figure: Figure) -> None:
    """Replace the names of the code in all texts of a figure by their labels."""
    for text in figure.findobj(Text):
        # The type of what `findobj` finds is only known to be an artist.
        if isinstance(text, Text) and IDENTIFIER.search(text.get_text()):
            text.set_text(replace_identifiers(text.get_text()))
    for axes in figure.axes:
        _make_ticks_readable(axes.xaxis)
        _make_ticks_readable(axes.yaxis)


def _make_ticks_readable(axis: Axis) -> None:
    """Replace the names of the code at the ticks of an axis, unless it is an axis of numbers."""
    if not isinstance(axis.get_major_locator(), FixedLocator | StrCategoryLocator):
        return
    formatter = axis.get_major_formatter()
    labels = formatter.format_ticks(list(axis.get_majorticklocs()))
    if any(IDENTIFIER.search(str(label)) for label in labels):  # str: some labels are numbers
        axis.set_major_formatter(
            FuncFormatter(
                lambda value, position: replace_identifiers(str(formatter(value, position)))
            )
        )
