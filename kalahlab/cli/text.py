"""Formatting of answers as text, as tables and as files of marks."""

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

WIDTH = 80  # columns of a terminal
LONGEST_CELL = 60  # characters of a cell of a table, as students choose their names


def say(text: object) -> None:
    """Print a text on stderr, as stdout is for the answer."""
    click.echo(printable(str(text)), err=True)


def setting(game: Game, state: Any, algorithm: Any, depth: Any) -> dict[str, Any]:
    """Describe what a command worked on, for the beginning of its JSON.

    Args:
        game: The game.
        state: The position.
        algorithm: The algorithm, or a list of those of several players; see `of_players`.
        depth: The depth or another limit, or a list.
    """
    rules = format_rules(game.rules) if type(game) is Kalah else None
    position = {"game": game_name(game), "board": of(game).format(state), "rules": rules}
    return position | {"algorithm": algorithm, "depth": depth}


def of_players(players: Iterable[str]) -> tuple[list[str], list[str | None]]:
    """Return the algorithm and the limit of each player; the limit is None without a search."""
    algorithms = list[str]()
    limits = list[str | None]()
    for player in players:
        name, *rest = player.partition("@")[0].split(":")
        algorithms.append(name)
        if name != "script" and len(rest) > 1:
            limits.append(rest[1])
        elif name in LEVELS:
            limits.append(str(LEVELS[name].depth))
        else:
            limits.append(None)
    return algorithms, limits


def columns(answer: dict[str, Any]) -> str:
    """Return the names and values of an answer in two columns."""
    width = max(map(len, answer)) + 2
    indent = " " * width
    return "\n".join(
        fill(in_words(value), WIDTH, initial_indent=f"{name:{width}}", subsequent_indent=indent)
        for name, value in answer.items()
    )


def in_words(value: Any) -> str:
    """Return a value of an answer as text; `-` for nothing."""
    if isinstance(value, list | tuple):
        return " ".join(map(in_words, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return printable(f"{value}", kept="")


def in_bounds(lower: float | None, upper: float | None) -> str:
    """Return the bounds of a value as text: `+3`, `at least 0, at most +4`, or "" without any."""
    named_bounds = {"at least ": lower, "at most ": upper}
    if lower == upper:
        named_bounds = {"": lower}
    parts = []
    for name, bound in named_bounds.items():
        if bound is not None:
            parts.append(f"{name}{bound:+g}" if bound else f"{name}0")
    return ", ".join(parts)


def grid_text(
    rows: Sequence[Mapping[Any, Any]], shown: Sequence[str] = (), spare: Sequence[str] = ()
) -> str:
    """Return rows as a table with a line of column names.

    Args:
        rows: At least one row.
        shown: The columns, by default all.
        spare: The columns that are left out if the table is wider than a terminal.
    """
    names = shown or [*rows[0]]
    lines = [list(names)]
    for row in rows:
        lines.append([in_words(row[name]) for name in names])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if spare and sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        return grid_text(rows, [name for name in names if name not in spare])
    aligned_lines = []
    for line in lines:
        aligned = [text.rjust(width) for text, width in zip(line, widths, strict=True)]
        aligned_lines.append("  ".join(aligned))
    return "\n".join(aligned_lines)


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows on a terminal how many of how many units are done."""
    from tqdm import tqdm

    with tqdm(unit=unit, leave=False, disable=None) as bar:

        def show(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)

        yield show


@contextmanager
def naming(file: object) -> Iterator[None]:
    """Put the name of a file in front of a `ValueError` about it, unless it is in the message."""
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
    """Write the marks of a class as CSV, and return them as a table with the problems below it.

    Args:
        rows: The first column is whose row it is; `problem` is what is wrong with it, or empty.
        out: The file; None to write none. Its texts have no effects; see `kalahlab.outside`.
        shown: The columns of the table.
        *spare: At most one list: the columns that a narrow table leaves out.
    """
    if out is not None:
        _write_marks(rows, out)
    owner = next(iter(rows[0]))
    lines = []
    for row in rows:
        lines.append({name: shorten_cell(value) for name, value in row.items()})
    problems = [in_words(f"{row[owner]}: {row['problem']}") for row in rows if row["problem"]]
    return "\n".join([grid_text(lines, shown, *spare), *problems])


def _write_marks(rows: Sequence[Mapping[str, Any]], out: Path) -> None:
    semicolons = click.get_current_context().meta["semicolons"]
    with writing(out) as file:
        if semicolons or not str(rows).isascii():
            file.write("\ufeff")  # without it Excel misreads names such as Éva
        table = csv.writer(file, delimiter=";" if semicolons else ",", lineterminator="\n")
        table.writerow(rows[0])
        for row in rows:
            table.writerow(_to_csv_cell(value) for value in row.values())


def _to_csv_cell(value: Any) -> Any:
    return cell(printable(value, kept="") if isinstance(value, str) else value)


def shorten_cell(value: Any) -> Any:
    """Return the two ends of a long text, so that the name of one student does not widen all rows.

    Other values are returned as they are.
    """
    if isinstance(value, str) and len(value) > LONGEST_CELL:
        return f"{value[: LONGEST_CELL - 20]}…{value[-19:]}"
    return value


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """Yield a text file to write, which appears when it is complete; see `kalahlab.files`."""
    with atomic_write(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file
