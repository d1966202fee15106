"""Matches and round robins from fair openings, and the tables of their results.

games = play_pairs(round_robin(["alpha_beta:e3:4", "alpha_beta:e4:4"], openings=16))
print(tally_pairings(games), standings(games), cross_table(games))
"""

from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd

from kalahlab.games.kalah import State
from kalahlab.games.notation import format_board
from kalahlab.matches.openings import find_openings
from kalahlab.matches.pairs import Pair
from kalahlab.matches.rating import CERTAINTY, cluster_by_opening, elo, holm
from kalahlab.names import lookup
from kalahlab.parallel import Row
from kalahlab.players.model import as_player
from kalahlab.players.parse import make_player
from kalahlab.players.search_spec import BACKENDS

# Columns of `play_pair`: one for each of the two games.
MARGIN_COLUMNS = ["margin_1", "margin_2"]
LOST_ON_TIME_COLUMNS = ["lost_on_time_1", "lost_on_time_2"]
FAULTY_COLUMNS = ["faulty_1", "faulty_2"]
LOSER_COLUMNS = [*LOST_ON_TIME_COLUMNS, *FAULTY_COLUMNS]
FAULT_COLUMNS = [*LOSER_COLUMNS, "reason_1", "reason_2"]
NODES_COLUMNS = ["nodes_one", "nodes_other"]
RATING_COLUMNS = ["one", "other", "points", "opening"]  # from which `elo` computes ratings
# The columns of an `Interval` of Elo, in its order.
ELO_COLUMNS = "elo", "elo_low", "elo_high"


def round_robin(
    players: Sequence[str],
    rules: str = "standard",
    openings: int = 16,
    backend: str = "engine",
    choose_openings: Callable[[str, int], list[State]] = find_openings,
    game: str = "kalah",
    move_seconds: float | None = None,
) -> list[Pair]:
    """Return a pair of games for every two players from each opening.

    Args:
        players: The texts of players.
        rules: The rules as text; see `parse_rules`.
        openings: The number of openings.
        backend: The backend of searches whose text has no `@BACKEND`.
        choose_openings: The function that returns the openings for `rules` and `openings`.
        game: `kalah`, or `pie`: the second player may exchange sides after the first turn.
        move_seconds: The most time for a move; None for no common limit.

    Raises:
        ValueError: There are fewer than two players, or one is named twice or unknown.
    """
    if len(players) < 2:
        raise ValueError(f"there is {len(players)} player; a match needs two")
    for name in players:
        if players.count(name) > 1:
            raise ValueError(f"player {name!r} is named twice; name each player once")
    lookup("backend", backend, BACKENDS)
    for name in players:
        # Only a check of the text; this backend compiles nothing, so it is the faster one.
        as_player(make_player(name, game, backend="textbook")).close()
    boards = [format_board(state) for state in choose_openings(rules, openings)]
    if game == "pie":
        boards = [f"{board} first" for board in boards]  # the first turn is still to come
    meetings = product(combinations(players, 2), boards)
    return [
        Pair(one, other, board, rules, backend, game, move_seconds)
        for (one, other), board in meetings
    ]


def tally(games: pd.DataFrame) -> Row:
    """Return the results of the players in the column `one`, added up.

    Columns:
        pairs: The number of pairs of games.
        wins, draws, losses: The numbers of games.
        won_on_time: The number of wins in which `other` took too long for a move.
        lost_on_time: The number of losses in which `one` took too long for a move.
        won_by_fault: The number of wins by another fault of `other`: a crash, an illegal move.
        lost_by_fault: The number of losses by such a fault of `one`.
        nodes: The mean number of nodes that searches of `one` visited in a game; None if `one` is
            no search of this package.
        margin: The mean margin of the games that were played out, in stones; None if there are
            none.
        score: The mean of the points of the pairs.
        low, high: The ends of the interval of the score, see `rating.score_interval`. The pairs of
            one opening are one unit.
        p: The probability that the score of equal players is at least this far from 1/2.

    Args:
        games: A table of `play_pairs`.
    """
    sample = cluster_by_opening([*games["points"]], [*games["opening"]])
    low, high = sample.interval()
    margins = games[MARGIN_COLUMNS].to_numpy(float)  # NaN if not played out
    late_players = games[LOST_ON_TIME_COLUMNS].to_numpy()  # "one", "other" or None
    won_on_time = int((late_players == "other").sum())
    lost_on_time = int((late_players == "one").sum())
    # Rows of earlier versions have no such columns.
    faulty_players = games.reindex(columns=FAULTY_COLUMNS).to_numpy(object)
    nodes = games.reindex(columns=NODES_COLUMNS)["nodes_one"]  # of two games
    won_by_fault = int((faulty_players == "other").sum())
    lost_by_fault = int((faulty_players == "one").sum())
    return {
        "pairs": len(games),
        "wins": int((margins > 0).sum()) + won_on_time + won_by_fault,
        "draws": int((margins == 0).sum()),
        "losses": int((margins < 0).sum()) + lost_on_time + lost_by_fault,
        "won_on_time": won_on_time,
        "lost_on_time": lost_on_time,
        "won_by_fault": won_by_fault,
        "lost_by_fault": lost_by_fault,
        "nodes": None if nodes.isna().any() else float(nodes.mean() / 2),
        "margin": None if np.isnan(margins).all() else float(np.nanmean(margins)),
        "score": sample.mean,
        "low": low,
        "high": high,
        "p": sample.p_value(),
    }


