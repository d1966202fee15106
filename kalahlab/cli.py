"""The command line: a thin layer over the package.

Every command prints something to read, or with `--json` one JSON object. Bad input is one
line on stderr and exit status 2. Heavy modules are imported by the command that needs them.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from kalahlab import __version__, catalogue
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import PRESETS, Kalah, Rules, State
from kalahlab.games.notation import draw_board, parse_board
from kalahlab.play import parse_player, play_game
from kalahlab.search import ALGORITHMS, ORDERS


class Read(click.ParamType[Any]):
    """A parameter read by a function that explains what is wrong in a `ValueError`."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def known(name: str, look_up: Callable[[str], Any]) -> Read:
    """A name of the catalogue, kept as it was written."""

    def read(text: str) -> str:
        look_up(text)
        return text

    return Read(name, read)


def at_least(least: int, what: str) -> Read:
    """A whole number with a lower bound."""

    def read(text: str) -> int:
        number = catalogue.whole(text, what)
        if number < least:
            raise ValueError(f"{what} is {number}; use {least} or more")
        return number

    return Read("number", read)


BOARD = Read("board", parse_board)
RULES = Read("rules", catalogue.rules)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
rules_option = click.option(
    "--rules", type=RULES, default="standard", show_default=True, help=" or ".join(PRESETS) + "."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kalahlab")
def cli() -> None:
    """Game-tree search in Kalah: an executable report.

    Boards are Kalah Game Protocol text, <m,S,N,s1..sm,n1..nm> with the mover as South;
    quote them. Moves are numbered 1..m from the mover's left.
    """


@cli.command()
@click.argument("board", type=BOARD)
@click.option(
    "--algorithm",
    type=known("algorithm", catalogue.algorithm),
    default="alpha_beta",
    show_default=True,
    help=f"One of {', '.join(ALGORITHMS)}.",
)
@click.option(
    "--evaluator",
    type=known("evaluator", catalogue.evaluator),
    default="store_difference",
    show_default=True,
    help=f"One of {', '.join(EVALUATORS)}.",
)
@click.option("--depth", type=at_least(0, "depth"), required=True, help="Where to cut off.")
@click.option(
    "--unit",
    type=known("unit", lambda name: catalogue.depth(0, name)),
    default="sow",
    show_default=True,
    help="What depth counts: every sow, or turns (extra turns are free).",
)
@click.option(
    "--order",
    type=known("order", catalogue.order),
    default="pit",
    show_default=True,
    help=f"Which move is tried first: {', '.join(ORDERS)}.",
)
@rules_option
@click.option(
    "--tree",
    type=click.Path(path_type=Path),
    help="Draw the search tree to an SVG, as deep as fits.",
)
@as_json
def search(
    board: State,
    algorithm: str,
    evaluator: str,
    depth: int,
    unit: str,
    order: str,
    rules: Rules,
    tree: Path | None,
    as_json: bool,
) -> None:
    """Search a BOARD for its value and best move.

    Prints the value for the mover, the principal variation and what the search cost.
    """
    game = game_of(board, rules)
    arguments = (
        game,
        board,
        catalogue.evaluator(evaluator),
        catalogue.depth(depth, unit),
        catalogue.order(order),
    )
    if tree is None:
        result = catalogue.algorithm(algorithm)(*arguments)
    else:
        result = draw_tree(tree, catalogue.algorithm(algorithm), *arguments)
    line = [move + 1 for move in result.line]
    counts = result.counts
    answer = {
        "value": result.value,
        "move": line[0] if line else None,
        "pv": line,
        "generated": counts.generated,
        "expanded": counts.expanded,
        "evaluated": counts.evaluated,
        "cutoffs": counts.cutoffs,
    }
    tell(answer, as_json, f"{draw_board(board)}\n\n{columns(answer)}")


@cli.command()
@click.argument("board", type=BOARD)
@click.option("--depth", type=at_least(0, "depth"), required=True, help="The greatest depth.")
@rules_option
@as_json
def perft(board: State, depth: int, rules: Rules, as_json: bool) -> None:
    """Count the lines of play from a BOARD.

    One number a depth, from 1: the check of a move generator.
    """
    from kalahlab.search.perft import perft as count

    leaves = count(game_of(board, rules), board, depth)
    readable = "\n".join(f"{ply:>5} {count:>15,}" for ply, count in enumerate(leaves, start=1))
    tell({"leaves": leaves}, as_json, f"depth          leaves\n{readable}")


@cli.command()
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


@cli.command()
@click.option("--south", type=Read("player", parse_player), required=True, help="Who moves first.")
@click.option("--north", type=Read("player", parse_player), required=True)
@click.option("--pits", type=at_least(1, "pits"), default="6", show_default=True)
@click.option("--stones", type=at_least(0, "stones"), default="4", show_default=True)
@rules_option
@as_json
def play(south: Any, north: Any, pits: int, stones: int, rules: Rules, as_json: bool) -> None:
    """Play a game between two players and print its log.

    A player is ALGORITHM:EVALUATOR:DEPTH[:UNIT[:ORDER]], for example
    alpha_beta:store_difference:6, or random:SEED, or script:6,2,1 (pits to play).
    """
    log = play_game(Kalah(pits, stones, rules), south, north)
    answer = {
        "moves": [played.pit + 1 for played in log.moves],
        "movers": ["south" if played.mover == 0 else "north" for played in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }
    tell(answer, as_json, str(log))


@cli.command()
@click.option("--off", multiple=True, metavar="DEFECT", help="Turn a defect off; 'all' for all.")
@click.option("--e1-otherwise", type=int, help="What E1 is where the program leaves it undefined.")
@as_json
def published(off: tuple[str, ...], e1_otherwise: int | None, as_json: bool) -> None:
    """Recompute the table of the CS5329 report, defects and all."""
    from kalahlab.published.comparison import table
    from kalahlab.published.cs5329 import Defects

    names = [name for each in off for name in (Defects.names() if each == "all" else (each,))]
    rows = table(Defects.without(*names), e1_otherwise=e1_otherwise)
    tell({"rows": rows}, as_json, grid_text([compared(row) for row in rows]))


@cli.command()
@click.option("--profile", default="default", show_default=True, help="smoke, default or full.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default="report",
    show_default=True,
    help="The folder to write to.",
)
@click.option("--only", multiple=True, metavar="NOTEBOOK", help="Build this notebook alone.")
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NOTEBOOK.NAME=VALUE",
    help="Set a notebook's parameter, for example 02_published_study.depths=[2,4].",
)
@click.option("--force", is_flag=True, help="Run notebooks again that have not changed.")
@as_json
def report(
    profile: str,
    out: Path,
    only: tuple[str, ...],
    parameters: tuple[str, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Run the notebooks and write the report.

    Pages, figures, tables and an index that opens without a network. Exit status 1 if a
    notebook failed; the others are built all the same.
    """
    from kalahlab.report.build import build

    made = build(profile, out, only or None, parameters, force=force)
    failed = [record.notebook for record in made.failed]
    readable = f"open {out / 'index.html'}"
    if failed:
        readable += f"; failed: {', '.join(failed)}"
    click.echo(made.to_json() if as_json else readable)
    sys.exit(1 if failed else 0)


def compared(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the published table as a person reads it: printed beside recomputed."""
    names = ("generated", "expanded", "path")
    defined = row["generated"] is not None
    printed = (f"{row[f'printed_{name}']}" for name in names)
    found = (f"{row[name]}" for name in names)
    return {
        "algorithm": row["algorithm"],
        "evaluation": f"E{row['evaluation']}",
        "depth": row["depth"],
        "printed": "/".join(printed),
        "recomputed": "/".join(found) if defined else "not defined",
        "stores": f"{row['stores_a']}-{row['stores_b']}" if defined else "-",
        "winner": row["winner"] or "-",
        "verdict": row["verdict"],
    }


def game_of(board: State, rules: Rules) -> Kalah:
    """The game that a board belongs to; its own start plays no part."""
    return Kalah(len(board.board) // 2 - 1, 0, rules)


def draw_tree(path: Path, *search: Any) -> Any:
    """Record a search, write its tree as SVG, as deep as fits, and give its result."""
    from kalahlab.report.tree_layout import fitting_depth
    from kalahlab.report.tree_svg import tree_svg
    from kalahlab.trace import record

    trace = record(*search)
    write(path, tree_svg(trace, depth=fitting_depth(trace)))
    return trace.result


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(name, 0o644)
    os.replace(name, path)


def tell(answer: dict[str, Any], as_json: bool, readable: str) -> None:
    """Print the answer for a machine or for a person."""
    click.echo(json.dumps(answer) if as_json else readable)


def columns(answer: dict[str, Any]) -> str:
    """Names and values below one another."""
    width = max(map(len, answer))
    return "\n".join(f"{name:<{width}}  {in_words(value)}" for name, value in answer.items())


def in_words(value: Any) -> str:
    """A value as it is printed to a person."""
    if isinstance(value, list | tuple):
        return " ".join(map(in_words, value)) or "-"
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value}"


def grid_text(rows: list[dict[str, Any]]) -> str:
    """Rows as a table of text, a column a key."""
    cells = [list(rows[0]), *([in_words(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in cells
    )


def main() -> NoReturn:
    """Run the command line and exit; bad input is one line and status 2."""
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
    click.echo(f"kalahlab: {' '.join(message.split())}", err=True)
    sys.exit(status)
