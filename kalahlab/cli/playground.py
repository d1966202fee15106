"""`kalahlab playground`."""

from pathlib import Path

import click

from kalahlab.cli.parameters import FILE
from kalahlab.cli.text import writing
from kalahlab.games.registry import GameType, game_type

OPPONENT = "alpha_beta:store_difference:4"


@click.command()
@click.option("--game", "kind", type=game_type, default="kalah", help="The explorer's game.")
@click.option("--north", default=OPPONENT, help="Who plays North on the board.")
@click.option("--out", type=FILE, required=True, help="The page to write.")
def playground(kind: GameType, north: str, out: Path) -> None:
    """Write one page that searches and plays by itself, to send or to put on a web server.

    It needs no installation and no network: it carries its own Python, 9 MB of it.
    """
    from kalahlab.widgets.board import Board
    from kalahlab.widgets.explorer import explore
    from kalahlab.widgets.page import page

    explorer, board = explore(kind.example, game=kind.name, depth=3), Board(north=north)
    text = page("Game-tree search: a playground", [explorer.part(), board.part()], "inside")
    with writing(out) as file:
        file.write(text)
    click.echo(f"open {out} ({len(text) / 1e6:.1f} MB)")
