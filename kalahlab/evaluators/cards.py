"""Evaluators of the card game: the six factors of "Project 1, game search strategy".

`kalahlab.games.cards` describes the layout of `board`. F is E(own) - E(opponent's), where E is
S1 + S2 + M1 + M2 + N1 - 6 N2, in points of cards.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kalahlab.evaluators import Evaluator
from kalahlab.games.cards import CARDS


class Factors(NamedTuple):
    """The six factors of a player, or a weight for each.

    Attributes:
        s1: The sum of the player's cards on the board.
        s2: The sum of the player's cards in hand.
        m1: The largest card on the board, 0 without one.
        m2: The largest card in hand, 0 without one.
        n1: The number of cards in hand.
        n2: The number of cards removed.
    """

    s1: float
    s2: float
    m1: float
    m2: float
    n1: float
    n2: float


WEIGHTS = Factors(1, 1, 1, 1, 1, -6)


def factors(board: Sequence[float], player: int) -> Factors:
    """Compute the factors of a player, 0 or 1."""
    # A board has the cards on the cells, the owners of the cells, and two hands.
    area = len(board) // 2 - len(CARDS)
    owner = player + 1  # an owner 0 is nobody
    zero: float = 0  # not 0.0, so that sums of whole numbers stay whole
    s1 = s2 = m1 = m2 = n1 = n2 = zero
    for cell in range(area):
        if board[area + cell] == owner:
            card = board[cell]
            s1 += card
            if card == 0:  # the card was removed; the cell keeps its owner
                n2 += 1
            if card > m1:
                m1 = card
    hand = 2 * area + player * len(CARDS)
    for kind in range(len(CARDS)):
        count = board[hand + kind]
        if count:
            s2 += count * CARDS[kind]
            m2 = CARDS[kind]  # `CARDS` ascend, so the last one in the hand is the largest
            n1 += count
    return Factors(s1, s2, m1, m2, n1, n2)


def make_weighted_evaluator(weights: Factors = WEIGHTS) -> Evaluator:
    """Make the antisymmetric evaluator with these weights: own factors minus the opponent's."""

    def value(board: Sequence[float], player: int) -> float:
        ours, theirs = factors(board, player), factors(board, 1 - player)
        total: float = 0
        for k in range(len(weights)):  # a fifth faster than a sum over a generator
            total += weights[k] * (ours[k] - theirs[k])
        return total

    return value


report = make_weighted_evaluator()  # F as the text of the document defines it


def published(board: Sequence[float], player: int) -> float:
    """Return F as the program computes it.

    The program subtracts the opponent's S1 twice, and never the opponent's M1. So this value is
    not antisymmetric.
    """
    theirs = factors(board, 1 - player)
    # `report` subtracts each of the opponent's factors once: add M1 back, subtract S1 again.
    return report(board, player) + theirs.m1 - theirs.s1


EVALUATORS = {"report": report, "published": published}
