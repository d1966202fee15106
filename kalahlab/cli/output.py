"""Formatting of answers as text, as tables and as files of marks."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kalahlab.files import open_atomic
from kalahlab.formatting import format_grid, format_value
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah
from kalahlab.games.pie import PieKalah
from kalahlab.games.registry import game_name, game_type_of_game
from kalahlab.games.rules import format_rules
from kalahlab.players.levels import LEVELS
from kalahlab.players.parse import PlayerSpec
from kalahlab.untrusted import escape_control_characters, escape_formula

MAX_CELL_WIDTH = 60  # characters; a cell may have a name that a student chose


def print_note(text: object) -> None:
    """Print a text on stderr, as stdout is for the answer."""
    click.echo(escape_control_characters(str(text)), err=True)


def describe_run(game: Game, state: Any, algorithm: Any, depth: Any) -> dict[str, Any]:
    """Describe what a command worked on, for the beginning of its JSON.

    Args:
        game: The game.
        state: The position.
        algorithm: The algorithm; for several players, the list from `split_player_specs`.
        depth: The depth or another limit; for several players, a list as well.
    """
    inner_game = game.kalah if isinstance(game, PieKalah) else game
    # A game that derives from Kalah may be played by other rules than its `rules` say.
    rules = format_rules(inner_game.rules) if type(inner_game) is Kalah else None
    position = {
        "game": game_name(game),
        "board": game_type_of_game(game).format(state),
        "rules": rules,
    }
    return position | {"algorithm": algorithm, "depth": depth}


def name_moves(game: Game, state: Any, line: Sequence[Any]) -> Sequence[str | int]:
    """Return the names of the moves of a line.

    Names that are all digits become numbers, but not with the pie rule, where one is `swap`.
    """
    names = list[str]()
    for move in line:
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    if isinstance(game, PieKalah) or not all(map(str.isdigit, names)):
        return names
    return [int(name) for name in names]


def split_player_specs(players: Iterable[str]) -> tuple[list[str], list[str | None]]:
    """Return the algorithms and the limits of players; see `split_player_spec`."""
    algorithms = list[str]()
    limits = list[str | None]()
    for player in players:
        algorithm, limit = split_player_spec(player)
        algorithms.append(algorithm)
        limits.append(limit)
    return algorithms, limits


def split_player_spec(player: str) -> tuple[str, str | None]:
    """Return the algorithm and the limit of a player.

    The algorithm of a player that does not search is its name, such as `random`, and its limit is
    None. The limit of a level is the depth of its search.
    """
    spec = PlayerSpec.parse(player)
    if spec.name in LEVELS:
        return spec.name, str(LEVELS[spec.name].depth)
    if "." in spec.name and len(spec.args) == 1:  # a class with a method `choose`
        return spec.name, spec.args[0]
    # ALGORITHM:EVALUATOR:LIMIT[..]; the arguments of a script are moves.
    if spec.name != "script" and len(spec.args) > 1:
        return spec.name, spec.args[1]
    return spec.name, None


def format_interval(row: dict[Any, Any], name: str, form: str) -> str:
    """Return an estimate of a row with the ends of its interval, such as `0.62 (0.50 to 0.73)`.

    Args:
        row: The row. The interval of `elo` is in the columns `elo_low` and `elo_high`, but that of
            `score` in `low` and `high`.
        name: The column of the estimate.
        form: The format of a number, such as `.2f`.
    """
    prefix = "" if name == "score" else f"{name}_"
    mean, low, high = row[name], row[f"{prefix}low"], row[f"{prefix}high"]
    return f"{mean:{form}} ({low:{form}} to {high:{form}})"


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function `show(done, of)` that shows on a terminal the number of units done."""
    from tqdm import tqdm

    # With disable=None the bar is shown only if stderr is a terminal.
    with tqdm(unit=unit, leave=False, disable=None) as bar:

        def show(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)  # tqdm takes the difference

        yield show


def write_gradebook(
    rows: Sequence[Mapping[str, Any]],
    out: Path | None,
    columns: Sequence[str],
    optional: Sequence[str] = (),
) -> str:
    """Write the marks of a class as CSV, and return them as a table with the problems below it.

    Args:
        rows: At least one row; all rows have the same columns. The first column names the student;
            `problem` describes a problem with the submission, or is empty.
        out: The file; None to write no file. Its texts cannot act as formulas or control a
            terminal; see `kalahlab.untrusted`.
        columns: The columns of the table.
        optional: The columns that are left out if the table is wider than a terminal.
    """
    if out is not None:
        _write_marks(rows, out)
    student_column = next(iter(rows[0]))
    lines = []
    problems = []
    for row in rows:
        lines.append({name: shorten_cell(value) for name, value in row.items()})
        if row["problem"]:
            # format_value escapes line breaks, so that a problem stays one line.
            problems.append(format_value(f"{row[student_column]}: {row['problem']}"))
    return "\n".join([format_grid(lines, columns, optional), *problems])


def _write_marks(rows: Sequence[Mapping[str, Any]], out: Path) -> None:
    # The option --semicolons of the running command; see `options.semicolons`.
    semicolons = click.get_current_context().meta["semicolons"]
    with open_atomic(out) as file:
        # Without a byte-order mark, Excel misreads names such as Éva. A table with semicolons is
        # for Excel, and always has the mark.
        if semicolons or not str(rows).isascii():
            file.write("\ufeff")
        delimiter = ";" if semicolons else ","
        table = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        table.writerow(rows[0])  # the keys: the names of the columns
        for row in rows:
            table.writerow(_to_csv_cell(value) for value in row.values())


def _to_csv_cell(value: Any) -> Any:
    if isinstance(value, str):
        value = escape_control_characters(value, allowed="")  # "": no line breaks either
    return escape_formula(value)


def shorten_cell(value: Any) -> Any:
    """Return the two ends of a long text, so that the name of one student does not widen all rows.

    Other values are returned as they are.
    """
    if isinstance(value, str) and len(value) > MAX_CELL_WIDTH:
        return f"{value[: MAX_CELL_WIDTH - 20]}…{value[-19:]}"  # MAX_CELL_WIDTH characters
    return value
