"""The transposition table: what was proved about positions, shared by threads without locks.

An entry is two words, own << 8 | lower bound and opp << 8 | upper bound. The first is kept xor a
scrambled second: halves of two entries, which threads may leave, are of no position.

Four entries are a bucket, a cache line. A new entry goes over the one with fewest stones in
play, which was the least work to prove.
"""

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import stones

ENTRIES, ENTRY_BYTES = 4, 16

Table = NDArray[np.int64]


def empty_table(entries: int) -> Table:
    """entries: a power of two of at least `ENTRIES`."""
    line = ENTRIES * ENTRY_BYTES
    memory = np.zeros(entries * ENTRY_BYTES + line, np.int8)
    begin = -memory.ctypes.data % line
    return memory[begin : begin + entries * ENTRY_BYTES].view(np.int64)


@inlined
def bucket_of(own: int, opp: int, table: Table) -> int:
    """Where the table keeps a position: the index of its bucket's first word."""
    mixed = own * -0x61C8864680B583EB ^ opp * -0x3D4D51C2D82B14B1
    mixed = (mixed ^ mixed >> 32 & 0xFFFFFFFF) * -0x2917014799A6026D
    return (mixed >> 32) & (table.size // (2 * ENTRIES) - 1)


@inlined
def scrambled(word: int) -> int:
    mixed = word * -0x61C8864680B583EB
    return mixed ^ mixed >> 29


@inlined
def low_byte(word: int) -> int:
    return ((word & 255) ^ 128) - 128


@inlined
def entry_stones(first: int, second: int) -> int:
    return stones((first ^ scrambled(second)) >> 8) + stones(second >> 8)


@inlined
def probe(own: int, opp: int, total: int, bucket: int, table: Table) -> tuple[int, int, int]:
    """(lower bound, upper bound, the entry's first word or -1) of a position."""
    first = bucket * 2 * ENTRIES
    for word in range(first, first + 2 * ENTRIES, 2):
        second = table[word + 1]
        if second >> 8 == opp:
            mine = table[word] ^ scrambled(second)
            if mine >> 8 == own:
                return low_byte(mine), low_byte(second), word
    return -total, total, -1


@inlined
def store(own: int, opp: int, total: int, value: int, beta: int, bucket: int, table: Table) -> None:
    """Put what was proved about a position into the table, over one of fewest stones."""
    lower, upper, word = probe(own, opp, total, bucket, table)
    if value >= beta:
        lower = max(lower, value)
    else:
        upper = min(upper, value)
    if word < 0:
        first = bucket * 2 * ENTRIES
        fewest = 1 << 20
        for other in range(first, first + 2 * ENTRIES, 2):
            second = table[other + 1]
            held = entry_stones(table[other], second)
            if held < fewest:
                fewest, word = held, other
    second = opp << 8 | upper & 255
    table[word + 1] = second
    table[word] = (own << 8 | lower & 255) ^ scrambled(second)
