"""Rows of an experiment to figures. Nothing here searches or plays."""

from collections.abc import Sequence
from itertools import cycle, product
from statistics import mean
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, PercentFormatter
from seaborn.utils import relative_luminance

from kalahlab.report.draw.style import PALETTE

VERDICTS = ("worse", "not told apart", "better")
"""Where an interval lies: below one half, around it, or above it."""

MARKERS = {
    "minimax": "D",
    "minimax_a_b": "o",
    "alpha_beta": "x",
    "scout": "s",
    "alpha_beta_table": "^",
    "scout_table": "v",
    "mtdf": "P",
    "mtdf_no_table": "p",
    "greedy": "*",
}
COLOURS = {
    "minimax": PALETTE["blue"],
    "minimax_a_b": PALETTE["vermilion"],
    "alpha_beta": PALETTE["black"],
    "scout": PALETTE["green"],
    "alpha_beta_table": PALETTE["orange"],
    "scout_table": PALETTE["purple"],
    "mtdf": PALETTE["sky"],
    "mtdf_no_table": PALETTE["sky"],
    "greedy": PALETTE["orange"],
}

WHAT = {
    "generated": "nodes\ngenerated",
    "expanded": "nodes\nexpanded",
    "path": "moves of\nthe game",
    "peak_kib": "memory\nat the peak",
}
"""Costs in plain words."""

MIDDLE = 0.179
"""The luminance on which black and white stand out alike, both 4.6 to 1."""

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
    _legible(ax)
    ax.set(ylabel="evaluator")
    ax.set_xticklabels([WHAT.get(column, column) for column in columns])
    ax.tick_params(axis="y", rotation=0)
    return figure


def _legible(ax: Axes) -> None:
    """Write each number of a heat map in black or in white, whichever stands out more."""
    cells = ax.collections[0]
    cells.update_scalarmappable()
    empty = np.ma.getmaskarray(np.ma.asarray(cells.get_array())).flat
    shown = (colour for colour, none in zip(cells.get_facecolor(), empty, strict=True) if not none)
    for text, colour in zip(ax.texts, shown, strict=True):
        text.set_color("white" if relative_luminance(colour) < MIDDLE else "black")


def growth(frame: pd.DataFrame, column: str, by: str, label: str) -> Axes:
    """A cost against depth on a log scale, one line for each value of `by`.

    Dashes let a line be seen that lies below another.
    """
    _, ax = plt.subplots(layout="constrained")
    sns.lineplot(
        frame,
        x="depth",
        y=column,
        hue=by,
        style=by,
        markers=True,
        markersize=8,
        ax=ax,
    )
    ax.set(yscale="log", xlabel="depth in sows", ylabel=label)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    plain(ax.yaxis)
    ax.legend(title=None, handlelength=4)
    return ax


def against_depth(
    frame: pd.DataFrame, column: str, label: str, log: bool = True, unit: str = "sows"
) -> Axes:
    """A cost against depth, a line a search, each named at its end.

    frame: rows of `kalahlab.studies.s08_pruning.by_depth`. The minimal tree and minimax, between
    which the others lie, are grey; dashes let a line be seen that lies below another.
    """
    _, ax = plt.subplots(figsize=(8, 5.2), layout="constrained")
    hues, marks, ends = cycle(PALETTE.values()), cycle("osD^vPX<>*h"), list[End]()
    for name, rows in frame.groupby("search", sort=False):
        grey = name in ("minimax", "minimal tree")
        hue = "#767676" if grey else next(hues)
        ax.plot(
            rows["depth"],
            rows[column],
            marker=next(marks),
            color=hue,
            linestyle=(0, (4, 1.5)) if len(ends) % 2 else "-",
            zorder=1 if grey else 2,
        )
        ends.append(End(str(name), max(zip(rows["depth"], rows[column], strict=True)), hue))
    ax.set(xlabel=f"depth in {unit}", ylabel=label, yscale="log" if log else "linear")
    if log:
        plain(ax.yaxis)
    ax.set_xticks(sorted(frame["depth"].unique()))
    _name_the_ends(ax, ends)
    return ax


