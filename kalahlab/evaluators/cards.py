"""Evaluators of the card game: the six factors of "Project 1, game search strategy".

`board` is laid out as `kalahlab.games.cards` says. F is E(own) - E(opponent's), where E is
S1 + S2 + M1 + M2 + N1 - 6 N2, in points of cards.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.games.cards import CARDS


class Factors(NamedTuple):
    """The six factors of a player, or a weight for each.

    s1, s2: sums of the own cards on the board and in hand. m1, m2: the largest of each, 0 without
    a card. n1: the number in hand. n2: the number removed.
    """

    s1: float
    s2: float
    m1: float
    m2: float
    n1: float
    n2: float


WEIGHTS = Factors(1, 1, 1, 1, 1, -6)


def factors(board: Sequence[float], player: int) -> Factors:
    area, owner = len(board) // 2 - len(CARDS), player + 1
    zero: float = 0  # so that whole numbers stay whole
    s1 = s2 = m1 = m2 = n1 = n2 = zero
    for cell in range(area):
        if board[area + cell] == owner:
            card = board[cell]
            s1 += card
            n2 += not card
            if card > m1:
                m1 = card
    held = 2 * area + player * len(CARDS)
    for kind in range(len(CARDS)):
        count = board[held + kind]
        if count:
            s2 += count * CARDS[kind]
            m2 = CARDS[kind]
            n1 += count
    return Factors(s1, s2, m1, m2, n1, n2)


def weighted(weights: Factors = WEIGHTS) -> Evaluator:
    """The evaluator that weighs the factors so: own minus the opponent's, antisymmetric."""

    def value(board: Sequence[float], player: int) -> float:
        own, other = factors(board, player), factors(board, 1 - player)
        total: float = 0
        for k in range(len(weights)):  # a fifth faster than a sum over a generator
            total += weights[k] * (own[k] - other[k])
        return total

    return value


report = weighted()  # F as the document's text has it


def published(board: Sequence[float], player: int) -> float:
    """F as the document's program has it: the opponent's M1 is its S1. Not antisymmetric."""
    other = factors(board, 1 - player)
    return report(board, player) + other.m1 - other.s1


EVALUATORS = {"report": report, "published": published}
