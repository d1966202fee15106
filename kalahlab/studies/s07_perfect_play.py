"""Tables and words of what players give up against perfect play, and of their matches."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from kalahlab.matches.pairs import Outcome
from kalahlab.matches.rating import mean_of

NAMED = 3
"""So many undecided matches are named; more are counted."""


def summary(regrets: pd.DataFrame) -> pd.DataFrame:
    """Rows of `kalahlab.judging.regret.regrets` by evaluator and depth.

    nodes: entered, the mean of a move; regret: its mean, in stones; low, high: the 95 %
    interval of that mean; optimal: the share of moves that give nothing up.
    """
    groups = regrets.assign(optimal=regrets["regret"] == 0).groupby(
        ["evaluator", "depth"], sort=False
    )
    table = groups[["nodes", "regret", "optimal"]].mean()
    table[["low", "high"]] = [mean_of([*group])[1:] for _, group in groups["regret"]]
    return table[["nodes", "regret", "low", "high", "optimal"]]


def regret_in_words(table: pd.DataFrame) -> str:
    """What each evaluator's deepest search gives up, of a `summary`, in words."""
    deepest = table.reset_index().sort_values("depth").groupby("evaluator", sort=False).tail(1)
    said = (
        f"{row['evaluator']} {row['regret']:.2f}"
        for row in deepest.sort_values("regret").to_dict("records")
    )
    return f"At the greatest depth, in stones: {', '.join(said)}."


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


def matches(outcomes: Mapping[tuple[int, str], Outcome]) -> pd.DataFrame:
    """A row a match, by depth and by whom it was against.

    low, high: of the score, 95 %; timed_out: games that either player lost on time.
    """
    table = pd.DataFrame([asdict(each) for each in outcomes.values()])
    table[["score", "low", "high"]] = [each.score for each in outcomes.values()]
    table.index = pd.MultiIndex.from_tuples(outcomes, names=["depth", "against"])
    return table[["wins", "draws", "losses", "margin", "score", "low", "high", "timed_out"]]


def verdict(table: pd.DataFrame) -> str:
    """How many of the matches are decided, in words: those whose interval leaves out 1/2.

    table: `matches`, or those of `kalahlab.studies.s05_grid.met`.
    """
    rows = table.reset_index().to_dict("records")
    above = sum(row["low"] > 0.5 for row in rows)
    below = sum(row["high"] < 0.5 for row in rows)
    said = f"{above} of {len(rows)} intervals lie above 1/2"
    if below:
        said += f", {below} below it"
    undecided = [_score_of(row) for row in rows if row["low"] <= 0.5 <= row["high"]]
    if len(undecided) > NAMED:
        said += f", and {len(undecided)} hold it"
    elif undecided:
        said += f"; 1/2 lies within that of the match against {'; '.join(undecided)}"
    return f"{said}. The lowest is that against {_score_of(min(rows, key=_low))}."


def on_time(table: pd.DataFrame, seconds: float) -> str:
    """How many games of the `matches` were lost on time, in words."""
    games = int(table[["wins", "draws", "losses"]].to_numpy().sum())
    return (
        f"With {1000 * seconds:,.0f} ms for a move, {int(table['timed_out'].sum())} of {games:,} "
        "games were lost on time."
    )


def _low(row: Mapping[Hashable, float]) -> float:
    return row["low"]


def _score_of(row: Mapping[Hashable, Any]) -> str:
    under = f", {row['rules']} rules" if "rules" in row else ""
    return f"{row['against']} at depth {row['depth']}{under}: {_interval(row, 'score')}"


