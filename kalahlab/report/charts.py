"""Rows of an experiment to figures. Nothing here searches or plays."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, PercentFormatter

from kalahlab.report.matches import VERDICTS
from kalahlab.report.style import PALETTE

MARKERS = {"minimax": "D", "minimax_a_b": "o", "alpha_beta": "x"}
COLOURS = {
    "minimax": PALETTE["blue"],
    "minimax_a_b": PALETTE["vermilion"],
    "alpha_beta": PALETTE["black"],
}


def cost_by_evaluator(frame: pd.DataFrame, column: str, label: str, log: bool = True) -> Figure:
    """A mark for each algorithm and evaluator, a panel for each depth, all on one scale.

    frame: rows of a grid under one set of rules. Two searches of the same cost show as a
    cross within a ring.
    """
    depths = sorted(frame["depth"].unique())
    figure, axes = plt.subplots(
        1,
        len(depths),
        figsize=(8, 2.9),
        sharey=True,
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, depth in zip(axes[0], depths, strict=True):
        _marks(ax, frame[frame["depth"] == depth], column)
        ax.set_title(f"depth {depth}")
    first = axes[0][0]
    first.set(ylabel="evaluator", xscale="log" if log else "linear")
    first.set_ylim(frame["evaluator"].nunique() - 0.5, -0.5)
    first.margins(x=0.12)
    if log:
        plain(first.xaxis)
    else:
        first.set_xlim(left=0)
    figure.supxlabel(label, fontsize="medium")
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=len(labels))
    return figure


def _marks(ax: Axes, frame: pd.DataFrame, column: str) -> None:
    for algorithm, rows in frame.groupby("algorithm", sort=False):
        name = str(algorithm)
        hollow = MARKERS[name] != "x"
        ax.scatter(
            rows[column],
            rows["evaluator"],
            marker=MARKERS[name],
            s=90 if hollow else 40,
            facecolors="none" if hollow else COLOURS[name],
            edgecolors=COLOURS[name] if hollow else None,
            linewidths=1.8,
            label=name,
        )


def plain(axis: Axis) -> None:
    """Decades only, written as people write numbers: 1,000 and 0.01."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def overall(frame: pd.DataFrame, columns: Sequence[str]) -> Figure:
    """How many times the cheapest evaluator's cost each one has: a heat map of ratios.

    frame: one row an evaluator, at one depth and for one algorithm.
    """
    costs = frame.set_index("evaluator")[list(columns)].astype(float)
    ratios = costs / costs.min()
    figure, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
    sns.heatmap(
        ratios,
        annot=True,
        fmt=".1f",
        cmap="cividis_r",
        ax=ax,
        linewidths=1,
        cbar_kws={"label": "times the cheapest"},
    )
    ax.set(ylabel="evaluator")
    ax.tick_params(axis="y", rotation=0)
    return figure


def growth(frame: pd.DataFrame, column: str, by: str, label: str) -> Axes:
    """A cost against depth on a log scale, one line for each value of `by`."""
    _, ax = plt.subplots(layout="constrained")
    sns.lineplot(
        frame,
        x="depth",
        y=column,
        hue=by,
        style=by,
        markers=True,
        dashes=False,
        markersize=8,
        ax=ax,
    )
    ax.set(yscale="log", xlabel="depth in sows", ylabel=label)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    plain(ax.yaxis)
    ax.legend(title=None)
    return ax


