"""`kalahlab search` and `kalahlab perft`."""

from pathlib import Path
from typing import Any

import click

from kalahlab import catalogue
from kalahlab.cli.parameters import (
    BOARD,
    as_json,
    at_least,
    game_of,
    rules_option,
    search_options,
)
from kalahlab.cli.text import columns, tell, write
from kalahlab.games.kalah import Rules, State
from kalahlab.games.notation import draw_board


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
@as_json
def perft(board: State, depth: int, rules: Rules, as_json: bool) -> None:
    """Count the lines of play from a BOARD.

    One number a depth, from 1: the check of a move generator.
    """
    from kalahlab.search.perft import perft as count

    leaves = count(game_of(board, rules), board, depth)
    readable = "\n".join(f"{ply:>5} {count:>15,}" for ply, count in enumerate(leaves, start=1))
    tell({"leaves": leaves}, as_json, f"depth          leaves\n{readable}")


def draw_tree(path: Path, *search: Any) -> Any:
    """Record a search, write its tree as SVG, as deep as fits, and give its result."""
    from kalahlab.report.tree_layout import fitting_depth
    from kalahlab.report.tree_svg import tree_svg
    from kalahlab.trace import record

    trace = record(*search)
    write(path, tree_svg(trace, depth=fitting_depth(trace)))
    return trace.result
