"""The command `kalahlab solve`."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import FOLDER, INPUT, MOST, Answer, ParsedParam, json_command
from kalahlab.cli.output import describe_run, print_note
from kalahlab.data import parse_table
from kalahlab.formatting import format_bounds, format_columns, format_grid
from kalahlab.games.kalah import Kalah, State, pits_of
from kalahlab.games.notation import draw_board, format_board, parse_board
from kalahlab.games.rules import Rules, format_rules, parse_rules
from kalahlab.games.supported import to_file_name
from kalahlab.solver.move_values import PROOFS, check_cost
from kalahlab.solver.value_files import lookup_value
from kalahlab.untrusted import prefix_errors

UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
MOST_BYTES = 1e18


def parse_size(text: str) -> int:
    """Parse a number of bytes as people write it: 500MB, 2.5 GB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in UNITS:
        raise ValueError(f"{text!r} is not a size; write, for example, 500MB or 4GB")
    number, unit = match.groups()
    size_in_bytes = float(number) * UNITS[unit]
    if size_in_bytes > MOST_BYTES:
        raise ValueError(f"{text!r} is too large; use {MOST_BYTES:.0e} bytes or less")
    return int(size_in_bytes)


SIZE = ParsedParam("size", parse_size)

VERIFY_HELP = """\
For each file of a ledger, --verify prints whether the file's claim about the BOARD, or about the
start, is verified, and why. If you give neither, the claim is about the only start for which the
file has bounds.

\b
claim     the lower and the upper bound of the position's value for the mover
implied   whether the claim follows from the pieces, move by move
used      the pieces that the claim needs
small     positions with too few stones for a piece, proved on the way
proved    the used pieces that were proved again
logged    the proved pieces that come from the --log of an earlier run
contradicted, left
          the used pieces that are false; those that remain unproved
nodes     positions visited by the proofs of the proved pieces
seconds   processor time, summed over all workers
"""
MISSING_POSITION = "give a BOARD, or --pits and --stones, or a --file"
VERIFY_SETTINGS = ("database_stones", "workers", "piece_nodes")
LOG_SECONDS = 10.0  # the least time between two lines of a log, unless there is news


