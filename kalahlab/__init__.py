"""kalahlab: an executable report on game-tree search in the game of Kalah.

    from kalahlab import Depth, Kalah, alpha_beta, store_difference

    game = Kalah(pits=6, stones=4)
    print(alpha_beta(game, game.start(), store_difference, Depth(6)))

Here are the names that most users need: Kalah, Depth, minimax, alpha_beta, store_difference,
record, SearchSpec, parse_board, parse_player, play_game, solve, explore, Explorer, Board. Each is
imported late.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

PLACES = {
    "Kalah": "games.kalah",
    "store_difference": "evaluators.kalah",
    "Depth": "search",
    "minimax": "search",
    "alpha_beta": "search",
    "record": "trace",
    "SearchSpec": "backends",
    "parse_board": "games.notation",
    "parse_player": "play",
    "play_game": "play",
    "solve": "engine.solver.solve",
    "explore": "widgets.explorer",
    "Explorer": "widgets.explorer",
    "Board": "widgets.board",
}

__all__ = [*PLACES]


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, getattr(import_module(f"{__name__}.{PLACES[name]}"), name))


def __dir__() -> list[str]:
    return [*(name for name in globals() if name.startswith("__")), *PLACES]
