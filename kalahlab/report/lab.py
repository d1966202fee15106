"""The tables of the laboratory: rows of grids and matches in, what a reader compares out."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kalahlab.grid import Row
from kalahlab.matches.rating import mean_of

BY = ["rules", "algorithm", "evaluator", "depth"]


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
    """Each column's geometric mean over the openings and its interval, rounded, as a text."""
    parts = [over_openings(rows, column) for column in columns]
    table = parts[0][BY].copy()
    for column, part in zip(columns, parts, strict=True):
        table[column] = [
            f"{mean:,.0f}" + ("" if pd.isna(low) else f" ({low:,.0f} to {high:,.0f})")
            for mean, low, high in zip(part["mean"], part["low"], part["high"], strict=True)
        ]
    return table


def alike(rows: pd.DataFrame, one: str, other: str, columns: Sequence[str]) -> tuple[int, int]:
    """In how many games two algorithms have the same in all columns, and of how many."""
    keys = ["rules", "evaluator", "depth", "opening"]
    parts = [
        rows[rows["algorithm"] == name].set_index(keys)[list(columns)] for name in (one, other)
    ]
    same = (parts[0] == parts[1].loc[parts[0].index]).all(axis=1)
    return int(same.sum()), len(same)


def placed(standings: Sequence[Row], rules: str) -> pd.DataFrame:
    """Standings under a set of rules, with `evaluator` and `depth` read from the players."""
    table = pd.DataFrame(standings)
    named = table["player"].str.split(":", expand=True)
    table.insert(0, "rules", rules)
    table.insert(1, "evaluator", named[1])
    table.insert(2, "depth", named[2].astype(int))
    return table


def readable_standings(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Standings with each interval behind its estimate."""
    shown = table[["rules", by, "wins", "draws", "losses"]].copy()
    shown["mean margin"] = table["margin"].map("{:+.1f}".format)
    shown["score"] = _with_interval(table, "score", ("low", "high"), ".3f")
    shown["Elo"] = _with_interval(table, "elo", ("elo_low", "elo_high"), "+.0f")
    return shown


def _with_interval(
    table: pd.DataFrame, column: str, bounds: tuple[str, str], form: str
) -> list[str]:
    return [
        f"{mean:{form}} ({low:{form}} to {high:{form}})"
        for mean, low, high in zip(table[column], table[bounds[0]], table[bounds[1]], strict=True)
    ]


def leaders(table: pd.DataFrame, by: str) -> str:
    """Who leads under each set of rules, and whom the intervals do not tell from it."""
    said = []
    for rules, rows in table.groupby("rules", sort=False):
        first = rows.iloc[0]
        close = rows.iloc[1:].loc[rows.iloc[1:]["elo_high"] >= first["elo_low"], by]
        text = f"under {rules} rules **{first[by]}** leads ({_interval(first)})"
        if len(close):
            text += f", not told apart from {', '.join(map(str, close))}"
        said.append(text)
    return "; ".join(said)


def _interval(row: "pd.Series[float]") -> str:
    return f"Elo {row['elo']:+.0f}, {row['elo_low']:+.0f} to {row['elo_high']:+.0f}"
