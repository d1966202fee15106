"""Evaluators of Kalah that were learned from perfect play; see `data/make/train.py`.

All four are for the player to move, and are the store difference and a rest: what the mover
will bank from here on more than the opponent. There are weights for boards of 4, 5 and 6 pits, for
`learned_random` of 6 alone; for other boards they are `fitted`. A pit with more than `CAP` stones
counts as one with `CAP`. All numbers are whole, in units of 1/`STEPS` of a stone, so that sums are
exact. Own pits come first, each side from its player's left.

Of `NETWORKS` networks the first values boards with under `BAND` stones in play, the second with
under twice as many, the last with all more. Each of its `UNITS` units adds up a bias and a
number for each pit and its count, and says that sum, or 0 if it is negative. The rest is what the
first half of the units says less what the second half says.

Four units share a word of four lanes of 15 bits, so that one addition serves four of them: two of
the first half in the lower lanes, two of the second half above. A sum lies in its lane as `ZERO`
more than it is. The training makes sure that no sum of a lane leaves it.
"""

import json
from collections.abc import Sequence
from typing import Any

from kalahlab.data import data_file
from kalahlab.evaluators import for_mover
from kalahlab.evaluators.fitted import fitted

FILE, RANDOM_FILE = "learned.json", "learned_random.json"
LEAST_PITS, MOST_PITS = 4, 6
CAP = 13  # on six pits these stones go once round
COLUMNS = CAP + 1
NETWORKS, BAND, UNITS, STEPS = 3, 16, 64, 64
LANE = 15
ZERO = 1 << LANE - 1
HIGHEST = ZERO | ZERO << LANE | ZERO << 2 * LANE | ZERO << 3 * LANE
EVEN = (1 << LANE) - 1 | (1 << LANE) - 1 << 2 * LANE
TWO_LANES = (1 << 2 * LANE) - 1

Row = tuple[int, ...]


def lanes(numbers: Sequence[int]) -> Row:
    half = UNITS // 2
    fours = ((at, at + 1, half + at, half + at + 1) for at in range(0, half, 2))
    return tuple(
        sum(numbers[unit] << LANE * lane for lane, unit in enumerate(four)) for four in fours
    )


def packed(network: dict[str, Any]) -> list[Row]:
    """A network's rows in words: zeros for a pit that a board does not have, then one for each pit
    and count. The bias is added to those of the first pit.
    """
    bias = [number + ZERO for number in network["bias"]]
    first, rest = network["rows"][:COLUMNS], network["rows"][COLUMNS:]
    first = [[a + b for a, b in zip(row, bias, strict=True)] for row in first]
    return [lanes(row) for row in ([0] * UNITS, *first, *rest)]


def capped(board: Sequence[float], pit: int) -> int:
    return int(min(board[pit], CAP))


def counts(board: Sequence[float], start: int) -> tuple[int, ...]:
    """The capped stones of six pits from `start` on; 0 for pits that a board does not have."""
    pits = len(board) // 2 - 1
    a, b = capped(board, start), capped(board, start + 1)
    c, d = capped(board, start + 2), capped(board, start + 3)
    e = capped(board, start + 4) if pits > 4 else 0
    return a, b, c, d, e, capped(board, start + 5) if pits > 5 else 0


