"""`kalahlab grid`."""

import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import (
    FOLDER,
    INPUT,
    as_json,
    cluster,
    scheduler_option,
    workers_option,
)
from kalahlab.cli.text import naming, print_answer


@click.command()
@click.argument("file", type=INPUT)
@click.option(
    "--out",
    type=FOLDER,
    required=True,
    help="The folder to keep what is finished in; a run of the same grid goes on from it.",
)
@workers_option(default="1")
@scheduler_option(help="A dask.distributed cluster to run on.")
@as_json
def grid(file: Path, out: Path, workers: int, scheduler: str | None, as_json: bool) -> None:
    """Play every game of a grid FILE, and keep a row of each.

    The file is TOML: lists of algorithms, evaluators, depths and rules; openings, the number of
    fair openings (0: the start alone); and backend, leaf, order, pits, stones.
    """
    from kalahlab.experiments import cost_estimate, read_grid, run_point
    from kalahlab.grid import Store, key, read_rows, resume

    with naming(file):
        points = read_grid(file)
    try:
        with cluster(scheduler, out) as executor:
            path = resume(
                *(run_point, points, out, workers, executor, cost_estimate),
                progress=sys.stderr.isatty(),
            )
    except (KeyboardInterrupt, BrokenExecutor, OSError) as error:
        ctrl_c, store = isinstance(error, KeyboardInterrupt), Store(out)
        done = sum(store.row(key(point)) is not None for point in points)
        ended: Any = click.ClickException(
            f"{'interrupted' if ctrl_c else f'stopped: {error}'}; {done} of {len(points)} points "
            f"are kept in {out}; run the same command again to go on"
        )
        ended.exit_code = 130 if ctrl_c else 1
        raise ended from None
    errors = [row["error"] for row in read_rows(path) if row["error"]]
    answer = {"rows": str(path), "points": len(points), "errors": len(errors)}
    readable = f"{len(points)} points in {path}"
    if errors:
        readable += f"; {len(errors)} failed, the first with {errors[0]}"
    print_answer(answer, as_json, readable)
    sys.exit(1 if errors else 0)
