"""Whom to play against, chosen from a list on a terminal."""

import sys

import click

from kalahlab.cli.text import say
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games.registry import GameType
from kalahlab.names import parse_int
from kalahlab.play import level_regrets

USUAL = "level3"
DEPTH = 6


def seats(kind: GameType, south: str | None, north: str | None) -> tuple[str, str]:
    """Who plays; on a terminal, who is not named is chosen, and the first one named is a person."""
    if south is not None and north is not None:
        return south, north
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        missing = "south" if south is None else "north"
        raise click.UsageError(
            f"Missing option '--{missing}'. Name both players, as --south person --north level3"
        )
    if south is None and north is None:
        south = "person"
    return (
        chosen(kind, 0) if south is None else south,
        chosen(kind, 1) if north is None else north,
    )


def choices(kind: GameType) -> dict[str, str]:
    """Players of a game, and what is said of them."""
    found = {
        name: f"{name}, gives up {regret:.1f} stones a move on average"
        for name, regret in (level_regrets().items() if kind.name == "kalah" else ())
    }
    evaluators = [*EVALUATORS.get(kind.name, ())]
    if evaluators:
        found[f"alpha_beta:{evaluators[0]}"] = f"a search, as deep as you like ({evaluators[0]})"
    return found | {"random": "random moves", "person": "a person at this keyboard"}


def chosen(kind: GameType, seat: int) -> str:
    """The player that a person chooses by number; `EOFError` at the end of the input."""
    found = choices(kind)
    usual = USUAL if USUAL in found else "random"
    say(f"Who plays {kind.players[seat]}?", err=True)
    for nth, said in enumerate(found.values(), start=1):
        say(f"{nth:>3}  {said}", err=True)
    at = _number("Number", [*found].index(usual) + 1, len(found))
    player = [*found][at - 1]
    depth = f":{_number('Depth in moves', DEPTH, 40)}" if ":" in player else ""
    return player + depth


def _number(what: str, usual: int, most: int) -> int:
    """A number from 1 that a person types, or the usual one for an empty line."""
    while True:
        say(f"{what} [{usual}]:", err=True)
        try:
            number = parse_int(input().strip() or str(usual), what.lower())
        except ValueError as error:
            say(error, err=True)
            continue
        if 1 <= number <= most:
            return number
        say(f"{what.lower()} is {number}; use 1 to {most}", err=True)
