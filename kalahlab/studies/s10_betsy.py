"""Rows of matches as tables, and what they say."""

from collections.abc import Sequence

import pandas as pd

from kalahlab.grid import Row
from kalahlab.report.draw.charts import VERDICTS


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


def on_betsy(matches: pd.DataFrame, final: pd.DataFrame, columns: int, fresh: int) -> str:
    """Whether the printed weights of Betsy's heuristics can be bettered, in words.

    matches: the rivals of the printed combination, `judged`; final: the best of them and those
    named below, again, from so many fresh openings.
    """
    better = best(final[final["verdict"] == "better"], 1)
    first = (better or best(final, 1))[0]
    answer = "**Yes**, by" if better else "**Not by anything tried here**, not even by"
    named = {
        "the two distances": "The two distances alone, for which the report has a feeling",
        "nothing at all": "Knowing nothing, which leaves everything to the search",
    }
    return "\n".join(
        (
            f"On {columns} columns, against the printed combination, these shares of the points:",
            "",
            *(
                f"- {said}: {says(matches, rival)}; from {fresh} fresh openings "
                f"{says(final, rival)}."
                for rival, said in named.items()
            ),
            "",
            f"Can the weights be bettered? {answer} {first}: it wins {says(final, first)} from "
            "openings that it was not chosen on.",
        )
    )
