"""Rows of matches as tables, and what they say."""

from collections.abc import Sequence

import pandas as pd

from kalahlab.grid import Row

VERDICTS = ("worse", "not told apart", "better")
"""Where an interval lies: below one half, around it, or above it."""


def judged(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows as a table, one a rival and depth, with one of `VERDICTS` for each."""
    frame = pd.DataFrame(rows)
    above = (frame["low"] > 0.5).map({True: "better", False: "not told apart"})
    return frame.assign(verdict=above.mask(frame["high"] < 0.5, "worse"))


def tally(frame: pd.DataFrame) -> pd.DataFrame:
    """How many rivals got which verdict, a row a depth."""
    counts = pd.crosstab(frame["depth"], frame["verdict"]).reindex(columns=VERDICTS, fill_value=0)
    return counts.rename_axis(columns=None)


def best(frame: pd.DataFrame, number: int) -> list[str]:
    """The rivals with the greatest shares, the greatest first; of equals the first."""
    return list(frame.sort_values("share", ascending=False, kind="stable")["rival"].head(number))


def says(frame: pd.DataFrame, rival: str) -> str:
    """A rival's shares with their intervals, in words."""
    return ", ".join(
        f"{row.share:.0%} ({row.low:.0%} to {row.high:.0%}) at depth {row.depth}"
        for row in frame[frame["rival"] == rival].itertuples()
    )
