"""The tables and sentences of the card game: rows in, what a reader needs out."""

from collections.abc import Hashable, Mapping, Sequence

import pandas as pd

from kalahlab.evaluators.cards import factors
from kalahlab.games.cards import NAMES, Board
from kalahlab.matches.rating import score


def scores(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The score of each group of pairs, with its 95% interval, and the nodes of a game."""
    groups = rows.groupby([*by], sort=False)
    table = groups[["score", "nodes", "other_nodes"]].mean()
    table[["low", "high"]] = [score([*group])[1:] for _, group in groups["score"]]
    table["pairs"] = groups.size()
    order = ["pairs", "score", "low", "high", "nodes", "other_nodes"]
    digits = {"score": 3, "low": 3, "high": 3, "nodes": 0, "other_nodes": 0}
    return table[order].round(digits).reset_index()


def factor_table(board: Board) -> pd.DataFrame:
    """The six factors of both players."""
    six = [factors(board, player)._asdict() for player in range(2)]
    return pd.DataFrame(six, index=list(NAMES)).rename(columns=str.upper)


def differing(choices: pd.DataFrame) -> pd.DataFrame:
    """How many positions, after so many moves, get another move than by the report."""
    others = {"published": "as programmed", "knowing": "knowing the rule of ties"}
    differs = choices[[*others]].ne(choices["report"], axis=0).groupby(choices["plies"]).sum()
    return differs.rename(columns=others).assign(positions=choices.groupby("plies").size())


def equal_nodes(scores: pd.DataFrame) -> pd.DataFrame:
    """For each fixed depth the dynamic one whose games cost most nearly as many nodes."""
    ratio = scores["nodes"] / scores["other_nodes"]
    far = ratio.where(ratio >= 1, 1 / ratio)
    nearest = scores.assign(ratio=ratio).loc[far.groupby(scores["depth"]).idxmin()]
    return nearest.reset_index(drop=True)


def on_factors(scores: pd.DataFrame) -> str:
    """What each budget's matches say of the factors, as a list in Markdown."""
    return "\n".join(
        f"- With {budget:,} nodes F plays better with {_named(rows[rows['low'] > 0.5])} and worse "
        f"with {_named(rows[rows['high'] < 0.5])}; of "
        f"{_named(rows[(rows['low'] <= 0.5) & (rows['high'] >= 0.5)])} no difference is shown."
        for budget, rows in scores.groupby("budget", sort=False)
    )


def _named(rows: pd.DataFrame) -> str:
    return ", ".join(rows["off"].str.upper()) or "none"


def on_depths(scores: pd.DataFrame) -> str:
    """What the matches at equal nodes say, as a list in Markdown."""
    return "\n".join(
        f"- Against depth {row['depth']} a budget of {row['budget']:,} costs most nearly as much, "
        f"{row['ratio']:.2f} times its nodes, and scores {interval(row)}: {verdict(row)}."
        for row in equal_nodes(scores).to_dict("records")
    )


def on_variants(scores: pd.DataFrame) -> str:
    """What the program as described scores against itself as programmed, in a sentence."""
    (row,) = scores.to_dict("records")
    return (
        f"As described it scores {interval(row)} against itself as programmed, and generates "
        f"{row['nodes'] / row['other_nodes']:.1f} times the nodes."
    )


def interval(row: Mapping[Hashable, float]) -> str:
    """A score with its interval."""
    return f"{row['score']:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def verdict(row: Mapping[Hashable, float]) -> str:
    """What an interval shows."""
    if row["low"] <= 0.5 <= row["high"]:
        return "no difference is shown"
    return "it plays better" if row["low"] > 0.5 else "it plays worse"
