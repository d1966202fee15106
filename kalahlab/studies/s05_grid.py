"""The grid: costs over openings, and who plays how well, of rows of games and of matches."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice, product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from kalahlab.grid import Row, run_all
from kalahlab.matches.openings import MAX_LEAD, PITS, PLIES, SCREENING, STONES
from kalahlab.matches.pairs import other_side, play_pair
from kalahlab.matches.rating import CERTAINTY, Interval, holm, mean_of, units
from kalahlab.matches.tournament import cross_table, matches, round_robin, standings
from kalahlab.report.draw.axes import legend_above, panels, plain_numbers
from kalahlab.report.draw.forest import forest, looks
from kalahlab.report.draw.heat_map import heat_map
from kalahlab.report.draw.style import alt
from kalahlab.words import Words

say = Words("studies", "s05_grid")

BY = ["rules", "algorithm", "evaluator", "depth"]

ELO_ENDS = ("elo_low", "elo_high")

RANDOM = "at random"
"""Ties broken at random, which is what tables show; other ways are there to compare."""

Played = dict[tuple[str, str], list[Row]]
"""Pairs of games by rules and by how ties are broken."""


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
    """Each column's geometric mean over the openings, and in `, low` and `, high` its interval."""
    parts = [over_openings(rows, column) for column in columns]
    table = parts[0][BY].copy()
    for column, part in zip(columns, parts, strict=True):
        for of, end in ENDS.items():
            table[f"{column}{of}"] = part[end].round().astype("Int64")
    return table


ENDS = {"": "mean", ", low": "low", ", high": "high"}
"""What the names of the columns of an estimate end in."""


def by_algorithm(costs: pd.DataFrame) -> pd.DataFrame:
    """The nodes that minimax and alpha-beta generate side by side, and the moves of their game.

    costs: those of `costs`, of `generated` and `path`. An algorithm that generates as many nodes
    as another one everywhere is left out.
    """
    keys = ["rules", "evaluator", "depth"]
    shown: dict[str, pd.DataFrame] = {}
    for name, part in reversed([*costs.groupby("algorithm", sort=False)]):
        part = part.set_index(keys)
        if not any(part["generated"].equals(each["generated"]) for each in shown.values()):
            shown[str(name).replace("_", "-")] = part
    columns = {
        f"{name}{of}": part[f"generated{of}"]
        for name, part in reversed(shown.items())
        for of in ENDS
    }
    last = next(iter(shown.values()))
    return pd.DataFrame(columns).assign(**{f"moves{of}": last[f"path{of}"] for of in ENDS})


def saved(rows: pd.DataFrame) -> pd.DataFrame:
    """Over the openings, how many times as many nodes minimax generates as alpha-beta.

    As `over_openings`, whose game minimax and alpha-beta both play to its end.
    """
    keys = ["rules", "evaluator", "depth", "opening"]
    both = rows.pivot(index=keys, columns="algorithm", values="generated")
    both = both.loc[pd.MultiIndex.from_frame(rows[keys].drop_duplicates())]
    ratio = (both["minimax"] / both["alpha_beta"]).reset_index(name="ratio")
    return over_openings(ratio.assign(algorithm="minimax / alpha-beta"), "ratio")


def draw_saved(rows: pd.DataFrame) -> Figure:
    """What pruning saves by depth, on a log scale, a panel a rule set: `saved`."""
    means = saved(rows)
    rules, names = (list(means[column].unique()) for column in ("rules", "evaluator"))
    figure, axes = panels(1, len(rules), (9, 3.6), sharey=True)
    for ax, rule in zip(axes[0], rules, strict=True):
        for nth, (name, look) in enumerate(looks(names, "{}", linewidth=1).items()):
            part = means[(means["rules"] == rule) & (means["evaluator"] == name)]
            reach = [part["mean"] - part["low"], part["high"] - part["mean"]]
            shift = 0.08 * (nth - (len(names) - 1) / 2)
            ax.errorbar(part["depth"] + shift, part["mean"], yerr=reach, capsize=2, **look)
        ax.set(title=f"{rule} rules", xlabel="depth in sows")
        ax.set_yscale("log", base=2)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        plain_numbers(ax.yaxis)
    axes[0][0].set_ylabel("nodes of minimax / nodes of alpha-beta")
    legend_above(figure, axes[0][0])
    return alt(figure, range_in_words(means))


def range_in_words(means: pd.DataFrame) -> str:
    """The ends of what a chart of `saved` shows, for those who cannot see it."""
    ascending = means.sort_values("mean").to_dict("records")
    return say("range", low=ascending[0], high=ascending[-1])