class End(NamedTuple):
    """Where a line ends, and what it is called there."""

    name: str
    at: tuple[float, float]
    hue: str


def _name_the_ends(ax: Axes, ends: Sequence[End]) -> None:
    """Write each line's name to the right of all lines, tied to where its line ends."""
    first, last = ax.get_xlim()
    ax.set(xlim=(first, last + 0.3 * (last - first)), ylim=ax.get_ylim())
    places = (ax.transData + ax.transAxes.inverted()).transform([end.at for end in ends])
    for end, level in zip(ends, apart([float(y) for _, y in places], 0.047), strict=True):
        ax.annotate(
            end.name,
            end.at,
            (1.03 / 1.3, level),
            textcoords=ax.transAxes,
            va="center",
            arrowprops={"arrowstyle": "-", "color": end.hue, "lw": 0.8, "relpos": (0, 0.5)},
        )


def apart(wanted: Sequence[float], gap: float) -> list[float]:
    """The numbers, in their order, moved until any two are `gap` apart.

    Those that would touch stand in a row, its middle where theirs was.
    """
    rows: list[list[int]] = []
    for index in sorted(range(len(wanted)), key=wanted.__getitem__):
        rows.append([index])
        while len(rows) > 1 and _begin(rows[-1], wanted, gap) < _end(rows[-2], wanted, gap) + gap:
            rows[-2:] = [rows[-2] + rows[-1]]
    placed = list(wanted)
    for row in rows:
        for place, index in enumerate(row):
            placed[index] = _begin(row, wanted, gap) + gap * place
    return placed


def _begin(row: Sequence[int], wanted: Sequence[float], gap: float) -> float:
    return mean(wanted[index] for index in row) - gap * (len(row) - 1) / 2


def _end(row: Sequence[int], wanted: Sequence[float], gap: float) -> float:
    return _begin(row, wanted, gap) + gap * (len(row) - 1)


def effective(frame: pd.DataFrame, moves: float) -> Axes:
    """The effective branching factor of each search, beside the moves at a node and their root.

    frame: rows of `kalahlab.studies.s08_pruning.deepest`.
    """
    _, ax = plt.subplots(figsize=(8, 0.8 + 0.34 * len(frame)), layout="constrained")
    ax.plot(frame["effective branching"], frame["search"], "o", color=PALETTE["blue"])
    for name, value in zip(frame["search"], frame["effective branching"], strict=True):
        ax.annotate(
            f"{value:.2f}",
            (value, name),
            (8, 0),
            textcoords="offset points",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    for at, text in ((moves, "b, the moves at a node"), (moves**0.5, "√b")):
        ax.axvline(at, color=PALETTE["vermilion"], linestyle="--", linewidth=1.2)
        ax.annotate(
            f"{text} = {at:.2f}",
            (at, 1),
            (-4, 4),
            xycoords=ax.get_xaxis_transform(),
            textcoords="offset points",
            ha="right" if at == moves else "center",
            color=PALETTE["vermilion"],
        )
    ax.set(xlabel="effective branching factor", xlim=(1, frame["effective branching"].max() + 0.5))
    ax.invert_yaxis()
    return ax


def by_size(frame: pd.DataFrame, column: str, colour: str, style: str, label: str) -> Axes:
    """A cost against pits a side on a log scale: medians, and bars for the middle half of boards.

    One line for each value of `colour`, two at most, and of `style`, set side by side a little.
    """
    _, ax = plt.subplots(layout="constrained")
    looks = product(
        zip(frame[colour].unique(), PALETTE.values(), strict=False),
        zip(frame[style].unique(), ("o-", "X--"), strict=False),
    )
    for place, ((name, hue), (unit, line)) in enumerate(looks):
        rows = frame[(frame[colour] == name) & (frame[style] == unit)].groupby("pits")[column]
        low, middle, high = (rows.quantile(part) for part in (0.25, 0.5, 0.75))
        ax.errorbar(
            middle.index + 0.08 * (place - 1.5), middle, yerr=(middle - low, high - middle),
            fmt=line, color=hue, capsize=3, elinewidth=1.2, markersize=7,
            label=f"{name}, {style} {unit}",
        )  # fmt: skip
    ax.set(yscale="log", xlabel="pits a side", ylabel=label)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    plain(ax.yaxis)
    ax.legend(loc="upper left", handlelength=4)
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
        f"minimax: {minimax:,}",
        (minimax, 1),
        xytext=(0, 4),
        xycoords=ax.get_xaxis_transform(),
        textcoords="offset points",
        ha="right",
        color=PALETTE["vermilion"],
    )
    ax.set(xlabel="nodes visited", ylabel="move order", xlim=(0, minimax * 1.05))
    plain(ax.xaxis)
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
    ax.set_xlabel("margin of the first player, in stones (box: the middle half; diamond: mean)")
    ax.set_ylabel("")
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
        1, len(rules), figsize=(8, 3.3), sharey=True, squeeze=False, layout="constrained"
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
        _legible(ax)
        ax.set(title=rule, xlabel=across, ylabel=down if ax is axes[0][0] else "")
        ax.tick_params(axis="y", rotation=0)
    figure.supxlabel("in the cells: the first player's margin, in stones", fontsize="medium")
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
    left.set(yscale="log", xlabel="stones in play (dashed: the fit)", ylabel="nodes searched")
    left.legend()
    for column, style, what in (
        ("positions", "s-", "positions in the database"),
        ("nodes", "o-", "nodes searched"),
    ):
        right.plot(by_database["database_stones"], by_database[column], style, label=what)
    right.set(yscale="log", xlabel="stones of the database", ylabel="how many")
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    right.legend()
    return figure


