"""The published study: printed beside recomputed, its defects turned off, and done again."""

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kalahlab.experiments import MEASURED
from kalahlab.published.cs5329 import memory_by_formula
from kalahlab.report.draw.axes import legend_above, panels, plain_numbers
from kalahlab.report.draw.heat_map import heat_map, margin_maps
from kalahlab.report.draw.style import PALETTE, alt

GAME = ["algorithm", "evaluation", "depth"]
FIGURES = ["generated", "expanded", "path"]

SETTINGS = ["rules", "algorithm", "evaluator", "depth"]
COUNTS = ["generated", "expanded", "evaluated", "cutoffs"]
"""The columns of the corrected study that say what was searched, and what it cost."""

LOOKS = {
    "minimax": ("D", PALETTE["blue"]),
    "minimax_a_b": ("o", PALETTE["vermilion"]),
    "alpha_beta": ("x", PALETTE["black"]),
}
"""The marker and the colour of each algorithm of the corrected study."""

COSTS = {
    "generated": "nodes\ngenerated",
    "expanded": "nodes\nexpanded",
    "path": "moves of\nthe game",
    "seconds": "seconds",
    "peak_kib": "memory\nat the peak",
}
"""The costs that are set side by side, in words."""


def beside(table: pd.DataFrame) -> pd.DataFrame:
    """The printed figures and the recomputed ones, as `generated/expanded/path`."""
    return table[GAME].assign(
        printed=_joined(table, "printed_"), recomputed=_joined(table, ""), verdict=table["verdict"]
    )


def _joined(table: pd.DataFrame, prefix: str) -> "pd.Series[str]":
    return _words(table[[prefix + name for name in FIGURES]], "/", "not defined")


def _words(numbers: pd.DataFrame, between: str, missing: str) -> "pd.Series[str]":
    """Each row's numbers in a word, or what stands for a row with none."""
    words = [
        between.join(f"{number:.0f}" for number in row) if row.notna().all() else missing
        for _, row in numbers.astype(float).iterrows()
    ]
    return pd.Series(words, index=numbers.index)


