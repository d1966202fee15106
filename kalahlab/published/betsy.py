"""Rivals for the weights of Betsy's program."""

from kalahlab.evaluators.betsy import HEURISTICS, Weighted


def weighing(**weights: float) -> Weighted:
    """The heuristics named, with their weights, and no others."""
    return Weighted(tuple((dict.fromkeys(HEURISTICS, 0.0) | weights).values()))
