"""Where a position lies in the endgame database.

A half-board, one side's pits, is ranked among all half-boards with as many stones: by the
numbers P(i) of stones in its first i pits, rank = sum of C(P(i) + i - 1, i) for i below the
number of pits. A move that leaves all stones on its own side lowers the rank.

A position with N stones in play, s of them on the mover's side and t on the other, lies in
block (N, s). A block is a matrix of bytes whose rows are the half-boards of the side with
fewer stones (the mover's, if equal) and whose columns are those of the other side. Blocks
follow each other by N, then by s, so that a database of fewer stones is a beginning of a
database of more.

Layers of more than `whole` stones are kept in 4 bits a position, see
`kalahlab.engine.endgame.dense`. Their addresses go on from those of the bytes; each of their
blocks begins with a new group.

The pits are packed against the store, into bytes 7 - pits to 6, so that the same unrolled
code, and the same notion of a distance to the store, serves every number of pits.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import MAX_PITS, ROW, stones

ONES = 0x0101010101010101

WHOLE = 28
"""Layers of up to so many stones are a byte a position, unless a layout says otherwise."""

GROUP = 512
"""Positions of 4 bits that are counted together."""


class Layout(NamedTuple):
    """Addresses in the database of up to `stones` stones on `pits` pits a side.

    whole: the layers up to this are a byte a position. halves: by stones, how many half-boards
    hold so many. blocks: by stones in play and the mover's stones, where the block begins. rows:
    in the same way, how many rows of 4 bits a position come before it. ranks: for the byte b and
    the stones P in the bytes up to it, at b * ROW + P, the term of the rank.
    """

    pits: int
    stones: int
    whole: int
    halves: NDArray[np.int64]
    blocks: NDArray[np.int64]
    rows: NDArray[np.int64]
    ranks: NDArray[np.int64]


def places(pits: int) -> tuple[int, ...]:
    """The byte that each pit is packed into."""
    return tuple(range(MAX_PITS - pits, MAX_PITS))


def positions(pits: int, stones: int) -> int:
    """How many positions have at most so many stones in play."""
    return comb(stones + 2 * pits, 2 * pits)


def half_boards(pits: int, stones: int) -> int:
    """How many half-boards have at most so many stones."""
    return comb(stones + pits, pits)


def dense_size(pits: int, stones: int, whole: int) -> tuple[int, int]:
    """(Codes, rows) of the layers above `whole`, the codes in whole groups."""
    codes = rows = 0
    for total in range(whole + 1, stones + 1):
        for own in range(total + 1):
            few, many = (comb(n + pits - 1, pits - 1) for n in sorted((own, total - own)))
            codes += -(-few * many // GROUP) * GROUP
            rows += few
    return codes, rows


@cache
def layout(pits: int, stones: int, whole: int = WHOLE) -> Layout:
    """The layout for 1 to `MAX_PITS` pits; see `Layout`."""
    halves = [comb(count + pits - 1, pits - 1) for count in range(stones + 1)]
    blocks, rows = np.zeros((2, stones + 1, stones + 1), np.int64)
    begin = row = 0
    for total in range(stones + 1):
        for own in range(total + 1):
            blocks[total, own], rows[total, own] = begin, row
            size = halves[own] * halves[total - own]
            if total > whole:
                size = -(-size // GROUP) * GROUP
                row += halves[min(own, total - own)]
            begin += size
    whole = min(whole, stones)
    return Layout(pits, stones, whole, np.array(halves, np.int64), blocks, rows, _rank_terms(pits))


def _rank_terms(pits: int) -> NDArray[np.int64]:
    terms = np.zeros((MAX_PITS - 1) * ROW, np.int64)
    for nth in range(1, pits):
        for count in range(1, ROW):
            terms[(MAX_PITS - pits + nth - 1) * ROW + count] = comb(count + nth - 1, nth)
    return terms


@inlined
def rank(word: int, ranks: NDArray[np.int64]) -> int:
    """A half-board's rank among those with as many stones."""
    prefixes = word * ONES
    number = 0
    for byte in range(MAX_PITS - 1):
        number += ranks[byte * ROW + (prefixes >> 8 * byte & 127)]
    return number


@inlined
def place_of(own: int, opp: int, layout: Layout) -> tuple[int, int]:
    """(Address, row) of a position, given the two sides' words, the mover's first.

    The row means nothing where a position is a byte.
    """
    mine, theirs = stones(own), stones(opp)
    row, column = rank(own, layout.ranks), rank(opp, layout.ranks)
    fewer = mine <= theirs
    columns: int = layout.halves[theirs if fewer else mine]
    first, second = row if fewer else column, column if fewer else row
    total = mine + theirs
    address = layout.blocks[total, mine] + first * columns + second
    return address, layout.rows[total, mine] + first
