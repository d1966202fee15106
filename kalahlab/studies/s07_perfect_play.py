"""What evaluators give up against perfect play, and the matches of the fitted one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kalahlab.evaluators.fitted import FEATURES, FIT
from kalahlab.grid import Row
from kalahlab.judging import regret
from kalahlab.judging.judged import Judged
from kalahlab.matches.pairs import Pair
from kalahlab.matches.rating import Interval
from kalahlab.matches.tournament import matches
from kalahlab.report.draw.axes import LOOKS, panels, plain_numbers
from kalahlab.report.draw.style import alt
from kalahlab.studies import strength
from kalahlab.studies.strength import TIES


def _deepest(table: pd.DataFrame) -> strength.Rows:
    """Each evaluator's deepest search, of a `summary`, the one that gives up least first."""
    last = table.reset_index().sort_values("depth").groupby("evaluator", sort=False).tail(1)
    return last.sort_values("regret").to_dict("records")


def draw_differences(paired: pd.DataFrame, table: pd.DataFrame, base: str) -> Figure:
    """How much more than `base` each evaluator gives up, against nodes: a panel an evaluator.

    paired: `strength.differences` from base, whose intervals are the bands; table: the
    `strength.summary` of the same rows.
    """
    groups = list(paired.groupby("evaluator", sort=False))
    figure, axes = panels(1, len(groups), (9.5, 3.4), sharex=True, sharey=True)
    for ax, (name, rows), (marker, colour) in zip(axes[0], groups, LOOKS, strict=False):
        nodes = table.loc[rows.index, "nodes"]
        ax.plot(nodes, rows["difference"], color=colour, marker=marker, markersize=5)
        ax.fill_between(nodes, rows["low"], rows["high"], color=colour, alpha=0.2, lw=0)
        ax.axhline(0, color="black", linestyle="--", linewidth=1)
        ax.set(xscale="log", title=name)
        plain_numbers(ax.xaxis)
    axes[0][0].set_ylabel(f"regret less that of\n{base}, in stones")
    figure.supxlabel("nodes visited for a move (band: 95 % interval)", fontsize="medium")
    deepest = paired.groupby("evaluator", sort=False).tail(1).reset_index()
    said = ", ".join(f"{row.evaluator} {row.difference:+.2f}" for row in deepest.itertuples())
    return alt(
        figure,
        f"The regret of each evaluator less that of {base}, in stones a move, against the nodes "
        f"visited. Below 0 is better. At the greatest depth: {said}.",
    )


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


def in_each_order(points: Iterable[Pair], ties: Iterable[str] = tuple(TIES)) -> list[Pair]:
    """The pairs with ties broken by each of these rules, of `SUFFIXES`, for both players."""
    return [
        replace(pair, one=f"{pair.one}{suffix}", other=f"{pair.other}{suffix}")
        for suffix in (SUFFIXES[name] for name in ties)
        for pair in points
    ]


SUFFIXES = {"at random": ":ties=0", "pit order": "", "store first": ":sow:store_first"}
"""What a player's text ends in, by how its ties are broken: `strength.TIES` as text."""


def met(rows: Sequence[Row]) -> pd.DataFrame:
    """Matches of one evaluator at equal depths, a row each: rules, depth, ties, and against whom.

    rows: those of `in_each_order`, played. low, high: of the score, 95 %.
    """
    table = pd.DataFrame(
        {"rules": rules} | match
        for rules in dict.fromkeys(row["rules"] for row in rows)
        for match in matches([row for row in rows if row["rules"] == rules])
    )
    named = table["other"].str.split(":", n=3, expand=True).reindex(columns=range(4)).fillna("")
    endings = {suffix.removeprefix(":"): name for name, suffix in SUFFIXES.items()}
    table.insert(1, "depth", named[2].astype(int))
    table.insert(2, "ties", named[3].map(endings))
    table.insert(3, "against", named[1])
    shown = ["wins", "draws", "losses", "margin", "score", "low", "high", "p"]
    return table.set_index(["rules", "depth", "ties", "against"])[shown]


