"""Solved openings: what each position is worth, from the start of a board some plies on.

    value(game, state)          # the mover's final margin; None if it is not in the file

The values are in `data/opening_values.csv.gz`: for a board, its rules and a ply a row, or several
that go on with each other. A row has no positions: `layers` gives them in an order that the rules
alone decide, and the values stand in that order. To read them takes the standard library only. Make
them anew, or more of them, with

    python data/make/solve_openings.py data/opening_values.csv.gz [--add PITS STONES PLIES]
"""

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import from_here
from kalahlab.games.kalah import PRESETS, Kalah, State

FILE = "opening_values.csv.gz"


class Opening(NamedTuple):
    """A board and its rules, by their name."""

    pits: int
    stones: int
    rules: str

    @property
    def game(self) -> Kalah:
        return Kalah(self.pits, self.stones, PRESETS[self.rules])


Values = dict[Opening, list[list[int]]]
"""By opening and ply, the value of each position of `layers`: the margin from there on."""


def layers(game: Kalah) -> Iterator[list[State]]:
    """The unfinished positions after 0, 1, 2, ... plies, as `from_here` gives them.

    A position stands in the first layer that reaches it, once, in the order of the moves that do.
    """
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
    """The values of a file; default those of `data/`."""
    data = (path or data_file(FILE)).read_bytes()
    values: Values = {}
    for row in csv.DictReader(gzip.decompress(data).decode().splitlines()):
        opening = Opening(int(row["pits"]), int(row["stones"]), row["rules"])
        layers = values.setdefault(opening, [])
        if int(row["ply"]) == len(layers):
            layers.append([])
        layers[-1] += map(int, row["values"].split())
    return values


@cache
def known(opening: Opening) -> dict[State, int]:
    """The value of each position of an opening that is in the file."""
    # the rows come first: where they end, no further layer is made
    kept = zip(read().get(opening, ()), layers(opening.game), strict=False)
    return {state: value for row, layer in kept for state, value in zip(layer, row, strict=True)}


def value(game: Kalah, state: State) -> int | None:
    """The mover's final margin of a position that is in the file; None of another."""
    stones, rest = divmod(sum(state.board), len(state.board) - 2)
    name = next((name for name, rules in PRESETS.items() if rules == game.rules), None)
    if rest or name is None:
        return None
    position, missing = from_here(state)
    worth = known(Opening(len(state.board) // 2 - 1, stones, name)).get(position)
    return None if worth is None else worth - missing
