"""`kalahlab solve`."""

import click

from kalahlab.cli.parameters import BOARD, as_json, at_least, rules_option
from kalahlab.cli.text import columns, tell
from kalahlab.games.kalah import Kalah, Rules, State
from kalahlab.games.notation import draw_board


@click.command()
@click.argument("board", type=BOARD, required=False)
@click.option("--pits", type=at_least(1, "pits"), help="The start of a board of so many pits,")
@click.option("--stones", type=at_least(0, "stones"), help="with so many stones in each.")
@click.option("--moves", is_flag=True, help="Value each move, too.")
@rules_option
@as_json
def solve(
    board: State | None,
    pits: int | None,
    stones: int | None,
    moves: bool,
    rules: Rules,
    as_json: bool,
) -> None:
    """Find the exact value of a BOARD, or of a start.

    Under perfect play of both, in stones; with a line that both play perfectly. Needs the
    extra `engine`. Ctrl-C gives the bounds proved so far.
    """
    if (board is None) == (pits is None or stones is None):
        raise click.UsageError("give a BOARD, or --pits and --stones")
    try:
        from kalahlab.engine.solver import solve as find
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"{error.name} is not installed; pip install 'kalahlab[engine]'"
        ) from None

    state = board or Kalah(pits or 1, stones or 0).start()
    found = find(state, rules, moves=moves, progress=lambda news: click.echo(news, err=True))
    tell(found.as_json(), as_json, f"{draw_board(state)}\n\n{columns(found.as_json())}")
