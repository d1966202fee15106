"""Matches and round robins from fair openings, and what their pairs of games come to.

games = play_pairs(round_robin(["alpha_beta:e3:4", "alpha_beta:e4:4"], openings=16))
print(matches(games), standings(games), cross_table(games))
"""

from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd

from kalahlab.backends import BACKENDS
from kalahlab.games.kalah import State
from kalahlab.games.notation import format_board
from kalahlab.grid import Row
from kalahlab.matches.openings import fair_openings
from kalahlab.matches.pairs import Pair
from kalahlab.matches.rating import CERTAINTY, elo, holm, units
from kalahlab.names import named
from kalahlab.play import named_player

GAMES = [["margin_1", "margin_2"], ["late_1", "late_2"]]  # of the two games of a pair
RATED = ["one", "other", "points", "opening"]
ESTIMATE = "elo", "elo_low", "elo_high"


def round_robin(
    players: Sequence[str],
    rules: str = "standard",
    openings: int = 16,
    backend: str = "engine",
    find: Callable[[str, int], list[State]] = fair_openings,
) -> list[Pair]:
    """Every two players from each of the first openings that `find` finds. Raises `ValueError` for
    fewer than two players, one named twice, or one that is none."""
    if len(players) < 2:
        raise ValueError(f"{len(players)} player; a match needs two")
    if twice := [name for name in players if players.count(name) > 1]:
        raise ValueError(f"player {twice[0]!r} is named twice; two that play alike only draw")
    named("backend", backend, BACKENDS)
    for name in players:
        named_player(name, backend="textbook")  # which compiles nothing
    boards = [format_board(state) for state in find(rules, openings)]
    met = product(combinations(players, 2), boards)
    return [Pair(one, other, board, rules, backend) for (one, other), board in met]


def tally(games: pd.DataFrame) -> Row:
    """What `one` did in its pairs.

    pairs, and the games of both: wins, of which won_on_time, draws, losses, of which lost_on_time:
    in these the loser took longer for a move than it has. margin: in stones, the mean of the games
    that ended on the board, None if none did. score, low, high: see `rating.score`; pairs of one
    `opening` are one unit. p: of a score so far from 1/2 by equals.
    """
    found = units([*games["points"]], [*games["opening"]])
    margins, late = games[GAMES[0]].to_numpy(float), games[GAMES[1]].to_numpy()
    wins, losses = (int((margins * sign > 0).sum()) for sign in (1, -1))
    won, lost = (int((late == side).sum()) for side in ("other", "one"))
    low, high = found.interval()
    return {
        "pairs": len(games),
        "wins": wins + won,
        "draws": int((margins == 0).sum()),
        "losses": losses + lost,
        "won_on_time": won,
        "lost_on_time": lost,
        "margin": None if np.isnan(margins).all() else float(np.nanmean(margins)),
        "score": found.mean,
        "low": low,
        "high": high,
        "p": found.p_value(),
    }


def matches(games: pd.DataFrame) -> list[Row]:
    """A row for every two players that met: the `tally` of `one`, its Elo above `other`, holm_p:
    `p` corrected for the number of rows, and differ: whether that shows that the two differ."""
    rows = []
    for (one, other), played in games.groupby(["one", "other"], sort=False):
        found = elo(played[RATED].itertuples(index=False))[str(one)]
        # above the other is twice as far as above the mean of both
        estimate = dict(zip(ESTIMATE, (2 * each for each in found), strict=True))
        rows.append({"one": one, "other": other, **tally(played), **estimate})
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row.update(holm_p=p, differ=p < 1 - CERTAINTY)
    return rows


def standings(games: pd.DataFrame) -> list[Row]:
    """A row a player, the best first: its tally over all matches, and its Elo with interval."""
    swapped = games.rename(columns={"one": "other", "other": "one"})
    swapped["points"], swapped[GAMES[0]] = 1 - games["points"], -games[GAMES[0]].astype(float)
    swapped[GAMES[1]] = games[GAMES[1]].replace({"one": "other", "other": "one"})
    sides = pd.concat([games, swapped]).groupby("one", sort=False)
    found = elo(games[RATED].itertuples(index=False))
    table = [
        {"player": name, **tally(played)} | dict(zip(ESTIMATE, found[str(name)], strict=True))
        for name, played in sides
    ]
    # who play alike have one rating, but for the last digits of the fit
    return sorted(table, key=lambda row: -round(row["elo"], 6))


def cross_table(games: pd.DataFrame) -> pd.DataFrame:
    """The score of each player (down) against each other one (across), the best first."""
    players = [row["player"] for row in standings(games)]
    table = pd.DataFrame(index=players, columns=players, dtype=float)
    for row in matches(games):
        table.loc[row["one"], row["other"]] = row["score"]
        table.loc[row["other"], row["one"]] = 1 - row["score"]
    return table
