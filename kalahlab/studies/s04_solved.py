"""The tables of perfect play: solved games beside what was published, and their cost."""

from collections.abc import Iterable
from dataclasses import asdict
from math import log10

import pandas as pd

from kalahlab.engine.solver.solved_table import Row as Solved
from kalahlab.published.comparison import solved_published

BOARD = ["pits", "stones"]


def by_rules(rows: Iterable[Solved]) -> pd.DataFrame:
    """The solved games, a row a board under each of the two rules."""
    return pd.DataFrame([asdict(row) for row in rows])


def beside(solved: pd.DataFrame) -> pd.DataFrame:
    """Our values and what the CS5329 report and Irving's paper print; `agrees` with both.

    Both sources mean the empty-capture rule. W, L, D: the first player wins, loses, draws.
    """
    ours = solved.pivot(index=BOARD, columns="rules", values="value")
    printed = pd.DataFrame(solved_published()).set_index(BOARD)
    table = ours.join(printed, how="left")
    table["agrees"] = [
        _agrees(row["empty-capture"], row["cs5329"], row["irving"], row["irving_margin"])
        for row in table.to_dict("records")
    ]
    return table.astype({"irving_margin": "Int64"})


def verdict(value: int) -> str:
    """W, L or D for a margin of the first player."""
    return "W" if value > 0 else "L" if value < 0 else "D"


def _agrees(value: int, cs5329: str, irving: str | None, margin: float | None) -> bool:
    won = {cs5329, irving or cs5329} == {verdict(value)}
    return won and (margin is None or pd.isna(margin) or margin == value)


def agreement(table: pd.DataFrame) -> str:
    """How many boards agree with the printed tables, in words."""
    margins = int(table["irving_margin"].notna().sum())
    return (
        f"{int(table['agrees'].sum())} of {len(table)} boards come out as both documents print "
        f"them, {margins} of them with the margin in stones."
    )


def where_rules_differ(solved: pd.DataFrame) -> pd.DataFrame:
    """The boards whose value the capture rule changes, in stones."""
    values = solved.pivot(index=BOARD, columns="rules", values="value")
    values["banking a lone stone adds"] = values["empty-capture"] - values["standard"]
    return values[values["empty-capture"] != values["standard"]]


def tempting(solved: pd.DataFrame) -> pd.DataFrame:
    """For each rule: how many opening moves there are, how many are best, what the rest cost.

    Boards of 2 pits and more. `worst` is the most stones that an opening move gives up.
    """
    moves = solved[solved["pits"] > 1].explode("moves", ignore_index=True)
    lost = moves["value"] - moves["moves"].astype(int)
    return (
        moves.assign(lost=lost, best=lost == 0)
        .groupby("rules", sort=False)
        .agg(
            openings=("best", "size"),
            best=("best", "sum"),
            mean=("lost", "mean"),
            worst=("lost", "max"),
        )
    )


def growth(frame: pd.DataFrame, by: str, column: str) -> float:
    """By how much a cost is multiplied for one more of `by`: a least-squares fit of its log."""
    x = frame[by].astype(float)
    y = frame[column].astype(float).map(log10)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(10**slope)


def summed_up(given: pd.DataFrame) -> pd.DataFrame:
    """For each game and player: moves judged, share of perfect ones, stones given up."""
    return (
        given.assign(perfect=given["given_up"] == 0)
        .groupby(["game", "player"], sort=False)
        .agg(
            judged=("move", "size"),
            perfect=("perfect", "mean"),
            given_up=("given_up", "sum"),
            worst=("given_up", "max"),
        )
    )


def costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> str:
    """The fitted growth of nodes and of the database, in words."""
    fits = [
        f"on {pits} pits a side a stone more in play multiplies the nodes by "
        f"{growth(rows, 'in_play', 'nodes'):.2f}"
        for pits, rows in by_stones.groupby("pits")
        if len(rows) > 1
    ]
    searched = by_database[by_database["nodes"] > 0]
    larger = growth(by_database, "database_stones", "positions")
    fewer = 1 / growth(searched, "database_stones", "nodes")
    return (
        f"Fitted: {'; '.join(fits)}. A stone more in the database multiplies its positions by "
        f"{larger:.2f} and divides the nodes by {fewer:.2f}."
    )


def conclusion(solved: pd.DataFrame, beside: pd.DataFrame, summary: pd.DataFrame) -> str:
    """What the notebook found, in words, from the numbers of this run."""
    wins = solved.groupby("rules", sort=False)["value"].agg(lambda values: int((values > 0).sum()))
    first = "; ".join(f"{wins[rules]} under {rules}" for rules in wins.index)
    boards = len(beside)
    worst = summary.reset_index().sort_values("given_up").iloc[-1]
    sentences = [
        f"**The first player wins most boards**: of {boards}, {first}. {agreement(beside)}",
        f"**The capture rule matters**: it changes {len(where_rules_differ(solved))} of {boards} "
        "values.",
        f"**Nobody here plays perfectly.** Over all judged games "
        f"{_weighted(summary):.0%} of the moves are perfect; the most is given up by "
        f"{worst['player']} in “{worst['game']}”, {worst['given_up']} stones.",
    ]
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _weighted(summary: pd.DataFrame) -> float:
    return float((summary["perfect"] * summary["judged"]).sum() / summary["judged"].sum())
