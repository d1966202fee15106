"""Evaluators of Kalah, trained on perfect play; see `data/make/train.py`.

All four are for the player to move. Each is the store difference plus a rest: the stones that the
mover will bank from here on, minus the opponent's. There are weights for boards of 4, 5 and 6 pits,
but for `learned_random` only of 6; `fitted` evaluates all other boards. A pit with more than `CAP`
stones counts as one with `CAP`. All numbers are integers, in units of 1/`STEPS` of a stone, so that
sums are exact. In all tables own pits come first, and the pits of a side from its player's left.

Each size of board has `NETWORKS` networks: the first evaluates boards with fewer than `BAND` stones
in play, the second those with fewer than 2 `BAND`, the last all others. A network has `UNITS`
units. A unit adds up a bias and a number for each pit and its count; its output is this sum, or 0
if the sum is negative. The rest is the sum of the outputs of the first half of the units, minus
that of the second half.

Four units share a word of four lanes of 15 bits, so that one addition serves four units. The two
lower lanes are for units of the first half, the two upper ones for units of the second half. A sum
is stored in its lane with `ZERO` added. The training ensures that no sum overflows its lane.
"""

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

from kalahlab.data import data_file
from kalahlab.evaluators import for_mover
from kalahlab.evaluators.fitted import fitted

FILE, RANDOM_FILE = "learned.json", "learned_random.json"
LEAST_PITS, MOST_PITS = 4, 6
CAP = 13  # with six pits, 13 stones go once round the board
COLUMNS = CAP + 1
NETWORKS, BAND, UNITS, STEPS = 3, 16, 64, 64
LANE = 15  # bits
ZERO = 1 << (LANE - 1)  # added to a sum, so that a lane never holds a negative number
# Masks of a word. The highest bit of each lane is set if the sum in it is not negative.
HIGHEST = ZERO | (ZERO << LANE) | (ZERO << (2 * LANE)) | (ZERO << (3 * LANE))
ONE_LANE = (1 << LANE) - 1
FIRST_AND_THIRD_LANE = ONE_LANE | (ONE_LANE << (2 * LANE))
TWO_LANES = (1 << (2 * LANE)) - 1

Row = tuple[int, ...]


def lanes(numbers: Sequence[int]) -> Row:
    """Pack a number for each unit into words of four lanes."""
    half = UNITS // 2
    words = []
    for unit in range(0, half, 2):
        word = numbers[unit]
        word += numbers[unit + 1] << LANE
        word += numbers[half + unit] << (2 * LANE)
        word += numbers[half + unit + 1] << (3 * LANE)
        words.append(word)
    return tuple(words)


def pack_rows(network: dict[str, Any]) -> list[Row]:
    """Pack the rows of a network into words.

    The first row is all zeros, for pits that a board does not have. Then there is a row for each
    pit and count. The rows of the first pit contain the bias and `ZERO`, as each sum takes exactly
    one of them.
    """
    offsets = [number + ZERO for number in network["bias"]]
    rows = [[0] * UNITS]
    for row in network["rows"][:COLUMNS]:
        rows.append([number + offset for number, offset in zip(row, offsets, strict=True)])
    rows += network["rows"][COLUMNS:]
    return [lanes(row) for row in rows]


def cap_stones(board: Sequence[float], pit: int) -> int:
    return int(min(board[pit], CAP))


def counts(board: Sequence[float], start: int) -> tuple[int, ...]:
    """Return the capped stones of six pits from `start` on; 0 for pits that the board lacks."""
    pits = len(board) // 2 - 1
    a, b = cap_stones(board, start), cap_stones(board, start + 1)
    c, d = cap_stones(board, start + 2), cap_stones(board, start + 3)
    e = f = 0
    if pits > 4:
        e = cap_stones(board, start + 4)
    if pits > 5:
        f = cap_stones(board, start + 5)
    return a, b, c, d, e, f