def one_search(rows: pd.DataFrame) -> str:
    """Whether the algorithms of the study play alike, and at which cost, in words."""
    same, games = alike(rows, "minimax_a_b", "alpha_beta", ["generated", "expanded", "moves"])
    moves, _ = alike(rows, "minimax", "alpha_beta", ["moves"])
    one = "they are one search in two notations" if same == games else "they are not one search"
    plays = "Minimax plays" if moves == games else "Minimax does not always play"
    return say("one-search", same=same, games=games, one=one, plays=plays, moves=moves)


def alike(
    rows: pd.DataFrame, one: str, other: str, columns: Sequence[str], what: str = "algorithm"
) -> tuple[int, int]:
    """In how many games two of `what` have the same in all columns, and of how many."""
    keys = [name for name in (*BY, "opening") if name != what]
    parts = [rows[rows[what] == name].set_index(keys)[list(columns)] for name in (one, other)]
    same = (parts[0] == parts[1].loc[parts[0].index]).all(axis=1)
    return int(same.sum()), len(same)


def duplicate(rows: pd.DataFrame, one: str, other: str) -> str:
    """Whether an evaluator is another one under a second name, in words."""
    same, games = alike(rows, one, other, ["generated", "moves"], "evaluator")
    verdict = say("second-name" if same == games else "two-players", other=other)
    names = {"one": one.upper(), "other": other.replace("_", " ")}
    return say("duplicate", same=same, games=games, verdict=verdict, **names)


def where_from() -> str:
    """How the openings were chosen, in words."""
    facts = {"pits": PITS, "stones": STONES, "plies": PLIES, "lead": MAX_LEAD}
    return say("where-from", screening=SCREENING.limit, **facts)


def first_player(rows: pd.DataFrame) -> pd.DataFrame:
    """The first player's points a game, 1/2 for a draw, and stones, by rules and depth.

    low, high: the 95 % interval of the points, p: of 1/2, corrected for all rows by Holm's method;
    margin_low, margin_high: Student's interval. Games from one opening are one unit.
    """
    sides = rows.assign(points=(rows["margin"] > 0) + (rows["margin"] == 0) / 2)
    found = []
    for (rules, depth), part in sides.groupby(["rules", "depth"], sort=False):
        games = units([*part["points"]], [*part["opening"]])
        margin = mean_of([*part.groupby("opening")["margin"].mean()])
        found.append(
            {"rules": rules, "depth": depth, "points": games.mean}
            | dict(zip(("low", "high"), games.interval(), strict=True))
            | {"p": games.p_value()}
            | margin.columns("margin", ("margin_low", "margin_high"))
        )
    table = pd.DataFrame(found).set_index(["rules", "depth"])
    return table.assign(p=holm([*table["p"]]))


def first_player_says(table: pd.DataFrame) -> str:
    """Where the first player does better or worse than the second, in words: `first_player`."""
    found = table[table["p"] < 1 - CERTAINTY].reset_index().to_dict("records")
    said = "; ".join(
        f"{'better' if row['points'] > 0.5 else 'worse'} at depth {row['depth']} under "
        f"{row['rules']} rules ({Interval.of(row, 'points'):.2f} points)"
        for row in found
    )
    name = "first-player" if found else "first-player-none"
    return say(name, said=said, left=len(table) - len(found), rows=len(table))


def endings(seeds: int) -> dict[str, list[str]]:
    """What a player's text ends with under each way to break ties; at random by so many seeds."""
    return {
        RANDOM: [f":ties={seed}" for seed in range(seeds)],
        "in pit order": [""],
        "store first": [":sow:store_first"],
    }


def play(
    players: Sequence[str],
    rules: Sequence[str],
    openings: int,
    ties: Mapping[str, Sequence[str]],
    **how: Any,
) -> Played:
    """Round robins by rules and way to break ties, which all players of one share.

    ties: `endings`, of which the players are named without. how: what `run_all` takes.
    """
    pairs = {
        (rule, name): [
            pair
            for text in texts
            for pair in round_robin([f"{player}{text}" for player in players], rule, openings)
        ]
        for rule, (name, texts) in product(rules, ties.items())
    }
    rows = iter(run_all(play_pair, [*chain(*pairs.values())], **how))
    return {
        field: [_without_ending(row) for row in islice(rows, len(each))]
        for field, each in pairs.items()
    }


def _without_ending(row: Row) -> Row:
    return row | {side: ":".join(row[side].split(":")[:3]) for side in ("one", "other")}


