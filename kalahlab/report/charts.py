"""Rows of an experiment to figures. Nothing here searches or plays."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from kalahlab.report.style import PALETTE

MARKERS = {"minimax": "D", "minimax_a_b": "o", "alpha_beta": "x"}
COLOURS = {
    "minimax": PALETTE["blue"],
    "minimax_a_b": PALETTE["vermilion"],
    "alpha_beta": PALETTE["black"],
}

SIDES = {"first": ("o", PALETTE["blue"]), "second": ("x", PALETTE["vermilion"])}


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
    return _margin_maps(frame, "evaluator", "depth", "margin", "evaluator", "depth in sows")


def solved(frame: pd.DataFrame) -> Figure:
    """The value of each solved game: pits against stones, a panel a rule set."""
    return _margin_maps(frame, "pits", "stones", "value", "pits a side", "stones a pit")


def _margin_maps(
    frame: pd.DataFrame, index: str, columns: str, values: str, down: str, across: str
) -> Figure:
    """Margins as numbers on colours, orange for the first player; an empty cell has none."""
    rules = list(frame["rules"].unique())
    figure, axes = plt.subplots(
        1, len(rules), figsize=(8, 3), sharey=True, squeeze=False, layout="constrained"
    )
    widest = max(1, int(frame[values].abs().max()))
    for ax, rule in zip(axes[0], rules, strict=True):
        sns.heatmap(
            frame[frame["rules"] == rule].pivot(index=index, columns=columns, values=values),
            annot=True,
            fmt="+.0f",
            cmap="PuOr_r",
            center=0,
            vmin=-widest,
            vmax=widest,
            ax=ax,
            cbar=False,
            linewidths=1,
        )
        ax.set(title=rule, xlabel=across, ylabel=down if ax is axes[0][0] else "")
        ax.tick_params(axis="y", rotation=0)
    return figure


def solving(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> Figure:
    """What solving costs: nodes as boards grow, and nodes against the database's size.

    by_stones: rows of `in_play`, `pits` and `nodes`, all with one database; by_database:
    rows of one board by `database_stones`, with `positions` and `nodes`.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    for (pits, rows), colour in zip(by_stones.groupby("pits"), PALETTE.values(), strict=False):
        left.plot(rows["in_play"], rows["nodes"], "o", color=colour, label=f"{pits} pits a side")
        if len(rows) > 1:
            slope, start = np.polyfit(rows["in_play"], np.log10(rows["nodes"]), 1)
            fit = 10 ** (start + slope * rows["in_play"])
            left.plot(rows["in_play"], fit, "--", color=colour, linewidth=1.2)
    left.set(yscale="log", xlabel="stones in play", ylabel="nodes searched")
    left.legend()
    for column, style, what in (
        ("positions", "s-", "positions in the database"),
        ("nodes", "o-", "nodes searched"),
    ):
        right.plot(by_database["database_stones"], by_database[column], style, label=what)
    right.set(yscale="log", xlabel="stones of the database")
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    right.legend()
    return figure


