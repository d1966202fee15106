"""The command `kalahlab grid`."""

import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import FOLDER, INPUT, Answer, json_command
from kalahlab.cli.output import print_note
from kalahlab.cli.resume import REPLAY_NOTE, check_same_run
from kalahlab.extras import describe_missing, is_missing
from kalahlab.files import atomic_write, write_atomic
from kalahlab.formatting import WIDTH, format_grid
from kalahlab.players.growth_spec import find_growing_search
from kalahlab.players.search_spec import SearchSpec
from kalahlab.untrusted import prefix_errors

SELF_PLAY_NOTE = (
    "One search plays both sides of a game, so the margin shows the advantage of the first move, "
    "not the strength of the search."
)
# The number of digits after the decimal point, by column.
DECIMALS = {"nodes": 0, "nodes_sd": 0, "margin": 1, "margin_sd": 1}


@json_command()
@click.argument("file", type=INPUT)
@click.option(
    "--out",
    type=FOLDER,
    required=True,
    help=f"The folder for finished games; run the same command again to resume. {REPLAY_NOTE}",
)
@click.option(
    "--algorithm",
    "algorithms",
    type=options.name_param("algorithm"),
    multiple=True,
    help="Add an algorithm to those of the file, by name or import path.",
)
@click.option(
    "--evaluator",
    "evaluators",
    type=options.name_param("evaluator"),
    multiple=True,
    help="Add an evaluator.",
)
@options.workers(default="1", help="Number of processes.")
@options.scheduler(help="The scheduler of a dask.distributed cluster to run on.")
def grid(
    file: Path,
    out: Path,
    algorithms: Sequence[str],
    evaluators: Sequence[str],
    workers: int,
    scheduler: str | None,
) -> Answer:
    """Play every game of a grid FILE, and write a row for each game.

    FILE is TOML. It lists algorithms, evaluators, depths and rules. Its limits are nodes a move, as
    "5000n", or playouts a move of a search that grows a tree, as "800p"; there, an evaluator may be
    "random". The algorithm "perfect" has no evaluator and no limit: a row of perfect play. FILE may
    also set backend, leaf, order, pits, stones, openings and ties. openings is the number of fair
    openings, or 0 for the start alone. ties is a seed for random choices among the best moves at
    the root; without it, the first best move is played. If you add values or openings to FILE
    later, use the same folder again: only the new games are played. If you remove or change values,
    use another folder.

    In each game, one search plays both sides. For each algorithm, evaluator and depth, the command
    prints the mean number of nodes in a game and the mean margin of South, who moves first;
    nodes_sd and margin_sd are the standard deviations. The folder contains the means as means.csv
    and means.tex, and the games as rows.csv, rows.jsonl (one JSON object a line) and rows.parquet.
    A row has the settings of a game and these columns:

    \b
    path                  number of sows
    generated, expanded, evaluated, cutoffs, recalled
                          counts over all searches of the game; recalled are the
                          nodes whose value a transposition table had
    nodes                 visited nodes: expanded + evaluated + recalled
    winner                South, North or draw
    margin, south, north  in stones
    moves                 pits from 1
    seconds               time, which differs from run to run
    peak_kib              peak memory in KiB
    error                 why the game could not be played
    code                  the first digits of the SHA-256 of your own files

    \b
    kalahlab grid games.toml --out games --workers 2
    """
    settings = load_settings(file, algorithms, evaluators)
    # A file that has grown since the last run is allowed; the new games are added to the folder.
    check_same_run(out, settings)
    try:
        path = play_games(settings, out, workers, scheduler)
    except (KeyboardInterrupt, BrokenExecutor, OSError) as error:
        raise make_unfinished_error(error, out, settings) from None
    return summarize_games(path, len(settings))


def play_games(settings: Sequence[Any], folder: Path, workers: int, scheduler: str | None) -> Path:
    """Play the games that have no row in a folder yet, and return the path of its rows.jsonl.

    Args:
        settings: A `Setting` for each game.
        folder: The folder. Its rows.jsonl has a row for each setting, of new and old games.
        workers: The number of processes.
        scheduler: The address of a dask.distributed scheduler to use instead; None for none.
    """
    from kalahlab.experiments.settings import estimate_cost, run_setting
    from kalahlab.parallel import run_resumable

    progress = sys.stderr.isatty()
    with options.cluster(scheduler, folder) as executor:
        return run_resumable(
            run_setting,
            settings,
            folder,
            workers,
            executor,
            estimate_cost,
            progress=progress,
            unit="game",
        )