@json_command(epilog=VERIFY_HELP)
@click.argument("boards", metavar="[BOARD]...", type=ParsedParam("board", parse_board), nargs=-1)
@click.option(
    "--file",
    type=INPUT,
    help="Solve the boards of this file: a CSV table with the column board, gzipped or not. If it "
    "also has the column rules, only the rows with the --rules are solved.",
)
@options.number("--pits", 1, help="Solve the start of a board with this number of pits a side.")
@options.number("--stones", 0, help="Stones in each pit at that start.")
@click.option("--moves", is_flag=True, help="Also find the value of each move.")
@options.rules(default="standard")
@click.option(
    "--guess",
    type=click.IntRange(-MOST, MOST),
    help="The value to test first.  [default: the value of an even game]",
)
@click.option(
    "--ledger",
    type=FOLDER,
    help="Keep each proved bound in this folder, and use the bounds already in it.",
)
@options.number(
    "--piece-nodes",
    1,
    help="Node limit for a piece of the proof. The default is 100,000; without a ledger it is "
    "10,000, or no limit for a small proof. With --verify, the limit is 50 times the nodes of the "
    "first proof, plus this number; the default is 1,000,000.",
)
@click.option(
    "--memory",
    "memory_bytes",
    type=SIZE,
    help="Memory for database and table, such as 500MB.  [default: most of the free memory]",
)
@click.option("--table", "table_bytes", type=SIZE, help="Its part for the transposition table.")
@options.number(
    "--database-stones", 0, help="Largest number of stones in play in the endgame database."
)
@options.workers(help="Number of pieces to prove at a time.  [default: all cores]")
@options.scheduler(help="The scheduler of a dask cluster for the pieces.")
@click.option(
    "--verify",
    type=click.Path(path_type=Path, exists=True),
    help="Check this ledger, or one of its files. The exit status is 1 unless all is verified.",
)
@options.number(
    "--sample", 0, default="100", help="The most pieces of a file that --verify proves again."
)
@click.option("--all", "every", is_flag=True, help="Prove all pieces again, which may take hours.")
@click.option(
    "--log",
    type=FOLDER,
    help="With --verify, record the pieces proved again in this folder, and resume from there.",
)
@click.option("--rebuild", is_flag=True, help="Do not use the endgame database on disk.")
def solve(
    boards: tuple[State, ...],
    file: Path | None,
    pits: int | None,
    stones: int | None,
    rules: Rules,
    scheduler: str | None,
    verify: Path | None,
    sample: int,
    every: bool,
    log: Path | None,
    **settings: Any,
) -> Answer:
    """Find the exact values of BOARDs, or of a start.

    \b
    value     the final margin of the player to move under perfect play, in
              stones, stores included; after Ctrl-C, the bounds proved so far,
              with exit status 130
    line      the moves of perfect play, pits from each mover's left
    nodes     positions that the search visited; the number depends on the
              workers and the database, and differs from run to run
    seconds   elapsed time; the first run includes compilation
    database stones
              the largest number of stones in a position that was looked up in
              the database
    stopped   yes after Ctrl-C
    believed  bounds that were taken from the --ledger and not proved again

    For several BOARDs, or a --file, prints a table with a row for each. After Ctrl-C the solved
    ones are kept. With --moves, a row has the value of each pit's move: - for an empty pit, ? if it
    is not proved. The table leaves out long lines, which are in --json.

    With --verify, the command checks each file of a ledger; see below.

    \b
    kalahlab solve --pits 4 --stones 3 --moves
    kalahlab solve '<3,0,0,2,2,2,2,2,2>' '<3,1,0,2,2,0,3,2,2>' --moves
    """
    states = read_positions(boards, file, rules, pits, stones)
    if verify is not None and len(states) > 1:
        raise click.UsageError("--verify takes one position")
    if verify is not None:
        sizes = {name: settings[name] for name in VERIFY_SETTINGS if settings[name] is not None}
        return verify_ledger(verify, log, states, sample=None if every else sample, **sizes)
    if not states:
        raise click.UsageError(MISSING_POSITION)
    if file is None and len(states) == 1:
        return prove(states[0], rules, scheduler, settings)
    return prove_all(states, rules, scheduler, settings)


def prove(state: State, rules: Rules, scheduler: str | None, settings: dict[str, Any]) -> Answer:
    """Solve a position and return its value with the cost of the proof."""
    from kalahlab.solver.solve import solve as solve_position

    print_known_proof(state, rules)
    ledger = settings["ledger"]
    has_earlier_run = ledger is not None and any(ledger.glob("*.txt"))
    with progress() as show, options.cluster(scheduler, ledger) as executor:
        settings |= {"executor": executor, "progress": lambda news: show(news, news.note)}
        solution = solve_position(state, rules, **settings)
    print_believed_bounds(solution.believed, ledger, state, rules)
    data = solution.as_json()
    about = describe_run(Kalah(rules=rules), state, PROOFS, "the end of the game")
    nodes = "nodes, in all runs" if has_earlier_run else "nodes"
    text = format_solution(state, {"rules": format_rules(rules)} | data, nodes)
    return Answer(about | data, text, status=130 if solution.stopped else 0)


def prove_all(
    states: list[State], rules: Rules, scheduler: str | None, settings: dict[str, Any]
) -> Answer:
    """Solve positions, and return a table with a row for each."""
    from kalahlab.solver.solve import solve_all

    for state in states:
        print_known_proof(state, rules)
    with progress() as show, options.cluster(scheduler, settings["ledger"]) as executor:
        settings |= {"executor": executor, "progress": lambda news: show(news, news.note)}
        solutions = solve_all(states, rules, **settings)
    rows = []
    lines = []
    believed: dict[int, int] = {}  # by pits, as a ledger has a file for each board size
    for state, solution in zip(states, solutions, strict=True):
        pits = pits_of(state.board)
        believed[pits] = max(solution.believed, believed.get(pits, 0))
        row = {"board": format_board(state), **solution.as_json()}
        rows.append(row)
        lines.append(format_line(state, row))
    count = sum(believed.values())
    if count:
        print_note(f"{count:,} bounds of the ledger were believed; --verify proves them again")
    data = {
        "game": "kalah",
        "board": [row["board"] for row in rows],
        "rules": format_rules(rules),
        "algorithm": PROOFS,
        "depth": "the end of the game",
        "solutions": rows,
    }
    solved = sum(not solution.stopped for solution in solutions)
    text = f"{solved:,} of {len(states):,} boards solved, {format_rules(rules)} rules\n\n"
    text += format_grid(lines, optional=["line"])
    return Answer(data, text, status=0 if solved == len(states) else 130)


