"""`kalahlab search` and `kalahlab perft`."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kalahlab import engine
from kalahlab.backends import SearchSpec
from kalahlab.backends import algorithm as textbook_algorithm
from kalahlab.cli.parameters import (
    BOARD,
    as_json,
    at_least,
    backend_option,
    game_of,
    rules_option,
    search_options,
)
from kalahlab.cli.text import columns, tell, write
from kalahlab.games.kalah import Rules, State
from kalahlab.games.notation import draw_board
from kalahlab.search.perft import perft as read_perft


@click.command()
@click.argument("board", type=BOARD)
@search_options
@click.option("--depth", type=at_least(0, "depth"), required=True, help="Where to cut off.")
@rules_option
@click.option(
    "--tree",
    type=click.Path(path_type=Path),
    help="Draw the search tree to an SVG, as deep as fits.",
)
@backend_option
@as_json
def search(
    board: State,
    algorithm: str,
    evaluator: str,
    depth: int,
    leaf: str,
    order: str,
    rules: Rules,
    tree: Path | None,
    backend: str,
    as_json: bool,
) -> None:
    """Search a BOARD for its value and best move.

    Prints the value for the mover, the principal variation and what the search cost. A tree is
    drawn of the textbook's search, which enters the same nodes.
    """
    game = game_of(board, rules)
    spec = SearchSpec(algorithm, evaluator, leaf, order, backend)
    if tree is not None:
        search = textbook_algorithm(algorithm)
        result = draw_tree(tree, search, game, board, *spec.search_args(game, depth))
    else:
        with ended_by_ctrl_c(backend):
            result = spec.search(game, board, depth)
    from kalahlab.trace import writable

    line = [move + 1 for move in result.line]
    counts = result.counts
    answer = {
        "value": writable(result.value),
        "move": line[0] if line else None,
        "pv": line,
        "generated": counts.generated,
        "expanded": counts.expanded,
        "evaluated": counts.evaluated,
        "cutoffs": counts.cutoffs,
        "recalled": counts.recalled,
    }
    tell(answer, as_json, f"{draw_board(board)}\n\n{columns(answer)}")


@click.command()
@click.argument("board", type=BOARD)
@click.option("--depth", type=at_least(0, "depth"), required=True, help="The greatest depth.")
@rules_option
@backend_option
@as_json
def perft(board: State, depth: int, rules: Rules, backend: str, as_json: bool) -> None:
    """Count the lines of play from a BOARD.

    One number a depth, from 1: the check of a move generator.
    """
    count = engine.perft if backend == "engine" else read_perft
    with ended_by_ctrl_c(backend):
        leaves = count(game_of(board, rules), board, depth)
    readable = "\n".join(f"{ply:>5} {count:>15,}" for ply, count in enumerate(leaves, start=1))
    tell({"leaves": leaves}, as_json, f"depth          leaves\n{readable}")


@contextmanager
def ended_by_ctrl_c(backend: str) -> Iterator[None]:
    """Let Ctrl-C end the process at once; compiled, a search would not hear of it from Python."""
    before = signal.getsignal(signal.SIGINT)
    if backend == "engine":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def draw_tree(path: Path, *search: Any) -> Any:
    """Record a search, write its tree as SVG, as deep as fits, and give its result."""
    from kalahlab.report.draw.tree_layout import fitting_depth
    from kalahlab.report.draw.tree_svg import tree_svg
    from kalahlab.trace import record

    trace = record(*search)
    write(path, tree_svg(trace, depth=fitting_depth(trace)))
    return trace.result
