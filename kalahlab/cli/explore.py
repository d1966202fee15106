"""`kalahlab explore`."""

from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import (
    DEEPEST,
    FILE,
    as_json,
    at_least,
    by_name,
    new_game,
    search_options,
)
from kalahlab.cli.text import naming, print_answer, setting, write
from kalahlab.games.kalah import Rules
from kalahlab.games.registry import GameType
from kalahlab.outside import read_text


@click.command()
@click.argument("board", required=False)
@search_options
@click.option("--depth", type=at_least(0, "depth", DEEPEST), default="4")
@click.option(
    "--beside",
    type=by_name("algorithm"),
    help="Show a second search by this algorithm on the same clock,",
)
@click.option("--beside-order", type=by_name("order"), help="or one in this order.")
@click.option("--trace", type=FILE, help="Show the search in a file of Trace.to_json instead.")
@click.option("--title", default="Search explorer", help="The page's heading.")
@click.option("--live", is_flag=True, help="Let the page search by itself; it has 12 MB then.")
@click.option("--out", type=FILE, required=True, help="The page to write.")
@as_json
def explore(
    board: str | None,
    kind: GameType,
    rules: Rules | None,
    trace: Path | None,
    title: str,
    live: bool,
    out: Path,
    as_json: bool,
    **search: Any,
) -> None:
    """Write the search of a BOARD as a page to step through.

    The page opens without a network; with #step=N after its name, it opens at that step.
    """
    from kalahlab.trace import Trace
    from kalahlab.trace.serialise import LONGEST
    from kalahlab.widgets.explorer import Explorer
    from kalahlab.widgets.explorer import explore as searched

    if trace is not None and board is None:
        with naming(trace):
            read = Trace.from_json(read_text(trace, LONGEST))
        shown = Explorer(read, titles=[trace.stem])
        about = {}
    elif board is not None and trace is None:
        game, state = kind.parse(board, new_game(kind, rules=rules))
        shown = searched(state, game=game, **search)
        about = setting(game, state, search["algorithm"], search["depth"])
    else:
        raise click.UsageError("give a BOARD, or --trace and a file, and not both")
    write(out, shown.page(title, "inside" if live else "no"))
    nodes = [each["nodes"] for each in shown.traces]
    readable = f"open {out} ({' and '.join(f'{count:,}' for count in nodes)} nodes)"
    print_answer(about | {"page": str(out), "nodes": nodes}, as_json, readable)
