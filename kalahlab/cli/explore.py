"""`kalahlab explore`."""

from pathlib import Path
from typing import Any

import click

from kalahlab import backends
from kalahlab.cli.parameters import (
    BOARD,
    as_json,
    at_least,
    known,
    rules_option,
    search_options,
)
from kalahlab.cli.text import tell, write
from kalahlab.games.kalah import State


@click.command()
@click.argument("board", type=BOARD, required=False)
@search_options
@click.option("--depth", type=at_least(0, "depth"), default="4", show_default=True)
@rules_option
@click.option(
    "--beside",
    type=known("algorithm", backends.algorithm),
    help="Show a second search by this algorithm on the same clock,",
)
@click.option(
    "--beside-order",
    type=known("order", backends.order),
    help="or one in this order.",
)
@click.option(
    "--trace",
    type=click.Path(path_type=Path),
    help="Show the search in a file of Trace.to_json instead.",
)
@click.option("--title", default="Search explorer", show_default=True, help="The page's heading.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The page to write.")
@as_json
def explore(
    board: State | None, trace: Path | None, title: str, out: Path, as_json: bool, **search: Any
) -> None:
    """Write the search of a BOARD as a page to step through.

    The page opens without a network; with #step=N after its name, it opens at that step.
    """
    from kalahlab.trace import Trace
    from kalahlab.widgets.explorer import Explorer
    from kalahlab.widgets.explorer import explore as look

    if trace is not None and board is None:
        shown = Explorer(Trace.from_json(trace.read_text(encoding="utf-8")), titles=[trace.stem])
    elif board is not None and trace is None:
        shown = look(board, **search)
    else:
        raise click.UsageError("give a BOARD, or --trace and a file, and not both")
    write(out, shown.page(title))
    nodes = [each["nodes"] for each in shown.traces]
    readable = f"open {out} ({' and '.join(f'{count:,}' for count in nodes)} nodes)"
    tell({"page": str(out), "nodes": nodes}, as_json, readable)
