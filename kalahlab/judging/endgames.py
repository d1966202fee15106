"""An endgame database without the engine: the values of positions with few stones, from a file.

    value(game, state)          # the mover's final margin; None where there is no file

A page's Python has neither numpy nor numba, but it may have such a file, which is written when the
page is made. It holds a byte a position, in the order that `kalahlab.engine.endgame.layout`
explains. To read it takes the standard library only.
"""

from functools import cache
from itertools import accumulate
from math import comb

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import from_here
from kalahlab.games.game_text import format_rules
from kalahlab.games.kalah import PRESETS, Board, Kalah, State, in_play

PITS, STONES = 6, 12
"""Pits a side and most stones in play of the positions in a file: 2.7 million bytes."""


def file_name(rules: str) -> str:
    return f"endgame-{PITS}-{rules}-{STONES}.bin"


def file_bytes(rules: str) -> bytes:
    """What to write into the file; this takes the engine."""
    from kalahlab.engine.endgame.database import open_database

    return open_database(PITS, STONES, PRESETS[rules]).values.tobytes()


def value(game: Kalah, state: State) -> int | None:
    """The mover's final margin of a position in a file; None of another, or without a file."""
    if len(state.board) != 2 * PITS + 2 or in_play(state.board) > STONES:
        return None
    if not (values := _values(format_rules(game.rules))):
        return None
    position, missing = from_here(state)
    byte = values[place(position.board[:PITS], position.board[PITS + 1 : -1])]
    return (byte - 256 if byte > 127 else byte) - missing


@cache
def _values(rules: str) -> bytes:
    file = data_file(file_name(rules))
    return file.read_bytes() if file.is_file() else b""


def place(own: Board, opponent: Board) -> int:
    """The number of a position in the file, given the pits of the mover and of the opponent."""
    mine, theirs = sum(own), sum(opponent)
    pits, stones = len(own), mine + theirs
    before = comb(stones - 1 + 2 * pits, 2 * pits) if stones else 0
    before += sum(_halves(pits, fewer) * _halves(pits, stones - fewer) for fewer in range(mine))
    if mine <= theirs:
        return before + _rank(own) * _halves(pits, theirs) + _rank(opponent)
    return before + _rank(opponent) * _halves(pits, mine) + _rank(own)


def _halves(pits: int, stones: int) -> int:
    return comb(stones + pits - 1, pits - 1)


def _rank(pits: Board) -> int:
    """A side's number among those with as many stones."""
    sums = enumerate(accumulate(pits[:-1]), start=1)
    return sum(comb(stones + nth - 1, nth) for nth, stones in sums)
