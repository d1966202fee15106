"""A game to play: what each move of it gave away."""

from collections.abc import Iterable

import pandas as pd

from kalahlab.grid import Row


def by_player(rows: Iterable[Row]) -> pd.DataFrame:
    """What each player gave away in stones. rows: `kalahlab.judging.worth.regrets`."""
    table = pd.DataFrame(rows).groupby("player")["regret"].agg(["count", "sum", "max"])
    return table.set_axis(["moves", "given away in all", "in one move at most"], axis=1)


def costliest(rows: Iterable[Row], player: str) -> int:
    """The number in the game, from 1, of the first move by which the player lost most."""
    mine = (row for row in rows if row["player"] == player)
    move: int = max(mine, key=lambda row: row["regret"])["move"]
    return move


def conclusion(lost: pd.DataFrame, opponent: str, worst: int, judge: int, outcome: str) -> str:
    """What the opponent, who is North, gave away, in words.

    lost: `by_player`; worst: North's `costliest` move; judge: how deep it was judged.
    """
    moves, away, most = lost.loc["North"]
    return (
        f"Against a player that looks {judge} sows ahead, `{opponent}` gave away {away:g} stones "
        f"in {moves:g} moves, {most:g} in move {worst} alone; the game ended: {outcome}. What it "
        "does not see is there for you to take; the bars of your game show it."
    )
