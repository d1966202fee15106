"""Programs in processes of their own, which the arena knows as `exec:./agent`, as functions."""

from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.players.parse import import_player_parts, make_player
from kalahlab.search.limits import Seconds

PREFIX = "exec:"
MOVE_SECONDS = 10.0  # for a move, unless the text of the player has a shorter limit


class ExternalPlayer(StableRepr):
    """A function of a game and a state that asks a program for its move.

    The program is started at the first call, in the process that makes the calls.
    """

    def __init__(self, text: str) -> None:
        self._text = import_player_parts(text)
        self._player: Any = None

    def __call__(self, game: Any, state: Any) -> Any:
        if self._player is None:
            self._player = make_player(self._text)
        self._player.new_game(game, state)
        return self._player.choose(game, state, Seconds(MOVE_SECONDS))
