"""How strong players are, for several notebooks: what they give up, and what they score."""

from collections.abc import Hashable, Iterable, Mapping
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
from kalahlab.words import Words, tables

say = Words("studies", "strength")

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

IN_WORDS: dict[str, str] = tables("studies")["evaluators"]
"""Each evaluator in a phrase, for readers who come from another page."""

Rows = list[dict[Hashable, Any]]


def in_words(names: Iterable[str]) -> pd.DataFrame:
    """What each evaluator looks at, a row each."""
    rows = {name: {"what it looks at": IN_WORDS[name]} for name in names}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("evaluator")


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


def readable(summary: pd.DataFrame) -> pd.DataFrame:
    """A `summary` with headings for a page."""
    named = {"optimal": "share of best moves", "regret": "regret (ties at random)"}
    ties = {"pit_order": "regret, pit order", "store_first": "regret, store first"}
    return summary.rename(columns=named | ties)


def differences(regrets: pd.DataFrame, base: str) -> pd.DataFrame:
    """How much more each evaluator gives up than `base`, at the same depth in the same positions.

    difference: of the mean regret, in stones; low, high: its 95 % interval, Student's, for each
    position is of a game of its own; p: of no difference, after Holm's correction for all rows.
    """
    by_position = regrets.pivot(index=["depth", "position"], columns="evaluator", values="regret")
    less = by_position.sub(by_position[base], axis=0).drop(columns=base)
    searches = regrets[["evaluator", "depth"]].drop_duplicates().itertuples(index=False)
    found = {(name, depth): less.loc[depth, name] for name, depth in searches if name != base}
    # without the last digits, in which a difference of nothing is not 0
    means = [mean_of([*group]) for group in found.values()]
    rows = [{name: round(value, 9) + 0.0 for name, value in m._asdict().items()} for m in means]
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
    better, worse = (len(found.get(name, ())) for name in ("better", "worse"))
    undecided = found.get("not told apart", [])
    named = "; against ".join(map(score_of, undecided))
    name = "many" if len(undecided) > NAMED else "few" if undecided else "none"
    rest = say(f"undecided-{name}", number=len(undecided), named=named)
    lowest = table.reset_index().sort_values("low", kind="stable").head(1).to_dict("records")
    below = f" and {worse} below it" if worse else ""
    facts = {"better": better, "below": below, "rest": rest, "lowest": score_of(lowest[0])}
    return say("verdict", scores=len(table), **facts)


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
        ax.set(title=f"{rule} rules" if rule else "", xlim=(-0.03, 1.03))
    figure.supxlabel(f"score of {player}, 95 % interval", fontsize="medium")
    legend_above(figure, axes[0][0])
    least, most = rows["score"].min(), rows["score"].max()
    return alt(figure, say("draw-scores", player=player, least=least, most=most))
