"""Exact values from files: solved openings, and endgames. Only the standard library is needed.

    lookup_value(game, state)         # the mover's final margin; None if no file has it
    lookup_move_values(game, state)   # pit -> the mover's final margin after it

`data/opening_values.csv.gz` has the openings. For each board, rules and ply the file has a row, or
several rows that continue each other. A row holds the values of positions but not the positions.
`iter_layers` lists the positions, in an order that depends only on the rules. `data/README.md`
explains how the values are made.

A file of endgames is written for a page, whose Python has neither numpy nor numba. The file holds a
byte for each position, in the order that `kalahlab.solver.endgame.layout` explains, and then a
CRC-32. The checksum also covers the rules and their version.

The functions raise `ValueError` if a file is damaged, or holds values of another game than its name
or its rows say.
"""

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from kalahlab.data import data_file
from kalahlab.games.kalah import RULES_VERSION, Board, Kalah, State, pits_of, stones_in_play
from kalahlab.games.rules import PRESETS, format_rules
from kalahlab.games.supported import SOLVED, STORED, unknown_part
from kalahlab.solver.ledger import normalize_position

FILE = "opening_values.csv.gz"
FIRST_LAYERS = 4  # They are found at once; all layers of a usual board take most of a second.
# A file of endgames has the positions with PITS pits a side and at most STONES stones in play. It
# is 2.7 MB large.
PITS, STONES = 6, 12
ENDGAMES = f"endgame-{PITS}-{{}}-{STONES}.bin"  # such as endgame-6-standard-12.bin


class Opening(NamedTuple):
    """A board and its rules."""

    pits: int
    stones: int
    rules: str

    @property
    def game(self) -> Kalah:
        return Kalah(self.pits, self.stones, PRESETS[self.rules])


# For each opening and ply, the values of the positions of `iter_layers`, which have empty stores.
Values = dict[Opening, list[list[int]]]


def iter_layers(game: Kalah) -> Iterator[list[State]]:
    """Yield layers: the unfinished positions after 0, 1, 2, ... plies.

    Positions are in the form of `normalize_position`. A position is only in the first layer that
    reaches it. A layer lists positions in the order in which the moves from the layer before first
    reach them.
    """
    layer = [normalize_position(game.start())[0]]
    seen = set(layer)
    while layer:
        yield layer
        next_layer: list[State] = []
        for state in layer:
            for pit in game.moves(state):
                after = game.play(state, pit)
                if game.is_over(after):
                    continue
                position, _ = normalize_position(after)
                if position not in seen:
                    seen.add(position)
                    next_layer.append(position)
        layer = next_layer


@cache
def load_values(path: Path | None = None) -> Values:
    """Load the file of opening values.

    Raises:
        ValueError: Rows are missing, or not in order.
    """
    file = path or data_file(FILE)
    values: Values = {}
    for row in csv.DictReader(gzip.decompress(file.read_bytes()).decode().splitlines()):
        opening = Opening(int(row["pits"]), int(row["stones"]), row["rules"])
        layers = values.setdefault(opening, [])
        ply = int(row["ply"])
        # A row continues the last ply or begins the next one.
        if row["rules"] not in STORED or ply not in (len(layers) - 1, len(layers)):
            raise ValueError(f"{file}: ply {ply} of {opening} does not continue the rows above")
        if ply == len(layers):
            layers.append([])
        layers[-1] += map(int, row["values"].split())
    return values


@cache
def opening_values(opening: Opening, layers: int | None = None) -> dict[State, int]:
    """Return the values that the file has of an opening, by position.

    Args:
        opening: A board and its rules.
        layers: Of how many of the first layers; None is all.

    Raises:
        ValueError: The values cannot be those of the game.
    """
    values: dict[State, int] = {}
    rows = load_values().get(opening, [])[:layers]
    # The rows come first in `zip`, so that it makes no further layer once the rows end.
    for ply, (row, layer) in enumerate(zip(rows, iter_layers(opening.game), strict=False)):
        if len(row) != len(layer) or not all(map(_can_be_worth, layer, row)):
            raise ValueError(
                f"{FILE}: the values of ply {ply} of {opening} are not those of its game"
            )
        values.update(zip(layer, row, strict=True))
    return values


