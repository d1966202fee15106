"""Answers for a machine or for a person, and files written whole."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any, TextIO

import click

from kalahlab.files import atomic_write
from kalahlab.games import Game
from kalahlab.games.game_text import format_rules
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import game_name, of
from kalahlab.outside import cell, printable
from kalahlab.play import LEVELS

WIDTH = 80  # of a terminal
LONGEST_CELL = 60  # characters of what a table shows of a name that students chose


def say(text: object) -> None:
    """On stderr, as stdout is for the answer."""
    click.echo(printable(str(text)), err=True)


def setting(game: Game, state: Any, algorithm: Any, depth: Any) -> dict[str, Any]:
    """algorithm, depth: of one search, or lists of those of several, as `of_players` gives them."""
    rules = format_rules(game.rules) if type(game) is Kalah else None
    position = {"game": game_name(game), "board": of(game).format(state), "rules": rules}
    return position | {"algorithm": algorithm, "depth": depth}


def of_players(players: Iterable[str]) -> tuple[list[str], list[str | None]]:
    """The algorithm and the limit of each player, None for one that does not search."""
    algorithms, limits = list[str](), list[str | None]()
    for player in players:
        name, *rest = player.partition("@")[0].split(":")
        level = str(LEVELS[name].depth) if name in LEVELS else None
        algorithms.append(name)
        limits.append(rest[1] if name != "script" and len(rest) > 1 else level)
    return algorithms, limits


def columns(answer: dict[str, Any]) -> str:
    wide = max(map(len, answer)) + 2
    return "\n".join(
        fill(in_words(value), WIDTH, initial_indent=f"{name:{wide}}", subsequent_indent=" " * wide)
        for name, value in answer.items()
    )


def in_words(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(in_words, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value}"
    return printable(text, kept="")


def in_bounds(lower: float | None, upper: float | None) -> str:
    ends = {"": lower} if lower == upper else {"at least ": lower, "at most ": upper}
    bounds = ((end, bound) for end, bound in ends.items() if bound is not None)
    return ", ".join(f"{end}{bound:+g}" if bound else f"{end}0" for end, bound in bounds)


def grid_text(
    rows: Sequence[Mapping[Any, Any]], shown: Sequence[str] = (), spare: Sequence[str] = ()
) -> str:
    """shown: the columns, by default all. spare: those that a narrow terminal does without."""
    names = shown or [*rows[0]]
    cells = [names, *([in_words(row[name]) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    if spare and sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        return grid_text(rows, [name for name in names if name not in spare])
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in cells
    )


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """A function that shows how many are done, of how many, on a terminal."""
    from tqdm import tqdm

    with tqdm(unit=unit, leave=False, disable=None) as bar:

        def show(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)

        yield show


@contextmanager
def naming(file: object) -> Iterator[None]:
    """Begin what is wrong with a file with its name, if it is not named yet."""
    try:
        yield
    except RecursionError:
        raise ValueError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        if str(file) in str(error):
            raise
        raise ValueError(f"{file}, {error}") from None


def marks(
    rows: Sequence[Mapping[str, Any]], out: Path | None, shown: Sequence[str], *spare: Sequence[str]
) -> str:
    """What a class handed in: these columns as a table, what is wrong below it, and all as CSV, the
    texts without effect; see `kalahlab.outside`. A row begins with whose it is, and ends with its
    `problem`, if it has one. Excel needs a mark of UTF-8 for names such as Éva."""
    if out is not None:
        semicolons = click.get_current_context().meta["semicolons"]
        with writing(out) as file:
            file.write("\ufeff" * (semicolons or not str(rows).isascii()))
            table = csv.writer(file, delimiter=",;"[semicolons], lineterminator="\n")
            table.writerow(rows[0])
            for row in rows:
                texts = (printable(it, "") if isinstance(it, str) else it for it in row.values())
                table.writerow(map(cell, texts))
    whose, *_ = rows[0]
    shortened = [{name: shorten_cell(value) for name, value in row.items()} for row in rows]
    problems = [in_words(f"{row[whose]}: {row['problem']}") for row in rows if row["problem"]]
    return "\n".join([grid_text(shortened, shown, *spare), *problems])


def shorten_cell(value: Any) -> Any:
    """Return the two ends of a long text, so that one student's name does not widen all rows."""
    if isinstance(value, str) and len(value) > LONGEST_CELL:
        return f"{value[: LONGEST_CELL - 20]}…{value[-19:]}"
    return value


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """A text to write to, which is a file once it is whole; see `kalahlab.files`."""
    with atomic_write(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file
