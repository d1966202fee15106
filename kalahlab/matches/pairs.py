"""Two players from the same openings, each once on either side: a pair of games an opening.

rows = run_all(play_pair, [Pair("alpha_beta:e3:4", "random:1", board) for board in boards])
print(tally(rows))
"""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, ClassVar

from kalahlab.backends import Clock
from kalahlab.games import Game
from kalahlab.games.kalah import PRESETS, RULES_VERSION, Kalah
from kalahlab.games.notation import parse_board
from kalahlab.grid import Row
from kalahlab.matches.rating import Interval, points_of, units
from kalahlab.names import named
from kalahlab.play import OutOfTime, Player, parse_player, play_out

MEASURED = ("seconds",)
"""The columns that are measured and so differ from run to run."""

GAMES = ("1", "2")
"""The games of a pair: `one` moves first, `other` moves first."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening with sides exchanged.

    one, other: players, as `parse_player` reads them or as they are. rules: a preset of Kalah's,
    and then the opening is a board text; or any game, and then it is a state. backend: of the
    searches that name none.
    """

    one: str | Player
    other: str | Player
    opening: Any
    rules: str | Game = "standard"
    backend: str = "engine"

    VERSION: ClassVar[int] = RULES_VERSION


def play_pair(pair: Pair, clock: Clock = time.monotonic) -> Row:
    """Play the two games.

    Rows: the pair's values. margin_1, margin_2: in stones, of `one`, who is player 0 in game 1;
    None if the game was lost on time, and then late_1, late_2 say whether `one` or `other` lost
    it. points: of `one`, the mean of both games, a draw being 1/2. seconds: wall time of both.
    """
    began, row = time.perf_counter(), asdict(pair)
    game, start = pair.rules, pair.opening
    if isinstance(game, str):
        game, start = Kalah(rules=named("rules", game, PRESETS)), parse_board(start)
    for number, sides in zip(GAMES, (("one", "other"), ("other", "one")), strict=True):
        seats = [
            parse_player(player, backend=pair.backend, clock=clock, strict=True)
            if isinstance(player := getattr(pair, side), str)
            else player
            for side in sides
        ]
        row[f"margin_{number}"], row[f"late_{number}"] = None, None
        try:
            final = play_out(game, seats, start)[-1]
            row[f"margin_{number}"] = game.margin(final, sides.index("one"))
        except OutOfTime as late:
            row[f"late_{number}"] = sides[late.args[0]]
    row["points"] = fmean(_points(row, number) for number in GAMES)
    return row | {"seconds": time.perf_counter() - began}


def _points(row: Row, number: str) -> float:
    """What `one` gets for one of the games."""
    loser = row[f"late_{number}"]
    return float(loser == "other") if loser else points_of(row[f"margin_{number}"])


def tally(rows: Iterable[Row]) -> Row:
    """What `one` did in its pairs. `ValueError` if there is none.

    pairs, and the games of both: wins, draws, losses, of which lost_on_time. margin: in stones,
    the mean of the games that ended on the board, None if none did. score, low, high: see
    `rating.score`; pairs of one `opening` are one unit. p: how likely equals would score so
    far from 1/2.
    """
    rows = list(rows)
    found = units([row["points"] for row in rows], [row["opening"] for row in rows])
    points = [_points(row, number) for row in rows for number in GAMES]
    margins = [row[f"margin_{number}"] for row in rows for number in GAMES]
    finished = [margin for margin in margins if margin is not None]
    return {
        "pairs": len(rows),
        "wins": points.count(1),
        "draws": points.count(0.5),
        "losses": points.count(0),
        "lost_on_time": sum(row[f"late_{number}"] == "one" for row in rows for number in GAMES),
        "margin": fmean(finished) if finished else None,
        **Interval(found.mean, *found.interval()).columns("score"),
        "p": found.p_value(),
    }


def other_side(row: Row) -> Row:
    """The same pair with `one` and `other` exchanged."""
    swapped = {"one": row["other"], "other": row["one"], "opening": row["opening"]}
    swapped["points"] = 1 - row["points"]
    loser: dict[Any, Any] = {"one": "other", "other": "one"}
    for number in GAMES:
        margin = row[f"margin_{number}"]
        swapped[f"margin_{number}"] = None if margin is None else -margin
        swapped[f"late_{number}"] = loser.get(row[f"late_{number}"])
    return swapped