def slips(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with a slip of the pen, and the memory that belongs to either number of nodes."""
    wrong = table[table["verdict"] == "slip in print"]
    return wrong[GAME].assign(
        **{
            "printed nodes": wrong["printed_generated"].astype(int),
            "would take": wrong["printed_generated"].astype(int).map(memory_by_formula),
            "recomputed nodes": wrong["generated"].astype(int),
            "takes": wrong["generated"].astype(int).map(memory_by_formula),
            "printed memory": wrong["printed_memory_kb"].astype(int),
        }
    )


def undefined(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that are not defined, and why."""
    return table.loc[table["verdict"] == "not defined", [*GAME, "why"]]


def transcripts(boards: pd.DataFrame) -> pd.DataFrame:
    """For each log: its boards, the fields that can be read, and those that contradict."""
    return boards.groupby("title", sort=False).agg(
        boards=("step", "size"),
        fields_read=("legible", "sum"),
        contradictions=("contradicts", lambda found: sum(map(len, found))),
    )


def games(ladder: pd.DataFrame) -> pd.DataFrame:
    """The ladder's games by the defect that each step turned off."""
    return ladder.assign(
        rung=ladder["defect"].where(ladder["defect"] != "", "as printed"),
        evaluation="E" + ladder["evaluation"].astype(str),
        generated=ladder["generated"].astype(float),
    )


def rungs(ladder: pd.DataFrame) -> pd.DataFrame:
    """For each step: how many games changed, how many are defined, and the nodes of all."""
    steps = ladder.groupby("rung").agg(
        turned_off=("defect", "first"),
        games_changed=("changed", "sum"),
        defined=("verdict", lambda verdicts: int((verdicts != "not defined").sum())),
        generated=("generated", lambda nodes: int(nodes.dropna().sum())),
        longest_game=("path", lambda paths: int(paths.dropna().max())),
    )
    return steps.replace({"turned_off": {"": "(as printed)"}})


def first_and_last(ladder: pd.DataFrame) -> pd.DataFrame:
    """The printed program's games beside the corrected program's."""
    ends = [ladder[ladder["rung"] == rung].reset_index() for rung in (0, ladder["rung"].max())]
    return ends[0][GAME].assign(
        **{"as printed": _joined(ends[0], ""), "corrected": _joined(ends[1], "")},
        **{"stores, printed": _stores(ends[0]), "stores, corrected": _stores(ends[1])},
    )


def _stores(table: pd.DataFrame) -> "pd.Series[str]":
    return _words(table[["stores_a", "stores_b"]], "–", "–")


def report_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """The columns that the report's own table has, and the cut-offs and margins it has not."""
    return rows[[*SETTINGS, "path", *COUNTS, "winner", "margin", *MEASURED]]


def draw_cost(frame: pd.DataFrame, column: str) -> Figure:
    """A mark for each algorithm and evaluator, a panel for each depth, all on one scale.

    frame: rows of a grid under one set of rules. column: `generated`, `seconds` or `peak_kib`.
    Two searches of the same cost show as a cross within a ring.
    """
    label, text = {
        "generated": ("nodes generated", range_in_words(frame, "generated", "Nodes generated")),
        "seconds": ("seconds a game", "Seconds a game for each algorithm, evaluator and depth."),
        "peak_kib": (
            "KiB at the peak",
            "Measured peak memory of a search, by algorithm and evaluator.",
        ),
    }[column]
    log = column != "peak_kib"
    depths = sorted(frame["depth"].unique())
    figure, axes = panels(1, len(depths), (8, 2.9), sharey=True, sharex=True)
    for ax, depth in zip(axes[0], depths, strict=True):
        _marks(ax, frame[frame["depth"] == depth], column)
        ax.set_title(f"depth {depth}")
    first = axes[0][0]
    first.set(ylabel="evaluator", xscale="log" if log else "linear")
    first.set_ylim(frame["evaluator"].nunique() - 0.5, -0.5)
    first.margins(x=0.12)
    if log:
        plain_numbers(first.xaxis)
    else:
        first.set_xlim(left=0)
    figure.supxlabel(label, fontsize="medium")
    legend_above(figure, first)
    return alt(figure, text)


def _marks(ax: Axes, frame: pd.DataFrame, column: str) -> None:
    for algorithm, rows in frame.groupby("algorithm", sort=False):
        marker, colour = LOOKS[str(algorithm)]
        hollow = marker != "x"
        ax.scatter(
            rows[column], rows["evaluator"], marker=marker, s=90 if hollow else 40,
            facecolors="none" if hollow else colour, edgecolors=colour if hollow else None,
            linewidths=1.8, label=str(algorithm),
        )  # fmt: skip


def draw_overall(rows: pd.DataFrame, depth: int) -> Figure:
    """How many times the cheapest evaluator's cost each one has: a heat map of ratios.

    rows: of the corrected study under one set of rules, of which those of alpha-beta at
    one depth are shown.
    """
    last = rows[(rows["depth"] == depth) & (rows["algorithm"] == "alpha_beta")]
    costs = last.set_index("evaluator")[list(COSTS)].astype(float)
    figure, [[ax]] = panels(1, 1, (8, 3.2))
    bar = {"label": "times the cheapest"}
    heat_map(ax, costs / costs.min(), fmt=".1f", cmap="cividis_r", cbar_kws=bar)
    ax.set(ylabel="evaluator")
    ax.set_xticklabels(list(COSTS.values()))
    return alt(figure, f"Each cost at depth {depth}, as a multiple of the cheapest.")


def draw_outcomes(rows: pd.DataFrame) -> Figure:
    """The margin of each game of alpha-beta: evaluators against depths, a panel a rule set."""
    games = rows[rows["algorithm"] == "alpha_beta"]
    figure = margin_maps(
        games, "evaluator", "depth", "margin", down="evaluator", across="depth in sows"
    )
    return alt(figure, "Margins of the first player by evaluator and depth.")


def draw_ladder(ladder: pd.DataFrame) -> Figure:
    """The nodes of each game, a line, as the defects are turned off from left to right.

    A panel an algorithm; a gap is a game that is not defined at that step.
    """
    frame = games(ladder)
    algorithms = list(frame["algorithm"].unique())
    figure, axes = panels(len(algorithms), 1, (8, 6.4), sharex=True, sharey=True)
    for ax, algorithm in zip(axes[:, 0], algorithms, strict=True):
        sns.lineplot(
            frame[frame["algorithm"] == algorithm], x="rung", y="generated", hue="evaluation",
            style="depth", markers=True, ax=ax, sort=False, estimator=None, markersize=7,
            palette=list(PALETTE.values())[: frame["evaluation"].nunique()],
            legend="full" if ax is axes[0][0] else False,
        )  # fmt: skip
        ax.set(title=algorithm, yscale="log", ylabel="nodes generated", xlabel="")
        plain_numbers(ax.yaxis)
    names = list(dict.fromkeys(frame["rung"]))
    axes[-1][0].set_xticks(range(len(names)), names, rotation=40, ha="right")
    handles, labels = axes[0][0].get_legend_handles_labels()
    axes[0][0].get_legend().remove()
    figure.legend(handles, labels, loc="outside right center")
    return alt(figure, "Nodes generated in each game as the defects are turned off.")


def range_in_words(rows: pd.DataFrame, column: str, what: str) -> str:
    """A sentence with the range of a cost, for those who cannot see its chart."""
    ascending = rows.sort_values(column)
    low, high = ascending.iloc[0], ascending.iloc[-1]
    return (
        f"{what} by algorithm, evaluator and depth: from {low[column]:,} "
        f"({low['algorithm']}, {low['evaluator']}, depth {low['depth']}) to {high[column]:,} "
        f"({high['algorithm']}, {high['evaluator']}, depth {high['depth']})."
    )


def conclusion(table: pd.DataFrame, rows: pd.DataFrame) -> str:
    """What can and cannot be concluded, in words, from the numbers of this run."""
    return "\n".join(
        f"- {sentence}"
        for sentence in (_on_the_table(table), _on_the_algorithms(rows), _on_evaluators(rows))
    )


def _on_the_table(table: pd.DataFrame) -> str:
    counts = table["verdict"].value_counts()
    blind = table[table["algorithm"] == "AlphaBetaSearch"].groupby("depth")["generated"].nunique()
    same = " (its rows are the same for all four)" if (blind == 1).all() else ""
    return (
        f"**The table is real, the conclusions are not.** {counts.get('equal', 0)} rows come out "
        f"to the digit and {counts.get('slip in print', 0)} with a slip; but AlphaBetaSearch, as "
        f"printed, searches one line of play whatever the evaluation{same}. Its cheapness is not "
        "pruning."
    )


def _on_the_algorithms(rows: pd.DataFrame) -> str:
    costs = ["path", *COUNTS, "moves"]
    keys = ["rules", "evaluator", "depth"]
    two = [
        rows[rows["algorithm"] == name].set_index(keys)[costs]
        for name in ("minimax_a_b", "alpha_beta")
    ]
    same = int((two[0] == two[1]).all(axis=1).sum())
    said = (
        f"**Neither algorithm is better.** In {same} of {len(two[0])} pairs of games MINIMAX-A-B "
        "and ALPHA-BETA-SEARCH play the same moves at the same cost, node for node."
    )
    both = rows.pivot_table(index=keys, columns="algorithm", values="generated")
    if "minimax" not in both:
        return said
    ratio = (both["minimax"] / both["alpha_beta"]).dropna().groupby("depth").median()
    return (
        f"{said} Against plain minimax both save: at depth {ratio.index[-1]} it generates "
        f"{ratio.iloc[-1]:.1f} times their nodes in the median game."
    )


def _on_evaluators(rows: pd.DataFrame) -> str:
    games = rows[rows["algorithm"] == "alpha_beta"]
    cheapest = games.loc[games.groupby(["rules", "depth"])["generated"].idxmin(), "evaluator"]
    changes = games.groupby(["rules", "evaluator"])["winner"].nunique()
    return (
        "**No evaluator is shown to be best.** The cheapest one is "
        f"{', '.join(sorted(set(cheapest)))} at every depth tried, but a search is cheap when its "
        "evaluator sees few differences, which is no merit; and "
        f"{int((changes > 1).sum())} of {len(changes)} evaluators change the winner of their only "
        "game with the depth. To compare them takes many games from different openings, and a "
        "judge that knows the truth."
    )
