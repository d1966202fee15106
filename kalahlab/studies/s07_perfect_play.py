"""What evaluators give up against perfect play, and the matches of the fitted one."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kalahlab.grid import Row
from kalahlab.matches.rating import Interval
from kalahlab.matches.tournament import matches
from kalahlab.report.draw.axes import LOOKS, panels, plain_numbers
from kalahlab.report.draw.style import alt
from kalahlab.studies import strength


def _deepest(table: pd.DataFrame) -> strength.Rows:
    """Each evaluator's deepest search, of a `summary`, the one that gives up least first."""
    last = table.reset_index().sort_values("depth").groupby("evaluator", sort=False).tail(1)
    return last.sort_values("regret").to_dict("records")


def draw_differences(paired: pd.DataFrame, table: pd.DataFrame, base: str) -> Figure:
    """How much more than `base` each evaluator gives up, against nodes, with 95 % bands.

    paired: `strength.differences` from base; table: the `strength.summary` of the same rows.
    """
    figure, [[ax]] = panels(1, 1, (9, 5))
    groups = paired.groupby("evaluator", sort=False)
    for (name, rows), (marker, colour) in zip(groups, LOOKS, strict=False):
        nodes = table.loc[rows.index, "nodes"]
        ax.plot(nodes, rows["difference"], color=colour, marker=marker, label=str(name))
        ax.fill_between(nodes, rows["low"], rows["high"], color=colour, alpha=0.15, lw=0)
    ax.axhline(0, color="black", linestyle="--", linewidth=1)
    ax.annotate(
        base, (1, 0), xycoords=("axes fraction", "data"), xytext=(-4, 4),
        textcoords="offset points", va="bottom", ha="right",
    )  # fmt: skip
    label = f"stones given up more than\n{base} gives up (band: 95 %)"
    ax.set(xscale="log", xlabel="nodes entered for a move", ylabel=label)
    plain_numbers(ax.xaxis)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    deepest = paired.groupby("evaluator", sort=False).tail(1).reset_index()
    said = ", ".join(f"{row.evaluator} {row.difference:+.2f}" for row in deepest.itertuples())
    return alt(figure, f"Regret less that of {base}, against nodes. At the greatest depth: {said}.")


def at_nodes(table: pd.DataFrame, budgets: Sequence[int]) -> pd.DataFrame:
    """The mean regret for so many nodes a move, between depths by the logarithm of the nodes.

    table: a `summary`. A row an evaluator, the best at the largest budget first; missing
    where no depth was so cheap, or so costly.
    """
    found = {
        name: np.interp(
            np.log(budgets), np.log(rows["nodes"]), rows["regret"], left=np.nan, right=np.nan
        )
        for name, rows in table.groupby("evaluator", sort=False)
    }
    columns = [f"{budget:,} nodes" for budget in budgets]
    return pd.DataFrame.from_dict(found, "index", columns=columns).sort_values(columns[-1])


def met(rows: Sequence[Row]) -> pd.DataFrame:
    """Matches of one evaluator at equal depths, a row each: rules, depth, and against whom.

    rows: those of `tournament.at_equal_depth`, played. low, high: of the score, 95 %.
    """
    table = pd.DataFrame(
        {"rules": rules} | match
        for rules in dict.fromkeys(row["rules"] for row in rows)
        for match in matches([row for row in rows if row["rules"] == rules])
    )
    named = table["other"].str.split(":", expand=True)
    table.insert(1, "depth", named[2].astype(int))
    table.insert(2, "against", named[1])
    shown = ["wins", "draws", "losses", "margin", "score", "low", "high"]
    return table.set_index(["rules", "depth", "against"])[shown]


def answer(
    table: pd.DataFrame, budget: pd.DataFrame, order: pd.DataFrame, chance: tuple[float, float]
) -> str:
    """What the notebook found, in words: a `summary`, its `at_nodes`, rank correlations, chance."""
    best, column = _deepest(table)[0], budget.columns[-1]
    first, second = budget[column].index[:2]
    at = order.set_index("evaluator")["spearman"]
    leader = str(at.idxmax())
    return (
        f"- **Per node, {first} buys most**: at {column} a move gives up "
        f"{budget.loc[first, column]:.2f} stones on the mean; {second}, the next, "
        f"{budget.loc[second, column]:.2f}; a move at random {chance[0]:.2f}.\n"
        f"- **Nobody is perfect**: the best of all, {best['evaluator']} at depth {best['depth']}, "
        f"still gives up {Interval.of(best, 'regret'):.2f} stones a move, and finds a best move "
        f"{best['optimal']:.0%} of the time; chance does {chance[1]:.0%} of the time.\n"
        f"- **Who orders positions best is {leader}** (Spearman's ρ {at[leader]:.2f}; the "
        f"store difference {at['store_difference']:.2f})."
    )