def at_random(table: pd.DataFrame) -> pd.DataFrame:
    """The matches with ties broken at random."""
    return table[table.index.get_level_values("ties") == "at random"].droplevel("ties")


def of_orders(table: pd.DataFrame) -> str:
    """Whether the matches that were played under all rules of ties agree, in words: `met`."""
    verdicts: dict[Any, list[str]] = {}
    for _, rows in table.groupby("ties", sort=False):
        for at, verdict in zip(rows.droplevel("ties").index, strength.verdicts(rows), strict=True):
            verdicts.setdefault(at, []).append(verdict)
    controlled = {at: found for at, found in verdicts.items() if len(found) == len(TIES)}
    differ = [at for at, found in controlled.items() if len(set(found)) > 1]
    if not differ:
        return (
            f"In the {len(controlled)} matches that were played under all three ways to break "
            "ties, the three verdicts agree."
        )
    named = "; ".join(f"against {name} at depth {depth}, {rules}" for rules, depth, name in differ)
    return (
        f"In {len(differ)} of {len(controlled)} matches the verdict depends on how ties are "
        f"broken. Nothing is concluded from those: {named}."
    )


def ranking(table: pd.DataFrame, depth: int) -> pd.DataFrame:
    """The regret at a depth by how ties are broken, the least at random first: a `summary`."""
    rows = table[table.index.get_level_values("depth") == depth].droplevel("depth")
    named = {"regret": "at random", "pit_order": "pit order", "store_first": "store first"}
    return rows[[*named]].rename(columns=named).sort_values("at random", kind="stable")


def of_ranking(ranks: pd.DataFrame, chance: float) -> str:
    """What the order of ties decides, in words: `ranking`, and the regret of a move at random."""
    regrets = {str(ties): ranks[ties].astype(float) for ties in ranks}
    orders = {tuple(column.sort_values(kind="stable").index) for column in regrets.values()}
    same = "is the same" if len(orders) == 1 else "is not the same"
    below = [set(column.index[column >= chance]) for column in regrets.values()]
    worst = str(regrets["at random"].idxmax())
    moved = ", ".join(f"{column[worst]:.2f} ({ties})" for ties, column in regrets.items())
    if always := set.intersection(*below):
        verdict = f"Worse than a move at random ({chance:.2f}) under all three: {_list(always)}."
    elif some := set.union(*below):
        verdict = (
            f"Under some of the three, but not under all, {_list(some)} is worse than a move at "
            f"random ({chance:.2f}). So that is not concluded."
        )
    else:
        verdict = f"All are better than a move at random ({chance:.2f}) under all three."
    return (
        f"The ranking of the evaluators {same} under all three ways to break ties. The stones that "
        f"{worst} gives up are {moved}. {verdict}"
    )


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def of_chance(sample: Sequence[Judged], held_out: Sequence[Judged], rules: str) -> str:
    """What a move at random gives up, in the positions held out and in all, in words."""
    (there, best), (everywhere, _) = regret.chance(held_out), regret.chance(sample)
    return (
        f"There are {len(sample):,} positions under the {rules} rules, and {len(held_out):,} of "
        f"them were held out. There the mean regret of a move at random is {there:.2f} stones, and "
        f"{best:.0%} of such moves are best. In all positions the mean is {everywhere:.2f}."
    )


def weights_table() -> pd.DataFrame:
    """What each feature of `fitted` counts, and its weight in stones."""
    pits = [f"stones in pit {pit}" for pit in range(6, 0, -1)]
    counts = [
        "stones in the store (weight fixed, not fitted)",
        f"{pits[0]}, the nearest to the store",
        *pits[1:],
        "pits that hold stones",
        "pits whose sow ends in the store",
        "pits whose sow goes on to the opponent's side",
        "the most stones that one sow captures",
    ]
    rows = {"what it counts, own less the opponent's": counts, "weight": FIT["weights"].values()}
    return pd.DataFrame(rows, index=pd.Index(FEATURES, name="feature"))


