"""Pairs of games: two players play twice from the same opening, and exchange sides between games.

games = play_pairs([Pair("alpha_beta:e3:4", "random:1", board) for board in boards])
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, fields
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.formatting import StableRepr
from kalahlab.games import Game
from kalahlab.games.kalah import RULES_VERSION
from kalahlab.games.registry import game_type
from kalahlab.games.rules import parse_rules
from kalahlab.parallel import Row, run_all
from kalahlab.players.game_loop import play_moves
from kalahlab.players.model import AdaptedPlayer, AnyPlayer, Fault, as_player, player_name
from kalahlab.players.parse import make_player
from kalahlab.search.limits import Clock, Limit

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening. In game 1 `one` is player 0 of the game, in game 2 player 1.

    Attributes:
        one: A player, or the text of a player for `make_player`.
        other: The other player.
        opening: A board text if `rules` is a text, else a state of the game.
        rules: Kalah's rules as text, see `parse_rules`, or any game.
        backend: The backend of a search whose text has no `@BACKEND`.
        game: The name of the game if `rules` is a text: `kalah` or `pie`.
        move_seconds: The most time for a move, see `make_player`; None for no common limit.
    """

    one: str | AnyPlayer
    other: str | AnyPlayer
    opening: Any
    rules: str | Game = "standard"
    backend: str = "engine"
    game: str = "kalah"
    move_seconds: float | None = None

    # `kalahlab.parallel` makes it a part of the key of a stored row, so that rows of games under
    # older rules, or with other columns, are not used again.
    VERSION: ClassVar[str] = f"{RULES_VERSION} with moves"

    def __repr__(self) -> str:
        players = f"{player_name(self.one)} and {player_name(self.other)}"
        return f"<pair of {players} from {self.opening}, {self.rules}>"

    @property
    def task(self) -> str:
        """A phrase for messages. `kalahlab.parallel` compares it: a task is a pair of players."""
        return f"playing {player_name(self.one)} against {player_name(self.other)}"


def play_pair(pair: Pair, clock: Clock = time.monotonic) -> Row:
    """Play both games and return a row.

    A player loses a game if it makes no legal move in time. So does a player of a user's function
    or class, or of a program, that ends in an error.

    Columns:
        one, other, opening, rules, backend, game: The attributes of the pair.
        move_seconds: This attribute, if it is not None.
        margin_1: The margin of `one` in game 1, in stones; None if the game was not played out.
        margin_2: The margin of `one` in game 2.
        lost_on_time_1: "one" or "other", the player who lost game 1 on time; None if neither did.
        lost_on_time_2: The player who lost game 2 on time.
        points: The mean of the points of `one` in both games: 1 for a win, 1/2 for a draw.
        seconds: The wall time of both games.
        faulty_1: "one" or "other", the player who lost game 1 by a fault other than time; or None.
        faulty_2: The player who lost game 2 by such a fault.
        reason_1: The fault that ended game 1, with its position; None if there was none.
        reason_2: The fault that ended game 2.
        moves_1, moves_2: The moves of the games.
        seconds_one, seconds_other: The wall time of each player's moves in both games.
        nodes_one, nodes_other: The nodes that each player's searches visited in both games; None if
            the player is no search of this package.
    """
    start_time = time.perf_counter()
    # Not by `asdict`, which copies players: a running program has no copy.
    row: Row = {column.name: getattr(pair, column.name) for column in fields(pair)}
    if pair.move_seconds is None:
        del row["move_seconds"]
    game = pair.rules
    state = pair.opening
    if isinstance(game, str):
        game, state = game_type(pair.game).read(state, rules=parse_rules(game))
    # In each game, the attribute of the pair that is player 0, and the one that is player 1.
    games = [
        _play_game(pair, game, state, attributes, clock)
        for attributes in (("one", "other"), ("other", "one"))
    ]
    for number, played in enumerate(games, start=1):
        row[f"margin_{number}"] = played.margin
        row[f"lost_on_time_{number}"] = played.loser if played.is_lost_on_time else None
    row["points"] = fmean(played.points for played in games)
    row["seconds"] = time.perf_counter() - start_time
    for number, played in enumerate(games, start=1):
        row[f"faulty_{number}"] = None if played.is_lost_on_time else played.loser
        row[f"reason_{number}"] = None if played.fault is None else str(played.fault)
        row[f"moves_{number}"] = " ".join(played.moves)
    return row | _sum_costs(games)


def _sum_costs(games: Sequence["PlayedGame"]) -> Row:
    """Return the columns with the time and the nodes of each player."""
    row: Row = {}
    for player in ("one", "other"):
        row[f"seconds_{player}"] = sum(played.seconds[player] for played in games)
    for player in ("one", "other"):
        counts = [played.nodes[player] for played in games]
        row[f"nodes_{player}"] = None if None in counts else sum(filter(None, counts))
    return row


@dataclass(repr=False)
class PlayedGame(StableRepr):
    """A game of a pair.

    Attributes:
        margin: The margin of `one`, in stones; None if the game ended by a fault.
        loser: "one" or "other", the player who lost by a fault; None if neither did.
        fault: The fault.
        moves: The names of the moves.
        seconds: The wall time of the moves of "one" and of "other".
        nodes: The nodes that the searches of "one" and of "other" visited; None if they count none.
    """

    margin: float | None = None
    loser: str | None = None
    fault: Fault | None = None
    moves: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    nodes: dict[str, int | None] = field(default_factory=dict)

    @property
    def is_lost_on_time(self) -> bool:
        return self.fault is not None and self.fault.kind in ("late", "silent")

    @property
    def points(self) -> float:
        """The points of `one`: 1 for a win, 1/2 for a draw, 0 for a loss."""
        if self.loser is not None:
            return 1.0 if self.loser == "other" else 0.0
        return count_points(self.margin or 0)


