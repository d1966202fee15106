"""The command `kalahlab betsy`."""

import time
from functools import partial

import click

from kalahlab.cli import options
from kalahlab.cli.options import Answer, ParsedParam, at_least, is_json_requested, json_command
from kalahlab.cli.output import describe_run
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.betsy import EVALUATORS
from kalahlab.evaluators.registry import find_evaluator
from kalahlab.games.betsy import NAMES, Betsy, State, format_board, parse_board, winner
from kalahlab.names import lookup, parse_float
from kalahlab.search import Result, alpha_beta, deepening
from kalahlab.trace import to_writable

RESERVED_SECONDS = 0.03  # to print the last answer and end the process


@json_command(context_settings={"ignore_unknown_options": True})  # so that -1 is read as SECONDS
@click.argument("n", type=at_least(1, "n"))
@click.argument(
    "player", type=ParsedParam("player", partial(lookup, "player", registry={"x": 0, "o": 1}))
)
@click.argument("board")
@click.argument("seconds", type=at_least(0, "seconds", 86400, parse_float))
@click.option(
    "--evaluator",
    type=ParsedParam("evaluator", partial(find_evaluator, game="betsy")),
    default="leaf_value",
    help=f"One of {', '.join(EVALUATORS)}.",
)
@options.number("--limit", 1, default="200", help="The game is a draw after this many moves.")
def betsy(
    n: int, player: int, board: str, seconds: float, evaluator: Evaluator, limit: int
) -> Answer:
    """Find a move in Betsy, the drop-and-rotate game, within a time limit.

    N is the number of columns and PLAYER is x or o. BOARD lists the cells row by row from the top,
    as x, o or . for an empty cell. SECONDS is the time limit, counted from the start of the
    command. Prints a line `MOVE NEWBOARD` at once, and a better one after each completed depth: the
    last line is the answer. MOVE is c to drop a pebble on column c, or -c to rotate that column.
    With --json, only the answer is printed, at the end.

    \b
    kalahlab betsy 3 x .........oxoxxooxo 2
    """
    # The clock must be read after the call, which takes time itself.
    elapsed = process_age()
    until = time.monotonic() - elapsed + seconds - RESERVED_SECONDS
    game = Betsy(n, limit)
    state = State(parse_board(board, n), player, limit)
    player_who_won = winner(state)
    if player_who_won is not None:
        name = NAMES[player_who_won]
        raise ValueError(f"board {board!r} is finished: {name} has filled a line")
    # The first answer is printed before any search, so that there is one however short the time is.
    move = game.moves(state)[0]
    print_answer(game, state, move)
    results = list[Result]()
    for result in deepening(alpha_beta, game, state, evaluator, until):
        results.append(result)
        move = result.move
        print_answer(game, state, move)
    depth = len(results)  # `deepening` yields a result for each depth from 1
    data = describe_run(game, state, "alpha_beta", depth)
    data["move"] = move
    data["after"] = format_board(game.play(state, move).board)
    data["value"] = to_writable(results[-1].value) if results else None
    return Answer(data)


def print_answer(game: Betsy, state: State, move: int) -> None:
    """Print a move and the board after it, unless the answer is JSON."""
    if not is_json_requested():
        click.echo(f"{move} {format_board(game.play(state, move).board)}")


def process_age() -> float:
    """Return the seconds since this process started, to 10 ms.

    Where the system has CLOCK_BOOTTIME, a change of the wall clock has no effect.
    """
    import psutil

    started = psutil.Process().create_time()
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return time.time() - started
    # psutil adds the boot time to the time since the boot, so the wall clock cancels out.
    started_after_boot = started - psutil.boot_time()
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started_after_boot
