"""Where a position lies in the endgame database.

A half-board, one side's pits, is ranked among all half-boards with as many stones: by the
numbers P(i) of stones in its first i pits, rank = sum of C(P(i) + i - 1, i) for i below the
number of pits. A move that leaves all stones on its own side lowers the rank.

A position with N stones in play, s of them on the mover's side and t on the other, lies in
block (N, s). A block is a matrix of bytes whose rows are the half-boards of the side with
fewer stones (the mover's, if equal) and whose columns are those of the other side. Blocks
follow each other by N, then by s, so that a database of fewer stones is a beginning of a
database of more. The pits are packed against the store, into bytes 7 - pits to 6.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.packed import MAX_PITS, ROW, byte_at, stones

ONES = 0x0101010101010101


class Layout(NamedTuple):
    """Places in the database of up to `stones` stones on `pits` pits a side.

    halves: by stones, how many half-boards hold them. blocks: by stones in play and the
    mover's stones, where the block begins. ranks: for the byte b and the stones P in the bytes
    up to it, at b * ROW + P, the term of the rank.
    """

    pits: int
    stones: int
    halves: NDArray[np.int64]
    blocks: NDArray[np.int64]
    ranks: NDArray[np.int64]


def places(pits: int) -> tuple[int, ...]:
    return tuple(range(MAX_PITS - pits, MAX_PITS))


def positions(pits: int, stones: int) -> int:
    return comb(stones + 2 * pits, 2 * pits)


@cache
def layout(pits: int, stones: int) -> Layout:
    halves = [comb(count + pits - 1, pits - 1) for count in range(stones + 1)]
    blocks, begin = np.zeros((stones + 1, stones + 1), np.int64), 0
    for total in range(stones + 1):
        for own in range(total + 1):
            blocks[total, own] = begin
            begin += halves[own] * halves[total - own]
    ranks = np.zeros((MAX_PITS - 1) * ROW, np.int64)
    for nth in range(1, pits):
        for count in range(1, ROW):
            ranks[(MAX_PITS - pits + nth - 1) * ROW + count] = comb(count + nth - 1, nth)
    return Layout(pits, stones, np.array(halves, np.int64), blocks, ranks)


@inlined
def rank(word: int, ranks: NDArray[np.int64]) -> int:
    """A half-board's rank among those with as many stones."""
    prefixes = word * ONES
    number = 0
    for byte in range(MAX_PITS - 1):
        number += ranks[byte * ROW + (prefixes >> 8 * byte & 127)]
    return number


@inlined
def place_of(own: int, opp: int, layout: Layout) -> int:
    """The place of a position, given the two sides' words, the mover's first."""
    mine, theirs = stones(own), stones(opp)
    row, column = rank(own, layout.ranks), rank(opp, layout.ranks)
    if mine > theirs:
        row, column = column, row
    columns: int = layout.halves[max(mine, theirs)]
    begin: int = layout.blocks[mine + theirs, mine]
    return begin + row * columns + column


@jit
def look_up(values: int, own: int, opp: int, layout: Layout) -> int:
    """The value at a position's place. values: the address of the database's first byte."""
    return byte_at(values + place_of(own, opp, layout))
