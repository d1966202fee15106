"""The card game: its factors, its dynamic depth, and the program as described and as coded."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kalahlab.evaluators.cards import factors
from kalahlab.games.cards import NAMES, Board
from kalahlab.matches.rating import Interval, score
from kalahlab.report.draw.axes import panels, plain_numbers
from kalahlab.report.draw.forest import forest
from kalahlab.report.draw.style import PALETTE, alt

SAID = {
    "worse": "it plays worse",
    "not told apart": "no difference is shown",
    "better": "it plays better",
}
"""The verdicts on a score, in words."""


def scores(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The score of each group of pairs, with its 95% interval, and the nodes of a game."""
    groups = rows.groupby([*by], sort=False)
    table = groups[["score", "nodes", "other_nodes"]].mean()
    table[["low", "high"]] = [score([*group])[1:] for _, group in groups["score"]]
    table["pairs"] = groups.size()
    order = ["pairs", "score", "low", "high", "nodes", "other_nodes"]
    digits = {"score": 3, "low": 3, "high": 3, "nodes": 0, "other_nodes": 0}
    return table[order].round(digits).reset_index()


def factor_table(board: Board) -> pd.DataFrame:
    """The six factors of both players."""
    six = [factors(board, player)._asdict() for player in range(2)]
    return pd.DataFrame(six, index=list(NAMES)).rename(columns=str.upper)


def differing(choices: pd.DataFrame) -> pd.DataFrame:
    """How many positions, after so many moves, get another move than by the report."""
    others = {"published": "as programmed", "knowing": "knowing the rule of ties"}
    differs = choices[[*others]].ne(choices["report"], axis=0).groupby(choices["plies"]).sum()
    return differs.rename(columns=others).assign(positions=choices.groupby("plies").size())


def equal_nodes(scores: pd.DataFrame) -> pd.DataFrame:
    """For each fixed depth the dynamic one whose games cost most nearly as many nodes."""
    ratio = scores["nodes"] / scores["other_nodes"]
    far = ratio.where(ratio >= 1, 1 / ratio)
    nearest = scores.assign(ratio=ratio).loc[far.groupby(scores["depth"]).idxmin()]
    return nearest.reset_index(drop=True)


def draw_factors(scores: pd.DataFrame) -> Figure:
    """The score of F against F without each factor, with its interval, a mark for each budget.

    scores: columns `off`, `budget`, `score`, `low` and `high`. Right of the line the factor
    helps; left of it F plays better without.
    """
    names, budgets = list(dict.fromkeys(scores["off"])), list(dict.fromkeys(scores["budget"]))
    look = {
        budget: {"fmt": "osD^v"[place % 5], "capsize": 4, "label": f"{budget:,} nodes"}
        for place, budget in enumerate(budgets)
    }
    figure, [[ax]] = forest(
        [[scores]], names, "off", ("budget", look), (8, 3.4), apart=0.24, line={"x": 0.5}
    )
    ax.set_yticklabels([name.upper() for name in names])
    ax.set(xlabel="score of F against F without it, 95 % interval", ylabel="factor switched off")
    if len(budgets) > 1:
        ax.legend(title="budget")
    return alt(figure, "Scores of F against F without each factor, with 95% intervals.")


def draw_depths(scores: pd.DataFrame) -> Figure:
    """The score of dynamic depths by the nodes they cost, a panel for each fixed depth.

    scores: columns `depth`, `budget`, `nodes`, `other_nodes`, `score`, `low` and `high`. The
    upright line is what the fixed depth costs: a mark on it is a match at equal nodes.
    """
    depths = list(dict.fromkeys(scores["depth"]))
    figure, axes = panels(1, len(depths), (8, 3.6), sharey=True)
    for ax, depth in zip(axes[0], depths, strict=True):
        _draw_depth(ax, scores[scores["depth"] == depth].sort_values("nodes"))
        ax.set(title=f"against fixed depth {depth}", xscale="log", ylim=(0, 1.05))
        ax.margins(x=0.15)
        plain_numbers(ax.xaxis)
    axes[0][0].set_ylabel("score of the dynamic depth,\n95 % interval")
    label = "nodes generated in a game (at the marks: the budget; dashed: the fixed depth's nodes)"
    figure.supxlabel(label, fontsize="medium")
    return alt(figure, "Scores of dynamic depths against a fixed one, by nodes a game.")


def _draw_depth(ax: Axes, rows: pd.DataFrame) -> None:
    error = [rows["score"] - rows["low"], rows["high"] - rows["score"]]
    ax.errorbar(rows["nodes"], rows["score"], yerr=error, fmt="o-", capsize=4)
    for nodes, high, budget in zip(rows["nodes"], rows["high"], rows["budget"], strict=True):
        ax.annotate(
            f"{budget:,}", (nodes, high), xytext=(0, 4), textcoords="offset points", ha="center",
            fontsize="small", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    ax.axhline(0.5, color="black", linewidth=1)
    ax.axvline(rows["other_nodes"].mean(), color=PALETTE["vermilion"], linestyle="--")


def on_factors(scores: pd.DataFrame) -> str:
    """What each budget's matches say of the factors, as a list in Markdown."""
    said = []
    for budget, rows in scores.groupby("budget", sort=False):
        off: dict[str, list[str]] = {verdict: [] for verdict in SAID}
        for row in rows.to_dict("records"):
            off[Interval.of(row).verdict()].append(row["off"].upper())
        worse, same, better = (", ".join(names) or "none" for names in off.values())
        said.append(
            f"- With {budget:,} nodes F plays better with {better} and worse with {worse}; of "
            f"{same} no difference is shown."
        )
    return "\n".join(said)


def on_depths(scores: pd.DataFrame) -> str:
    """What the matches at equal nodes say, as a list in Markdown."""
    return "\n".join(
        f"- Against depth {row['depth']} a budget of {row['budget']:,} costs most nearly as much, "
        f"{row['ratio']:.2f} times its nodes, and scores {Interval.of(row):.2f}: "
        f"{SAID[Interval.of(row).verdict()]}."
        for row in equal_nodes(scores).to_dict("records")
    )


def on_variants(scores: pd.DataFrame) -> str:
    """What the program as described scores against itself as programmed, in a sentence."""
    (row,) = scores.to_dict("records")
    return (
        f"As described it scores {Interval.of(row):.2f} against itself as programmed, and "
        f"generates {row['nodes'] / row['other_nodes']:.1f} times the nodes."
    )
