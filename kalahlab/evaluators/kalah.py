"""Evaluators of Kalah.

Values are in stones unless a docstring says otherwise. All but those marked otherwise are
antisymmetric (the values for the two players add up to 0) and exact for finished games (Rich &
Knight's first criterion, CS5329 report, section 4.4).

E1 to E4 are the four of the CS5329 report of 2020 (section 7), corrected; the printed ones are in
`kalahlab.published.cs5329`. In the docstrings, "Printed:" begins what a report has, and "Changed:"
what is different here.
"""

from collections.abc import Sequence

from kalahlab.evaluators import by_name, not_antisymmetric
from kalahlab.evaluators.fitted import fitted
from kalahlab.evaluators.learned import learned, learned_random, pit_pairs, pit_table
from kalahlab.games.kalah import count_captured


def store_difference(board: Sequence[float], player: int) -> float:
    """Return the own store minus the opponent's, in stones."""
    half = len(board) // 2
    difference = board[half - 1] - board[2 * half - 1]
    return difference if player == 0 else -difference


def e1(board: Sequence[float], player: int) -> float:
    """Return E1, "is it decided?": the store difference once it cannot be overturned, else 0.

    Decided means that a store holds more than half of all stones.
    Printed: 2000 if the mover's pits are empty (for A; -2000 for B), otherwise a variable
    that was never set. Changed: defined everywhere; an empty side no longer counts as a
    win by itself, since the rest may go to the opponent; worth the outcome, not 2000.
    """
    half = len(board) // 2
    if 2 * max(board[half - 1], board[2 * half - 1]) <= sum(board):
        return 0
    return store_difference(board, player)


def e2(board: Sequence[float], player: int) -> float:
    """Return E2: own store minus the opponent's, in stones.

    Printed: store A minus store B for both players. Changed: seen from the player's side.
    """
    return store_difference(board, player)


def e3(board: Sequence[float], player: int) -> float:
    """Return E3, the ratio of the stores, spread over all stones of the board.

    (own - opp) / (own + opp) * total, and 0 while both stores are empty: it grows with the
    ratio own / opp, exchanging the sides changes its sign, and when all stones are in the
    stores it is the margin.
    Printed: own / opp in whole numbers for the player to move, -1 while the own store is
    empty, a division by zero if only the other store is. Changed: all three.
    """
    half = len(board) // 2
    south, north, total = board[half - 1], board[2 * half - 1], sum(board)
    if south + north == 0:
        return 0
    share = (south - north) * total / (south + north)
    return share if player == 0 else -share


def e4(board: Sequence[float], player: int) -> float:
    """Return E4, how the pits aim at the store: the mean over own pits minus the opponent's.

    A pit counts 15 if it holds just the stones that reach the store, 8 if fewer, 5 if more,
    0 if it is empty (hundredths of the printed 1500, 800 and 500, so that no
    aim outweighs a finished game of some size). With all pits empty: the store difference.
    Printed: the verdict on the last non-empty pit alone, always A's pits, stones compared
    with the pit's index instead of its distance to the store. Changed: all three.
    """
    half = len(board) // 2
    pits = half - 1
    aims, stones = 0.0, 0.0
    for pit in range(pits):
        for base in (0, half):
            count = board[base + pit]
            stones += count
            verdict = 0.0
            if count == pits - pit:
                verdict = 15.0
            elif 0 < count < pits - pit:
                verdict = 8.0
            elif count > 0:
                verdict = 5.0
            aims += verdict if base == 0 else -verdict
    value = aims / pits if stones else board[pits] - board[half + pits]
    return value if player == 0 else -value


@not_antisymmetric
def staged(board: Sequence[float], player: int) -> float:
    """Return the staged heuristic as printed: defensive in the first third, offensive after.

    0.75 own - opp while the opponent's store is below a sixth of all stones (12 of 72),
    then own - 0.6 opp; 2 for each own pit that ends exactly in the store, -2 for each such
    pit of the opponent; -10 if all own pits but one are empty, 10 if all the opponent's
    are. With six pits these are the printed numbers.
    Source: the staged-heuristic report, "Definition of my heuristic".
    Printed: two more loops, which add and subtract the same stones and cancel on every board.
    Changed: they are left out.
    """
    return sum_stage_terms(board, player, -1)  # no term is left out


STAGED_TERMS = ("stages", "extra_turns", "own_empty", "opp_empty")
STAGES, EXTRA_TURNS, OWN_EMPTY, OPP_EMPTY = range(4)


def sum_stage_terms(board: Sequence[float], player: int, off: int) -> float:
    """Return the sum of the terms of `staged`, without one of them.

    Args:
        board: The board.
        player: The player for whom to evaluate it.
        off: The index in `STAGED_TERMS` of the term to leave out, -1 for none. Without `stages`
            the store difference is added instead.
    """
    half = len(board) // 2
    pits = half - 1
    own, opp = player * half, (1 - player) * half
    own_left, opp_left = 0, 0
    if off == STAGES:
        value = float(board[own + pits] - board[opp + pits])
    elif 6 * board[opp + pits] < sum(board):
        value = 0.75 * board[own + pits] - board[opp + pits]
    else:
        value = board[own + pits] - 0.6 * board[opp + pits]
    for pit in range(pits):
        if off != EXTRA_TURNS and board[own + pit] == pits - pit:
            value += 2
        if off != EXTRA_TURNS and board[opp + pit] == pits - pit:
            value -= 2
        own_left += board[own + pit] != 0
        opp_left += board[opp + pit] != 0
    if off != OWN_EMPTY and own_left < 2:
        value -= 10
    if off != OPP_EMPTY and opp_left < 1:
        value += 10
    return value


@not_antisymmetric
def staged_capture(board: Sequence[float], player: int) -> float:
    """Return the staged heuristic with the capture term that its text describes.

    To `staged` it adds, for each own sow that ends in an own empty pit, the stones in the
    opposite pit, and subtracts the same for the opponent. Only sows that stay on the
    player's own side are looked at.
    """
    half = len(board) // 2
    pits = half - 1
    value = staged(board, player)
    for sign, base in ((1, player * half), (-1, (1 - player) * half)):
        for pit in range(pits):
            landing = pit + int(board[base + pit])
            if pit < landing < pits and board[base + landing] == 0:
                other = half - base  # the first pit of the other side
                opposite = int(board[other + pits - 1 - landing])
                # The capturing stone is not counted.
                value += sign * max(0, count_captured(opposite, False) - 1)
    return value


EVALUATORS = {
    **by_name(store_difference, e1, e2, e3, e4, staged, staged_capture),
    "fitted": fitted,
    **by_name(pit_table, pit_pairs, learned, learned_random),
}