def of_fit(held_out: Mapping[str, float]) -> str:
    """How good the fit is where nothing was fitted, beside its baseline, in words."""
    gain = held_out["r2"] - held_out["r2_store"]
    verdict = "explains more" if gain > 0 else "explains no more"
    return (
        f"On {held_out['positions']:,} positions that the fit never saw, of both capture rules, "
        f"`fitted` explains R² = {held_out['r2']:.2f} of the variance of the exact values. The "
        f"store difference plus a constant explains {held_out['r2_store']:.2f}, so `fitted` "
        f"{verdict}. What is fitted is the exact value less the store difference; of its variance "
        f"`fitted` explains {held_out['r2_rest']:.2f}. The mean absolute error is "
        f"{held_out['mean_abs_error']:.2f} stones."
    )


def finding(table: pd.DataFrame, chance: float, base: str = "store_difference") -> str:
    """What the notebook found, in one sentence: a `summary`, and the regret of a random move."""
    ranked = _deepest(table)
    best, other = ranked[0], next(row for row in ranked if row["evaluator"] == base)
    beside = (
        f"the plain store difference gives up {Interval.of(other, 'regret'):.2f}"
        if best is not other
        else "no other evaluator gives up fewer"
    )
    return (
        f"At depth {best['depth']} the evaluator {best['evaluator']} gives up the fewest stones, "
        f"{Interval.of(best, 'regret'):.2f} a move; {beside}, and a move at random {chance:.2f}."
    )


def answer(
    table: pd.DataFrame, budget: pd.DataFrame, paired: pd.DataFrame, order: pd.DataFrame,
    chance: tuple[float, float],
) -> str:  # fmt: skip
    """What the notebook found, in words.

    table, paired: `summary` and `differences` from the store difference, on held-out positions;
    budget: `at_nodes` of table; order: rank correlations; chance: of a move at random.
    """
    best, column = _deepest(table)[0], budget.columns[-1]
    at = order.set_index("evaluator")["spearman"]
    leader = str(at.idxmax())
    perfect = "No evaluator plays perfectly" if best["regret"] > 0 else "One plays perfectly here"
    return (
        f"- **At equal nodes** {_of_budget(budget, column)} A move at random gives up "
        f"{chance[0]:.2f}.\n"
        f"- **At equal depth.** {_of_paired(paired)}\n"
        f"- **{perfect}.** {best['evaluator']} at depth {best['depth']} gives up "
        f"{Interval.of(best, 'regret'):.2f} stones a move. It plays a best move "
        f"{best['optimal']:.0%} of the time; a move at random is best {chance[1]:.0%} of the time."
        f"\n- **The static value.** That of {leader} ranks the positions most like the exact value "
        f"(Spearman's ρ {at[leader]:.2f}). The store difference has "
        f"{at['store_difference']:.2f}."
    )


def _of_budget(budget: pd.DataFrame, column: str) -> str:
    first, second = budget[column].index[:2]
    return (
        f"({column} a move) {first} makes the smallest errors: its mean regret is "
        f"{budget.loc[first, column]:.2f} stones. The next is {second} with "
        f"{budget.loc[second, column]:.2f}."
    )


def _of_paired(paired: pd.DataFrame) -> str:
    """Which evaluators differ from the store difference at their greatest depth."""
    deepest = paired.groupby("evaluator", sort=False).tail(1).reset_index().to_dict("records")
    sure = [row for row in deepest if row["p"] < strength.ALPHA]
    parts = [
        f"{row['evaluator']} gives up {abs(row['difference']):.2f} stones "
        f"{'more' if row['difference'] > 0 else 'less'}"
        for row in sure
    ]
    if not parts:
        return "At the greatest depth none is told apart from the store difference."
    left = len(deepest) - len(parts)
    others = "1 other evaluator is" if left == 1 else f"{left} other evaluators are"
    rest = f" {others} not told apart from it." if left else ""
    return (
        f"At depth {deepest[0]['depth']}, in the same positions, {', '.join(parts)} than the "
        f"store difference (after Holm's correction).{rest}"
    )


FOLLOWS = (
    "**What follows.** A heuristic that a document recommends can be measured in the same way: see "
    "[the staged heuristic](06_heuristics.ipynb). How a search finds the same value with fewer "
    "nodes is on the page of [null windows and tables](08_pruning.ipynb)."
)
"""What the page leads to."""
