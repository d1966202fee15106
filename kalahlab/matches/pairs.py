"""Two players from the same openings, each once on either side: a pair of games an opening.

games = play_pairs([Pair("alpha_beta:e3:4", "random:1", board) for board in boards])
"""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.backends import Clock
from kalahlab.games import Game
from kalahlab.games.kalah import PRESETS, RULES_VERSION, Kalah
from kalahlab.games.notation import parse_board
from kalahlab.grid import Row, run_all
from kalahlab.names import named
from kalahlab.play import (
    OutOfTime,
    Player,
    named_player,
    play_out,
    player_name,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening with sides exchanged.

    one, other: players, as `named_player` reads them or as they are. rules: a preset of Kalah's,
    and then the opening is a board text; or any game, and then it is a state. backend: of the
    searches that name none.
    """

    one: str | Player
    other: str | Player
    opening: Any
    rules: str | Game = "standard"
    backend: str = "engine"

    VERSION: ClassVar[int] = RULES_VERSION

    def __repr__(self) -> str:
        players = f"{player_name(self.one)} and {player_name(self.other)}"
        return f"<pair of {players} from {self.opening}, {self.rules}>"

    @property
    def task(self) -> str:
        """What a worker does with it, for messages; the same from each opening."""
        return f"playing {player_name(self.one)} against {player_name(self.other)}"


def play_pair(pair: Pair, clock: Clock = time.monotonic) -> Row:
    """Rows: the pair's values. margin_1, margin_2: in stones, of `one`, who is player 0 in game 1;
    None if the game was lost on time, and then late_1, late_2 say whether `one` or `other` lost
    it. points: of `one`, the mean of both games, a draw being 1/2. seconds: wall time of both.
    """
    began, row, points = time.perf_counter(), asdict(pair), []
    game, start = pair.rules, pair.opening
    if isinstance(game, str):
        game, start = Kalah(rules=named("rules", game, PRESETS)), parse_board(start)
    for number, sides in enumerate((("one", "other"), ("other", "one")), 1):
        seats = [
            named_player(player, backend=pair.backend, clock=clock, strict=True)
            if isinstance(player := getattr(pair, side), str)
            else player
            for side in sides
        ]
        margin, late = None, None
        names = [player_name(getattr(pair, side)) for side in sides]
        try:
            margin = game.margin(play_out(game, seats, start, names), sides.index("one"))
            points.append((margin > 0) + (margin == 0) / 2)
        except OutOfTime as error:
            late = sides[error.args[0]]
            points.append(float(late == "other"))
        row[f"margin_{number}"], row[f"late_{number}"] = margin, late
    return row | {"points": fmean(points), "seconds": time.perf_counter() - began}


def play_pairs(pairs: Iterable[Pair], workers: int = 1, **how: Any) -> "pd.DataFrame":
    """Play the pairs and return a row of `play_pair` for each; how: see `run_all`.

    A player that is a function stands in the table by its name, with a number if several functions
    have the same.
    """
    import pandas as pd  # here, as workers that only play need none of it

    pairs = [*pairs]
    games = pd.DataFrame(run_all(play_pair, pairs, workers, unit="pair", **how))
    labels = _distinct_names([player for pair in pairs for player in (pair.one, pair.other)])
    games["one"] = [labels[id(pair.one)] for pair in pairs]
    games["other"] = [labels[id(pair.other)] for pair in pairs]
    return games


def _distinct_names(players: Iterable[str | Player]) -> dict[int, str]:
    """Return what to call each player, by its `id`: no two different ones alike."""
    owners: dict[str, str | Player] = {}
    labels: dict[int, str] = {}
    for player in players:
        name = label = player_name(player)
        number = 1
        while owners.setdefault(label, player) != player:
            number += 1
            label = f"{name} ({number})"
        labels[id(player)] = label
    return labels


def split_failures(games: "pd.DataFrame") -> tuple["pd.DataFrame", list[Row]]:
    """Return the games of the pairings that were played in full, and a row of each other one.

    A failure has `one`, `other`, `failed` of how many `pairs`, and the first `error`.
    """
    failures: list[Row] = []
    played = games["error"].isna()
    for (one, other), rows in games.groupby(["one", "other"], sort=False):
        errors = rows["error"].dropna()
        if errors.empty:
            continue
        played[rows.index] = False
        row = {"one": one, "other": other, "failed": len(errors), "pairs": len(rows)}
        failures.append(row | {"error": errors.iloc[0]})
    return games[played].reset_index(drop=True), failures
