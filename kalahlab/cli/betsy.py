"""`kalahlab betsy`."""

import math
import os
import time
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import Read, at_least
from kalahlab.evaluators.betsy import EVALUATORS, HEURISTICS, Weighted
from kalahlab.games.betsy import NAMES, Betsy, State, check_size, format_board, parse_board, winner
from kalahlab.names import named, parse_int
from kalahlab.search import alpha_beta, deepening

TO_LEAVE = 0.03
"""Seconds that are kept back for printing the last answer and ending the process."""


def size(text: str) -> int:
    """A number of columns."""
    n = parse_int(text, "n")
    check_size(n)
    return n


def player(text: str) -> int:
    """x or o, as 0 or 1."""
    if text not in NAMES:
        raise ValueError(f"player {text!r} is neither x nor o")
    return NAMES.index(text)


def seconds(text: str) -> float:
    """A time above 0."""
    given = number(text, "seconds")
    if not 0 < given < math.inf:
        raise ValueError(f"seconds is {text}; use a number above 0, and a finite one")
    return given


def evaluator(text: str) -> Any:
    """An evaluator of Betsy by its name."""
    return named("evaluator", text, EVALUATORS)


def weights(text: str) -> Weighted:
    """A weight for each heuristic, with commas between them."""
    return Weighted(tuple(number(weight, "weight") for weight in text.split(",")))


def number(text: str, what: str) -> float:
    """The number that stands for `what`; `ValueError` names a text that is none."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what} {text!r} is not a number") from None


@click.command(context_settings={"ignore_unknown_options": True})  # SECONDS may be below 0
@click.argument("n", type=Read("n", size))
@click.argument("player", type=Read("player", player))
@click.argument("board")
@click.argument("seconds", type=Read("seconds", seconds))
@click.option(
    "--evaluator",
    type=Read("evaluator", evaluator),
    default="leaf_value",
    show_default=True,
    help=f"One of {', '.join(EVALUATORS)}.",
)
@click.option(
    "--weights",
    type=Read("weights", weights),
    metavar="W,W,..",
    help=f"Instead of an evaluator, a weight each for {', '.join(HEURISTICS)}.",
)
@click.option(
    "--limit",
    type=at_least(1, "limit"),
    default="200",
    show_default=True,
    help="The game is a draw after so many moves from here.",
)
def betsy(
    n: int,
    player: int,
    board: str,
    seconds: float,
    evaluator: Any,
    weights: Weighted | None,
    limit: int,
) -> None:
    """Find a move in Betsy, the drop-and-rotate game, within a time.

    N columns; PLAYER x or o; BOARD row by row from the top in x, o and .; SECONDS from the
    start of this command. Prints a line `MOVE NEWBOARD` at once and a better one after each
    depth that is searched to the end: the last line is the answer. MOVE is c to drop a
    pebble on column c, -c to rotate it.
    """
    until = time.monotonic() - age() + seconds - TO_LEAVE
    game, state = Betsy(n, limit), State(parse_board(board, n), player, limit)
    won = winner(state)
    if won is not None:
        raise ValueError(f"board {board!r} is finished: {NAMES[won]} has filled a line")
    answer(game, state, game.moves(state)[0])
    for result in deepening(alpha_beta, game, state, weights or evaluator, until):
        answer(game, state, result.move)


def answer(game: Betsy, state: State, move: int) -> None:
    """Print a move and the board after it, at once."""
    click.echo(f"{move} {format_board(game.play(state, move).board)}")


def age() -> float:
    """Seconds since this process was started, to 10 ms; its CPU time if Linux doesn't tell."""
    try:
        started = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
        return time.clock_gettime(time.CLOCK_BOOTTIME) - int(started) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return time.process_time()
