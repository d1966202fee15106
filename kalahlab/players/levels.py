"""Players for people, by levels from easy to hard; `data/levels.csv` has the levels."""

from random import Random
from typing import Any, NamedTuple

from kalahlab.data import data_rows
from kalahlab.games import Game
from kalahlab.players.factories import SearchPlayer, player_within_limit
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search.deep_enough import Depth
from kalahlab.search.observer import Observer


class Level(NamedTuple):
    """An opponent for people: alpha-beta to `depth` sows, sometimes replaced by a random move."""

    depth: int
    chance: float  # the probability of a random move


# The rows are from easy to hard. The last one, `perfect`, has no depth and is not a `Level`.
_ROWS = data_rows("levels.csv")
LEVELS = {
    row["level"]: Level(int(row["depth"]), float(row["chance"])) for row in _ROWS if row["depth"]
}
# The mean regret of a move in stones, by level and for `perfect`.
REGRETS = {row["level"]: float(row["regret"]) for row in _ROWS}


def level_player(
    level: Level, seed: int = 0, backend: str = "textbook", observer: Observer | None = None
) -> SearchPlayer:
    """Return a player of a level; the seed is that of its random moves."""
    spec = SearchSpec("alpha_beta", "store_difference", order="store_first", backend=backend)
    search = player_within_limit(spec, Depth(level.depth), observer=observer)
    return SearchPlayer(_choose_move, level, search, rng=Random(seed))


def _choose_move(
    level: Level, search: SearchPlayer, game: Game, state: Any, *, rng: Random
) -> tuple[Any, int]:
    """Return a random move or that of the search, and the nodes that the search visited."""
    if rng.random() < level.chance:
        return rng.choice(game.moves(state)), 0
    before = search.nodes
    move = search(game, state)
    return move, search.nodes - before
