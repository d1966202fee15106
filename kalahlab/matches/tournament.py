"""Matches and round robins from fair openings, sides exchanged, and how sure their outcome is.

rows = run_all(play_pair, pairs(["alpha_beta:e3:4", "alpha_beta:e4:4"], openings=16))
print(matches(rows), standings(rows), cross_table(rows))
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any

from kalahlab import catalogue
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.grid import Row
from kalahlab.matches.contenders import HALVES, Contender, contender
from kalahlab.matches.openings import fair_openings
from kalahlab.matches.rating import elo, points_of, score
from kalahlab.play import Clock, OutOfTime, on_clock, play_game

if TYPE_CHECKING:
    import pandas as pd

MEASURED = ("seconds",)
"""The columns that are measured and so differ from run to run."""

GAMES = ("1", "2")
"""The games of a pair: `one` moves first, `other` moves first."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening, a board text, with sides exchanged.

    one, other: as `kalahlab.matches.contenders.contender` reads them.
    """

    one: str
    other: str
    opening: str
    rules: str = "standard"
    half: str = "engine"


def pairs(
    players: Sequence[str], rules: str = "standard", openings: int = 16, half: str = "engine"
) -> list[Pair]:
    """A round robin: every two players from each of the first fair openings.

    Raises `ValueError` for fewer than two players, one named twice, or one that is none.
    """
    if len(players) < 2:
        raise ValueError(f"{len(players)} player; a match needs two")
    twice = [name for name in players if players.count(name) > 1]
    if twice:
        raise ValueError(f"player {twice[0]!r} is named twice; two that play alike only draw")
    return _met([*combinations(players, 2)], rules, openings, half)


def at_equal_depth(
    evaluator: str,
    others: Sequence[str],
    depths: Iterable[int],
    rules: Iterable[str] = ("standard",),
    openings: int = 16,
) -> list[Pair]:
    """An evaluator with each of the others, both with alpha-beta to the same depth, in sows.

    From each of the first fair openings under each preset of the rules. Raises `ValueError`
    for a name that is none.
    """
    return [
        pair
        for preset in rules
        for depth in depths
        for pair in _met(
            [(f"alpha_beta:{evaluator}:{depth}", f"alpha_beta:{name}:{depth}") for name in others],
            preset,
            openings,
            "engine",
        )
    ]


def _met(meetings: Sequence[tuple[str, str]], rules: str, openings: int, half: str) -> list[Pair]:
    if half not in HALVES:
        raise ValueError(f"unknown half {half!r}; use one of {', '.join(HALVES)}")
    for name in dict.fromkeys(chain(*meetings)):
        contender(name, "textbook")  # which compiles nothing
    boards = [format_board(state) for state in fair_openings(rules, openings)]
    return [Pair(one, other, board, rules, half) for one, other in meetings for board in boards]


def play_pair(pair: Pair, clock: Clock = time.monotonic) -> Row:
    """Play the two games.

    points: of `one`, the mean of both games, a draw being 1/2. margin_1, margin_2: in stones,
    from the side of `one`, who moves first in game 1; None if the game was lost on time, and
    then late_1, late_2 say whether `one` or `other` lost it. seconds: wall time of both.
    """
    game = Kalah(rules=catalogue.rules(pair.rules))
    start = parse_board(pair.opening)
    began = time.perf_counter()
    row, points = asdict(pair), []
    for number, sides in zip(GAMES, (("one", "other"), ("other", "one")), strict=True):
        names = {"one": pair.one, "other": pair.other}
        seats = [contender(names[side], pair.half, clock) for side in sides]
        margin, late = _played(game, start, seats, clock)
        sign = 1 if number == "1" else -1
        loser = None if late is None else sides[late]
        row[f"margin_{number}"] = None if margin is None else sign * margin
        row[f"late_{number}"] = loser
        points.append(_points(sign * (margin or 0), loser))
    return row | {"points": fmean(points), "seconds": time.perf_counter() - began}


def _points(margin: int, loser: str | None) -> float:
    if loser:
        return float(loser == "other")
    return points_of(margin)


def _played(
    game: Kalah, start: State, seats: Sequence[Contender], clock: Clock
) -> tuple[int | None, int | None]:
    """The margin of the first seat, or None and the seat that lost on time."""
    south, north = (on_clock(seat.player, seat.seconds, clock) for seat in seats)
    try:
        return play_game(game, south, north, start).margin, None
    except OutOfTime as late:
        return None, int(late.args[0])


def matches(rows: Sequence[Row]) -> list[Row]:
    """A row for every two players that met, from the side of `one`; see `_tally`."""
    met = dict.fromkeys((row["one"], row["other"]) for row in rows)
    return [
        {"one": one, "other": other, **_tally(one, [row for row in rows if _is(row, one, other)])}
        for one, other in met
    ]


def _is(row: Row, one: str, other: str) -> bool:
    return (row["one"], row["other"]) == (one, other)


def standings(rows: Sequence[Row]) -> list[Row]:
    """A row a player, the best first: its tally over all matches, and its Elo with interval."""
    players = list(dict.fromkeys(name for row in rows for name in (row["one"], row["other"])))
    ratings = elo(players, [(row["one"], row["other"], row["points"]) for row in rows])
    table = [
        {
            "player": name,
            **_tally(name, [row for row in rows if name in (row["one"], row["other"])]),
            "elo": ratings[name].mean,
            "elo_low": ratings[name].low,
            "elo_high": ratings[name].high,
        }
        for name in players
    ]
    # who play alike have one rating, but for the last digits of the fit
    return sorted(table, key=lambda row: -round(row["elo"], 6))


def _tally(name: str, rows: Iterable[Row]) -> Row:
    """What a player did in these pairs.

    pairs, and the games of both: wins, draws, losses, of which lost_on_time. margin: in stones,
    the mean of the games that ended on the board. score, low, high: see `rating.score`.
    """
    seen = [row if row["one"] == name else _from_other_side(row) for row in rows]
    margins = [row[f"margin_{number}"] for row in seen for number in GAMES]
    late = [row[f"late_{number}"] for row in seen for number in GAMES]
    points = [_points(margin or 0, loser) for margin, loser in zip(margins, late, strict=True)]
    finished = [margin for margin in margins if margin is not None]
    share = score([row["points"] for row in seen])
    return {
        "pairs": len(seen),
        "wins": points.count(1),
        "draws": points.count(0.5),
        "losses": points.count(0),
        "lost_on_time": late.count("one"),
        "margin": fmean(finished) if finished else None,
        "score": share.mean,
        "low": share.low,
        "high": share.high,
    }


def _from_other_side(row: Row) -> Row:
    """The same pair with `one` and `other` exchanged."""
    swapped = {"one": row["other"], "other": row["one"], "points": 1 - row["points"]}
    loser: dict[Any, Any] = {"one": "other", "other": "one"}
    for number in GAMES:
        margin = row[f"margin_{number}"]
        swapped[f"margin_{number}"] = None if margin is None else -margin
        swapped[f"late_{number}"] = loser.get(row[f"late_{number}"])
    return swapped


def cross_table(rows: Sequence[Row]) -> "pd.DataFrame":
    """The score of each player (down) against each other one (across), the best first."""
    import pandas as pd

    players = [row["player"] for row in standings(rows)]
    table = pd.DataFrame(index=players, columns=players, dtype=float)
    for row in matches(rows):
        table.loc[row["one"], row["other"]] = row["score"]
        table.loc[row["other"], row["one"]] = 1 - row["score"]
    return table
