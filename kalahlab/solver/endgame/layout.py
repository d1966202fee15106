"""The places of positions in the endgame database.

A half-board is the pits of one side. It has a rank among all half-boards with the same number of
stones. If its first i pits hold P(i) stones, the rank is the sum of C(P(i) + i - 1, i) for i from 1
to the number of pits minus 1. A move that leaves all stones on the mover's side lowers the rank of
that side.

A position with N stones in play, s of them on the mover's side, is in block (N, s). A block is a
matrix of bytes. Its rows are the half-boards of the side with fewer stones (of the mover, if both
have the same number), and its columns are those of the other side. Blocks are in the order of N,
and of s for the same N. So a database of fewer stones is the first part of a database of more
stones.

A word holds a half-board in its bytes 7 - pits to 6, so that the pit next to the store is always
byte 6.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.packed import MAX_PITS, ROW, byte_at, stones

ONES = 0x0101010101010101  # word * ONES has in byte b the sum of the bytes 0 to b of the word


class Layout(NamedTuple):
    """The layout of the database of up to `stones` stones on `pits` pits a side.

    Attributes:
        pits: The pits of a side.
        stones: The most stones in play.
        halves: By stones, the number of half-boards with that many stones.
        blocks: At [stones in play, the mover's stones], the place where the block begins.
        ranks: At b * ROW + P, the term of the rank for byte b if bytes 0 to b hold P stones in all.
    """

    pits: int
    stones: int
    halves: NDArray[np.int64]
    blocks: NDArray[np.int64]
    ranks: NDArray[np.int64]


def places(pits: int, direction: str = "counterclockwise") -> tuple[int, ...]:
    """Return the bytes of the pits, from the left; under `clockwise` the store is at the left."""
    order = tuple(range(MAX_PITS - pits, MAX_PITS))
    if direction == "clockwise":
        return order[::-1]
    return order


def count_positions(pits: int, stones: int) -> int:
    """Return the number of positions with at most `stones` stones in play."""
    return comb(stones + 2 * pits, 2 * pits)


@cache
def layout(pits: int, stones: int) -> Layout:
    """Compute the layout of a database."""
    halves = [comb(count + pits - 1, pits - 1) for count in range(stones + 1)]
    blocks, begin = np.zeros((stones + 1, stones + 1), np.int64), 0
    for total in range(stones + 1):
        for own in range(total + 1):
            blocks[total, own] = begin
            begin += halves[own] * halves[total - own]
    ranks = np.zeros((MAX_PITS - 1) * ROW, np.int64)
    for pit in range(1, pits):  # counted from 1, without the last, which has no term
        byte = MAX_PITS - pits + pit - 1
        for count in range(1, ROW):  # the term of no stones is 0
            ranks[byte * ROW + count] = comb(count + pit - 1, pit)
    return Layout(pits, stones, np.array(halves, np.int64), blocks, ranks)


@inlined
def rank(word: int, ranks: NDArray[np.int64]) -> int:
    """Return a half-board's rank among those with the same number of stones."""
    sums = word * ONES  # byte b is the sum of bytes 0 to b, which is at most 127
    number = 0
    for byte in range(MAX_PITS - 1):
        number += ranks[byte * ROW + ((sums >> (8 * byte)) & 127)]
    return number


@inlined
def place_of(own: int, opp: int, layout: Layout) -> int:
    """Return the place of a position, given the words of mover and opponent."""
    mine, theirs = stones(own), stones(opp)
    row, column = rank(own, layout.ranks), rank(opp, layout.ranks)
    if mine > theirs:  # rows are for the side with fewer stones
        row, column = column, row
    columns: int = layout.halves[max(mine, theirs)]
    begin: int = layout.blocks[mine + theirs, mine]
    return begin + row * columns + column


@jit
def look_up(values: int, own: int, opp: int, layout: Layout) -> int:
    """Return the value of a position. `values` is the address of the database's first byte."""
    return byte_at(values + place_of(own, opp, layout))
