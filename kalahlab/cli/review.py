"""`kalahlab review`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill, shorten
from typing import Any

import click

from kalahlab.cli.parameters import DEEPEST, FILE, Read, as_json, at_least, workers_option
from kalahlab.cli.text import WIDTH, grid_text, naming, print_answer, write
from kalahlab.games.game_text import LONGEST, GameRecord, parse_game
from kalahlab.names import parse_float


def time_for_proofs(text: str) -> float:
    """Seconds, 0 or more."""
    number = parse_float(text, "seconds")
    if not number >= 0:
        raise ValueError(f"seconds is {text}; use 0 or more")
    return number


@click.command()
@click.argument("game", type=click.File(encoding="utf-8"))
@click.option(
    "--seconds",
    type=Read("seconds", time_for_proofs),
    default="60",
    help="For exact values, from the end of the game backwards; 0 for searches alone.",
)
@click.option(
    "--depth",
    type=at_least(1, "depth", DEEPEST),
    default="14",
    help="Of the searches before, in sows.",
)
@workers_option(help="Threads; default all cores.")
@click.option("--out", type=FILE, help="Write the review as a page, too.")
@as_json
def review(game: Any, out: Path | None, as_json: bool, **settings: Any) -> None:
    """Review a GAME of Kalah: a file as kalahlab play --save writes it, or - to read it.

    Prints each move with its value for South after it, its regret in stones, and a better line;
    a mark where it gave a better outcome away, or was the only one that kept it. Values are exact
    where the proofs reach in the time given, and else by a search: the column "by" says which, and
    a mark by a search has a question mark. Ctrl-C ends the proofs early.
    """
    from kalahlab.judging.review import reviewed

    with progress() as show:
        found = reviewed(read(game), progress=show, **settings)
    if out is not None:
        from kalahlab.report.review import review_page

        write(out, review_page(found))
    print_answer(found.as_json(), as_json, readable(found))


def read(file: Any) -> GameRecord:
    """The game of a file; `ValueError` names the file and the line of what is wrong."""
    with naming(file.name):
        text = file.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise ValueError(f"it is too long; at most {LONGEST:,} characters are read")
        return parse_game(text)


@contextmanager
def progress() -> Iterator[Any]:
    """A function that shows how many positions are valued, on a terminal."""
    from tqdm import tqdm

    with tqdm(unit="position", leave=False, disable=None) as bar:

        def show(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)

        yield show


def readable(found: Any) -> str:
    """The review for a person, in lines of at most `WIDTH` letters."""
    from kalahlab.judging.review import FORMULA

    table = found.table()
    table["mark"] = table["mark"].str.ljust(16)
    # as many turns of a line as there is room for
    table["better"] = [f"{shorten(line, 16, placeholder=''):16}" for line in table["better"]]
    parts = [found.title(), found.opening(), *found.summary()]
    said = "\n".join(fill(part, WIDTH) for part in parts if part)
    grid = [grid_text(table.to_dict("records"))] if len(table) else []
    return "\n\n".join([said, *grid, fill(FORMULA, WIDTH)])
