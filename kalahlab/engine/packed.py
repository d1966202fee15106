"""Boards in two machine words, and sowing by addition.

A side is one signed 64-bit word with a byte a pit: pit p lies in byte `places[p]`, p itself
unless said otherwise, and all other bytes, byte 7 among them, are 0. So a side is empty if
and only if its word is 0. Stores are not in the words: who needs them counts what a step
banks. Everything is seen from the mover: `own`, `opp`, and the store difference own - opp.

A board fits if it has at most 7 pits a side and at most 127 stones in them, so that no byte
can overflow and no word is negative. Sowing is a look-up and two additions, in tables computed
from `kalahlab.games.kalah.drops`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import true_bit, voidptr_t
from numba.extending import intrinsic
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from kalahlab.engine.compiled import inlined
from kalahlab.games import kalah
from kalahlab.games.kalah import SOUTH, State, drops, in_play, pits_of, side, stores

MAX_PITS, MAX_STONES = 7, 127  # a side, and in all pits
ROW = MAX_STONES + 1  # the table entry of the pit in byte b with n stones is b * ROW + n
TABLE_SIZE = MAX_PITS * ROW
NOWHERE = 56  # the shift of byte 7, always 0: where a last stone that may not capture "lands"

Words = NDArray[np.int64]
Bits = Callable[[int], int]


class Packed(NamedTuple):
    """A position: the two sides' words, the mover's first, and the two stores."""

    own: int
    opp: int
    own_store: int
    opp_store: int

    @property
    def difference(self) -> int:
        return self.own_store - self.opp_store


class Sowings(NamedTuple):
    """What sowing a pit does, by table entry; see `ROW`.

    own, opp: what is added to the words; the emptied pit is in it. effect: four numbers in
    one word, read by `landing`, `facing`, `gain` and `again`.
    """

    own: Words
    opp: Words
    effect: Words


def fits(state: State) -> bool:
    """Return whether the words can hold a position: its pits, and no negative count in them."""
    board = state.board
    is_board = len(board) % 2 == 0 and 1 <= pits_of(board) <= MAX_PITS
    return is_board and in_play(board) <= MAX_STONES and min(board) >= 0


def pack(state: State, places: Sequence[int] | None = None) -> Packed:
    places = places or range(pits_of(state.board))
    south, north = (packed_side(side(state.board, player), places) for player in (0, 1))
    own_store, opp_store = stores(state.board)
    if state.player == SOUTH:
        return Packed(south, north, own_store, opp_store)
    return Packed(north, south, opp_store, own_store)


def packed_side(counts: Sequence[int], places: Sequence[int]) -> int:
    return sum(n << 8 * place for n, place in zip(counts, places, strict=True))


@cache
def sowings(pits: int, places: tuple[int, ...]) -> Sowings:
    tables = Sowings(*np.zeros((3, TABLE_SIZE), np.int64))
    for pit, count in product(range(pits), range(1, ROW)):
        fallen = drops(pits, SOUTH, pit, count)
        moved = [fallen.count(index) for index in range(2 * pits + 1)]
        moved[pit] -= count
        last, landing, facing = fallen[-1], NOWHERE, 0
        if last < pits:
            landing, facing = 8 * places[last], 8 * places[pits - 1 - last]
        at = places[pit] * ROW + count
        tables.own[at] = packed_side(moved[:pits], places)
        tables.opp[at] = packed_side(moved[pits + 1 :], places)
        tables.effect[at] = landing | facing << 8 | moved[pits] << 16 | (last == pits) << 24
    return tables


def instruction(generate: Callable[[Any, Any], Any], given: Any = types.int64) -> Bits:
    """A function of a word, by what generates its LLVM code."""

    def typed(typing_context: Any, word: Any) -> Any:
        return given(types.int64), lambda context, builder, sig, args: generate(builder, args[0])

    return cast(Bits, intrinsic(typed))


count_bits = instruction(lambda builder, word: builder.ctpop(word))
lowest_bit = instruction(lambda builder, word: builder.cttz(word, true_bit))  # not of 0
reverse_bytes = instruction(lambda builder, word: builder.bswap(word))
pointer_to: Any = instruction(
    lambda builder, word: builder.inttoptr(word, voidptr_t), types.voidptr
)


def _prefetch(builder: Any, address: Any) -> Any:
    name, flag, module = "llvm.prefetch.p0", ir.IntType(32), builder.module
    pointer = builder.inttoptr(address, voidptr_t)
    for_reading, everywhere, as_data = (flag(each) for each in (0, 3, 1))
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, flag, flag, flag])
    known = module.globals.get(name) or ir.Function(module, kind, name)
    builder.call(known, [pointer, for_reading, everywhere, as_data])
    return address


prefetch = instruction(_prefetch)  # has the memory at an address brought near, and does not wait


@inlined
def byte_at(address: int) -> int:
    return int(carray(pointer_to(address), (1,), np.int8)[0])


@inlined
def words_at(address: int) -> Words:
    """The array at an address: one argument, not seven, and no references to it are counted."""
    return carray(pointer_to(address), (1 << 40,), np.int64)


@inlined
def filled(word: int) -> int:
    """Bit 7 of each byte that is not 0: the pits that can be played."""
    return word + 0x007F7F7F7F7F7F7F & 0x0080808080808080


@inlined
def entry(word: int, bit: int) -> int:
    """The table entry of the pit that a bit of `filled` stands for."""
    return (bit >> 3) * ROW + (word >> bit - 7 & 255)


@inlined
def landing(effect: int) -> int:
    """Shift of the own pit in which the last stone lands, else `NOWHERE`."""
    return effect & 255


@inlined
def facing(effect: int) -> int:
    """Shift of the pit opposite `landing`."""
    return effect >> 8 & 255


@inlined
def gain(effect: int) -> int:
    """Stones that are sown into the own store."""
    return effect >> 16 & 255


@inlined
def again(effect: int) -> bool:
    """Whether the last stone lands in the own store, which is an extra turn."""
    return effect >> 24 & 1 != 0


captured_stones: Any = inlined(kalah.captured_stones)


@inlined
def step(
    own: int, opp: int, own_sown: int, opp_sown: int, effect: int, capture_empty: bool
) -> tuple[int, int, int]:
    """Sow and capture, given the three table entries: (own, opp, stones banked)."""
    own += own_sown
    opp += opp_sown
    captured = 0
    if own >> landing(effect) & 255 == 1:
        count = opp >> facing(effect) & 255
        captured = captured_stones(count, capture_empty)
        if captured != 0:
            own -= 1 << landing(effect)
            opp -= count << facing(effect)
    return own, opp, captured + gain(effect)


@inlined
def stones(word: int) -> int:
    return word * 0x0101010101010101 >> 56