def _play_game(
    pair: Pair, game: Game, start: Any, attributes: tuple[str, str], clock: Clock
) -> PlayedGame:
    """Play a game of a pair.

    Args:
        pair: The pair.
        game: The game.
        start: The first position.
        attributes: The attribute of the pair that is player 0, and the one that is player 1.
        clock: The clock of time limits.
    """
    names = [player_name(getattr(pair, attribute)) for attribute in attributes]
    played = PlayedGame()
    state = start
    with _open_players(pair, attributes, clock) as players:
        try:
            for move, after in play_moves(game, players, start, names):
                played.moves.append(game.move_name(state, move))
                state = after
            played.margin = game.margin(state, attributes.index("one"))
        except Fault as fault:
            played.fault, played.loser = fault, attributes[fault.player]
        for attribute, player in zip(attributes, players, strict=True):
            played.seconds[attribute] = player.seconds
            played.nodes[attribute] = player.count_nodes()
    return played


class ClockedPlayer(AdaptedPlayer):
    """A player whose moves are timed.

    Attributes:
        seconds: The wall time of its moves.
    """

    def __init__(self, player: AnyPlayer) -> None:
        super().__init__(as_player(player))
        self.seconds = 0.0
        self._nodes_before = self.nodes

    def count_nodes(self) -> int | None:
        """Return the nodes that its searches have visited since it was clocked; None if unknown."""
        if self.nodes is None or self._nodes_before is None:
            return None
        return self.nodes - self._nodes_before

    def choose(self, game: Game, state: Any, limit: Limit | None = None) -> Any:
        start = time.perf_counter()
        try:
            return super().choose(game, state, limit)
        finally:
            self.seconds += time.perf_counter() - start


@contextmanager
def _open_players(
    pair: Pair, attributes: Iterable[str], clock: Clock
) -> Iterator[list[ClockedPlayer]]:
    """Make the players of a game, and close afterwards those that were made from a text."""
    with ExitStack() as stack:
        players = list[ClockedPlayer]()
        for attribute in attributes:
            player = getattr(pair, attribute)
            if isinstance(player, str):
                player = make_player(
                    player,
                    pair.game,
                    pair.backend,
                    clock=clock,
                    strict=True,
                    seconds=pair.move_seconds,
                )
                stack.enter_context(closing(as_player(player)))
            players.append(ClockedPlayer(player))
        yield players


def count_points(margin: float) -> float:
    """Return the points of a game: 1 for a win, 1/2 for a draw, 0 for a loss."""
    if margin == 0:
        return 0.5
    return 1.0 if margin > 0 else 0.0


def play_pairs(pairs: Iterable[Pair], workers: int = 1, **options: Any) -> "pd.DataFrame":
    """Play the pairs and return a table with a row of `play_pair` for each pair.

    In the table, a player is its text or the name of its function. If several functions have the
    same name, the further ones have a number after it.

    Args:
        pairs: The pairs.
        workers: The number of processes.
        **options: Further arguments of `run_all`. With `folder` or `keep_errors` the table has the
            column `error`, too: the message of the error that ended a pair, else None. A pair that
            failed has no values in the columns of results.
    """
    import pandas as pd  # here, because workers that only play do not need it

    pairs = [*pairs]
    games = pd.DataFrame(run_all(play_pair, pairs, workers, unit="pair", **options))
    players = chain.from_iterable((pair.one, pair.other) for pair in pairs)
    labels = _distinct_names(players)
    games["one"] = [labels[id(pair.one)] for pair in pairs]
    games["other"] = [labels[id(pair.other)] for pair in pairs]
    return games


def _distinct_names(players: Iterable[str | AnyPlayer]) -> dict[int, str]:
    """Return the names of players by `id`; different players have different names.

    The keys are ids, because a player may be an object without a hash.
    """
    owners: dict[str, str | AnyPlayer] = {}  # by label: the first player that got it
    labels: dict[int, str] = {}
    for player in players:
        name = label = player_name(player)
        number = 1
        # `setdefault` gives a free label to this player, and returns the owner of any other. The
        # owner may be this player, who is in several pairs. The comparison is not by id, because
        # equal texts are one player.
        while owners.setdefault(label, player) != player:
            number += 1
            label = f"{name} ({number})"
        labels[id(player)] = label
    return labels


def split_failures(games: "pd.DataFrame") -> tuple["pd.DataFrame", list[Row]]:
    """Split off the pairings in which a pair of games failed; a pairing is two players.

    A pairing with an error is left out as a whole: whether an error occurs can depend on the course
    of a game, so that the other pairs alone could favor a player.

    Args:
        games: A table of `play_pairs` with the column `error`.

    Returns:
        The rows of the pairings without an error, and a row for each other pairing.

    Columns of a failed pairing:
        one, other: The players.
        failed: The number of pairs of games that failed.
        pairs: The number of all pairs of games.
        error: The message of the first error.
    """
    failures: list[Row] = []
    is_retained = games["error"].isna()  # becomes False for every row of a pairing with an error
    for (one, other), rows in games.groupby(["one", "other"], sort=False):
        errors = rows["error"].dropna()
        if errors.empty:
            continue
        is_retained[rows.index] = False
        row = {"one": one, "other": other, "failed": len(errors), "pairs": len(rows)}
        failures.append(row | {"error": errors.iloc[0]})
    return games[is_retained].reset_index(drop=True), failures
