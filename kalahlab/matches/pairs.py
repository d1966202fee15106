"""Pairs of games: two players from the same opening, each once on either side.

games = play_pairs([Pair("alpha_beta:e3:4", "random:1", board) for board in boards])
"""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.games import Game
from kalahlab.games.kalah import PRESETS, RULES_VERSION, Kalah
from kalahlab.games.notation import parse_board
from kalahlab.names import lookup
from kalahlab.parallel import Row, run_all
from kalahlab.players.factories import OutOfTime
from kalahlab.players.game_loop import Player, play_to_end, player_name
from kalahlab.players.limits import Clock
from kalahlab.players.parse import make_player

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening with sides exchanged.

    Attributes:
        one: A player, or its name as `make_player` reads it.
        other: The other player.
        opening: A board text if `rules` is a name, else a state of the game.
        rules: The name of a preset of Kalah's rules, or any game.
        backend: The backend of searches that name none.
    """

    one: str | Player
    other: str | Player
    opening: Any
    rules: str | Game = "standard"
    backend: str = "engine"

    # `kalahlab.parallel` makes it a part of the key of a stored row.
    VERSION: ClassVar[int] = RULES_VERSION

    def __repr__(self) -> str:
        players = f"{player_name(self.one)} and {player_name(self.other)}"
        return f"<pair of {players} from {self.opening}, {self.rules}>"

    @property
    def task(self) -> str:
        """The work on the pair in words, for messages; pairs of the same players have the same."""
        return f"playing {player_name(self.one)} against {player_name(self.other)}"


def play_pair(pair: Pair, clock: Clock = time.monotonic) -> Row:
    """Play both games and return a row.

    Columns: the pair's values; margin_1 and margin_2, in stones, of `one`, who is player 0 in
    game 1 and player 1 in game 2, or None if the game was lost on time; lost_on_time_1 and
    lost_on_time_2, `one` or `other`, the player who lost on time, or None; points, of `one`, the
    mean of both games, where a draw is 1/2; seconds, the wall time of both games.
    """
    start_time = time.perf_counter()
    row: Row = asdict(pair)
    points = []
    game = pair.rules
    state = pair.opening
    if isinstance(game, str):
        game = Kalah(rules=lookup("rules", game, PRESETS))
        state = parse_board(state)
    for number, sides in enumerate((("one", "other"), ("other", "one")), 1):
        players = [_to_player(getattr(pair, side), pair.backend, clock) for side in sides]
        names = [player_name(getattr(pair, side)) for side in sides]
        margin = None
        late_side = None
        try:
            end = play_to_end(game, players, state, names)
            margin = game.margin(end, sides.index("one"))
            points.append(_points(margin))
        except OutOfTime as error:
            late_side = sides[error.args[0]]  # the argument is the seat
            points.append(1.0 if late_side == "other" else 0.0)
        row[f"margin_{number}"] = margin
        row[f"lost_on_time_{number}"] = late_side
    return row | {"points": fmean(points), "seconds": time.perf_counter() - start_time}


def _to_player(player: str | Player, backend: str, clock: Clock) -> Player:
    if isinstance(player, str):
        return make_player(player, backend=backend, clock=clock, strict=True)
    return player


def _points(margin: float) -> float:
    """Return the points of a game: 1 for a win, 1/2 for a draw, 0 for a loss."""
    if margin == 0:
        return 0.5
    return 1.0 if margin > 0 else 0.0


def play_pairs(pairs: Iterable[Pair], workers: int = 1, **options: Any) -> "pd.DataFrame":
    """Play the pairs and return a row of `play_pair` for each; `options` are passed to `run_all`.

    In the table, a player that is a function has its name, with a number if several functions have
    the same.
    """
    import pandas as pd  # here, because workers that only play do not need it

    pairs = [*pairs]
    games = pd.DataFrame(run_all(play_pair, pairs, workers, unit="pair", **options))
    players = chain.from_iterable((pair.one, pair.other) for pair in pairs)
    labels = _distinct_names(players)
    games["one"] = [labels[id(pair.one)] for pair in pairs]
    games["other"] = [labels[id(pair.other)] for pair in pairs]
    return games


def _distinct_names(players: Iterable[str | Player]) -> dict[int, str]:
    """Return the names of players by `id`; different players have different names.

    The keys are ids, because a player may be an object without a hash.
    """
    owners: dict[str, str | Player] = {}
    labels: dict[int, str] = {}
    for player in players:
        name = label = player_name(player)
        number = 1
        while owners.setdefault(label, player) != player:  # another player has this name
            number += 1
            label = f"{name} ({number})"
        labels[id(player)] = label
    return labels


def split_failures(games: "pd.DataFrame") -> tuple["pd.DataFrame", list[Row]]:
    """Split off the pairings of players in which a pair of games failed.

    Returns:
        The games of the other pairings, and a row for each failed pairing: `one`, `other`, the
        numbers of `failed` and of all `pairs`, and the first `error`.
    """
    failures: list[Row] = []
    played = games["error"].isna()  # below, False for all games of a pairing with an error
    for (one, other), rows in games.groupby(["one", "other"], sort=False):
        errors = rows["error"].dropna()
        if errors.empty:
            continue
        played[rows.index] = False
        row = {"one": one, "other": other, "failed": len(errors), "pairs": len(rows)}
        failures.append(row | {"error": errors.iloc[0]})
    return games[played].reset_index(drop=True), failures