def format_line(state: State, answer: dict[str, Any]) -> dict[str, Any]:
    """Return the line of a table with the solution of a position.

    Args:
        state: The position.
        answer: The fields of its `Solution` as JSON.
    """
    line = {"board": format_board(state), "value": format_bounds(*answer["bounds"])}
    if answer["moves"] is not None:
        values = []
        for pit, value in enumerate(answer["moves"]):
            if value is not None:
                values.append(f"{value:d}")
            else:
                values.append("?" if state.board[pit] else "-")
        line["moves"] = " ".join(values)
    return line | {name: answer[name] for name in ("line", "nodes", "stopped")}


def read_positions(
    boards: tuple[State, ...], file: Path | None, rules: Rules, pits: int | None, stones: int | None
) -> list[State]:
    """Return the positions of BOARDs, of a file or of a start; none if nothing was written.

    Raises:
        click.UsageError: There are two of these, or only one of `--pits` and `--stones`.
    """
    sizes = [size for size in (pits, stones) if size is not None]
    sources = [source for source in (boards, sizes, file) if source]
    if len(sources) > 1 or len(sizes) == 1:
        raise click.UsageError(MISSING_POSITION)
    if file is not None:
        return load_boards(file, rules)
    if pits is not None and stones is not None:
        return [Kalah(pits, stones).start()]
    return list(boards)


def load_boards(file: Path, rules: Rules) -> list[State]:
    """Return the boards of a CSV table; if it has the column `rules`, those of these rules.

    Raises:
        ValueError: The file has no such board, or one of its rows is none.
    """
    states = []
    with prefix_errors(file):
        for number, row in enumerate(parse_table(file.read_bytes(), file)):
            if "board" not in row:
                raise ValueError("it has no column 'board'")
            if parse_rules(row.get("rules") or rules) != rules:
                continue
            with prefix_errors(f"row {number}"):
                states.append(parse_board(row["board"]))
    if not states:
        raise ValueError(f"{file} has no board of {rules} rules")
    return states


def print_known_proof(state: State, rules: Rules) -> None:
    """Print a note if a proof takes long although the value of the start is known already."""
    game = Kalah(pits_of(state.board), state.board[0], rules)
    if state != game.start():
        return
    stored_value = lookup_value(game, state)
    if stored_value is None:
        return
    try:
        check_cost(game, state, moves=False)  # raises ValueError if the proof takes long
    except ValueError:
        print_note(
            f"the value is known to be {stored_value:+} (see kalahlab first-moves); this command "
            "proves it again"
        )


def print_believed_bounds(count: int, ledger: Path | None, state: State, rules: Rules) -> None:
    """Print a note on the bounds of a ledger that were used unproved, and how to prove them."""
    if ledger is not None and count:
        file = quote(str(ledger / f"kalah-{pits_of(state.board)}-{to_file_name(rules)}.txt"))
        command_line = f"kalahlab solve --verify {file} '{format_board(state)}' --all"
        print_note(
            f"{count:,} bounds of the ledger were believed; to prove them again: {command_line}"
        )


