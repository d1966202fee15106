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
            "ties, all three agree."
        )
    named = "; ".join(f"against {name} at depth {depth}, {rules}" for rules, depth, name in differ)
    return (
        f"In {len(differ)} of {len(controlled)} matches the verdict depends on how ties are "
        f"broken, and nothing is concluded from those: {named}."
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
    moved = ", ".join(f"{column[worst]:.2f} {ties}" for ties, column in regrets.items())
    if always := set.intersection(*below):
        verdict = f"Worse than a move at random ({chance:.2f}) in all three: {_list(always)}."
    elif some := set.union(*below):
        verdict = (
            f"Only some of them put {_list(some)} below a move at random ({chance:.2f}), so that "
            "is not concluded."
        )
    else:
        verdict = f"All are better than a move at random ({chance:.2f}) in all three."
    return (
        f"The order of the evaluators {same} under all three ways to break ties. {worst} gives up "
        f"{moved}. {verdict}"
    )


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def of_chance(sample: Sequence[Judged], held_out: Sequence[Judged], rules: str) -> str:
    """What a move at random gives up, in the positions held out and in all, in words."""
    (there, best), (everywhere, _) = regret.chance(held_out), regret.chance(sample)
    return (
        f"Of {len(sample):,} positions under the {rules} rules {len(held_out):,} were held out. "
        f"There a move at random gives up {there:.2f} stones on the mean, and is best {best:.0%} "
        f"of the time; in all of them it gives up {everywhere:.2f}."
    )


def weights_table() -> pd.DataFrame:
    """What each feature of `fitted` counts, and its weight in stones."""
    nearest = [f"stones in the pit {n} from the store (pit {7 - n})" for n in range(1, 7)]
    counts = [
        "stones in the store; fixed, not fitted",
        *nearest,
        "pits with stones",
        "pits whose sow ends in the store",
        "pits whose sow goes on to the opponent's side",
        "the most stones that one sow captures",
    ]
    rows = {"counts, own less the opponent's": counts, "stones": FIT["weights"].values()}
    return pd.DataFrame(rows, index=FEATURES)


def of_fit(held_out: Mapping[str, float]) -> str:
    """How good the fit is where nothing was fitted, beside its baseline, in words."""
    gain = held_out["r2"] - held_out["r2_store"]
    verdict = "explains more" if gain > 0 else "explains no more"
    return (
        f"On {held_out['positions']:,} positions that the fit never saw, of both capture rules, "
        f"R² = {held_out['r2']:.2f}; the store difference plus a constant has "
        f"{held_out['r2_store']:.2f} there, so `fitted` {verdict}. Of the rest of the value, which "
        f"is what the weights are fitted to, R² = {held_out['r2_rest']:.2f}. It is "
        f"{held_out['mean_abs_error']:.2f} stones off on the mean."
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
    return (
        f"- **Per node**, {_of_budget(budget, column)}; a move at random {chance[0]:.2f}. "
        f"{_of_paired(paired)}\n"
        f"- **{'None is perfect' if best['regret'] > 0 else 'One is perfect here'}**: "
        f"{best['evaluator']} at depth {best['depth']} gives up {Interval.of(best, 'regret'):.2f} "
        f"stones a move, and plays a best move {best['optimal']:.0%} of the time; chance does "
        f"{chance[1]:.0%} of the time.\n"
        f"- **The static value that orders positions best is that of {leader}** (Spearman's ρ "
        f"{at[leader]:.2f}; the store difference {at['store_difference']:.2f})."
    )


def _of_budget(budget: pd.DataFrame, column: str) -> str:
    first, second = budget[column].index[:2]
    return (
        f"{first} gives up least at {column}: {budget.loc[first, column]:.2f} stones a move on "
        f"the mean; {second}, the next, {budget.loc[second, column]:.2f}"
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
    rest = f"; {left} others are not told apart from it" if left else ""
    return (
        f"At depth {deepest[0]['depth']}, in the same positions, {', '.join(parts)} than the "
        f"store difference (Holm's correction){rest}."
    )
