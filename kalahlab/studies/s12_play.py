"""A game to play: what each move of it gave away under perfect play."""

from collections.abc import Sequence

import pandas as pd

from kalahlab.games.kalah import NAMES
from kalahlab.grid import Row


def by_player(rows: Sequence[Row]) -> pd.DataFrame:
    """What each player gave away in stones. rows: `kalahlab.judging.perfect.regrets`."""
    table = pd.DataFrame(rows).groupby("mover")["regret"].agg(["count", "sum", "max"])
    columns = ["moves judged", "given away in all", "in one move at most"]
    return table.set_axis(columns, axis=1).reindex(NAMES, fill_value=0)


def costliest(rows: Sequence[Row], player: str) -> Row:
    """The first move by which the player lost most. `ValueError` if it has none."""
    return max((row for row in rows if row["mover"] == player), key=lambda row: row["regret"])


def account(rows: Sequence[Row], margin: int) -> pd.DataFrame:
    """How South's margin at the end comes about, in stones, a column of one row a part.

    rows: as above, of all moves from the first one judged to the end. `sum` is what South has
    under perfect play of both from there, and what North gives away, less what South does.
    """
    first, given = rows[0], by_player(rows)["given away in all"]
    value = first["best"] if first["mover"] == "South" else -first["best"]
    parts = {
        f"value for South before move {first['move']}": value,
        "given away by North": given["North"],
        "given away by South": -given["South"],
        "sum": value + given["North"] - given["South"],
        "margin of the game": margin,
    }
    return pd.DataFrame({"stones": parts})


def conclusion(rows: Sequence[Row], opponent: str, margin: int) -> str:
    """Whether North, the opponent, was beaten, and where it went wrong, in words."""
    given, parts = by_player(rows)["given away in all"], account(rows, margin)["stones"]
    ended = f"lost by {margin}" if margin > 0 else f"won by {-margin}" if margin else "drew"
    value = parts.iloc[0]
    due = f"lose by {value}" if value > 0 else f"win by {-value}" if value else "draw"
    return (
        f"In this game `{opponent}`, who was North, {ended}. Before move {rows[0]['move']} it was "
        f"to {due} if both played perfectly; from there it gave away {given['North']} stones and "
        f"its opponent {given['South']}. {_worst(costliest(rows, 'North'))} One game shows what "
        "can happen, not how strong a player is; for that see the matches of notebook 05 and the "
        "exact values of notebook 07."
    )


def _worst(row: Row) -> str:
    if not row["regret"]:
        return "No judged move of North's gave anything away."
    return (
        f"Its costliest move is number {row['move']}, with {row['in_play']} stones in play: pit "
        f"{row['pit']} gave away {row['regret']}. Such moves are what there is to win from it."
    )