def places(played: Played) -> pd.DataFrame:
    """Standings by rules and ties, one below the other, with `evaluator` and `depth`."""
    table = pd.DataFrame(
        {"rules": rules, "ties": ties} | row
        for (rules, ties), rows in played.items()
        for row in standings(rows)
    )
    named = table["player"].str.split(":", expand=True)
    table.insert(2, "evaluator", named[1])
    table.insert(3, "depth", named[2].astype(int))
    return table


def readable_standings(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Standings with ties at random: games, score and Elo, with their intervals."""
    shown = table[table["ties"] == RANDOM].reset_index(drop=True)
    shown = shown[
        ["rules", by, "wins", "draws", "losses", "score", "low", "high", "elo", *ELO_ENDS]
    ]
    digits = {"score": 3, "low": 3, "high": 3} | dict.fromkeys(("elo", *ELO_ENDS), 0)
    return shown.round(digits)


def by_ties(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Scores with their intervals under each way to break ties, side by side."""
    parts = []
    for ties, part in table.groupby("ties", sort=False):
        ends = {"score": str(ties), "low": f"{ties}, low", "high": f"{ties}, high"}
        parts.append(part.set_index(["rules", by])[[*ends]].round(3).rename(columns=ends))
    return pd.concat(parts, axis=1)


def draw_ratings(table: pd.DataFrame, by: str, label: str) -> Figure:
    """Elo with its interval, a panel a rule set, a mark for each way to break ties.

    table: `places`; the best of its first rows on top. by: what tells the players apart, a
    column of it; label: what that is.
    """
    parts = [part for _, part in table.groupby("rules", sort=False)]
    ties = list(table["ties"].unique())
    names = list(parts[0].loc[parts[0]["ties"] == ties[0], by])
    look = looks(ties, "ties {}")
    figure, axes = forest(
        [parts], names, by, ("ties", look), (9, 1.2 + 0.2 * (len(ties) + 1) * len(names)),
        columns=("elo", *ELO_ENDS), apart=0.22, line={"x": 0}, sharex=True,
    )  # fmt: skip
    for ax, rules in zip(axes[0], table["rules"].unique(), strict=True):
        ax.set(title=f"{rules} rules", xlabel="Elo; the mean of all is 0 (bar: 95 %)")
        ax.xaxis.set_major_locator(MaxNLocator(5))
    axes[0][0].set_ylabel(label)
    legend_above(figure, axes[0][0])
    return alt(figure, ratings_in_words(table, by))


def ratings_in_words(table: pd.DataFrame, by: str) -> str:
    """What a chart of ratings shows, for those who cannot see it."""
    parts = [
        f"{rules}, ties {ties}: "
        + ", ".join(f"{row[by]} {row['elo']:+.0f}" for row in rows.to_dict("records"))
        for (rules, ties), rows in table.groupby(["rules", "ties"], sort=False)
    ]
    return f"Elo with 95 % intervals, by {by}. {'; '.join(parts)}."


def crossed(rows: Sequence[Row]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A round robin's scores by evaluator, and the ends of their intervals as text."""
    scores = cross_table(rows)
    ends = pd.DataFrame("", scores.index, scores.columns)
    for row in matches(rows):
        one, other, low, high = row["one"], row["other"], row["low"], row["high"]
        ends.loc[one, other] = f"{low:.2f}-{high:.2f}"
        ends.loc[other, one] = f"{1 - high:.2f}-{1 - low:.2f}"
    names = {name: name.split(":")[1] for name in scores.index}
    return scores.rename(names).rename(columns=names), ends.rename(names).rename(columns=names)


def draw_cross(played: Played) -> Figure:
    """Cross tables as heat maps, a panel a rule set: the player at the left against the one below.

    Of the matches with ties at random.
    """
    found = {rules: crossed(rows) for (rules, ties), rows in played.items() if ties == RANDOM}
    size = 0.8 * len(next(iter(found.values()))[0])
    figure, axes = panels(1, len(found), (2 + size * len(found), 1.6 + 0.8 * size))
    for ax, (rules, (scores, ends)) in zip(axes[0], found.items(), strict=True):
        texts = scores.map("{:.2f}".format) + "\n" + ends
        heat_map(
            ax, scores, annot=texts, fmt="", annot_kws={"fontsize": 7.5}, cmap="PuOr_r", center=0.5,
            vmin=0, vmax=1, cbar=False,
        )  # fmt: skip
        plt.setp(ax.get_xticklabels(), rotation=30, ha="right")
        ax.set_facecolor("lightgrey")
        ax.grid(visible=False)
        ax.set(xlabel="against", title=f"{rules} rules")
    shades = axes[0][0].collections[0]
    figure.colorbar(shades, ax=list(axes[0]), label="score; below it its 95 % interval", shrink=0.8)
    return alt(figure, f"Scores of the evaluator at the left against the one below. {_best(found)}")


def _best(found: Mapping[str, tuple[pd.DataFrame, pd.DataFrame]]) -> str:
    """The highest score of each cross table, in words."""
    said = []
    for rules, (scores, _) in found.items():
        cells = [
            (score, one, other)
            for one, row in scores.to_dict("index").items()
            for other, score in row.items()
            if one != other
        ]
        highest, one, other = max(cells)
        said.append(f"Highest under {rules} rules: {one} against {other}, {highest:.2f}.")
    return " ".join(said)


def ahead(rows: Sequence[Row], leader: str) -> dict[str, float]:
    """How likely each other player, if it is as good, is so far from the leader; Holm's p-values.

    A player's points are compared with the leader's opening by opening.
    """
    sides = [side for row in rows for side in (row, other_side(row))]
    points = pd.DataFrame(sides).pivot_table(index="opening", columns="one", values="points")
    others = [str(name) for name in points if name != leader]
    apart = [units([*(1 + points[leader] - points[name]) / 2]) for name in others]
    return dict(zip(others, holm([each.p_value() for each in apart]), strict=True))


def leaders(played: Played, by: str) -> str:
    """Who leads under each set of rules, and whom the matches do not tell from it.

    Only what holds under every way to break ties is said to be so. by: `evaluator` or `depth`.
    """
    rules = dict.fromkeys(rule for rule, _ in played)
    return " ".join(
        _leader(rule, {ties: rows for (each, ties), rows in played.items() if each == rule}, by)
        for rule in rules
    )


def _leader(rules: str, fields: Mapping[str, Sequence[Row]], by: str) -> str:
    ranked = {ties: standings(rows) for ties, rows in fields.items()}
    first = {ties: table[0]["player"] for ties, table in ranked.items()}
    chances = [ahead(rows, first[ties]) for ties, rows in fields.items()]
    others = [
        row["player"] for row in next(iter(ranked.values())) if row["player"] not in first.values()
    ]
    worse = [name for name in others if all(each[name] < 1 - CERTAINTY for each in chances)]
    behind, close = (
        [_short(name, by) for name in others if (name in worse) == wanted]
        for wanted in (True, False)
    )
    if len(set(first.values())) > 1:
        each = [f"{_short(name, by)} {ties}" for ties, name in first.items()]
        said = say("no-leader", rules=rules, each=each, by=by)
        return said + (say("behind-each-time", names=behind) if behind else "")
    ties, table = next(iter(ranked.items()))
    how = "however ties are broken" if len(fields) > 1 else f"with ties broken {ties}"
    beside = f" with ties broken {ties}" if len(fields) > 1 else ""
    elo, name = Interval.of(table[0], "elo", ELO_ENDS), _short(first[ties], by)
    said = say("leader", rules=rules, name=name, how=how, beside=beside, elo=elo)
    said += say("better-than", names=behind) if behind else ""
    return said + (say("not-told-apart", names=close) if close else "")


def _short(player: str, by: str) -> str:
    """What tells a player from the others of its field."""
    _, evaluator, depth = player.split(":")
    return evaluator if by == "evaluator" else depth


def finding(rows: pd.DataFrame, played: Played) -> str:
    """What the notebook found, in one sentence: games of the grid, and the evaluators' matches.

    The ratio is that of the first evaluator and rules at the greatest depth.
    """
    means = saved(rows)
    first = (means[["rules", "evaluator"]] == means[["rules", "evaluator"]].iloc[0]).all(axis=1)
    [row] = means[first & (means["depth"] == means["depth"].max())].to_dict("records")
    moves, games = alike(rows, "minimax", "alpha_beta", ["moves"])
    led, times = _led(played, str(row["rules"])), Interval.of(row, "mean")
    return say("finding", row=row, times=times, moves=moves, games=games, led=led)


def _led(played: Played, rules: str) -> str:
    """Which evaluator leads its matches, if it does so under every way to break ties."""
    tables = {ties: standings(rows) for (each, ties), rows in played.items() if each == rules}
    first = {_short(table[0]["player"], "evaluator") for table in tables.values()}
    if len(first) > 1:
        return f"which evaluator leads under {rules} rules depends on how ties are broken"
    score = Interval.of(tables[RANDOM][0])
    return f"under {rules} rules {first.pop()} leads the evaluators with a score of {score:.2f}"


FOLLOWS = say("follows")
"""What the page leads to."""
