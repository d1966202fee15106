"""Boards in two machine words, and sowing by addition.

A side is one signed 64-bit word with a byte for each pit. Pit p lies in byte `places[p]`, by
default in byte p. All other bytes are 0, and byte 7 always is. So a side is empty if and only if
its word is 0. Stores are not in the words: code that needs the stores adds up the stones that each
step banks, that is, puts into the mover's store. Everything is seen from the mover: `own`, `opp`,
and the store difference own - opp.

A board fits if it has at most 7 pits a side and at most 127 stones in all pits, so that no byte can
overflow and no word is negative. Sowing is a look-up and two additions, with tables computed from
`kalahlab.games.kalah.sowing_path`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle
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
from kalahlab.games.kalah import SOUTH, State, pits_of, sowing_path, stones_in_play
from kalahlab.games.rules import STANDARD, Rules

MAX_PITS = 7  # a side
MAX_STONES = 127  # in all pits
# The sowing tables have a row of ROW entries for each byte: the entry of the pit in byte b with n
# stones is b * ROW + n.
ROW = MAX_STONES + 1
TABLE_SIZE = MAX_PITS * ROW
# The `landing` of a last stone that cannot capture: the shift of byte 7. That byte is always 0, so
# the test for a capture, a byte of 1, fails.
NOWHERE = 56
# The bits of each effect that are set if an empty pit is captured, if the capturing stone stays in
# its pit, and if a capture earns another turn.
CAPTURE_EMPTY, CAPTURER_STAYS, AGAIN_ON_CAPTURE = 1 << 25, 1 << 26, 1 << 27

Words = NDArray[np.int64]
WordFunction = Callable[[int], int]


class Packed(NamedTuple):
    """A position as words: the mover's side first, then the opponent's, and the two stores."""

    own: int
    opp: int
    own_store: int
    opp_store: int

    @property
    def difference(self) -> int:
        return self.own_store - self.opp_store


class Sowings(NamedTuple):
    """The effects of sowing a pit, by table entry; see `ROW`.

    Attributes:
        own: The number to be added to the mover's word; it also empties the pit.
        opp: The number to be added to the opponent's word.
        effect: Five numbers in one word, read by `landing`, `facing`, `gain`, `is_extra_turn` and
            `opponent_gain`, and the bits of the rules, such as `CAPTURE_EMPTY`.
    """

    own: Words
    opp: Words
    effect: Words


def fits(state: State) -> bool:
    """Return whether words can hold the pits of a position, and no count is negative."""
    board = state.board
    is_board = len(board) % 2 == 0 and 1 <= pits_of(board) <= MAX_PITS
    return is_board and stones_in_play(board) <= MAX_STONES and min(board) >= 0


def pack(state: State, places: Sequence[int] | None = None) -> Packed:
    """Convert a position to words, with pit p in byte `places[p]`."""
    board, player = state
    pits = pits_of(board)
    places = places or range(pits)
    south = pack_side(board[:pits], places)
    north = pack_side(board[pits + 1 : -1], places)
    if player == SOUTH:
        return Packed(south, north, board[pits], board[-1])
    return Packed(north, south, board[-1], board[pits])


def pack_side(counts: Sequence[int], places: Sequence[int]) -> int:
    word = 0
    for count, place in zip(counts, places, strict=True):
        word += count << (8 * place)
    return word


@cache
def sowings(pits: int, places: tuple[int, ...], rules: Rules = STANDARD) -> Sowings:
    """Compute the sowing tables of boards of a size, with pit p in byte `places[p]`.

    The tables hold one lap or more from one pit; they know no relay.
    """
    layout = rules.skip_origin, rules.sow_opponent_store, rules.direction
    bits = 0
    if rules.capture == "always":
        bits |= CAPTURE_EMPTY
    if rules.capturing_stone == "stays":
        bits |= CAPTURER_STAYS
    if rules.again_on_capture:
        bits |= AGAIN_ON_CAPTURE
    tables = Sowings(*np.zeros((3, TABLE_SIZE), np.int64))
    for pit in range(pits):
        path = sowing_path(SOUTH, pit, pits, *layout)
        # What each place gains: the mover's pits, the mover's store (its index is `pits`), the
        # opponent's pits, and the opponent's store if the rules sow it.
        gains = [0] * (2 * pits + 2)
        for count, last in zip(range(1, ROW), cycle(path), strict=False):
            gains[last] += 1
            landing, facing = NOWHERE, 0
            if last < pits and rules.capture != "never":
                landing, facing = 8 * places[last], 8 * places[pits - 1 - last]
            # bits 0-7: `landing`; 8-15: `facing`; 16-23: `gain`; 24: `is_extra_turn`; 25-27: the
            # rules; 32-39: `opponent_gain`
            effect = landing | (facing << 8) | (gains[pits] << 16) | bits | (gains[-1] << 32)
            if last == pits and rules.again_on_store:  # in the mover's store
                effect |= 1 << 24
            index = places[pit] * ROW + count
            emptied = count << (8 * places[pit])  # sowing empties the pit
            tables.own[index] = pack_side(gains[:pits], places) - emptied
            tables.opp[index] = pack_side(gains[pits + 1 : -1], places)
            tables.effect[index] = effect
    return tables


def make_instruction(
    generate: Callable[[Any, Any], Any], result: Any = types.int64, argument: Any = types.int64
) -> WordFunction:
    """Make a compiled function of a word from a function that generates the LLVM code for it."""

    def resolve_type(typing_context: Any, word: Any) -> Any:
        return result(argument), lambda context, builder, sig, args: generate(builder, args[0])

    return cast(WordFunction, intrinsic(resolve_type))


count_bits = make_instruction(lambda builder, word: builder.ctpop(word))
# The index of the lowest bit that is set; undefined for 0.
lowest_bit = make_instruction(lambda builder, word: builder.cttz(word, true_bit))
reverse_bytes = make_instruction(lambda builder, word: builder.bswap(word))
# The bits of a float, as a word.
float_bits: Any = make_instruction(
    lambda builder, number: builder.bitcast(number, ir.IntType(64)), argument=types.float64
)
pointer_to: Any = make_instruction(
    lambda builder, word: builder.inttoptr(word, voidptr_t), types.voidptr
)


def _prefetch(builder: Any, address: Any) -> Any:
    name = "llvm.prefetch.p0"
    module = builder.module
    flag = ir.IntType(32)
    pointer = builder.inttoptr(address, voidptr_t)
    function = module.globals.get(name)
    if not function:
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, flag, flag, flag])
        function = ir.Function(module, kind, name)
    for_reading, into_all_caches, as_data = flag(0), flag(3), flag(1)
    builder.call(function, [pointer, for_reading, into_all_caches, as_data])
    return address  # only because an instruction must return something


# Begins to load the memory at an address into the processor's caches; does not wait for the memory.
prefetch = make_instruction(_prefetch)


@inlined
def byte_at(address: int) -> int:
    return int(carray(pointer_to(address), (1,), np.int8)[0])


@inlined
def uint8_at(address: int) -> int:
    return int(np.int64(carray(pointer_to(address), (1,), np.uint8)[0]))


@inlined
def words_at(address: int) -> Words:
    """Return the words from an address on, as an array without an end.

    Kernels pass on an address and not an array: an address is one argument, an array is seven, and
    numba would count the references to an array.
    """
    return carray(pointer_to(address), (1 << 40,), np.int64)


@inlined
def floats_at(address: int) -> NDArray[np.float64]:
    """Return the floats from an address on; see `words_at`."""
    return carray(pointer_to(address), (1 << 40,), np.float64)


@inlined
def nonempty_pits(word: int) -> int:
    """Return the pits that can be played: bit 0 of each byte that is not 0."""
    # a count is at most 127: the sum with 127 reaches bit 7 if the count is 1 or more
    return ((word + 0x007F7F7F7F7F7F7F) >> 7) & 0x0001010101010101


@inlined
def entry(word: int, bit: int) -> int:
    """Return the table entry of a pit, given the index of its bit in `nonempty_pits`."""
    # the pit's byte starts at `bit`, which is 8 times the index of the byte
    return bit * (ROW // 8) + ((word >> bit) & 255)


@inlined
def landing(effect: int) -> int:
    """Return the shift of the mover's pit in which the last stone lands, else `NOWHERE`."""
    return effect & 255