def units(board: Sequence[float], player: int, networks: int) -> int:
    """Return the rest for the player to move, in STEPS-ths of a stone.

    Args:
        board: The board.
        player: The player to move.
        networks: The index of the networks to use: 0, 1 and 2 are those of `LEARNED` for 4, 5 and
            6 pits, 3 those of `RANDOM`.
    """
    half = len(board) // 2
    pits = half - 1
    a, b, c, d, e, f = counts(board, player * half)
    g, h, i, j, k, m = counts(board, (1 - player) * half)
    in_play = ((a + b) + (c + d)) + ((e + f) + (g + h)) + ((i + j) + (k + m))
    band = min(in_play // BAND, NETWORKS - 1)
    rows_of_network = 1 + 2 * pits * COLUMNS
    # The first rows: of zeros, of the first own pit, of the opponent's first pit.
    zeros = FIRST_ROWS[NETWORKS * networks] + rows_of_network * band
    own = zeros + 1
    opp = own + pits * COLUMNS
    one, two = NETWORK[own + a], NETWORK[own + COLUMNS + b]
    three, four = NETWORK[own + 2 * COLUMNS + c], NETWORK[own + 3 * COLUMNS + d]
    five, six, eleven, twelve = NETWORK[zeros], NETWORK[zeros], NETWORK[zeros], NETWORK[zeros]
    if pits > 4:
        five, eleven = NETWORK[own + 4 * COLUMNS + e], NETWORK[opp + 4 * COLUMNS + k]
    if pits > 5:
        six, twelve = NETWORK[own + 5 * COLUMNS + f], NETWORK[opp + 5 * COLUMNS + m]
    seven, eight = NETWORK[opp + g], NETWORK[opp + COLUMNS + h]
    nine, ten = NETWORK[opp + 2 * COLUMNS + i], NETWORK[opp + 3 * COLUMNS + j]
    outputs = 0
    for w in range(UNITS // 4):
        sums = one[w] + two[w] + three[w] + four[w] + five[w] + six[w]
        sums += seven[w] + eight[w] + nine[w] + ten[w] + eleven[w] + twelve[w]
        high = sums & HIGHEST  # the highest bit of each lane whose sum is not negative
        lower_bits = high - (high >> (LANE - 1))  # all bits below these highest ones
        outputs += sums & lower_bits  # without `ZERO`; 0 where the sum is negative
    # Add the second lane to the first and the fourth to the third: a sum for each half.
    halves = (outputs & FIRST_AND_THIRD_LANE) + ((outputs >> LANE) & FIRST_AND_THIRD_LANE)
    return (halves & TWO_LANES) - (halves >> (2 * LANE))


def lead(board: Sequence[float], player: int) -> float:
    """Return the own store minus the opponent's."""
    half = len(board) // 2
    return board[player * half + half - 1] - board[(1 - player) * half + half - 1]


def has_weights(board: Sequence[float]) -> bool:
    return LEAST_PITS <= len(board) // 2 - 1 <= MOST_PITS


@for_mover
def learned(board: Sequence[float], player: int) -> float:
    """Evaluate a board by networks of 64 units, trained to choose the moves of perfect play."""
    if not has_weights(board):
        return fitted(board, player)
    return lead(board, player) + units(board, player, len(board) // 2 - 1 - LEAST_PITS) / STEPS


@for_mover
def learned_random(board: Sequence[float], player: int) -> float:
    """Like `learned` on 6 pits, but trained on positions from games of random moves."""
    if len(board) // 2 - 1 != MOST_PITS:
        return fitted(board, player)
    return lead(board, player) + units(board, player, MOST_PITS - LEAST_PITS + 1) / STEPS


@for_mover
def pit_table(board: Sequence[float], player: int) -> float:
    """Add up a number for each pit and count, with separate numbers for the opponent's pits."""
    if not has_weights(board):
        return fitted(board, player)
    half = len(board) // 2
    row = FIRST_PITS[half - 1 - LEAST_PITS]  # a row for each pit, first the own ones
    rest = 0
    for side in (player * half, (1 - player) * half):
        for pit in range(side, side + half - 1):
            rest += PITS[row][cap_stones(board, pit)]
            row += 1
    return lead(board, player) + rest / STEPS


@for_mover
def pit_pairs(board: Sequence[float], player: int) -> float:
    """Add up a number for each pair of pits and counts: opposite pits, and neighbours on a side."""
    if not has_weights(board):
        return fitted(board, player)
    half = len(board) // 2
    own, opp = player * half, (1 - player) * half
    # A row for each pair of pits: opposite pits, own neighbours, neighbours of the opponent's.
    row = FIRST_PAIRS[half - 1 - LEAST_PITS]
    rest = 0
    for pit in range(half - 1):
        opposite = opp + half - 2 - pit
        rest += PAIRS[row][cap_stones(board, own + pit) * COLUMNS + cap_stones(board, opposite)]
        row += 1
    for side in (own, opp):
        for pit in range(side, side + half - 2):
            rest += PAIRS[row][cap_stones(board, pit) * COLUMNS + cap_stones(board, pit + 1)]
            row += 1
    return lead(board, player) + rest / STEPS


def concatenate_tables(tables: Sequence[Sequence[Sequence[int]]]) -> tuple[tuple[Row, ...], Row]:
    """Concatenate tables; return all rows, and the index of the first row of each table."""
    rows: list[Row] = []
    starts = []
    for table in tables:
        starts.append(len(rows))
        rows.extend(tuple(row) for row in table)
    return tuple(rows), tuple(starts)


# The weights, the data they were trained on, and their quality; see `data/make/train.py`.
LEARNED: dict[str, Any] = json.loads(data_file(FILE).read_text("utf-8"))
RANDOM: dict[str, Any] = json.loads(data_file(RANDOM_FILE).read_text("utf-8"))
PITS, FIRST_PITS = concatenate_tables(LEARNED["pit_table"])
PAIRS, FIRST_PAIRS = concatenate_tables(LEARNED["pit_pairs"])
_ALL_NETWORKS = chain.from_iterable(LEARNED["network"] + RANDOM["network"])
NETWORK, FIRST_ROWS = concatenate_tables([pack_rows(network) for network in _ALL_NETWORKS])
