"""Players: the loop that plays a game, searches as players, and players as text."""

from kalahlab.players.factories import limited_player, random_player, scripted_player, search_player
from kalahlab.players.game_loop import play_game, play_out, played_on, random_position
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import SearchSpec