def visited_by_order(frame: pd.DataFrame, minimax: int) -> Axes:
    """Nodes visited by alpha-beta under each order, beside those of minimax."""
    _, ax = plt.subplots(figsize=(8, 3), layout="constrained")
    ax.barh(frame["order"], frame["visited"], color=PALETTE["blue"])
    for order, visited in zip(frame["order"], frame["visited"], strict=True):
        ax.annotate(
            f"{visited:,} ({visited / minimax:.0%})",
            (visited, order),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
    ax.axvline(minimax, color=PALETTE["vermilion"], linestyle="--")
    ax.annotate(
        f"minimax {minimax:,}",
        (minimax, 0),
        xytext=(-5, 0),
        textcoords="offset points",
        rotation=90,
        va="center",
        ha="right",
        color=PALETTE["vermilion"],
    )
    ax.set(xlabel="nodes visited", ylabel="move order", xlim=(0, minimax * 1.05))
    ax.invert_yaxis()
    return ax


def margins(frame: pd.DataFrame) -> Figure:
    """Margins of random games under each set of rules, one strip above the other."""
    figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
    sns.boxplot(
        frame,
        x="margin",
        y="rules",
        hue="rules",
        ax=ax,
        legend=False,
        width=0.55,
        fliersize=2,
        showmeans=True,
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black"},
    )
    ax.axvline(0, color="black", linewidth=1)
    ax.set(xlabel="margin of the first player, in stones (diamond: mean)", ylabel="")
    return figure


def outcomes(frame: pd.DataFrame) -> Figure:
    """The margin of each self-play game: evaluators against depths, a panel a rule set."""
    rules = list(frame["rules"].unique())
    figure, axes = plt.subplots(
        1, len(rules), figsize=(8, 3), sharey=True, squeeze=False, layout="constrained"
    )
    widest = max(1, int(frame["margin"].abs().max()))
    for ax, rule in zip(axes[0], rules, strict=True):
        table = frame[frame["rules"] == rule].pivot(
            index="evaluator", columns="depth", values="margin"
        )
        sns.heatmap(
            table,
            annot=True,
            fmt="+d",
            cmap="PuOr_r",
            center=0,
            vmin=-widest,
            vmax=widest,
            ax=ax,
            cbar=False,
            linewidths=1,
        )
        ax.set(title=rule, xlabel="depth in sows", ylabel="evaluator" if ax is axes[0][0] else "")
        ax.tick_params(axis="y", rotation=0)
    return figure


def ladder(frame: pd.DataFrame, column: str, label: str) -> Figure:
    """A panel an algorithm, a line a game, as the defects are turned off from left to right.

    frame: columns `rung` (the defect turned off at that step), `algorithm`, `evaluation`,
    `depth` and `column`; a gap is a game that is not defined at that step.
    """
    algorithms = list(frame["algorithm"].unique())
    figure, axes = plt.subplots(
        len(algorithms),
        1,
        figsize=(8, 6.4),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, algorithm in zip(axes[:, 0], algorithms, strict=True):
        sns.lineplot(
            frame[frame["algorithm"] == algorithm],
            x="rung",
            y=column,
            hue="evaluation",
            style="depth",
            markers=True,
            ax=ax,
            sort=False,
            estimator=None,
            markersize=7,
            palette=list(PALETTE.values())[: frame["evaluation"].nunique()],
            legend="full" if ax is axes[0][0] else False,
        )
        ax.set(title=algorithm, yscale="log", ylabel=label, xlabel="")
        plain(ax.yaxis)
    rungs = list(dict.fromkeys(frame["rung"]))
    axes[-1][0].set_xticks(range(len(rungs)), rungs, rotation=40, ha="right")
    axes[0][0].legend(loc="center left", bbox_to_anchor=(1.0, 0.0))
    return figure


VERDICT_MARKS = dict(
    zip(
        VERDICTS,
        [(PALETTE["vermilion"], "<"), (PALETTE["black"], "o"), (PALETTE["blue"], ">")],
        strict=True,
    )
)


def shares(frame: pd.DataFrame) -> Figure:
    """Each rival's share of the points with its interval, a panel for each depth.

    frame: matches as `judged`.
    """
    depths, rivals = sorted(frame["depth"].unique()), list(dict.fromkeys(frame["rival"]))
    figure, axes = plt.subplots(
        1,
        len(depths),
        figsize=(8, 1.3 + 0.28 * len(rivals)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, depth in zip(axes[0], depths, strict=True):
        _intervals(ax, frame[frame["depth"] == depth], rivals)
        ax.set(title=f"depth {depth}", xlim=(0, 1), xticks=(0, 0.25, 0.5, 0.75))
        ax.xaxis.set_major_formatter(PercentFormatter(1))
    axes[0][0].set_yticks(range(len(rivals)), rivals)
    axes[0][0].set_ylim(len(rivals) - 0.5, -0.5)
    marks = [
        Line2D([], [], color=colour, marker=marker, linestyle="")
        for colour, marker in VERDICT_MARKS.values()
    ]
    figure.legend(marks, VERDICTS, loc="outside upper right", ncols=len(VERDICTS))
    figure.supxlabel("share of the points, with its 95 % interval", fontsize="medium")
    return figure


def _intervals(ax: Axes, frame: pd.DataFrame, rivals: Sequence[str]) -> None:
    for verdict, rows in frame.groupby("verdict"):
        colour, marker = VERDICT_MARKS[str(verdict)]
        ax.errorbar(
            rows["share"],
            rows["rival"].map(rivals.index),
            xerr=[rows["share"] - rows["low"], rows["high"] - rows["share"]],
            fmt=marker,
            color=colour,
            capsize=3,
            linewidth=1.5,
        )
    ax.axvline(0.5, color="black", linestyle="--", linewidth=1)
