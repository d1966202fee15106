"""The published study's charts, the printed points among them."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from kalahlab.published import comparison
from kalahlab.report.draw.axes import legend_above, panels, plain_numbers
from kalahlab.report.draw.heat_map import heat_map, margin_maps
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.studies.s02_published_study.tables import MODES, SETTINGS
from kalahlab.words import Words

say = Words("studies", "s02_published_study")

SERIES = {
    "MinMaxAB, printed": ("o", PALETTE["vermilion"]),
    "AlphaBetaSearch, printed": ("s", PALETTE["blue"]),
    "both, corrected": ("x", PALETTE["black"]),
    "minimax": ("D", PALETTE["green"]),
}
"""The marker and the colour of each series of the cost chart; all but the cross are hollow."""

COSTS = {
    "generated": "nodes\ngenerated",
    "expanded": "nodes\nexpanded",
    "path": "moves of\nthe game",
    "seconds": "seconds",
    "peak_kib": "memory",
}
"""The costs that are set side by side, in words."""

MOST = 3
"""The largest change that has a colour of its own, as a power of two; beyond, all look alike."""

CHARTS = {"generated": "nodes generated", "seconds": "seconds a game", "memory": "memory, KiB"}
"""The costs that the report draws."""


def fastest(rows: pd.DataFrame) -> pd.DataFrame:
    """One row a setting, with the least seconds of those that were timed more than once.

    No seconds where the compiled engine played.
    """
    least = rows.groupby(SETTINGS)["seconds"].transform("min")
    timed = least.where(rows["backend"] == "textbook")
    rows = rows.assign(seconds=timed, peak_kib=rows["peak_kib"].astype(float))
    return rows.drop_duplicates(SETTINGS, ignore_index=True)


def cost_points(rows: pd.DataFrame) -> pd.DataFrame:
    """The printed costs and those of the corrected study, a row a point of the cost chart.

    rows: of the corrected study under one set of rules. series: as in `SERIES`. Where both
    algorithms are corrected they are one search, and alpha-beta stands for both.
    """
    printed = pd.DataFrame(comparison.printed_table())
    names = {"alpha_beta": "both, corrected", "minimax": "minimax"}
    own = rows[rows["algorithm"].isin(names)]
    return pd.concat(
        [
            printed.assign(
                series=printed["algorithm"] + ", printed",
                evaluator="E" + printed["evaluation"].astype(str),
                memory=printed["memory_kb"],
            ),
            own.assign(
                series=own["algorithm"].map(names),
                evaluator=own["evaluator"].str.upper(),
                memory=own["peak_kib"],
            ),
        ],
        ignore_index=True,
    )[["series", "evaluator", "depth", *CHARTS]]


def draw_costs(points: pd.DataFrame) -> Figure:
    """Nodes, seconds and memory of each game: a row of panels each, a column a depth."""
    depths = sorted(points["depth"].unique())
    figure, axes = panels(len(CHARTS), len(depths), (8, 7.2), sharey=True, sharex="row")
    for line, (column, words) in zip(axes, CHARTS.items(), strict=True):
        for ax, depth in zip(line, depths, strict=True):
            _marks(ax, points[points["depth"] == depth], column)
            ax.set(xscale="log", xlabel=words)
            if not ax.collections:
                ax.text(0.5, 0.5, "not measured", ha="center", transform=ax.transAxes)
        plain_numbers(line[0].xaxis)
    axes[0][0].xaxis.set_major_locator(LogLocator(100))
    for ax, depth in zip(axes[0], depths, strict=True):
        ax.set_title(f"depth {depth}")
    axes[0][0].set_ylim(points["evaluator"].nunique() - 0.5, -0.5)
    fullest = max(axes.flat, key=lambda ax: len(ax.get_legend_handles_labels()[1]))
    legend_above(figure, fullest)
    return alt(figure, range_in_words(points, "generated", say("draw-costs")))


def _marks(ax: Axes, points: pd.DataFrame, column: str) -> None:
    for series, (marker, colour) in SERIES.items():
        part = points[(points["series"] == series) & points[column].notna()]
        if part.empty:
            continue
        hollow = marker != "x"
        ax.scatter(
            part[column], part["evaluator"], marker=marker, s=80 if hollow else 34,
            facecolors="none" if hollow else colour, edgecolors=colour if hollow else None,
            linewidths=1.6, label=series,
        )  # fmt: skip


def draw_overall(rows: pd.DataFrame, depth: int) -> Figure:
    """How many times the cheapest evaluation's cost each one has, printed and corrected.

    rows: of the corrected study under one set of rules, of which those of alpha-beta at
    one depth are shown, the deepest that was timed up to `depth`; beside them MinMaxAB's
    printed rows at depth 4.
    """
    printed = pd.DataFrame(comparison.printed_table())
    printed = printed[(printed["algorithm"] == "MinMaxAB") & (printed["depth"] == 4)]
    timed = rows[rows["seconds"].notna() & (rows["algorithm"] == "alpha_beta")]
    depth = min(depth, int(timed["depth"].max()))
    last = timed[timed["depth"] == depth]
    parts = {
        "MinMaxAB, printed, depth 4": printed.rename(columns={"memory_kb": "peak_kib"}).assign(
            evaluator="E" + printed["evaluation"].astype(str)
        ),
        f"corrected, depth {depth}": last.assign(evaluator=last["evaluator"].str.upper()),
    }
    figure, axes = panels(1, 2, (8, 3.2), sharey=True)
    ratios = {title: _ratios(part) for title, part in parts.items()}
    widest = max(2.0, *(float(table.to_numpy().max()) for table in ratios.values()))
    scale = LogNorm(1, widest)
    for ax, (title, table) in zip(axes[0], ratios.items(), strict=True):
        heat_map(ax, table, fmt=".1f", cmap="Blues", norm=scale, cbar=False)
        ax.set(title=title, ylabel="")
        ax.set_xticklabels(list(COSTS.values()), rotation=0, fontsize="x-small")
    bar = figure.colorbar(axes[0][1].collections[0], ax=axes[0], label="cost / smallest cost")
    bar.set_ticks([1, 2, 4, 8][: int(np.log2(widest)) + 1])
    plain_numbers(bar.ax.yaxis)
    return alt(figure, say("draw-overall"))


def _ratios(rows: pd.DataFrame) -> pd.DataFrame:
    costs = rows.set_index("evaluator")[list(COSTS)].astype(float)
    return costs / costs.min()


def draw_outcomes(rows: pd.DataFrame) -> Figure:
    """The margin of each game of alpha-beta: evaluators against depths, a panel a rule set."""
    games = rows[rows["algorithm"] == "alpha_beta"]
    games = games.assign(evaluator=games["evaluator"].str.upper())
    figure = margin_maps(
        games, "evaluator", "depth", "margin", down="evaluator", across="depth in sows"
    )
    return alt(figure, "Heat map of the first player's margin, by evaluator and depth.")


def draw_defects(ladder: pd.DataFrame) -> Figure:
    """What each defect does to the nodes of each game: defects down, games across.

    ladder: of `tables.ladders`, a panel a mode. A dot is a game that changes at
    the same nodes, grey a game that is not defined with or without the defect.
    """
    steps = ladder[ladder["defect"] != ""]
    steps = steps.assign(log=np.log2(steps["times"].astype(float)))
    widest = min(MOST, float(steps["log"].abs().max()))
    figure, axes = panels(1, len(MODES), (8, 5.2), sharey=True)
    for ax, words in zip(axes[0], MODES.values(), strict=True):
        _defect_map(ax, steps[steps["mode"] == words], widest)
        ax.set(title=words, ylabel="", xlabel="")
    label, maps = "nodes generated, after / before", axes[0][-1].collections[0]
    bar = figure.colorbar(maps, ax=axes[0], label=label, extend="both")
    ticks = range(-int(widest), int(widest) + 1)
    bar.set_ticks(list(ticks), labels=[f"{2.0**tick:g}" for tick in ticks])
    return alt(figure, _defects_in_words(steps))


def _defect_map(ax: Axes, part: pd.DataFrame, widest: float) -> None:
    import seaborn as sns

    games = ["algorithm", "depth", "evaluation"]
    defects = list(dict.fromkeys(part["defect"]))
    silent = part.assign(dot=np.where(part["changed"] & (part["log"] == 0), "•", ""))
    shown = silent.pivot(index="defect", columns=games, values="log").reindex(defects)
    dots = silent.pivot(index="defect", columns=games, values="dot").reindex(defects)
    ax.set_facecolor("lightgrey")
    sns.heatmap(
        shown, ax=ax, cmap="PuOr_r", center=0, vmin=-widest, vmax=widest, cbar=False,
        annot=dots, fmt="", linewidths=0.3,
        annot_kws={"color": "black", "size": 7},
    )  # fmt: skip
    blocks = part.drop_duplicates(["algorithm", "depth"])
    names = blocks["algorithm"] + ", depth " + blocks["depth"].astype(str)
    ax.set_xticks([4 * place + 2 for place in range(len(blocks))], names, rotation=90)
    for place in range(1, len(blocks)):
        ax.axvline(4 * place, color="black", linewidth=1.2)


def _defects_in_words(steps: pd.DataFrame) -> str:
    furthest = steps.iloc[int(steps["log"].abs().argmax())]
    return say("draw-defects", step=furthest)


def range_in_words(points: pd.DataFrame, column: str, what: str) -> str:
    """A sentence with the range of a cost, for those who cannot see its chart."""
    ascending = points.sort_values(column)
    low, high = (
        f"{end[column]:,} ({end['series']}, {end['evaluator']}, depth {end['depth']})"
        for end in (ascending.iloc[0], ascending.iloc[-1])
    )
    return f"{what} range from {low} to {high}."
