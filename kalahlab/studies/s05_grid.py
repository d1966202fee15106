"""The grid: costs over openings, and who plays how well, of rows of games and of matches."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from kalahlab.grid import Row
from kalahlab.matches.rating import Interval, mean_of
from kalahlab.matches.tournament import cross_table, matches
from kalahlab.report.draw.axes import legend_above, panels, plain_numbers
from kalahlab.report.draw.forest import forest, looks
from kalahlab.report.draw.heat_map import heat_map
from kalahlab.report.draw.style import PALETTE, alt

BY = ["rules", "algorithm", "evaluator", "depth"]

ELO_ENDS = ("elo_low", "elo_high")


def over_openings(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """A cost's geometric mean over the openings with its 95 % interval: mean, low, high.

    Costs differ from opening to opening by factors, so their logarithms are averaged. One row
    for each of `BY`; the interval that one opening alone leaves open is NaN.
    """
    table = pd.DataFrame(
        [
            dict(zip(BY, names, strict=True)) | mean_of([*np.log(part[column])])._asdict()
            for names, part in rows.groupby(BY, sort=False)
        ]
    )
    table[["mean", "low", "high"]] = np.exp(table[["mean", "low", "high"]])
    return table.where(~table.isin([0, float("inf")]))


def costs(rows: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Each column's geometric mean over the openings, and the factor to its interval's ends.

    As a text: `565 ×÷ 1.2` is 565, and between 565 / 1.2 and 565 * 1.2.
    """
    parts = [over_openings(rows, column) for column in columns]
    table = parts[0][BY].copy()
    for column, part in zip(columns, parts, strict=True):
        table[column] = [
            f"{mean:,.0f}" + ("" if pd.isna(high) else f" ×÷ {high / mean:.2f}")
            for mean, high in zip(part["mean"], part["high"], strict=True)
        ]
    return table


def by_algorithm(costs: pd.DataFrame) -> pd.DataFrame:
    """The algorithms' generated nodes side by side, and the moves of the game that all play.

    costs: those of `costs`, of `generated` and `path`.
    """
    names = list(costs["algorithm"].unique())
    keys = ["rules", "evaluator", "depth"]
    table = costs.pivot(index=keys, columns="algorithm", values="generated")[names]
    table = table.reindex(pd.MultiIndex.from_frame(costs[keys].drop_duplicates()))
    last = costs[costs["algorithm"] == names[-1]].set_index(keys)
    table.columns = pd.Index([name.replace("_", "-") for name in names])
    return table.assign(moves=last["path"])


def draw_nodes(rows: pd.DataFrame) -> Figure:
    """Mean nodes of a game with intervals on a log scale, a panel a rule set and algorithm."""
    means = over_openings(rows, "generated")
    rules, algorithms, names, depths = (list(means[column].unique()) for column in BY)
    grid = [
        [means[(means["rules"] == rule) & (means["algorithm"] == each)] for each in algorithms]
        for rule in rules
    ]
    size = (9, 0.8 + len(rules) * (0.5 + 0.3 * len(names)))
    marks = looks(depths, "depth {}", linewidth=1.5)
    columns = ("mean", "low", "high")
    figure, axes = forest(
        grid, names, "evaluator", ("depth", marks), size, columns=columns, sharex=True
    )
    for ax in axes.flat:
        ax.set(xscale="log")
        ax.tick_params(axis="x", labelsize="small")
        plain_numbers(ax.xaxis)
    for ax, algorithm in zip(axes[0], algorithms, strict=True):
        ax.set_title(algorithm)
    for ax, rule in zip(axes[:, 0], rules, strict=True):
        ax.set_ylabel(f"{rule} rules")
    label = "nodes generated in a game, mean over the openings (bar: 95 %)"
    figure.supxlabel(label, fontsize="medium")
    legend_above(figure, axes[0][0])
    return alt(figure, range_in_words(means))


def range_in_words(means: pd.DataFrame) -> str:
    """The ends of what a chart of `over_openings` shows, for those who cannot see it."""
    ascending = means.sort_values("mean").to_dict("records")
    low, high = (
        f"{row['mean']:,.0f} ({', '.join(str(row[name]) for name in reversed(BY))})"
        for row in (ascending[0], ascending[-1])
    )
    return f"Means with intervals by depth, evaluator, algorithm and rules: from {low} to {high}."


def one_search(rows: pd.DataFrame) -> str:
    """How many games the algorithms of the study play alike, and at which cost, in words."""
    same, games = alike(rows, "minimax_a_b", "alpha_beta", ["generated", "expanded", "moves"])
    moves, _ = alike(rows, "minimax", "alpha_beta", ["moves"])
    return (
        f"MINIMAX-A-B and ALPHA-BETA-SEARCH generate and expand as many nodes and play the same "
        f"moves in {same} of {games} games: they are one search in two notations. Minimax plays "
        f"those moves, too, in {moves}."
    )


def first_player(rows: pd.DataFrame) -> pd.DataFrame:
    """The first player's points a game, 1/2 for a draw, and stones, by rules and depth.

    Means over the openings; low, high: the 95 % interval of the points, which games from one
    opening, not being independent, enter by their mean.
    """
    sides = rows.assign(points=(rows["margin"] > 0) + (rows["margin"] == 0) / 2)
    means = sides.groupby(["rules", "depth", "opening"], sort=False)[["points", "margin"]].mean()
    found = means.groupby(["rules", "depth"], sort=False)
    table = pd.DataFrame({key: mean_of([*part]) for key, part in found["points"]}).T
    table.columns, table.index.names = pd.Index(["points", "low", "high"]), ["rules", "depth"]
    table["low"], table["high"] = table["low"].clip(lower=0), table["high"].clip(upper=1)
    return table.assign(margin=found["margin"].mean())


