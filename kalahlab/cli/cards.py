"""The command `kalahlab cards`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import Answer, ParsedParam, is_json_requested, json_command
from kalahlab.cli.output import print_note
from kalahlab.cli.play import InputEnded, Quit, Table
from kalahlab.evaluators.cards import factors
from kalahlab.formatting import format_columns, format_grid
from kalahlab.games import cards as rules
from kalahlab.games.cards import NAMES, PROGRAM, USER, Cards, Move, State
from kalahlab.games.registry import game_type
from kalahlab.published.cards import MAX_NODE, VARIANTS, Program, by_budget


@json_command()
@options.number("--size", 1, show_default="4", help="Cells a side: 4 or 6.")
@click.option("--first", type=click.Choice(NAMES), default="user", help="Who moves first.")
@click.option(
    "--position",
    type=ParsedParam("position", rules.parse_position),
    help="Print the move in this position.",
)
@click.option(
    "--moves", default="", show_default=False, help="Moves to make first, such as '5b3 13c1'."
)
@click.option(
    "--variant",
    type=click.Choice([*VARIANTS]),
    default="report",
    help="Play as the program's report describes it, or as its published code does.",
)
@options.number(
    "--budget",
    1,
    default="1000000",
    help="Number of nodes from which the program computes its depth. With the document's "
    f"{MAX_NODE:,}, a move may take half a minute.",
)
def cards(
    size: int | None, first: str, position: State | None, moves: str, variant: str, budget: int
) -> Answer:
    """Play the card game against its program.

    Put a card on an unused cell: 5b3 is card 5 on column b, row 3. Cards that make more than 15
    with the cards around them are removed. The larger sum on the board wins.

    With --position or --json, no game is played: the command prints the best move of the player to
    move. Write a position as ROWS USER-HAND PROGRAM-HAND MOVER, for example
    '.,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program'.

    \b
    kalahlab cards --size 4 --first program
    kalahlab cards --moves "5b3" --json
    """
    # `size` is None without --size. With a default, a position of another size would be an error.
    width = size or 4
    if position:
        width = rules.size_of(position.board)
    if size is not None and size != width:
        raise click.UsageError(
            f"--size is {size}, but the position has {width} cells a side; leave out --size"
        )
    game = Cards(width, NAMES.index(first))
    state = position or game.start()
    for word in moves.split():
        state = game.play(state, rules.parse_move(word, state))
    program = replace(VARIANTS[variant], depth=by_budget(budget))
    if position or is_json_requested():
        return format_answer(game, program, state)
    return Answer({}, converse(game, program, state))


def format_answer(game: Cards, program: Program, state: State) -> Answer:
    """Return the program's move in a position, with the value, depth and cost of its search.

    The answer also has F, the program's evaluation of the position, and the factors of each player
    from which F is computed.
    """
    depth, result = program.think(game, state)
    move = None  # in a finished game
    if result.move is not None:
        move = game.move_name(state, result.move)
    data = {
        "player": NAMES[state.player],
        "move": move,
        "value": result.value,
        "depth": depth.limit,
        "F": program.evaluator(state.board, state.player),
        "generated": result.counts.generated,
        "evaluated": result.counts.evaluated,
    }
    factors_of_players = {}
    for player, name in enumerate(NAMES):
        sums = factors(state.board, player)._asdict()
        factors_of_players[name] = {letter.upper(): value for letter, value in sums.items()}
    table = format_grid([{"": name, **sums} for name, sums in factors_of_players.items()])
    text = f"{rules.draw_position(state)}\n\n{table}\n\n{format_columns(data)}"
    position = rules.format_position(state)
    return Answer({"position": position, **data, "factors": factors_of_players}, text)


RULES = f"""\
Type a card and an unused cell: 5b3 puts card 5 on column b, row 3.
A card is removed if it makes more than {rules.CROWD} together with the cards on the cells
around it, at most eight. This holds for your cards and the program's. The cell of
a removed card stays used. Below the board you see your hand. When both hands are
empty, the larger sum of cards on the board wins; if the sums are equal, the player
with the largest card wins.
help shows this, undo takes your last card back, quit ends the game."""


class CardTable(Table):
    """A game of cards on a terminal."""

    question = "Your card and its cell, such as 5b3:"

    def add(self, move: Move) -> None:
        """Make a move, and print which cells it cleared."""
        super().add(move)
        before, after = (state.board for state in self.states[-2:])
        removed_cells = rules.find_cleared_cells(before, after)
        if removed_cells:
            names = [rules.cell_name(self.game.size, cell) for cell in removed_cells]
            print_note(f"removed: {', '.join(names)}")

    def describe_new_moves(self) -> str:
        """Return no lines: the program prints its move, and the person has typed the other."""
        return ""

    def help(self) -> Iterator[str]:
        """Yield the rules."""
        yield RULES


def converse(game: Cards, program: Program, state: State) -> str:
    """Play a game against a person on the terminal, and return its last text."""

    def think(game: Cards, state: State) -> Any:
        """Return the program's move, and print it with its search."""
        depth, result = program.think(game, state)
        print_note(
            f"program plays {game.move_name(state, result.move)}: depth {depth.limit}, "
            f"{result.counts.generated:,} nodes, value {result.value:g}"
        )
        return result.move

    print_note(RULES)
    table = CardTable(game_type("cards"), game, state, ("person", "program"))
    try:
        table.play([table.ask, think])
    except Quit:
        return "You quit the game here."
    except InputEnded:
        return "\nThe input has ended, so the game ends here."
    final = table.states[-1]
    return f"\n{rules.draw_position(final)}\n\n{describe_outcome(game, final)}"


def describe_outcome(game: Cards, state: State) -> str:
    """Return a sentence with the winner of a finished game, and the sums or cards that decided."""
    user_sum, user_largest = rules.score(state.board, USER)
    program_sum, program_largest = rules.score(state.board, PROGRAM)
    sums = f"{user_sum} to {program_sum}"
    margin = game.margin(state, USER)
    if not margin:
        return f"A draw, {sums}."
    winner = "user" if margin > 0 else "program"
    if user_sum == program_sum:  # then the largest cards decided
        return f"The {winner} wins: {sums}, largest card {user_largest} to {program_largest}."
    return f"The {winner} wins, {sums}."
