"""How strong players are, for several notebooks: what they give up, and what they score."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import ttest_1samp

from kalahlab.matches.rating import Interval, holm, mean_of
from kalahlab.report.draw.axes import legend_above
from kalahlab.report.draw.forest import forest, looks
from kalahlab.report.draw.style import alt
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import Order, RandomTies, pit_order

NAMED = 3
"""So many undecided matches are named; more are counted."""

ALPHA = 0.05
"""A difference is sure if its p, after Holm's correction, is less."""

TIES: dict[str, Order] = {
    "at random": RandomTies(pit_order, seed=0),
    "pit order": pit_order,
    "store first": store_first,
}
"""How the equally good moves of a search are told apart: by the order that it tries moves in."""

Rows = list[dict[Hashable, Any]]


def summary(regrets: pd.DataFrame) -> pd.DataFrame:
    """Rows of `kalahlab.judging.regret.regrets` by evaluator and depth.

    Means of a move: nodes, entered; regret, in stones, ties at random; low, high: its 95 %
    interval; optimal, the share that gives nothing up; pit_order, store_first: the regret of the
    leftmost and of the rightmost of equally good moves.
    """
    groups = regrets.groupby(["evaluator", "depth"], sort=False)
    columns = ["nodes", "regret", "optimal", "pit_order", "store_first"]
    table = groups[columns].mean()
    table[["low", "high"]] = [mean_of([*group])[1:] for _, group in groups["regret"]]
    return table[["nodes", "regret", "low", "high", *columns[2:]]]


def differences(regrets: pd.DataFrame, base: str) -> pd.DataFrame:
    """How much more each evaluator gives up than `base`, at the same depth in the same positions.

    difference: of the mean regret, in stones; low, high: its 95 % interval, Student's, for each
    position is of a game of its own; p: of no difference, after Holm's correction for all rows.
    """
    by_position = regrets.pivot(index=["depth", "position"], columns="evaluator", values="regret")
    less = by_position.sub(by_position[base], axis=0).drop(columns=base)
    searches = regrets[["evaluator", "depth"]].drop_duplicates().itertuples(index=False)
    found = {(name, depth): less.loc[depth, name] for name, depth in searches if name != base}
    rows = [mean_of([*group])._asdict() for group in found.values()]
    table = pd.DataFrame(rows, pd.MultiIndex.from_tuples(found, names=["evaluator", "depth"]))
    alone = [_p_value(group) for group in found.values()]
    return table.rename(columns={"mean": "difference"}).assign(p=holm(alone))


def _p_value(differences: pd.Series) -> float:
    """Of the mean being 0, by Student's t; 1 if all are 0."""
    return float(ttest_1samp(differences, 0).pvalue) if differences.any() else 1.0


def verdicts(table: pd.DataFrame) -> list[str]:
    """What each match says, worse, not told apart or better, after Holm's correction for all.

    table: `score` and `p`, of equals scoring so far from 1/2.
    """
    corrected = holm([float(p) for p in table["p"]])
    sides = ("worse" if score < 0.5 else "better" for score in table["score"])
    return [
        side if p < ALPHA else "not told apart" for side, p in zip(sides, corrected, strict=True)
    ]


def by_verdict(table: pd.DataFrame) -> dict[str, Rows]:
    """The matches of a table by their `verdicts`."""
    found: dict[str, Rows] = {}
    for row, said in zip(table.reset_index().to_dict("records"), verdicts(table), strict=True):
        found.setdefault(said, []).append(row)
    return found


def verdict(table: pd.DataFrame) -> str:
    """How many of the matches are decided, in words, after Holm's correction.

    table: `against`, `depth`, `score`, `low`, `high` and `p`, as columns or in the index.
    """
    found = by_verdict(table)
    said = f"{len(found.get('better', ()))} of {len(table)} scores are above 1/2"
    if "worse" in found:
        said += f", {len(found['worse'])} below it"
    undecided = found.get("not told apart", [])
    if len(undecided) > NAMED:
        said += f", and {len(undecided)} are not told apart from it"
    elif undecided:
        named = "; ".join(map(score_of, undecided))
        said += f"; not told apart from 1/2 is the match against {named}"
    lowest = table.reset_index().sort_values("low", kind="stable").head(1).to_dict("records")
    return (
        f"{said} (5 %, Holm's correction for all {len(table)}). The lowest is that against "
        f"{score_of(lowest[0])}."
    )


def score_of(row: Mapping[Any, Any]) -> str:
    """A match and its score, in words."""
    under = f", {row['rules']} rules" if "rules" in row else ""
    return f"{row['against']} at depth {row['depth']}{under}: {Interval.of(row):.2f}"


def draw_scores(table: pd.DataFrame, player: str) -> Figure:
    """A player's score in each match with its interval; colours and marks say the depth.

    table: as for `verdict`; a panel for each set of `rules`, if it has them.
    """
    rows = table.reset_index()
    rows = rows if "rules" in rows else rows.assign(rules="")
    rules, names, depths = (list(rows[column].unique()) for column in ("rules", "against", "depth"))
    figure, axes = forest(
        [[rows[rows["rules"] == rule] for rule in rules]], names, "against",
        ("depth", looks(depths, "depth {}")), (8, 1.4 + 0.18 * (len(depths) + 1) * len(names)),
        apart=0.22, line={"x": 0.5},
    )  # fmt: skip
    for ax, rule in zip(axes[0], rules, strict=True):
        ax.set(title=rule, xlim=(-0.03, 1.03))
    figure.supxlabel(f"score of {player}, 95 % interval", fontsize="medium")
    legend_above(figure, axes[0][0])
    return alt(figure, f"Forest plot. {verdict(table)}")