def alike(rows: pd.DataFrame, one: str, other: str, columns: Sequence[str]) -> tuple[int, int]:
    """In how many games two algorithms have the same in all columns, and of how many."""
    keys = ["rules", "evaluator", "depth", "opening"]
    parts = [
        rows[rows["algorithm"] == name].set_index(keys)[list(columns)] for name in (one, other)
    ]
    same = (parts[0] == parts[1].loc[parts[0].index]).all(axis=1)
    return int(same.sum()), len(same)


def places(standings: Mapping[str, Sequence[Row]]) -> pd.DataFrame:
    """Standings by rules, one below the other, with each player's `evaluator` and `depth`."""
    table = pd.DataFrame({"rules": each} | row for each, rows in standings.items() for row in rows)
    named = table["player"].str.split(":", expand=True)
    table.insert(1, "evaluator", named[1])
    table.insert(2, "depth", named[2].astype(int))
    return table


def readable_standings(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Standings with each interval behind its estimate."""
    shown = table[["rules", by, "wins", "draws", "losses"]].copy()
    shown["margin"] = table["margin"].map("{:+.1f}".format)
    rows = table.to_dict("records")
    shown["score"] = [f"{Interval.of(row):.3f}" for row in rows]
    shown["Elo"] = [f"{Interval.of(row, 'elo', ELO_ENDS):+.0f}" for row in rows]
    return shown


def draw_ratings(table: pd.DataFrame, by: str, label: str) -> Figure:
    """Elo with its interval, a panel a rule set; the best of the first on top.

    table: `places`. by: what tells the players apart, a column of it; label: what that is.
    """
    parts = [part for _, part in table.groupby("rules", sort=False)]
    names = list(parts[0][by])
    look = {rules: {"fmt": "o", "color": PALETTE["blue"]} for rules in table["rules"].unique()}
    figure, axes = forest(
        [parts], names, by, ("rules", look), (9, 0.9 + 0.36 * len(names)),
        columns=("elo", *ELO_ENDS), line={"x": 0}, margin=0.05 * (len(names) - 1),
        sharex=True,
    )  # fmt: skip
    for ax, rules in zip(axes[0], look, strict=True):
        ax.set(title=rules, xlabel="Elo about the mean of all (bar: 95 %)")
        ax.xaxis.set_major_locator(MaxNLocator(5))
    axes[0][0].set_ylabel(label)
    return alt(figure, ratings_in_words(table, by))


def ratings_in_words(table: pd.DataFrame, by: str) -> str:
    """What a chart of ratings shows, for those who cannot see it."""
    parts = [
        f"{rules}: " + ", ".join(f"{row[by]} {row['elo']:+.0f}" for row in rows.to_dict("records"))
        for rules, rows in table.groupby("rules", sort=False)
    ]
    return f"Elo with 95 % intervals, by {by}. {'; '.join(parts)}."


def crossed(rows: Sequence[Row]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A round robin's scores by evaluator, and how far their intervals go to either side."""
    scores = cross_table(rows)
    reach = scores.copy()
    for row in matches(rows):
        one, other = row["one"], row["other"]
        within = max(row["high"] - row["score"], row["score"] - row["low"])
        reach.loc[one, other] = reach.loc[other, one] = within
    names = {name: name.split(":")[1] for name in scores.index}
    return scores.rename(names).rename(columns=names), reach.rename(names).rename(columns=names)


def draw_cross(rows: Sequence[Row], rules: str) -> Figure:
    """A cross table as a heat map: the score of the player at the left against the one below."""
    scores, reach = crossed(rows)
    figure, [[ax]] = panels(1, 1, (8.5, 1.4 + 0.55 * len(scores)))
    texts = scores.map("{:.2f}".format) + "\n± " + reach.map("{:.2f}".format)
    heat_map(
        ax, scores, annot=texts, fmt="", annot_kws={"fontsize": 9}, cmap="PuOr_r", center=0.5,
        vmin=0, vmax=1, cbar_kws={"label": "score, ± its 95 % interval"},
    )  # fmt: skip
    plt.setp(ax.get_xticklabels(), rotation=30, ha="right")
    ax.grid(visible=False)
    ax.set(xlabel="against", title=f"{rules} rules")
    return alt(figure, f"Scores of every two evaluators, {rules} rules.")


def leaders(table: pd.DataFrame, by: str) -> str:
    """Who leads under each set of rules, and whom the intervals do not tell from it."""
    said = []
    for rules, rows in table.groupby("rules", sort=False):
        first = rows.iloc[0]
        close = rows.iloc[1:].loc[rows.iloc[1:]["elo_high"] >= first["elo_low"], by]
        elo, low, high = Interval.of(dict(first), "elo", ELO_ENDS)
        rated = f"Elo {elo:+.0f}, {low:+.0f} to {high:+.0f}"
        others = f", not told apart from {', '.join(map(str, close))}" if len(close) else ""
        said.append(f"under {rules} rules **{first[by]}** leads ({rated}){others}")
    return "; ".join(said)
