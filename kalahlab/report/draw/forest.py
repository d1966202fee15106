"""The forest plot: estimates with their intervals, a row each, in one panel or several."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kalahlab.report.draw.axes import LOOKS, panels

SCORE = ("score", "low", "high")
"""The columns of an estimate and of the ends of its interval."""

Look = dict[str, Any]


def looks(values: Sequence[Any], label: str, **more: Any) -> dict[Any, Look]:
    """A marker and a colour for each value. label: a format, such as `depth {}`."""
    return {
        value: {"fmt": marker, "color": colour, "label": label.format(value), **more}
        for value, (marker, colour) in zip(values, LOOKS, strict=False)
    }


def forest(
    grid: Sequence[Sequence[pd.DataFrame]],
    names: Sequence[Any],
    by: str,
    series: tuple[str, Mapping[Any, Look]],
    size: tuple[float, float],
    *,
    columns: tuple[str, str, str] = SCORE,
    apart: float = 0,
    margin: float = 0.5,
    line: Look | None = None,
    sharex: bool = False,
) -> tuple[Figure, Any]:
    """The figure and its axes, a panel for each table of the grid.

    names: of the rows from above, values of the column `by`. series: a column, and for each of
    its values what `errorbar` takes; series stand `apart` of a row's height. line: draws an
    upright line, `x` says where. margin: in rows, above the first and below the last.
    """
    figure, axes = panels(len(grid), len(grid[0]), size, sharex=sharex, sharey=True)
    places = {name: place for place, name in enumerate(names)}
    for ax, table in zip(axes.flat, (table for row in grid for table in row), strict=True):
        for nth, (value, look) in enumerate(series[1].items()):
            rows = table[table[series[0]] == value]
            rows = rows.assign(place=rows[by].map(places)).sort_values("place", kind="stable")
            estimate, low, high = (rows[column] for column in columns)
            if len(rows):
                shift = apart * (nth - (len(series[1]) - 1) / 2)
                reach = np.array([estimate - low, high - estimate])
                ax.errorbar(estimate, rows["place"] + shift, xerr=reach, **{"capsize": 3} | look)
        if line is not None:
            ax.axvline(**{"color": "black", "linewidth": 1} | line)
    axes[0][0].set_yticks(range(len(names)), [str(name) for name in names])
    axes[0][0].set_ylim(len(names) - 1 + margin, -margin)
    return figure, axes