def summarize_games(path: Path, count: int) -> Answer:
    """Write tables of the means of a grid, and return the means as an answer.

    Args:
        path: The path of rows.jsonl. The tables are written into its folder.
        count: The number of games, including those that failed.
    """
    from kalahlab.experiments.settings import mean_rows
    from kalahlab.parallel import read_rows

    rows = read_rows(path)
    means = mean_rows(rows)
    errors = [row["error"] for row in rows if row["error"]]
    # The deviation of a single game is NaN, which JSON cannot write. A column must have the type
    # object to contain None.
    means_or_none = means.astype(object).where(means.notna(), None)
    data: dict[str, Any] = {
        "rows": str(path),
        "points": count,  # one for each game; programs that read the JSON use this name
        "errors": len(errors),
        "first_error": None,
        "means": means_or_none.to_dict("records"),
    }
    text = f"{count} games in {path}"
    if errors:
        data["first_error"] = errors[0]
        text += f"; {len(errors)} of them failed, the first with {errors[0]}"
    if is_missing("pyarrow"):
        print_note(f"note: rows.parquet is not written; it needs {describe_missing('pyarrow')}")
    else:
        write_parquet(path.with_suffix(".parquet"), rows)
    if not means.empty:  # it is empty if all games failed
        write_tables(path.parent, means)
        text = (
            f"{format_means(means)}\n\n{text}\nin the same folder: rows.csv, means.csv, means.tex"
        )
    return Answer(data, text, status=1 if errors else 0)


def write_parquet(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows, which all have the same columns, as Apache Parquet."""
    import pyarrow
    from pyarrow import parquet

    with atomic_write(path) as part:
        parquet.write_table(pyarrow.Table.from_pylist(rows), part)


class Interrupted(click.ClickException):
    """An error message after Ctrl-C."""

    exit_code = 130  # the status of a process that SIGINT ends


def make_unfinished_error(
    error: BaseException, folder: Path, settings: Sequence[Any]
) -> click.ClickException:
    """Return an error message that tells the number of finished games and how to resume."""
    from kalahlab.parallel import Store, setting_key

    store = Store(folder)
    finished = [setting for setting in settings if store.row(setting_key(setting)) is not None]
    result = (
        f"{len(finished)} of {len(settings)} games are kept in {folder}; run the same command "
        "again to resume and to get the tables"
    )
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(f"interrupted; {result}")
    return click.ClickException(f"stopped: {error}; {result}")


def load_settings(file: Path, algorithms: Sequence[str], evaluators: Sequence[str]) -> list[Any]:
    """Return the setting of each game of a grid file.

    The algorithms and evaluators of the command line are added to those of the file. They are
    checked first, so that an error in one of them is not reported as an error of the file.
    """
    from kalahlab.experiments.grid_file import read_grid

    # Both checks raise ValueError. An evaluator is checked as a part of a search, which needs an
    # algorithm, too: any algorithm will do.
    for name in algorithms:
        if find_growing_search(name) is None:
            SearchSpec(name)
    for name in evaluators:
        SearchSpec("minimax", name).check_evaluator()
    with prefix_errors(file):
        return [*read_grid(file, algorithms=algorithms, evaluators=evaluators)]


def write_tables(folder: Path, means: Any) -> None:
    """Write the means, a data frame, as means.csv and means.tex."""
    from kalahlab.report.tables import format_frame, table_latex

    write_atomic(folder / "means.csv", means.to_csv(index=False, lineterminator="\n"))
    caption = (
        "Means and standard deviations (sd) of the games of a grid. "
        "nodes: visited (expanded + evaluated + recalled), in all searches of a game. "
        f"margin: South's, in stones. {SELF_PLAY_NOTE}"
    )
    latex = table_latex(format_frame(means, DECIMALS), "means", caption)
    write_atomic(folder / "means.tex", latex)


def format_means(means: Any) -> str:
    """Return the means, a data frame, as a table with an explanation.

    The columns of standard deviations are left out if the table would be wider than the terminal.
    """
    from kalahlab.report.tables import format_frame

    rows = format_frame(means, DECIMALS).to_dict("records")
    table = format_grid(rows, optional=["nodes_sd", "margin_sd"])
    # format_frame writes minus signs and en dashes for pages; a terminal gets ASCII.
    table = table.translate({0x2212: "-", 0x2013: "-"})
    return f"{table}\n\n{fill(SELF_PLAY_NOTE, WIDTH)}"