def _interval(row: Mapping[Hashable, Any], column: str) -> str:
    return f"{row[column]:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def answer(
    table: pd.DataFrame, budget: pd.DataFrame, order: pd.DataFrame, chance: tuple[float, float]
) -> str:
    """What the notebook found, in words: a `summary`, its `at_nodes`, rank correlations, chance."""
    deepest = table.reset_index().sort_values("depth").groupby("evaluator", sort=False).tail(1)
    best = deepest.sort_values("regret").to_dict("records")[0]
    column = budget.columns[-1]
    first, second = budget[column].index[:2]
    ranked = order.sort_values("spearman", ascending=False)
    at = dict(zip(ranked["evaluator"], ranked["spearman"], strict=True))
    leader = ranked["evaluator"].iloc[0]
    return "\n".join(
        (
            f"- **Per node, {first} buys most**: at {column} a move gives up "
            f"{budget.loc[first, column]:.2f} stones on the mean; {second}, the next, "
            f"{budget.loc[second, column]:.2f}; a move at random {chance[0]:.2f}.",
            f"- **Nobody is perfect**: the best of all, {best['evaluator']} at depth "
            f"{best['depth']}, still gives up {_interval(best, 'regret')} stones a move, and "
            "finds a best move "
            f"{best['optimal']:.0%} of the time; chance does {chance[1]:.0%} of the time.",
            f"- **Who orders positions best is {leader}** (Spearman's ρ {at[leader]:.2f}; the "
            f"store difference {at['store_difference']:.2f}).",
        )
    )


def beside_printed(printed: pd.DataFrame, head: pd.DataFrame) -> pd.DataFrame:
    """Printed wins, losses and draws of the staged heuristic and of the plain one, and ours.

    head: `matches` of the staged heuristic against the plain one. A row a depth.
    """

    names = {"complex": "staged, printed", "simple": "plain, printed"}
    said = printed.assign(record=_records(printed), heuristic=printed["heuristic"].map(names))
    table = said.pivot(index="depth", columns="heuristic", values="record")[[*names.values()]]
    table.columns.name = None
    ours = head.droplevel("against")
    table["staged against plain, here"] = pd.Series(_records(ours), ours.index)
    scores = [_interval(row, "score") for row in ours.to_dict("records")]
    table["score, 95 % interval"] = pd.Series(scores, ours.index)
    return table.join(ours[["margin", "timed_out"]], how="right")


def _records(table: pd.DataFrame) -> list[str]:
    columns = (table["wins"], table["losses"], table["draws"])
    return [f"{won}-{lost}-{drawn}" for won, lost, drawn in zip(*columns, strict=True)]


def heuristics_answer(head: pd.DataFrame, met: pd.DataFrame, lost: pd.DataFrame) -> str:
    """What the notebook on the staged heuristic found: its matches, its terms, its regret."""
    depths = lost.index.get_level_values("depth")
    regret = lost[depths == depths.max()].droplevel("depth").to_dict("index")
    met_by = head.droplevel("against").reset_index().to_dict("records")
    return "\n".join(
        (
            "- **Against the plain store difference** it scores "
            + "; ".join(f"{_interval(row, 'score')} at depth {row['depth']}" for row in met_by)
            + ". Where the interval holds 1/2 nothing is decided, and five games decide less.",
            f"- **Its terms.** {_of_terms(met)}",
            f"- **Against perfect play**, at depth {depths.max()} a move of the staged heuristic "
            f"gives up {_interval(regret['staged'], 'regret')} stones, one of the store "
            f"difference {_interval(regret['store_difference'], 'regret')}.",
        )
    )


def _of_terms(met: pd.DataFrame) -> str:
    """Which variants the heuristic beats, and which beat it."""
    rows = met.reset_index().to_dict("records")
    worse = [_score_of(row) for row in rows if row["high"] < 0.5]
    better = [_score_of(row) for row in rows if row["low"] > 0.5]
    parts = [f"it loses to itself {'; '.join(worse)}"] if worse else []
    parts += [f"it wins against itself {'; '.join(better)}"] if better else []
    return (
        f"Of {len(rows)} matches with a variant of itself the interval leaves out 1/2 in "
        f"{len(worse) + len(better)}{': ' if parts else ''}{'. And '.join(parts)}."
    )
