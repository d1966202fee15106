"""Tables and words of what players give up against perfect play, and of their matches."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from kalahlab.matches.pairs import Outcome
from kalahlab.matches.rating import mean_of


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
    """A row a match, by depth and by whom it was against. low, high: of the score, 95 %."""
    table = pd.DataFrame([asdict(each) for each in outcomes.values()])
    table[["score", "low", "high"]] = [each.score for each in outcomes.values()]
    table.index = pd.MultiIndex.from_tuples(outcomes, names=["depth", "against"])
    return table[["wins", "draws", "losses", "margin", "score", "low", "high"]]


def verdict(table: pd.DataFrame) -> str:
    """How many of the `matches` were won for certain, in words."""
    certain = int((table["low"] > 0.5).sum())
    lost = int((table["high"] < 0.5).sum())
    worst = table.reset_index().sort_values("low").iloc[0]
    return (
        f"Of {len(table)} matches the interval of the score lies above one half in {certain} and "
        f"below it in {lost}. The lowest is against {worst['against']} at depth "
        f"{worst['depth']}: a score of {worst['score']:.2f} ({worst['low']:.2f} to "
        f"{worst['high']:.2f})."
    )


def answer(
    table: pd.DataFrame, budget: pd.DataFrame, order: pd.DataFrame, chance: tuple[float, float]
) -> str:
    """What the notebook found, in words: a `summary`, its `at_nodes`, rank correlations, chance."""
    deepest = table.reset_index().sort_values("depth").groupby("evaluator", sort=False).tail(1)
    best = deepest.sort_values("regret").iloc[0]
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
            f"{best['depth']}, still gives up {best['regret']:.2f} stones a move "
            f"({best['low']:.2f} to {best['high']:.2f}), and finds a best move "
            f"{best['optimal']:.0%} of the time; chance does {chance[1]:.0%} of the time.",
            f"- **Who orders positions best is {leader}** (Spearman's ρ {at[leader]:.2f}; the "
            f"store difference {at['store_difference']:.2f}).",
        )
    )


def beside_printed(printed: pd.DataFrame, head: pd.DataFrame) -> pd.DataFrame:
    """Printed wins, losses and draws of the staged heuristic and of the plain one, and ours.

    head: `matches` of the staged heuristic against the plain one. A row a depth.
    """

    said = printed.assign(record=_records(printed))
    table = said.pivot(index="depth", columns="heuristic", values="record")
    table.columns = pd.Index([f"{name}, printed" for name in table.columns])
    ours = head.droplevel("against")
    table["staged against plain, here"] = pd.Series(_records(ours), ours.index)
    return table.join(ours[["margin", "score", "low", "high"]].round(3), how="right")


def _records(table: pd.DataFrame) -> list[str]:
    columns = (table["wins"], table["losses"], table["draws"])
    return [f"{won}-{lost}-{drawn}" for won, lost, drawn in zip(*columns, strict=True)]


def heuristics_answer(head: pd.DataFrame, met: pd.DataFrame, lost: pd.DataFrame) -> str:
    """What the notebook on the staged heuristic found: its matches, its terms, its regret."""
    deepest = lost.index.get_level_values("depth").max()
    regret = lost.xs(deepest, level="depth")["regret"]
    certain = met[(met["low"] > 0.5) | (met["high"] < 0.5)].reset_index()
    moved = [
        f"{row['against']} at depth {row['depth']} ({row['score']:.2f})"
        for row in certain.to_dict("records")
    ]
    return "\n".join(
        (
            "- **Against the plain store difference**: "
            + "; ".join(
                f"depth {depth}: {row['score']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
                for depth, row in head.droplevel("against").iterrows()
            )
            + ". An interval that holds one half decides nothing, and five games decide less.",
            "- **Its terms**: of the variants, the whole heuristic's score differs from one half "
            f"for certain against {', '.join(moved) or 'none'}.",
            f"- **Against perfect play**, at depth {deepest} the staged heuristic gives up "
            f"{regret['staged']:.2f} stones a move, the store difference "
            f"{regret['store_difference']:.2f}.",
        )
    )