def given_up(frame: pd.DataFrame) -> Figure:
    """A panel a game: stones that either player has given up so far, move by move.

    frame: rows of `kalahlab.perfect.judged`.
    """
    games = list(frame["game"].unique())
    columns = 2
    figure, axes = plt.subplots(
        -(-len(games) // columns),
        columns,
        figsize=(8, 1.0 + 1.6 * -(-len(games) // columns)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax in axes.flat[len(games) :]:
        ax.remove()
    for ax, game in zip(axes.flat, games, strict=False):
        rows = frame[frame["game"] == game]
        for (player, moves), (marker, colour) in zip(
            rows.groupby("player"), SIDES.values(), strict=False
        ):
            total = moves["given_up"].cumsum()
            ax.step(
                moves["move"], total, where="post", marker=marker, markersize=4, color=colour,
                linewidth=1.4, label=str(player),
            )  # fmt: skip
        ax.set_title(game, fontsize="medium")
        ax.legend(loc="upper left", fontsize="small")
    axes[0][0].xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0][0].yaxis.set_major_locator(MaxNLocator(integer=True))
    figure.supxlabel("move of the game", fontsize="medium")
    figure.supylabel("stones given up so far", fontsize="medium")
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


def regret(table: pd.DataFrame, chance: float) -> Axes:
    """Mean regret against nodes, a line an evaluator with its 95 % band, a mark a depth.

    table: `kalahlab.report.regret.summary`. chance: the mean regret of a move at random.
    """
    _, ax = plt.subplots(figsize=(9, 5), layout="constrained")
    looks = zip(PALETTE.values(), "osD^vXP*", strict=True)
    for (name, rows), (colour, marker) in zip(
        table.groupby("evaluator", sort=False), looks, strict=False
    ):
        ax.plot(rows["nodes"], rows["regret"], color=colour, marker=marker, label=str(name))
        ax.fill_between(rows["nodes"], rows["low"], rows["high"], color=colour, alpha=0.15, lw=0)
    ax.axhline(chance, color="black", linestyle="--", linewidth=1)
    ax.annotate(
        "a move at random", (1, chance), xycoords=("axes fraction", "data"), xytext=(-4, -4),
        textcoords="offset points", va="top", ha="right",
    )  # fmt: skip
    ax.set(xscale="log", xlabel="nodes entered for a move", ylabel="stones given up by a move")
    ax.set_ylim(bottom=0)
    plain(ax.xaxis)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def scores(table: pd.DataFrame, label: str) -> Axes:
    """The score of each match with its interval, a row each; colours and marks say the depth.

    table: `kalahlab.report.regret.matches`.
    """
    rows = table.reset_index()
    names, depths = list(dict.fromkeys(rows["against"])), list(dict.fromkeys(rows["depth"]))
    _, ax = plt.subplots(figsize=(8, 1.2 + 0.55 * len(names)), layout="constrained")
    for nth, (depth, colour, marker) in enumerate(
        zip(depths, PALETTE.values(), "osD^vXP*", strict=False)
    ):
        part = rows[rows["depth"] == depth]
        at = [names.index(name) + 0.22 * (nth - (len(depths) - 1) / 2) for name in part["against"]]
        ax.errorbar(
            part["score"], at, xerr=(part["score"] - part["low"], part["high"] - part["score"]),
            fmt=marker, color=colour, capsize=3, label=f"depth {depth}",
        )  # fmt: skip
    ax.axvline(0.5, color="black", linewidth=1)
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel=label, xlim=(0, 1), ylim=(len(names) - 0.5, -0.5))
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(depths), borderaxespad=0)
    return ax


def over_the_game(printed: pd.DataFrame, ours: pd.DataFrame, column: str, label: str) -> Figure:
    """A cost of each move over a game, a column a depth: printed seconds above, ours below.

    printed, ours: rows of `depth` and `move`; `seconds` of printed, `column` of ours.
    """
    depths = sorted(ours["depth"].unique())
    figure, axes = plt.subplots(
        2, len(depths), figsize=(9, 4.6), sharex=True, sharey="row", squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for row, frame, what, colour in (
        (axes[0], printed, "seconds", PALETTE["vermilion"]),
        (axes[1], ours, column, PALETTE["blue"]),
    ):
        for ax, depth in zip(row, depths, strict=True):
            moves = frame[frame["depth"] == depth]
            ax.plot(moves["move"], moves[what], "o-", color=colour, markersize=4)
            ax.set(yscale="log")
            plain(ax.yaxis)
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    for ax, depth in zip(axes[0], depths, strict=True):
        ax.set_title(f"depth {depth}")
    axes[0][0].set_ylabel("printed: seconds")
    axes[1][0].set_ylabel(label)
    figure.supxlabel("move of the player", fontsize="medium")
    return figure