def given_up(frame: pd.DataFrame) -> Figure:
    """A panel a game: stones that either player has given up so far, move by move.

    frame: rows of `kalahlab.judging.perfect.judged`.
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
        ax.legend(loc="upper left", fontsize="small", ncols=2)
    most = max(1, frame.groupby(["game", "player"])["given_up"].sum().max())
    axes[0][0].set_ylim(-0.05 * most, 1.5 * most)  # room for the legends
    axes[0][0].xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0][0].yaxis.set_major_locator(MaxNLocator(4, integer=True))
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
    handles, labels = axes[0][0].get_legend_handles_labels()
    axes[0][0].get_legend().remove()
    figure.legend(handles, labels, loc="outside right center")
    return figure


def factor_scores(scores: pd.DataFrame) -> Axes:
    """The score of F against F without each factor, with its interval, a mark for each budget.

    scores: columns `off`, `budget`, `score`, `low` and `high`. Right of the line the factor
    helps; left of it F plays better without.
    """
    names, budgets = list(dict.fromkeys(scores["off"])), list(dict.fromkeys(scores["budget"]))
    _, ax = plt.subplots(figsize=(8, 3.4), layout="constrained")
    for place, budget in enumerate(budgets):
        rows = scores[scores["budget"] == budget].set_index("off").loc[names]
        shift = 0.24 * (place - (len(budgets) - 1) / 2)
        ax.errorbar(
            rows["score"],
            [at + shift for at in range(len(names))],
            xerr=[rows["score"] - rows["low"], rows["high"] - rows["score"]],
            fmt="osD^v"[place % 5],
            capsize=4,
            label=f"{budget:,} nodes",
        )
    ax.axvline(0.5, color="black", linewidth=1)
    ax.set_yticks(range(len(names)), [name.upper() for name in names])
    ax.set(xlabel="score of F against F without it, 95 % interval", ylabel="factor switched off")
    ax.set_ylim(len(names) - 0.5, -0.5)
    if len(budgets) > 1:
        ax.legend(title="budget")
    return ax


def score_by_nodes(scores: pd.DataFrame) -> Figure:
    """The score of dynamic depths by the nodes they cost, a panel for each fixed depth.

    scores: columns `depth`, `budget`, `nodes`, `other_nodes`, `score`, `low` and `high`. The
    upright line is what the fixed depth costs: a mark on it is a match at equal nodes.
    """
    depths = list(dict.fromkeys(scores["depth"]))
    figure, axes = plt.subplots(
        1, len(depths), figsize=(8, 3.6), sharey=True, squeeze=False, layout="constrained"
    )
    for ax, depth in zip(axes[0], depths, strict=True):
        rows = scores[scores["depth"] == depth].sort_values("nodes")
        error = [rows["score"] - rows["low"], rows["high"] - rows["score"]]
        ax.errorbar(rows["nodes"], rows["score"], yerr=error, fmt="o-", capsize=4)
        for nodes, high, budget in zip(rows["nodes"], rows["high"], rows["budget"], strict=True):
            ax.annotate(
                f"{budget:,}",
                (nodes, high),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
                fontsize="small",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
        ax.axhline(0.5, color="black", linewidth=1)
        ax.axvline(rows["other_nodes"].mean(), color=PALETTE["vermilion"], linestyle="--")
        ax.set(title=f"against fixed depth {depth}", xscale="log", ylim=(0, 1.05))
        ax.margins(x=0.15)
        plain(ax.xaxis)
    axes[0][0].set_ylabel("score of the dynamic depth,\n95 % interval")
    label = "nodes generated in a game (at the marks: the budget; dashed: the fixed depth's nodes)"
    figure.supxlabel(label, fontsize="medium")
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


def spread(frame: pd.DataFrame, by: str, label: str) -> Figure:
    """Means with intervals on a log scale, a panel for each set of rules and algorithm.

    frame: rows of `kalahlab.studies.s05_grid.over_openings`; `by` makes the rows of a panel, marks
    and colours say the depth.
    """
    rules, algorithms, names, depths = (
        list(frame[column].unique()) for column in ("rules", "algorithm", by, "depth")
    )
    figure, axes = plt.subplots(
        len(rules), len(algorithms), figsize=(9, 0.8 + len(rules) * (0.5 + 0.3 * len(names))),
        sharex=True, sharey=True, squeeze=False, layout="constrained",
    )  # fmt: skip
    for ax, (rule, algorithm) in zip(axes.flat, product(rules, algorithms), strict=True):
        panel = frame[(frame["rules"] == rule) & (frame["algorithm"] == algorithm)]
        for depth, (marker, colour) in zip(depths, _looks(), strict=False):
            rows = panel[panel["depth"] == depth].set_index(by).reindex(names)
            reach = np.array([rows["mean"] - rows["low"], rows["high"] - rows["mean"]])
            ax.errorbar(
                rows["mean"], range(len(names)), xerr=reach, fmt=marker, color=colour, capsize=3,
                linewidth=1.5, label=f"depth {depth}",
            )  # fmt: skip
        ax.set(xscale="log", title=algorithm if rule == rules[0] else "")
        ax.tick_params(axis="x", labelsize="small")
        plain(ax.xaxis)
    for ax, rule in zip(axes[:, 0], rules, strict=True):
        ax.set_ylabel(f"{rule} rules")
    first = axes[0][0]
    first.set_yticks(range(len(names)), names)
    first.set_ylim(len(names) - 0.5, -0.5)
    figure.supxlabel(label, fontsize="medium")
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=len(labels))
    return figure


def _looks() -> list[tuple[str, str]]:
    """A marker and a colour for each line, told apart without the colour too."""
    return list(zip("osD^vX*P", PALETTE.values(), strict=True))


def ratings(frame: pd.DataFrame, by: str, label: str) -> Figure:
    """Elo with its interval, a panel for each set of rules; the best of the first on top.

    frame: rows of `kalahlab.studies.s05_grid.placed`.
    """
    rules = list(frame["rules"].unique())
    order = list(frame.loc[frame["rules"] == rules[0], by])
    figure, axes = plt.subplots(
        1, len(rules), figsize=(9, 0.9 + 0.36 * len(order)), sharey=True, sharex=True,
        squeeze=False, layout="constrained",
    )  # fmt: skip
    for ax, rule in zip(axes[0], rules, strict=True):
        rows = frame[frame["rules"] == rule].set_index(by).loc[order]
        reach = np.array([rows["elo"] - rows["elo_low"], rows["elo_high"] - rows["elo"]])
        ax.errorbar(
            rows["elo"], range(len(order)), xerr=reach, fmt="o", capsize=3, color=PALETTE["blue"]
        )
        ax.axvline(0, color="black", linewidth=1)
        ax.set(title=rule, xlabel="Elo about the mean of all (bar: 95 %)")
        ax.xaxis.set_major_locator(MaxNLocator(5))
    axes[0][0].set_yticks(range(len(order)), [str(name) for name in order])
    axes[0][0].set_ylabel(label)
    axes[0][0].invert_yaxis()
    return figure


def cross(scores: pd.DataFrame, reach: pd.DataFrame) -> Axes:
    """A cross table as a heat map: the score of the player at the left against the one below.

    reach: how far the interval of a score goes to either side, at most.
    """
    _, ax = plt.subplots(figsize=(8.5, 1.4 + 0.55 * len(scores)), layout="constrained")
    texts = scores.map("{:.2f}".format) + "\n± " + reach.map("{:.2f}".format)
    sns.heatmap(
        scores, annot=texts, fmt="", annot_kws={"fontsize": 9}, cmap="PuOr_r", center=0.5,
        vmin=0, vmax=1, ax=ax, cbar_kws={"label": "score, ± its 95 % interval"}, linewidths=1,
    )  # fmt: skip
    _legible(ax)
    ax.tick_params(axis="y", rotation=0)
    plt.setp(ax.get_xticklabels(), rotation=30, ha="right")
    ax.grid(visible=False)
    ax.set(xlabel="against")
    return ax


def regret(table: pd.DataFrame, chance: float) -> Axes:
    """Mean regret against nodes, a line an evaluator with its 95 % band, a mark a depth.

    table: `kalahlab.studies.s07_perfect_play.summary`. chance: the mean regret of a move at random.
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
    ax.set(
        xscale="log",
        xlabel="nodes entered for a move",
        ylabel="stones given up by a move (band: 95 %)",
    )
    ax.set_ylim(bottom=0)
    plain(ax.xaxis)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def scores(table: pd.DataFrame, label: str) -> Figure:
    """The score of each match with its interval, a row each; colours and marks say the depth.

    table: `against`, `depth`, `score`, `low` and `high`, as columns or in the index; a panel
    for each set of `rules`, if it has them.
    """
    rows = table.reset_index()
    rows = rows if "rules" in rows else rows.assign(rules="")
    rules, names, depths = (list(rows[column].unique()) for column in ("rules", "against", "depth"))
    figure, axes = plt.subplots(
        1, len(rules), figsize=(8, 1.4 + 0.18 * (len(depths) + 1) * len(names)), sharey=True,
        squeeze=False, layout="constrained",
    )  # fmt: skip
    for ax, rule in zip(axes[0], rules, strict=True):
        for nth, (depth, (marker, colour)) in enumerate(zip(depths, _looks(), strict=False)):
            part = rows[(rows["rules"] == rule) & (rows["depth"] == depth)]
            shift = 0.22 * (nth - (len(depths) - 1) / 2)
            reach = np.array([part["score"] - part["low"], part["high"] - part["score"]])
            ax.errorbar(
                part["score"], [names.index(name) + shift for name in part["against"]],
                xerr=reach, fmt=marker, color=colour, capsize=3, label=f"depth {depth}",
            )  # fmt: skip
        ax.axvline(0.5, color="black", linewidth=1)
        ax.set(title=rule, xlim=(-0.03, 1.03), ylim=(len(names) - 0.5, -0.5))
    axes[0][0].set_yticks(range(len(names)), names)
    figure.supxlabel(label, fontsize="medium")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=len(labels))
    return figure


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
