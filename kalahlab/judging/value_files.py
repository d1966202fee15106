"""Exact values from files: solved openings, and endgames. The standard library is enough.

    value(game, state)          # the mover's final margin; None if no file has it
    known_values(game, state)   # pit -> the mover's final margin after it

`data/opening_values.csv.gz` has the openings: for a board, its rules and a ply a row, or several
that go on with each other. A row has no positions: `layers` gives them in an order that the rules
alone decide, and the values stand in that order. `data/README.md` says how they are made.

A file of endgames is written when a page is made, whose Python has neither numpy nor numba. It
holds a byte a position, in the order that `kalahlab.engine.endgame.layout` explains, then their
CRC-32, in which its rules and their version are counted in.

`ValueError` for a file that does not hold what its name, or a row of it, says.
"""

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from math import comb
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import from_here
from kalahlab.engine.supported import SOLVED, unknown_part
from kalahlab.games.game_text import format_rules
from kalahlab.games.kalah import PRESETS, RULES_VERSION, Board, Kalah, State, in_play, pits_of

FILE = "opening_values.csv.gz"
PITS, STONES = 6, 12  # a side, and at most in play, of the positions in a file of endgames: 2.7 MB
ENDGAMES = f"endgame-{PITS}-{{}}-{STONES}.bin"


class Opening(NamedTuple):
    pits: int
    stones: int
    rules: str

    @property
    def game(self) -> Kalah:
        return Kalah(self.pits, self.stones, PRESETS[self.rules])


# By opening and ply, the value of each position of `layers`: the margin from there on.
Values = dict[Opening, list[list[int]]]


def layers(game: Kalah) -> Iterator[list[State]]:
    """The unfinished positions after 0, 1, 2, ... plies, as `from_here` gives them. A position
    stands in the first layer that reaches it, once, in the order of the moves that do."""
    layer = [from_here(game.start())[0]]
    seen = set(layer)
    while layer:
        yield layer
        played = (game.play(state, pit) for state in layer for pit in game.moves(state))
        found = (from_here(after)[0] for after in played if not game.over(after))
        layer = [after for after in dict.fromkeys(found) if after not in seen]
        seen.update(layer)


@cache
def read(path: Path | None = None) -> Values:
    file = path or data_file(FILE)
    values: Values = {}
    for row in csv.DictReader(gzip.decompress(file.read_bytes()).decode().splitlines()):
        opening = Opening(int(row["pits"]), int(row["stones"]), row["rules"])
        layers, ply = values.setdefault(opening, []), int(row["ply"])
        if row["rules"] not in PRESETS or ply not in (len(layers) - 1, len(layers)):
            raise ValueError(f"{file}: ply {ply} of {opening} does not go on with what is above")
        if ply == len(layers):
            layers.append([])
        layers[-1] += map(int, row["values"].split())
    return values


@cache
def known(opening: Opening) -> dict[State, int]:
    # the rows come first: where they end, no further layer is made
    found: dict[State, int] = {}
    kept = zip(read().get(opening, ()), layers(opening.game), strict=False)
    for ply, (row, layer) in enumerate(kept):
        if len(row) != len(layer) or not all(map(_can_be_worth, layer, row)):
            raise ValueError(
                f"{FILE}: the values of ply {ply} of {opening} are not those of its game"
            )
        found.update(zip(layer, row, strict=True))
    return found


def _can_be_worth(state: State, value: int) -> bool:
    """Return whether a value has the size and the parity of the stones in play."""
    stones = in_play(state.board)
    return abs(value) <= stones and (value - stones) % 2 == 0


@cache
def _endgames(rules: str) -> bytes:
    file = data_file(ENDGAMES.format(rules))
    data = file.read_bytes() if file.is_file() else b""
    if data and data != seal_endgames(data[:-4], rules):
        raise ValueError(f"{file} is damaged, or not the file of {rules}; make the page again")
    return data[:-4]


def seal_endgames(values: bytes, rules: str) -> bytes:
    """Return what a file of endgames holds: the values, and a checksum, in which the rules are."""
    name = ENDGAMES.format(rules).encode()
    return values + crc32(values, crc32(name, RULES_VERSION)).to_bytes(4, "little")


def has_endgames(game: Kalah, state: State) -> bool:
    """Return whether there is a file of endgames for a game and the board of its position."""
    if unknown_part(game, state, SOLVED) or pits_of(state.board) != PITS:
        return False
    return _endgames(format_rules(game.rules)) != b""


def place(own: Board, opponent: Board) -> int:
    """The number of a position in the file, given the pits of the mover and of the opponent."""
    mine, theirs = sum(own), sum(opponent)
    pits, stones = len(own), mine + theirs
    before = comb(stones - 1 + 2 * pits, 2 * pits) if stones else 0
    before += sum(_sides(pits, fewer) * _sides(pits, stones - fewer) for fewer in range(mine))
    if mine <= theirs:
        return before + _rank(own) * _sides(pits, theirs) + _rank(opponent)
    return before + _rank(opponent) * _sides(pits, mine) + _rank(own)


def _sides(pits: int, stones: int) -> int:
    """In how many ways stones lie in the pits of a side."""
    return comb(stones + pits - 1, pits - 1)


def _rank(pits: Board) -> int:
    """A side's number among those with as many stones."""
    sums = enumerate(accumulate(pits[:-1]), start=1)
    return sum(comb(stones + nth - 1, nth) for nth, stones in sums)


def value(game: Kalah, state: State) -> int | None:
    """The mover's final margin of an unfinished position; None if no file has it."""
    rules = "" if unknown_part(game, state, SOLVED) else format_rules(game.rules)
    if rules not in PRESETS:
        return None
    position, missing = from_here(state)
    pits = pits_of(state.board)
    stones, rest = divmod(sum(state.board), 2 * pits)
    found = None if rest else known(Opening(pits, stones, rules)).get(position)
    if found is None and in_play(state.board) <= STONES and has_endgames(game, state):
        byte = _endgames(rules)[place(position.board[:PITS], position.board[PITS + 1 : -1])]
        found = byte - 256 if byte > 127 else byte
    return None if found is None else found - missing


def known_values(game: Kalah, state: State) -> dict[int, float]:
    """Pit -> the mover's final margin after it; nothing if the files do not say all."""
    values: dict[int, float] = {}
    for pit in game.moves(state):
        after = game.play(state, pit)
        margin = game.margin(after, after.player) if game.over(after) else value(game, after)
        if margin is None:
            return {}
        values[pit] = margin if after.player == state.player else 0 - margin
    return values
