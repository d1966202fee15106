"""`kalahlab cards`."""

from dataclasses import replace
from typing import Any

import click

from kalahlab.cli.parameters import Read, as_json, at_least
from kalahlab.cli.text import ask_move, columns, grid_text, tell
from kalahlab.evaluators.cards import factors
from kalahlab.games.cards import (
    NAMES,
    PROGRAM,
    USER,
    Cards,
    State,
    cell_name,
    removed,
    score,
    size_of,
)
from kalahlab.games.cards_notation import (
    draw_position,
    format_position,
    parse_move,
    parse_position,
)
from kalahlab.names import parse_int
from kalahlab.published.cards import MAX_NODE, VARIANTS, Program, by_budget


def read_size(text: str) -> int:
    """The size of a board that there is."""
    return Cards(parse_int(text, "size")).size


@click.command()
@click.option("--size", type=Read("size", read_size), show_default="4", help="4 or 6 cells a side.")
@click.option("--first", type=click.Choice(NAMES), default="user", show_default=True)
@click.option("--position", type=Read("position", parse_position), help="Answer this position.")
@click.option("--moves", default="", metavar="TEXT", help="Played first, as '5b3 13c1'.")
@click.option("--variant", type=click.Choice([*VARIANTS]), default="report", show_default=True)
@click.option(
    "--budget",
    type=at_least(1, "budget"),
    default="1000000",
    show_default=True,
    help=f"Nodes that set the depth. The document's {MAX_NODE:,} may take half a minute a move.",
)
@as_json
def cards(
    size: int | None,
    first: str,
    position: State | None,
    moves: str,
    variant: str,
    budget: int,
    as_json: bool,
) -> None:
    """Play the card game against its program.

    Put a card on an unused cell: 5b3 is card 5 on column b, row 3. Cards that make more
    than 15 with those around them are removed. The larger sum on the board wins.

    With --position or --json it answers instead of playing: the move of whoever is to move.
    A position is written ROWS USER-HAND PROGRAM-HAND MOVER, for example
    '.,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program'. The program's variants
    are as its report says and as it was programmed.
    """
    if position and size not in (None, size_of(position.board)):
        raise click.UsageError(f"--size is {size}; the position is {size_of(position.board)} wide")
    game = Cards(size_of(position.board) if position else size or 4, NAMES.index(first))
    state = position or game.start()
    for word in moves.split():
        state = game.play(state, parse_move(word, state))
    program = replace(VARIANTS[variant], depth=by_budget(budget))
    if position or as_json:
        answer(game, program, state, as_json)
    else:
        converse(game, program, state)


def answer(game: Cards, program: Program, state: State, as_json: bool) -> None:
    """Print the program's move for whoever is to move, and what it is based on."""
    found = thought(game, program, state)
    six = [
        {"": name, **{k.upper(): v for k, v in factors(state.board, player)._asdict().items()}}
        for player, name in enumerate(NAMES)
    ]
    readable = f"{draw_position(state)}\n\n{grid_text(six)}\n\n{columns(found)}"
    shown = {"position": format_position(state), **found}
    shown["factors"] = {row.pop(""): row for row in six}
    tell(shown, as_json, readable)


def thought(game: Cards, program: Program, state: State) -> dict[str, Any]:
    """What the program thinks of a state, by name."""
    depth, result = program.think(game, state)
    return {
        "player": NAMES[state.player],
        "move": game.move_name(state, result.move) if result.move else None,
        "value": result.value,
        "depth": depth.limit,
        "F": program.evaluator(state.board, state.player),
        "generated": result.counts.generated,
        "evaluated": result.counts.evaluated,
    }


def converse(game: Cards, program: Program, state: State) -> None:
    """Play with a person to the end of the game, or of the input."""
    while not game.over(state):
        click.echo(f"{draw_position(state)}\n")
        if state.player == USER:
            try:
                move = ask_move("Your card and its cell, as 5b3:", game, state)
            except EOFError:
                click.echo("\nNo more input: the game is left here.")
                return
        else:
            depth, result = program.think(game, state)
            move = result.move
            click.echo(
                f"program plays {game.move_name(state, move)}: depth {depth.limit}, "
                f"{result.counts.generated:,} nodes, value {result.value:g}"
            )
        before, state = state, game.play(state, move)
        if gone := removed(before.board, state.board):
            click.echo(f"removed: {', '.join(cell_name(game.size, cell) for cell in gone)}")
        click.echo()
    click.echo(f"{draw_position(state)}\n\n{outcome(game, state)}")


def outcome(game: Cards, state: State) -> str:
    """Who won a finished game, and by what."""
    user, program = (score(state.board, player) for player in (USER, PROGRAM))
    sums = f"{user.total} to {program.total}"
    margin = game.margin(state, USER)
    if not margin:
        return f"A draw, {sums}."
    winner = NAMES[USER if margin > 0 else PROGRAM]
    if user.total == program.total:
        return f"The {winner} wins: {sums}, largest card {user.largest} to {program.largest}."
    return f"The {winner} wins, {sums}."
