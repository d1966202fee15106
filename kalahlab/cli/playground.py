"""`kalahlab playground` and `kalahlab site`."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kalahlab.cli.openings import page_of as openings_page
from kalahlab.cli.parameters import FILE, FOLDER, GAME, PLAYER
from kalahlab.cli.text import say, write
from kalahlab.files import atomic_write
from kalahlab.games.registry import GameType, game_type
from kalahlab.judging.opening_values import Opening

if TYPE_CHECKING:
    from kalahlab.widgets.page import Live

OPPONENT = "alpha_beta:store_difference:4"


@click.command()
@click.option("--game", "kind", type=GAME, default="kalah", help="The explorer's game.")
@click.option("--north", type=PLAYER, default=OPPONENT, help="Who plays North on the board.")
@click.option("--out", type=FILE, required=True, help="The page to write.")
def playground(kind: GameType, north: str, out: Path) -> None:
    """Write one page that searches and plays by itself, to send or to put on a web server.

    It needs no installation and no network: it carries its own Python, 12 MB of it.
    """
    text = page_of(kind, north, "inside")
    write(out, text)
    say(f"open {out} ({len(text) / 1e6:.1f} MB)")


@click.command()
@click.option("--report", type=FOLDER, default="report", help="The folder of a report.")
@click.option("--api", type=FOLDER, default="api", help="The folder of the API pages.")
@click.option("--out", type=FOLDER, default="site", help="The folder to write to.")
def site(report: Path, api: Path, out: Path) -> None:
    """Put a report, a playground and the API pages into one folder for a web server."""
    from kalahlab.widgets import runtime
    from kalahlab.widgets.page import RUNTIME

    for folder in (report, api):
        if not (folder / "index.html").is_file():
            raise click.UsageError(
                f"{str(folder)!r} has no index.html; `make site` makes all parts"
            )
    unfinished = shutil.ignore_patterns(".*")
    for folder, to in ((report, out), (api, out / "api")):
        if to.resolve().is_relative_to(folder.resolve()):
            raise click.UsageError(
                f"--out {str(out)!r} would put {str(folder)!r} into itself; name another folder"
            )
        shutil.copytree(folder, to, ignore=unfinished, copy_function=copy, dirs_exist_ok=True)
    links = ['<a href="api/index.html">The package</a>']
    if runtime.fetched():
        write(out / "playground.html", page_of(game_type("kalah"), OPPONENT, "beside"))
        write(out / "openings.html", openings_page(Opening(6, 4, "standard"), (), "beside"))
        runtime.write_runtime(out / RUNTIME)
        links.insert(0, '<a href="openings.html">Openings</a>')
        links.insert(0, '<a href="playground.html">Playground</a>')
    else:
        say(f"the site has no playground: {runtime.MISSING}", err=True)
    index = (report / "index.html").read_text(encoding="utf-8")
    write(out / "index.html", index.replace("</nav>", "".join(links) + "</nav>", 1))
    say(f"open {out / 'index.html'}")


def copy(source: str, target: str) -> None:
    """Copy a file whole or not at all."""
    with atomic_write(Path(target)) as part:
        shutil.copyfile(source, part)


def page_of(kind: GameType, north: str, live: "Live") -> str:
    """The playground: an explorer and a board. live: where its Python is."""
    from kalahlab.widgets.board import Board
    from kalahlab.widgets.explorer import explore
    from kalahlab.widgets.page import page

    explorer, board = explore(kind.example, game=kind.name, depth=3), Board(north=north)
    parts, pictures = [explorer.part(), board.part()], [explorer.picture(), board.picture()]
    return page("Game-tree search: a playground", parts, live, pictures)
