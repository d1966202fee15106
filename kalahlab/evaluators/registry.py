"""The evaluators by the name of their game; each game's first is its default."""

from kalahlab.evaluators import Evaluator, betsy, cards, kalah
from kalahlab.evaluators.tree import written_value
from kalahlab.names import import_path, named

EVALUATORS: dict[str, dict[str, Evaluator]] = {
    "kalah": kalah.EVALUATORS,
    "betsy": betsy.EVALUATORS,
    "cards": cards.EVALUATORS,
    "tree": {"written_value": written_value},
}


def evaluator(name: str | None, game: str = "kalah") -> Evaluator:
    """An evaluator by name or import path; None: the default. `ValueError` if there is none."""
    known = EVALUATORS.get(game, {})
    if name is None and known:
        return next(iter(known.values()))
    if name is None:
        raise ValueError(f"no evaluators of {game} are in EVALUATORS; name one")
    hint = "; one of your own is written module.function, such as mine.mobility"
    return named("evaluator", name, known, hint)


def imported(name: str) -> Evaluator:
    """As `evaluator` of Kalah, after importing it if the name is an import path."""
    return evaluator(import_path("evaluator", name))