def format_solution(state: State, answer: dict[str, Any], nodes: str) -> str:
    """Return a solution as text.

    Args:
        state: The position.
        answer: The rules, and the fields of a `Solution` as JSON.
        nodes: The label of the number of nodes.
    """
    labels = {"nodes": nodes, "database_stones": "database stones"}
    table = {labels.get(name, name): value for name, value in answer.items()}
    table["value"] = format_bounds(*table.pop("bounds"))
    table["seconds"] = f"{answer['seconds']:,.1f}"
    if not table["believed"]:
        del table["believed"]
    rows = []
    for pit, move_value in enumerate(table.pop("moves") or ()):  # None without --moves
        # An empty pit has no move. The first pits of a board are South's, who moves.
        if state.board[pit]:
            bounds = format_bounds(move_value, move_value)
            rows.append({"pit": pit + 1, "value": bounds or "not proved"})
    parts = [draw_board(state)]
    if Kalah(pits_of(state.board)).is_over(state):
        parts.append("The game is over.")
    parts.append(format_columns(table))
    if rows:
        parts.append(format_grid(rows))
    return "\n\n".join(parts)


def find_ledger_files(path: Path, position: State | None) -> list[Path]:
    """Return the ledger files of a folder, or the path itself if it is a file.

    With a position, return only the files of the folder for boards of the position's size.

    Raises:
        ValueError: The folder has no such file.
    """
    from kalahlab.solver.ledger import parse_file_name

    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.txt"))
    if not files:
        raise ValueError(f"no ledger in {str(path)!r}")
    if position:
        pits = pits_of(position.board)
        files = [file for file in files if parse_file_name(file).pits == pits]
        if not files:
            raise ValueError(f"no ledger of boards with {pits} pits a side in {str(path)!r}")
    return files


def verify_ledger(path: Path, log: Path | None, states: list[State], **settings: Any) -> Answer:
    """Verify the files of a ledger; the status is 1 unless all of them are verified.

    Args:
        path: A file of a ledger, or its folder.
        log: The folder that keeps the names of pieces that are proved again; None to keep nothing.
        states: The position to verify; none for the start of each file. In a folder, only the
            files for its board are read.
        **settings: Further arguments of `kalahlab.solver.verify.verify`.
    """
    from tqdm import tqdm

    from kalahlab.solver.ledger import Ledger
    from kalahlab.solver.verify import verify

    settings["position"] = states[0] if states else None
    files = find_ledger_files(path, settings["position"])
    verdict = "not verified: stopped before any piece was proved again"
    rows = {file.name: {"file": file.name, "verified": False, "verdict": verdict} for file in files}
    try:
        for file in files:  # report a broken file before the check of another takes hours
            Ledger(file)
        with progress() as show:
            for file in files:
                name = file.name
                start = time.monotonic()

                # Defaults bind the values of this pass of the loop.
                def report_pieces(
                    done: int, total: int, name: str = name, start: float = start
                ) -> None:
                    elapsed = time.monotonic() - start
                    show(tqdm.format_meter(done, total, elapsed, unit="piece", prefix=name), name)

                show(f"{name}: loading or building the endgame database", name)
                log_file = log / name if log else None
                verification = verify(file, log=log_file, progress=report_pieces, **settings)
                rows[name] = {"file": name, **verification.as_json()}
                if verification.stopped:
                    break
    except ValueError as error:
        raise click.ClickException(f"not verified: {error}") from None
    except KeyboardInterrupt:
        pass  # the files that were not checked keep the row "not verified"
    tables = []
    for row in rows.values():
        tables.append(format_columns(row | {"seconds": f"{row.get('seconds', 0):,.1f}"}))
    all_verified = all(row["verified"] for row in rows.values())
    data = {"ledgers": [*rows.values()]}
    return Answer(data, "\n\n".join(tables), status=0 if all_verified else 1)


@contextmanager
def progress() -> Iterator[Callable[[object, str], None]]:
    """Yield a function `show(status, news)` that reports progress on stderr.

    On a terminal, one line shows the latest status. In a log, a status is a new line if its news
    is new or if the last line is `LOG_SECONDS` old.
    """
    if sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(bar_format="{desc}", leave=False) as line:
            yield lambda status, news: line.set_description_str(str(status))
        return
    last_news = ""
    last_time = -LOG_SECONDS

    def log(status: object, news: str) -> None:
        nonlocal last_news, last_time
        is_news = news and news != last_news
        if is_news or time.monotonic() - last_time >= LOG_SECONDS:
            last_news, last_time = news, time.monotonic()
            print_note(status)

    yield log