def tally_pairings(games: pd.DataFrame) -> list[Row]:
    """Return a row for every two players that played against each other.

    Columns, besides those of `tally`:
        one, other: The players.
        elo: The Elo of `one` less that of `other`.
        elo_low, elo_high: The ends of its interval.
        p_holm: `p`, corrected for the number of rows by Holm's method.
        differ: Whether `p_holm` shows that the players are not equal.

    Args:
        games: A table of `play_pairs`.
    """
    rows = []
    for (one, other), games_of_both in games.groupby(["one", "other"], sort=False):
        rating = elo(games_of_both[RATING_COLUMNS].itertuples(index=False))[str(one)]
        # Ratings of two players have the mean 0, so their difference is twice the rating of one.
        estimate = dict(zip(ELO_COLUMNS, (2 * points for points in rating), strict=True))
        rows.append({"one": one, "other": other, **tally(games_of_both), **estimate})
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row.update(p_holm=p, differ=p < 1 - CERTAINTY)
    return rows


def standings(games: pd.DataFrame) -> list[Row]:
    """Return a row for each player, the best first: the player, its `tally` and its Elo.

    Columns, besides those of `tally`:
        player: The player.
        elo, elo_low, elo_high: Its Elo and the ends of the interval.
        faults: The fault of each game that it lost by one, as a text with the position.

    Args:
        games: A table of `play_pairs`.
    """
    # Rows of earlier versions have not all columns.
    games = games.reindex(
        columns=[*dict.fromkeys([*games.columns, *FAULT_COLUMNS, *NODES_COLUMNS])]
    )
    # The rows of a player are those in which the player is `one`. Each pair of games needs a second
    # row, in which the players are exchanged.
    exchanged = {"one": "other", "nodes_one": "nodes_other"}
    exchanged |= {other: one for one, other in exchanged.items()}
    swapped = games.rename(columns=exchanged)
    swapped["points"] = 1 - games["points"]
    swapped[MARGIN_COLUMNS] = -games[MARGIN_COLUMNS].astype(float)
    swapped[LOSER_COLUMNS] = games[LOSER_COLUMNS].replace({"one": "other", "other": "one"})
    by_player = pd.concat([games, swapped]).groupby("one", sort=False)
    ratings = elo(games[RATING_COLUMNS].itertuples(index=False))
    table = []
    for name, games_of_player in by_player:
        estimate = dict(zip(ELO_COLUMNS, ratings[str(name)], strict=True))
        faults = list_faults(games_of_player)
        table.append({"player": name, **tally(games_of_player), **estimate, "faults": faults})
    # Rounded: the ratings of players with the same results differ in the last digits, and such
    # players are to keep their order.
    return sorted(table, key=lambda row: -round(row["elo"], 6))


def list_faults(games: pd.DataFrame) -> list[str]:
    """Return the fault of each game that the players in the column `one` lost by one.

    Args:
        games: A table of `play_pairs`.
    """
    faults = list[str]()
    for row in games.reindex(columns=FAULT_COLUMNS).to_dict("records"):
        for number in (1, 2):
            if "one" in (row[f"lost_on_time_{number}"], row[f"faulty_{number}"]):
                faults.append(row[f"reason_{number}"])
    return faults


def cross_table(games: pd.DataFrame) -> pd.DataFrame:
    """Return the score of each player (row) against each other one (column), the best first."""
    players = [row["player"] for row in standings(games)]
    table = pd.DataFrame(index=players, columns=players, dtype=float)
    for row in tally_pairings(games):
        table.loc[row["one"], row["other"]] = row["score"]
        table.loc[row["other"], row["one"]] = 1 - row["score"]
    return table
