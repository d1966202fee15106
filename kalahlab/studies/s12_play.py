"""A game to play: the regret of each move of it under perfect play."""

from collections.abc import Sequence

import pandas as pd

from kalahlab.games.kalah import NAMES
from kalahlab.grid import Row
from kalahlab.judging.review import Review
from kalahlab.words import Words

say = Words("studies", "s12_play")

FOLLOWS = say("follows")
"""The last paragraph of the page: where it goes on."""


def by_player(rows: Sequence[Row]) -> pd.DataFrame:
    """Each player's regrets in stones. rows: `kalahlab.judging.perfect.regrets`."""
    table = pd.DataFrame(rows).groupby("mover")["regret"].agg(["count", "sum", "max"])
    columns = ["moves judged", "sum of regrets", "largest regret"]
    return table.set_axis(columns, axis=1).reindex(NAMES, fill_value=0)


def review_table(review: Review) -> pd.DataFrame:
    """The moves of a review: the value for South after each, and the mover's regret, in stones."""
    return pd.DataFrame(review.rows())


def costliest(rows: Sequence[Row], player: str) -> Row:
    """The player's first move of largest regret. `ValueError` if it has none."""
    return max((row for row in rows if row["mover"] == player), key=lambda row: row["regret"])


def account(rows: Sequence[Row], margin: int) -> pd.DataFrame:
    """How South's margin at the end comes about, in stones, a column of one row a part.

    rows: as above, of all moves from the first one judged to the end. `sum` is the value for
    South under perfect play from there, and North's regrets, less South's.
    """
    first, regret = rows[0], by_player(rows)["sum of regrets"]
    value = first["best"] if first["mover"] == "South" else -first["best"]
    parts = {
        f"value for South before move {first['move']}": value,
        "regrets of North": regret["North"],
        "minus regrets of South": -regret["South"],
        "sum": value + regret["North"] - regret["South"],
        "margin of the game": margin,
    }
    return pd.DataFrame({"stones": parts})


def conclusion(rows: Sequence[Row], opponent: str, margin: int) -> str:
    """Whether North, the opponent, was beaten, and where it went wrong, in words."""
    regret, value = by_player(rows)["sum of regrets"], account(rows, margin)["stones"].iloc[0]
    due = f"lose by {value}" if value > 0 else f"win by {-value}" if value else "draw"
    row = costliest(rows, "North")
    worst = say("worst" if row["regret"] else "no-regret", row=row)
    move, facts = rows[0]["move"], {"due": due, "regret": regret, "worst": worst}
    return say("conclusion", opponent=opponent, ended=_ended(margin), move=move, **facts)


def finding(rows: Sequence[Row], opponent: str, margin: int) -> str:
    """How North fared and what its moves lost, in one sentence."""
    north = by_player(rows).loc["North"]
    judged, most = north["moves judged"], north["largest regret"]
    moves = f"{judged} judged move{'' if judged == 1 else 's'}"
    largest = f", of which {most} by one move" if most else ""
    facts = {"moves": moves, "lost": north["sum of regrets"], "largest": largest}
    return say("finding", opponent=opponent, ended=_ended(margin), **facts)


def _ended(margin: int) -> str:
    return f"lost by {margin}" if margin > 0 else f"won by {-margin}" if margin else "drew"
