"""The command line: a thin layer over the package.

Every command prints something to read, or with `--json` one JSON object. Bad input is one
line on stderr and exit status 2. Heavy modules are imported by the command that needs them.
"""

import os
import sys
from typing import NoReturn

import click

from kalahlab import __version__
from kalahlab.cli.betsy import betsy
from kalahlab.cli.cards import cards
from kalahlab.cli.claims import claims
from kalahlab.cli.explore import explore
from kalahlab.cli.grid import grid
from kalahlab.cli.homework import homework
from kalahlab.cli.judge import judge
from kalahlab.cli.match import match, tournament
from kalahlab.cli.openings import openings
from kalahlab.cli.play import play
from kalahlab.cli.playground import playground, site
from kalahlab.cli.puzzles import puzzles
from kalahlab.cli.quiz import quiz
from kalahlab.cli.report import pdf, published, report
from kalahlab.cli.review import review
from kalahlab.cli.search import perft, search
from kalahlab.cli.solve import solve
from kalahlab.cli.text import say


@click.group(
    commands=[
        search,
        explore,
        playground,
        quiz,
        perft,
        solve,
        play,
        openings,
        review,
        puzzles,
        match,
        tournament,
        judge,
        grid,
        homework,
        betsy,
        cards,
        published,
        claims,
        report,
        pdf,
        site,
    ],
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, prog_name="kalahlab")
def cli() -> None:
    """Game-tree search in Kalah: an executable report.

    Boards are Kalah Game Protocol text, <m,S,N,s1..sm,n1..nm> with the mover as South;
    quote them. Moves are numbered 1..m from the mover's left. Other games, and your own, have
    texts of their own: --game.
    """


def main() -> NoReturn:
    """Run the command line and exit; bad input is one line and status 2."""
    sys.path.append(os.getcwd())  # games and evaluators by their import paths, see kalahlab.names
    try:
        sys.exit(cli.main(prog_name="kalahlab", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        sys.exit(2)
    except click.ClickException as error:
        fail(error.format_message(), error.exit_code)
    except click.Abort:
        fail("interrupted", 130)
    except (ValueError, OSError) as error:
        fail(str(error), 2)


def fail(message: str, status: int) -> NoReturn:
    """One line on stderr, and exit."""
    say(f"kalahlab: {' '.join(message.split())}", err=True)
    sys.exit(status)