def _can_be_worth(state: State, value: int) -> bool:
    """Return whether a value has the size and the parity of the stones in play."""
    stones = stones_in_play(state.board)
    return abs(value) <= stones and (value - stones) % 2 == 0


@cache
def _load_endgames(rules: str) -> bytes:
    """Load a file of endgames, without its checksum; b"" if there is none."""
    file = data_file(ENDGAMES.format(rules))
    data = file.read_bytes() if file.is_file() else b""
    if data and data != seal_endgames(data[:-4], rules):
        raise ValueError(f"{file} is damaged, or not the file of {rules}; make the page again")
    return data[:-4]


def seal_endgames(values: bytes, rules: str) -> bytes:
    """Return the content of a file of endgames: the values and a checksum."""
    name = ENDGAMES.format(rules).encode()
    checksum = crc32(values, crc32(name, RULES_VERSION))
    return values + checksum.to_bytes(4, "little")


def has_endgames(game: Kalah, state: State) -> bool:
    """Return whether there is a file of endgames for a game and the board of its position."""
    if unknown_part(game, state, SOLVED) or pits_of(state.board) != PITS:
        return False
    return _load_endgames(format_rules(game.rules)) != b""


def position_index(own: Board, opponent: Board) -> int:
    """Return the index of a position in a file of endgames, given the pits of mover and opponent.

    `kalahlab.solver.endgame.layout` explains the order. Unlike the functions there, this one needs
    only the standard library.
    """
    mine, theirs = sum(own), sum(opponent)
    pits, stones = len(own), mine + theirs
    begin = comb(stones - 1 + 2 * pits, 2 * pits)  # after the positions of fewer stones
    for fewer in range(mine):  # after the positions with fewer of these stones on the mover's side
        begin += _count_sides(pits, fewer) * _count_sides(pits, stones - fewer)
    if mine <= theirs:  # rows are for the side with fewer stones
        return begin + _rank(own) * _count_sides(pits, theirs) + _rank(opponent)
    return begin + _rank(opponent) * _count_sides(pits, mine) + _rank(own)


def _count_sides(pits: int, stones: int) -> int:
    """Return the number of ways to distribute stones over the pits of a side."""
    return comb(stones + pits - 1, pits - 1)


def _rank(pits: Board) -> int:
    """Return a side's rank among the sides with the same number of stones."""
    rank = stones = 0
    for count, in_pit in enumerate(pits[:-1], start=1):
        stones += in_pit  # in the first `count` pits
        rank += comb(stones + count - 1, count)
    return rank


def lookup_value(game: Kalah, state: State) -> int | None:
    """Return the mover's final margin of an unfinished position; None if no file has it."""
    if unknown_part(game, state, SOLVED):
        return None
    rules = format_rules(game.rules)
    if rules not in STORED:
        return None
    position, offset = normalize_position(state)
    pits = pits_of(state.board)
    stones_per_pit, remainder = divmod(sum(state.board), 2 * pits)
    value = None  # of the normalized position
    if not remainder:  # else no opening has as many stones
        opening = Opening(pits, stones_per_pit, rules)
        value = opening_values(opening, FIRST_LAYERS).get(position)
        if value is None:
            value = opening_values(opening).get(position)
    if value is None and stones_in_play(state.board) <= STONES and has_endgames(game, state):
        index = position_index(position.board[:PITS], position.board[PITS + 1 : -1])
        byte = _load_endgames(rules)[index]
        value = byte - 256 if byte > 127 else byte  # the byte is a signed number
    if value is None:
        return None
    return value - offset


def lookup_move_values(game: Kalah, state: State) -> dict[int, float]:
    """Return the mover's final margin after each pit, or {} if the files lack one of the values."""
    values: dict[int, float] = {}
    for pit in game.moves(state):
        after = game.play(state, pit)
        if game.is_over(after):
            margin: int | None = game.margin(after, after.player)
        else:
            margin = lookup_value(game, after)
        if margin is None:
            return {}
        values[pit] = margin if after.player == state.player else -margin
    return values