@inlined
def facing(effect: int) -> int:
    """Return the shift of the pit opposite `landing`."""
    return (effect >> 8) & 255


@inlined
def gain(effect: int) -> int:
    """Return the number of stones that are sown into the mover's store."""
    return (effect >> 16) & 255


@inlined
def is_extra_turn(effect: int) -> bool:
    """Return whether the last stone lands in the mover's store, so that the mover moves again."""
    return (effect >> 24) & 1 != 0


@inlined
def opponent_gain(effect: int) -> int:
    """Return the number of stones that are sown into the opponent's store."""
    return (effect >> 32) & 255


# The function of the rules, compiled.
count_captured: Any = inlined(kalah.count_captured)


@inlined
def step(
    own: int, opp: int, own_sown: int, opp_sown: int, effect: int, capture_empty: bool
) -> tuple[int, int, int]:
    """Sow and capture, given a pit's entries in the tables; return (own, opp, stones banked)."""
    own += own_sown
    opp += opp_sown
    captured = 0
    if (own >> landing(effect)) & 255 == 1:  # the last stone lies alone, so the pit was empty
        count = (opp >> facing(effect)) & 255
        captured = count_captured(count, capture_empty)
        if captured != 0:
            own -= 1 << landing(effect)
            opp -= count << facing(effect)
    return own, opp, captured + gain(effect)


@inlined
def step_by_rules(
    own: int, opp: int, own_sown: int, opp_sown: int, effect: int
) -> tuple[int, int, int, int, bool]:
    """Sow and capture under any rules of the tables, given a pit's entries there.

    Returns:
        The two words, the stones that the mover and that the opponent banks, and True if the same
        player moves again.
    """
    own += own_sown
    opp += opp_sown
    captured, again = 0, is_extra_turn(effect)
    if (own >> landing(effect)) & 255 == 1:  # the last stone lies alone, so the pit was empty
        count = (opp >> facing(effect)) & 255
        captured = count_captured(count, (effect & CAPTURE_EMPTY) != 0)
        if captured != 0:
            opp -= count << facing(effect)
            if effect & CAPTURER_STAYS != 0:
                captured -= 1
            else:
                own -= 1 << landing(effect)
            if captured != 0 and effect & AGAIN_ON_CAPTURE != 0:
                again = True
    return own, opp, captured + gain(effect), opponent_gain(effect), again


@inlined
def stones(word: int) -> int:
    """Return the number of stones in the pits of a side."""
    # the product's highest byte is the sum of all bytes
    return (word * 0x0101010101010101) >> 56
