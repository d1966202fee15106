"""`kalahlab grid`."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import as_json, at_least
from kalahlab.cli.text import tell


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder to keep what is finished in; a run of the same grid goes on from it.",
)
@click.option("--workers", type=at_least(1, "workers"), default="1", show_default=True)
@click.option("--scheduler", metavar="ADDRESS", help="A dask.distributed cluster to run on.")
@as_json
def grid(file: Path, out: Path, workers: int, scheduler: str | None, as_json: bool) -> None:
    """Play every game of a grid FILE, and keep a row of each.

    The file is TOML: lists of algorithms, evaluators, depths and rules; openings, the number of
    fair openings (0: the start alone); and backend, leaf, order, pits, stones.
    """
    from kalahlab.experiments import cost_estimate, read_grid, run_point
    from kalahlab.grid import read_rows, resume

    points = read_grid(file)
    try:
        with cluster(scheduler) as executor:
            path = resume(
                *(run_point, points, out, workers, executor, cost_estimate),
                progress=sys.stderr.isatty(),
            )
    except KeyboardInterrupt:
        raise Interrupted(kept("interrupted", out, points)) from None
    except (BrokenExecutor, OSError) as error:
        raise click.ClickException(kept(f"stopped: {error}", out, points)) from None
    errors = [row["error"] for row in read_rows(path) if row["error"]]
    answer = {"rows": str(path), "points": len(points), "errors": len(errors)}
    readable = f"{len(points)} points in {path}"
    if errors:
        readable += f"; {len(errors)} failed, the first with {errors[0]}"
    tell(answer, as_json, readable)
    sys.exit(1 if errors else 0)


class Interrupted(click.ClickException):
    """Ctrl-C, with a word on what is kept."""

    exit_code = 130


def kept(what: str, out: Path, points: Sequence[Any]) -> str:
    """What happened, how much is done, and how to go on."""
    from kalahlab.grid import Store, key

    store = Store(out)
    done = sum(store.row(key(point)) is not None for point in points)
    return (
        f"{what}; {done} of {len(points)} points are kept in {out}; "
        "run the same command again to go on"
    )


@contextmanager
def cluster(address: str | None) -> Iterator[Executor | None]:
    """The executor of a cluster, None without one."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--scheduler needs: pip install 'kalahlab[cluster]'") from None
    with Client(address) as client:  # type: ignore[no-untyped-call]
        yield client.get_executor()
