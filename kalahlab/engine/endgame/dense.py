"""The endgame database's values, a byte a position or, in the higher layers, 4 bits.

A layer, all positions with as many stones in play, has values that are all even or all odd. So
15 codes hold a middle and 14 stones to both sides of it, in steps of two. Each row of a block has
a middle of its own, the one that leaves out fewest of its values. Those that are left out, some
3 % at 30 stones on 6 pits, have the 16th code, `ELSEWHERE`, and stand as bytes in the order of
their positions in `others`. So every value is exact, and nothing has to be searched for.

`before` says how many of them come before each `GROUP` of positions; within a group they are
counted, which takes one or two cache lines.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined, kernel
from kalahlab.engine.endgame.layout import GROUP, Layout, dense_size, place_of, positions
from kalahlab.engine.packed import count_bits

CODES, CODE_BITS, GROUP_BITS = 16, 4, 9
"""Codes in a word, and the two powers of two: codes in a word, codes in a group."""

ELSEWHERE = 15
"""The code of a value that stands in `others`."""

REACH = 14
"""Stones to each side of the middle."""

_LOWEST_BITS = 0x1111111111111111


class Values(NamedTuple):
    """The values of a database; addresses are as `kalahlab.engine.endgame.layout` says.

    whole: a byte a position, of the lower layers. codes: 16 positions a word, of the others.
    middles: by row. before: by group, how many values stand elsewhere. others: those.
    """

    whole: NDArray[np.int8]
    codes: NDArray[np.int64]
    middles: NDArray[np.int8]
    before: NDArray[np.int64]
    others: NDArray[np.int8]


OTHERS = 0.05
"""The share of values that stand elsewhere is taken to be; it was measured to be at most that."""


def dense_bytes(pits: int, count: int, whole: int) -> int:
    """What the values of the layers from `whole` + 1 to `count` take, about."""
    codes, rows = dense_size(pits, count, whole)
    return codes // 2 + rows + codes // GROUP * 8 + int(OTHERS * codes)


def empty_values(layout: Layout) -> Values:
    """Room for the values of a layout; it becomes real memory where it is written."""
    codes, rows = dense_size(layout.pits, layout.stones, layout.whole)
    return Values(
        np.empty(positions(layout.pits, layout.whole), np.int8),
        np.zeros(codes // CODES, np.int64),
        np.empty(rows, np.int8),
        np.zeros(codes // GROUP, np.int64),
        np.empty(int(OTHERS * codes), np.int8),
    )


def append_others(
    values: Values, layout: Layout, total: int, own: int, others: NDArray[np.int8], count: int
) -> Values:
    """Put a block's values that stand elsewhere behind the `count` ones of the blocks before it."""
    first = (layout.blocks[total, own] - values.whole.size) // GROUP
    groups = -(-layout.halves[own] * layout.halves[total - own] // GROUP)
    values.before[first : first + groups] += count
    end = count + others.size
    if end > values.others.size:  # more than was expected
        values = values._replace(others=np.resize(values.others, 2 * end))
    values.others[count:end] = others
    return values


@inlined
def elsewhere(word: int) -> int:
    """How many codes of a word are `ELSEWHERE`."""
    return count_bits(word & word >> 1 & word >> 2 & word >> 3 & _LOWEST_BITS)


@inlined
def code_of(nth: int, word: int) -> int:
    """The nth code, given its word."""
    return word >> 4 * (nth & CODES - 1) & ELSEWHERE


@inlined
def decoded(code: int, middle: int) -> int:
    """What a code other than `ELSEWHERE` stands for."""
    return middle + 2 * code - REACH


@kernel()
def others_before(nth: int, values: Values) -> int:
    """How many values before the nth code stand in `others`."""
    count: int = values.before[nth >> GROUP_BITS]
    for word in range(nth >> GROUP_BITS << GROUP_BITS - CODE_BITS, nth >> CODE_BITS):
        count += elsewhere(values.codes[word])
    left = (1 << 4 * (nth & CODES - 1)) - 1
    return count + elsewhere(values.codes[nth >> CODE_BITS] & left)


@kernel()
def other_value(nth: int, values: Values) -> int:
    """The value of the nth code, which is `ELSEWHERE`."""
    value: int = values.others[others_before(nth, values)]
    return value


@inlined
def row_of(
    total: int,
    mover: int,
    row: int,
    values: Values,
    layout: Layout,
    scratch: NDArray[np.int8],
) -> NDArray[np.int8]:
    """The values of a row of block (total, mover), unpacked into `scratch` if need be."""
    columns = layout.halves[max(mover, total - mover)]
    begin = layout.blocks[total, mover] + row * columns
    if begin < values.whole.size:
        return values.whole[begin : begin + columns]
    unpack(begin - values.whole.size, layout.rows[total, mover] + row, values, scratch[:columns])
    return scratch[:columns]


@kernel()
def unpack(first: int, row: int, values: Values, out: NDArray[np.int8]) -> None:
    """Write the values of a row that begins at the code `first`."""
    base = np.int64(values.middles[row]) - REACH
    mark = np.int8(base + 2 * ELSEWHERE)
    at = 0
    while at < out.size and first + at & CODES - 1:
        code = code_of(first + at, values.codes[first + at >> CODE_BITS])
        out[at] = base + 2 * code
        at += 1
    while at + CODES <= out.size:
        word = values.codes[first + at >> CODE_BITS]
        for nth in range(CODES):
            out[at + nth] = base + 2 * (word >> 4 * nth & ELSEWHERE)
        at += CODES
    while at < out.size:
        code = code_of(first + at, values.codes[first + at >> CODE_BITS])
        out[at] = base + 2 * code
        at += 1
    nth_other = others_before(first, values)
    for at in range(out.size):
        if out[at] == mark:
            out[at] = values.others[nth_other]
            nth_other += 1


@inlined
def middle_of(row: NDArray[np.int8], counts: NDArray[np.int64]) -> int:
    """The middle that leaves out fewest values of a row, the lowest of several.

    counts: 256 numbers to work with.
    """
    counts[:] = 0
    for value in row:
        counts[value + 128] += 1
    odd = row[0] & 1
    held = 0
    for value in range(-128 + odd, -128 + odd + 2 * REACH, 2):
        held += counts[value + 128]
    most, best = -1, 0
    for middle in range(-128 + odd + REACH, 128 - REACH, 2):
        held += counts[middle + REACH + 128]
        if held > most:
            most, best = held, middle
        held -= counts[middle - REACH + 128]
    return best


@kernel()
def pack(
    row: NDArray[np.int8],
    first: int,
    at_row: int,
    others: NDArray[np.int8],
    count: int,
    counts: NDArray[np.int64],
    values: Values,
) -> int:
    """Enter a row whose first code is `first`: how many of its block stand in `others` then.

    The rows of a block come one after the other; `count` is what the last one gave. others: the
    block's own. What is entered into `before` counts from the beginning of the block.
    """
    middle = middle_of(row, counts)
    values.middles[at_row] = middle
    for at in range(row.size):
        nth = first + at
        if nth & GROUP - 1 == 0:
            values.before[nth >> GROUP_BITS] = count
        far = np.int64(row[at]) - middle + REACH
        code = far >> 1
        if far < 0 or far > 2 * REACH:
            others[count] = row[at]
            count += 1
            code = ELSEWHERE
        values.codes[nth >> CODE_BITS] |= code << 4 * (nth & CODES - 1)
    return count


@kernel()
def look_up(values: Values, own: int, opp: int, layout: Layout) -> int:
    """The database's value of a position, given the two sides' words, the mover's first."""
    where, row = place_of(own, opp, layout.halves, layout.blocks, layout.rows, layout.ranks)
    if where < values.whole.size:
        return np.int64(values.whole[where])
    nth = where - values.whole.size
    code = code_of(nth, values.codes[nth >> CODE_BITS])
    return other_value(nth, values) if code == ELSEWHERE else decoded(code, values.middles[row])