def units(board: Sequence[float], player: int, networks: int) -> int:
    """What the units say to the player to move, in STEPS-ths of a stone.

    networks: the place of the board's, in `LEARNED` and then in `RANDOM`.
    """
    half = len(board) // 2
    a, b, c, d, e, f = counts(board, player * half)
    g, h, i, j, k, m = counts(board, (1 - player) * half)
    in_play = ((a + b) + (c + d)) + ((e + f) + (g + h)) + ((i + j) + (k + m))
    band = min(in_play // BAND, NETWORKS - 1)
    zeros = FIRST_ROWS[NETWORKS * networks] + (1 + 2 * (half - 1) * COLUMNS) * band
    own = zeros + 1
    opp = own + (half - 1) * COLUMNS
    one, two = NETWORK[own + a], NETWORK[own + COLUMNS + b]
    three, four = NETWORK[own + 2 * COLUMNS + c], NETWORK[own + 3 * COLUMNS + d]
    five = NETWORK[own + 4 * COLUMNS + e if half > 5 else zeros]
    six = NETWORK[own + 5 * COLUMNS + f if half > 6 else zeros]
    seven, eight = NETWORK[opp + g], NETWORK[opp + COLUMNS + h]
    nine, ten = NETWORK[opp + 2 * COLUMNS + i], NETWORK[opp + 3 * COLUMNS + j]
    eleven = NETWORK[opp + 4 * COLUMNS + k if half > 5 else zeros]
    twelve = NETWORK[opp + 5 * COLUMNS + m if half > 6 else zeros]
    said = 0
    for w in range(UNITS // 4):
        sums = one[w] + two[w] + three[w] + four[w] + five[w] + six[w]
        sums += seven[w] + eight[w] + nine[w] + ten[w] + eleven[w] + twelve[w]
        high = sums & HIGHEST  # set in the lanes of sums that are not negative
        said += sums & high - (high >> LANE - 1)
    halves = (said & EVEN) + (said >> LANE & EVEN)
    return (halves & TWO_LANES) - (halves >> 2 * LANE)


def lead(board: Sequence[float], player: int) -> float:
    half = len(board) // 2
    return board[player * half + half - 1] - board[(1 - player) * half + half - 1]


def has_weights(board: Sequence[float]) -> bool:
    return LEAST_PITS <= len(board) // 2 - 1 <= MOST_PITS


@for_mover
def learned(board: Sequence[float], player: int) -> float:
    """Networks of 64 units that were trained to choose moves as perfect play does."""
    if not has_weights(board):
        return fitted(board, player)
    return lead(board, player) + units(board, player, len(board) // 2 - 1 - LEAST_PITS) / STEPS


@for_mover
def learned_random(board: Sequence[float], player: int) -> float:
    """`learned` on 6 pits, but trained on positions of games in which all moves are random."""
    if len(board) // 2 - 1 != MOST_PITS:
        return fitted(board, player)
    return lead(board, player) + units(board, player, MOST_PITS - LEAST_PITS + 1) / STEPS


@for_mover
def pit_table(board: Sequence[float], player: int) -> float:
    """A number for each pit and count, the own pits and the opponent's apart."""
    if not has_weights(board):
        return fitted(board, player)
    half = len(board) // 2
    at = FIRST_PITS[half - 1 - LEAST_PITS]
    rest = 0
    for side in (player * half, (1 - player) * half):
        for pit in range(side, side + half - 1):
            rest += PITS[at][capped(board, pit)]
            at += 1
    return lead(board, player) + rest / STEPS


@for_mover
def pit_pairs(board: Sequence[float], player: int) -> float:
    """A number for each two pits and their counts: opposite pits, and neighbours on each side."""
    if not has_weights(board):
        return fitted(board, player)
    half = len(board) // 2
    own, opp = player * half, (1 - player) * half
    at = FIRST_PAIRS[half - 1 - LEAST_PITS]
    rest = 0
    for pit in range(half - 1):
        rest += PAIRS[at][capped(board, own + pit) * COLUMNS + capped(board, opp + half - 2 - pit)]
        at += 1
    for side in (own, opp):
        for pit in range(side, side + half - 2):
            rest += PAIRS[at][capped(board, pit) * COLUMNS + capped(board, pit + 1)]
            at += 1
    return lead(board, player) + rest / STEPS


def stacked(tables: Sequence[Sequence[Sequence[int]]]) -> tuple[tuple[Row, ...], Row]:
    """The rows of several tables one after the other, and where each table starts."""
    rows = tuple(tuple(row) for table in tables for row in table)
    return rows, tuple(sum(len(table) for table in tables[:n]) for n in range(len(tables)))


# The weights, what they were made from, how good they are; see `data/make/train.py`.
LEARNED: dict[str, Any] = json.loads(data_file(FILE).read_text("utf-8"))
RANDOM: dict[str, Any] = json.loads(data_file(RANDOM_FILE).read_text("utf-8"))
PITS, FIRST_PITS = stacked(LEARNED["pit_table"])
PAIRS, FIRST_PAIRS = stacked(LEARNED["pit_pairs"])
NETWORK, FIRST_ROWS = stacked(
    [packed(each) for board in LEARNED["network"] + RANDOM["network"] for each in board]
)
