"""The evaluators by the name of their game; the first of each game is its default."""

from kalahlab.evaluators import Evaluator, betsy, cards, kalah
from kalahlab.evaluators.tree import written_value
from kalahlab.names import import_named, lookup

EVALUATORS: dict[str, dict[str, Evaluator]] = {
    "kalah": kalah.EVALUATORS,
    "pie": kalah.EVALUATORS,
    "betsy": betsy.EVALUATORS,
    "cards": cards.EVALUATORS,
    "tree": {"written_value": written_value},
}


def find_evaluator(name: str | None, game: str = "kalah") -> Evaluator:
    """Look up an evaluator by its name, or by an import path imported before.

    Args:
        name: The name; None for the default of the game.
        game: The name of the game.

    Raises:
        ValueError: There is no such evaluator.
    """
    registry = EVALUATORS.get(game, {})
    if name is None:
        if not registry:
            raise ValueError(f"EVALUATORS has no evaluator of {game}; name one of your own")
        return next(iter(registry.values()))
    hint = "; write your own as module.function, such as mine.mobility"
    return lookup("evaluator", name, registry, hint)


def import_evaluator(name: str) -> Evaluator:
    """Like `find_evaluator` for Kalah, but first import the name if it is an import path."""
    return find_evaluator(import_named("evaluator", name))
