"""kalahlab: an executable report on game-tree search in the game of Kalah.

    from kalahlab import Depth, Kalah, alpha_beta, store_difference

    game = Kalah(pits=6, stones=4)
    print(alpha_beta(game, game.start(), store_difference, Depth(6)))

These names are the ones that most users need: Kalah, Depth, minimax, alpha_beta, store_difference,
record, SearchSpec, parse_board, parse_player, play_game, solve, explore, Explorer, Board. Each is
imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# For type checkers, the names that `PLACES` imports when they are used. `X as X` exports a name.
if TYPE_CHECKING:
    from kalahlab.evaluators.kalah import store_difference as store_difference
    from kalahlab.games.kalah import Kalah as Kalah
    from kalahlab.games.notation import parse_board as parse_board
    from kalahlab.players.game_loop import play_game as play_game
    from kalahlab.players.parse import parse_player as parse_player
    from kalahlab.players.search_spec import SearchSpec as SearchSpec
    from kalahlab.search.alpha_beta import alpha_beta as alpha_beta
    from kalahlab.search.deep_enough import Depth as Depth
    from kalahlab.search.minimax import minimax as minimax
    from kalahlab.solver.solve import solve as solve
    from kalahlab.trace import record as record
    from kalahlab.widgets.board import Board as Board
    from kalahlab.widgets.explorer import Explorer as Explorer
    from kalahlab.widgets.explorer import explore as explore


__version__ = "0.1.0"

# The public names, each with the module or package below `kalahlab` that has it.
PLACES = {
    "Kalah": "games.kalah",
    "store_difference": "evaluators.kalah",
    "Depth": "search",
    "minimax": "search",
    "alpha_beta": "search",
    "record": "trace",
    "SearchSpec": "players",
    "parse_board": "games.notation",
    "parse_player": "players",
    "play_game": "players",
    "solve": "solver.solve",
    "explore": "widgets.explorer",
    "Explorer": "widgets.explorer",
    "Board": "widgets.board",
}

__all__ = [*PLACES]


if not TYPE_CHECKING:  # else a type checker would accept any name

    def __getattr__(name: str) -> Any:
        if name not in PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
        globals()[name] = value  # so that Python finds it without this function the next time
        return value


def __dir__() -> list[str]:
    return [*(name for name in globals() if name.startswith("__")), *PLACES]
