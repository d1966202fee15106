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
from kalahlab.words import Words, tables

say = Words("studies", "s07_perfect_play")


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
    said = [f"{row.evaluator} {row.difference:+.2f}" for row in deepest.itertuples()]
    return alt(figure, say("draw-differences", base=base, differences=said))


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
    named = "; ".join(f"against {name} at depth {depth}, {rules}" for rules, depth, name in differ)
    name = "orders-differ" if differ else "orders-agree"
    return say(name, differ=len(differ), matches=len(controlled), named=named)


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
    moved = [f"{column[worst]:.2f} ({ties})" for ties, column in regrets.items()]
    always, some = set.intersection(*below), set.union(*below)
    name = "worse-always" if always else "worse-sometimes" if some else "worse-never"
    verdict = say(name, chance=chance, names=sorted(always or some))
    return say("ranking", same=same, worst=worst, moved=moved, verdict=verdict)


def of_chance(sample: Sequence[Judged], held_out: Sequence[Judged], rules: str) -> str:
    """What a move at random gives up, in the positions held out and in all, in words."""
    (there, best), (everywhere, _) = regret.chance(held_out), regret.chance(sample)
    facts = {"positions": len(sample), "held_out": len(held_out), "rules": rules}
    return say("chance", there=there, best=best, everywhere=everywhere, **facts)


def weights_table() -> pd.DataFrame:
    """What each feature of `fitted` counts, and its weight in stones."""
    counts = tables("studies")["features"].values()
    rows = {"what it counts, own less the opponent's": counts, "weight": FIT["weights"].values()}
    return pd.DataFrame(rows, index=pd.Index(FEATURES, name="feature"))


def of_fit(held_out: Mapping[str, float]) -> str:
    """How good the fit is where nothing was fitted, beside its baseline, in words."""
    gain = held_out["r2"] - held_out["r2_store"]
    return say("fit", fit=held_out, verdict="explains more" if gain > 0 else "explains no more")


def finding(table: pd.DataFrame, chance: float, base: str = "store_difference") -> str:
    """What the notebook found, in one sentence: a `summary`, and the regret of a random move."""
    ranked = _deepest(table)
    best, other = ranked[0], next(row for row in ranked if row["evaluator"] == base)
    beside = (
        f"the plain store difference gives up {Interval.of(other, 'regret'):.2f}"
        if best is not other
        else "no other evaluator gives up fewer"
    )
    regret = Interval.of(best, "regret")
    return say("finding", best=best, regret=regret, beside=beside, chance=chance)


def answer(
    table: pd.DataFrame, budget: pd.DataFrame, paired: pd.DataFrame, order: pd.DataFrame,
    chance: tuple[float, float],
) -> str:  # fmt: skip
    """What the notebook found, in words.

    table, paired: `summary` and `differences` from the store difference, on held-out positions;
    budget: `at_nodes` of table; order: rank correlations; chance: of a move at random.
    """
    best, column = _deepest(table)[0], budget[budget.columns[-1]]
    at = order.set_index("evaluator")["spearman"]
    leader = str(at.idxmax())
    perfect = "No evaluator plays perfectly" if best["regret"] > 0 else "One plays perfectly here"
    ranks = {"leader": leader, "of_leader": at[leader], "of_store": at["store_difference"]}
    nodes = {"nodes": column.name, "first": column.index[0], "second": column.index[1]}
    return say(
        "answer", column=[*column], chance=chance, paired=_of_paired(paired), perfect=perfect,
        best=best, regret=Interval.of(best, "regret"), **nodes, **ranks,
    )  # fmt: skip


def _of_paired(paired: pd.DataFrame) -> str:
    """Which evaluators differ from the store difference at their greatest depth."""
    deepest = paired.groupby("evaluator", sort=False).tail(1).reset_index().to_dict("records")
    parts = [
        f"{row['evaluator']} gives up {abs(row['difference']):.2f} stones "
        f"{'more' if row['difference'] > 0 else 'less'}"
        for row in deepest
        if row["p"] < strength.ALPHA
    ]
    left = len(deepest) - len(parts)
    others = "1 other evaluator is" if left == 1 else f"{left} other evaluators are"
    rest = f" {others} not told apart from it." if left else ""
    return say(
        "paired" if parts else "paired-none", depth=deepest[0]["depth"], parts=parts, rest=rest
    )


FOLLOWS = say("follows")
"""What the page leads to."""
