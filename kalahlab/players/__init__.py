"""Players: the loop that plays a game, searches as players, and players as text."""

from kalahlab.players.factories import (
    player_within_limit,
    random_player,
    script_player,
    search_player,
)
from kalahlab.players.game_loop import play_game, play_moves, play_to_end, random_position
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import SearchSpec
