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

from kalahlab.engine.address import byte_at, word_at
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


class Addresses(NamedTuple):
    """Where the parts of `Values` begin in memory, and how many positions `whole` has.

    Kernels read by these, as numba counts references to each array that it is given, which makes
    a node of the search slower. An address does not keep its array. So whoever calls a kernel with
    them also holds the `Values` until it returns: `Database` never gives its arrays up, nobody
    resizes them in place, and a mapped file stays mapped as long as an array of it is there, even
    when another file takes its name. What is read lies in the arrays: a position's place is below
    the size that its layout says, which `load` compares with the file's, and what `before` says is
    checked by `groups_fit`.
    """

    whole_size: int
    whole: int
    codes: int
    middles: int
    before: int
    others: int


def addresses(values: Values) -> Addresses:
    """Where values lie, for as long as they are held."""
    return Addresses(values.whole.size, *(part.ctypes.data for part in values))


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
def decoded(code: int, middle: int) -> int:
    """What a code other than `ELSEWHERE` stands for."""
    return middle + 2 * code - REACH


@inlined
def code_at(nth: int, at: Addresses) -> int:
    """The nth code."""
    return word_at(at.codes + 8 * (nth >> CODE_BITS)) >> 4 * (nth & CODES - 1) & ELSEWHERE


@inlined
def others_before(nth: int, at: Addresses) -> int:
    """How many values before the nth code stand in `others`."""
    count = word_at(at.before + 8 * (nth >> GROUP_BITS))
    for word in range(nth >> GROUP_BITS << GROUP_BITS - CODE_BITS, nth >> CODE_BITS):
        count += elsewhere(word_at(at.codes + 8 * word))
    left = (1 << 4 * (nth & CODES - 1)) - 1
    return count + elsewhere(word_at(at.codes + 8 * (nth >> CODE_BITS)) & left)


@inlined
def value_at(place: int, row: int, at: Addresses) -> int:
    """The value at a position's address and row, see `kalahlab.engine.endgame.layout.place_of`."""
    if place < at.whole_size:
        return byte_at(at.whole + place)
    nth = place - at.whole_size
    code = code_at(nth, at)
    if code == ELSEWHERE:
        return byte_at(at.others + others_before(nth, at))
    return decoded(code, byte_at(at.middles + row))


@kernel()
def look_up(at: Addresses, own: int, opp: int, layout: Layout) -> int:
    """The database's value of a position, given the two sides' words, the mover's first."""
    return value_at(*place_of(own, opp, layout), at)


@kernel()
def groups_fit(values: Values) -> bool:
    """Whether each value that stands elsewhere is one of `others`."""
    words = GROUP // CODES
    for group in range(values.before.size):
        end = values.before[group]
        if end < 0:
            return False
        for word in values.codes[group * words : (group + 1) * words]:
            end += elsewhere(word)
        if end > values.others.size:
            return False
    return True


@inlined
def row_of(
    total: int,
    mover: int,
    row: int,
    values: Values,
    at: Addresses,
    layout: Layout,
    scratch: NDArray[np.int8],
) -> NDArray[np.int8]:
    """The values of a row of block (total, mover), unpacked into `scratch` if need be."""
    columns = layout.halves[max(mover, total - mover)]
    begin = layout.blocks[total, mover] + row * columns
    if begin < at.whole_size:
        return values.whole[begin : begin + columns]
    unpack(
        begin - at.whole_size,
        byte_at(at.middles + layout.rows[total, mover] + row),
        at,
        scratch[:columns],
    )
    return scratch[:columns]


@kernel()
def unpack(first: int, middle: int, at: Addresses, out: NDArray[np.int8]) -> None:
    """Write the values of a row that begins at the code `first`."""
    ahead = min(-first & CODES - 1, out.size)
    behind = max(ahead, out.size - (first + out.size & CODES - 1))
    for nth in range(ahead):
        out[nth] = decoded(code_at(first + nth, at), middle)
    for begin in range(ahead, behind, CODES):
        word = word_at(at.codes + (first + begin >> 1))
        for nth in range(CODES):
            out[begin + nth] = decoded(word >> 4 * nth & ELSEWHERE, middle)
    for nth in range(behind, out.size):
        out[nth] = decoded(code_at(first + nth, at), middle)
    mark, other = np.int8(decoded(ELSEWHERE, middle)), at.others + others_before(first, at)
    for nth in range(out.size):
        if out[nth] == mark:
            out[nth] = byte_at(other)
            other += 1


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
        far = int(row[at]) - middle + REACH
        code = far >> 1
        if far < 0 or far > 2 * REACH:
            others[count] = row[at]
            count += 1
            code = ELSEWHERE
        values.codes[nth >> CODE_BITS] |= code << 4 * (nth & CODES - 1)
    return count
