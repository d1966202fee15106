"""Evaluators of Kalah.

Values are in stones unless a docstring says otherwise. All but those marked otherwise are
antisymmetric (the values for the two players add up to 0) and exact for finished games (Rich &
Knight's first criterion, CS5329 report, section 4.4).

E1 to E4 are the four of the CS5329 report of 2020 (section 7), corrected; the printed ones are in
`kalahlab.published.cs5329`. In a docstring, the sentence after "Printed:" describes the evaluator
of the report, and the sentence after "Changed:" how the one here differs from it.
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
    Printed: if the mover's pits are empty, 2000 for A or -2000 for B; otherwise a variable that
    was never set. Changed: the value is defined for every board. An empty side alone does not
    decide, as the stones that remain may go to the opponent.
    """
    half = len(board) // 2
    larger_store = max(board[half - 1], board[2 * half - 1])
    if 2 * larger_store <= sum(board):
        return 0
    return store_difference(board, player)


def e2(board: Sequence[float], player: int) -> float:
    """Return E2: own store minus the opponent's, in stones.

    Printed: store A minus store B for both players. Changed: seen from the player's side.
    """
    return store_difference(board, player)


def e3(board: Sequence[float], player: int) -> float:
    """Return E3, the ratio of the stores, spread over all stones of the board.

    The value is (own - opp) / (own + opp) * total, and 0 while both stores are empty. It grows
    with the ratio own / opp. When all stones are in the stores it is the margin.
    Printed: own / opp in whole numbers, for the player to move; -1 while the own store is empty;
    a division by zero if only the opponent's store is empty. Changed: the formula, so that the
    value is antisymmetric and always defined.
    """
    half = len(board) // 2
    south, north, total = board[half - 1], board[2 * half - 1], sum(board)
    if south + north == 0:
        return 0
    share = (south - north) * total / (south + north)
    return share if player == 0 else -share


def e4(board: Sequence[float], player: int) -> float:
    """Return E4, how the pits aim at the store: the mean over own pits minus the opponent's.

    A pit counts 15 if it holds just the stones that reach the store, 8 if fewer, 5 if more, and 0
    if it is empty. With all pits empty the value is the store difference.
    Printed: 1500, 800 and 500, more than any finished game is worth; only the last non-empty pit
    counts; both players get the value of A's pits; the stones are compared with the index of the
    pit. Changed: hundredths of these numbers, all pits, both sides, and the distance to the store.
    """
    half = len(board) // 2
    pits = half - 1
    aims, stones = 0.0, 0.0  # the aims of South's pits minus those of North's
    for pit in range(pits):
        distance = pits - pit
        for base in (0, half):
            count = board[base + pit]
            stones += count
            aim = 0.0
            if count == distance:
                aim = 15.0
            elif count > distance:
                aim = 5.0
            elif count > 0:
                aim = 8.0
            if base == 0:
                aims += aim
            else:
                aims -= aim
    value = board[pits] - board[half + pits]
    if stones:
        value = aims / pits
    return value if player == 0 else -value


@not_antisymmetric
def staged(board: Sequence[float], player: int) -> float:
    """Return the staged heuristic as printed: defensive in the first third, offensive after.

    The value is the sum of four terms:
    - 0.75 own - opp while the opponent's store is below a sixth of all stones (12 of 72, a third
      of what wins), and own - 0.6 opp from then on
    - 2 for each own pit whose sow ends in the store, -2 for each such pit of the opponent
    - -10 if at most one own pit has stones
    - 10 if none of the opponent's has
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
    own, opp = player * half, (1 - player) * half  # the first pits of the two sides
    own_in_use, opp_in_use = 0, 0  # the number of pits with stones
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
        if board[own + pit] > 0:
            own_in_use += 1
        if board[opp + pit] > 0:
            opp_in_use += 1
    if off != OWN_EMPTY and own_in_use <= 1:
        value -= 10
    if off != OPP_EMPTY and opp_in_use == 0:
        value += 10
    return value


@not_antisymmetric
def staged_capture(board: Sequence[float], player: int) -> float:
    """Return the staged heuristic with the capture term that its text describes.

    For each own sow that ends in an own empty pit it adds the stones in the opposite pit to
    `staged`. For each such sow of the opponent it subtracts them. A sow that leaves the player's
    own side is not looked at.
    """
    half = len(board) // 2
    pits = half - 1
    value = staged(board, player)
    for side in (player, 1 - player):
        first, first_opposite = side * half, (1 - side) * half
        for pit in range(pits):
            landing = pit + int(board[first + pit])
            if pit < landing < pits and board[first + landing] == 0:
                opposite = int(board[first_opposite + pits - 1 - landing])
                captured = count_captured(opposite, capture_empty=False)
                gain = max(0, captured - 1)  # without the capturing stone
                if side == player:
                    value += gain
                else:
                    value -= gain
    return value


EVALUATORS = {
    **by_name(store_difference, e1, e2, e3, e4, staged, staged_capture),
    "fitted": fitted,
    **by_name(pit_table, pit_pairs, learned, learned_random),
}
