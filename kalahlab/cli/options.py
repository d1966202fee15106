"""Parameters that commands share, read by functions that explain what is wrong."""

import inspect
import logging
import shlex
import signal
import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import partial, reduce, wraps
from pathlib import Path
from threading import Event, Thread, main_thread
from typing import Any

import click

from kalahlab.backends import BACKENDS, LEAVES
from kalahlab.cli.text import say
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.formatting import to_json
from kalahlab.games.hand_tree import Branch, is_min_only
from kalahlab.games.kalah import PRESETS
from kalahlab.games.registry import GAMES, GameType, game_type
from kalahlab.names import import_path, named, parse_int
from kalahlab.outside import printable
from kalahlab.play import import_player
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.user_code import refusing_exits


class Read(click.ParamType[Any]):
    """A parameter read by a function that explains what is wrong in a `ValueError`."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            with redirect_stdout(sys.stderr):  # what a user's module prints
                return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


# the files that a client needs for `tls://`: dask's settings, and the ends of its variables
TLS = {"ca-file": "CA_FILE", "client.cert": "CLIENT__CERT", "client.key": "CLIENT__KEY"}
MOST = 10**12  # the largest number of anything; most things have a lower limit where they are used


def at_least(
    least: int, what: str, most: float = MOST, parse: Callable[[str, str], float] = parse_int
) -> Read:
    def read(text: str) -> float:
        number = parse(text, what)
        if not least <= number <= most:
            limit = f"{most} or less" if number > most else f"{least} or more"
            raise ValueError(f"{what} is {text}; use {limit}")
        return number

    return Read("number", read)


def number(name: str, least: int, most: int = MOST, **more: Any) -> Callable[[Any], Any]:
    """An option that is a whole number, which errors call by the option's name."""
    return click.option(name, type=at_least(least, name[2:].replace("-", " "), most), **more)


def check_workers(context: click.Context, option: click.Parameter, value: int | None) -> int | None:
    """Refuse more workers than this machine has use for; a cluster may have more."""
    from kalahlab.engine.memory import cores

    most = 10_000 if context.params.get("scheduler") else max(64, 4 * cores())
    if value is not None and value > most:
        raise click.BadParameter(
            f"workers are {value}; use {most} or less, as each is a thread or a process, and there "
            f"are {cores()} cores"
        )
    return value


def by_name(what: str) -> Read:
    """A name, or an import path, which may only be typed: see `import_path`."""
    return Read(what, partial(import_path, what))


def together(*each: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """As one decorator; help lists them in this order."""
    return partial(reduce, lambda command, option: option(command), each[::-1])


Answer = tuple[dict[str, Any] | str, str | None] | tuple[dict[str, Any] | str, str, int]
"""For a machine (a text is JSON already), for a person (None if that is printed already), and the
exit status, if it is not 0."""


def command(**settings: Any) -> Callable[[Callable[..., Answer]], click.Command]:
    """A command that prints what its function returns, as JSON if that is asked for."""

    def printed(function: Callable[..., Answer]) -> click.Command:
        @wraps(function)
        def printing(as_json: bool, **given: Any) -> int:
            # what user code prints goes to stderr: stdout is for the answer
            place = redirect_stdout(sys.stderr) if as_json else nullcontext()
            with place, refusing_exits(click.exceptions.Exit, click.Abort, EOFError):
                answer, readable, *status = function(**given)
            found = answer if isinstance(answer, str) else to_json(answer)
            if as_json or readable is not None:
                click.echo(found if as_json else printable(readable or ""))
            return status[0] if status else 0

        made: click.Command = click.command(**settings)(printing)
        # click cuts the beginning of a help text at a width; this is never cut
        made.short_help = " ".join((function.__doc__ or "").partition("\n\n")[0].split())
        made.params.append(JSON)
        return made

    return printed


def json_asked() -> bool:
    return bool(click.get_current_context().params["as_json"])


JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines.")
GAME = Read("game", lambda text: game_type(import_path("game", text)))
PLAYER = Read("player", import_player)
workers = partial(number, "--workers", 1, callback=check_workers)
scheduler = partial(click.option, "--scheduler", metavar="ADDRESS", is_eager=True)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
INPUT = click.Path(path_type=Path, dir_okay=False, exists=True)
game = click.option(
    "--game",
    "kind",
    type=GAME,
    default="kalah",
    help=f"{', '.join(GAMES)}, or the import path of a GameType.",
)
rules = click.option(
    "--rules",
    type=Read("rules", partial(named, "rules", known=PRESETS)),
    help=f"Of Kalah: {' or '.join(PRESETS)}.  [default: standard]",
)
only = click.option(
    "--only", multiple=True, metavar="NOTEBOOK", help="This one alone; 03 stands for 03_pruning."
)
semicolons = click.option(
    "--semicolons",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, given: context.meta.update(semicolons=given),
    help="Of --csv: semicolons between columns, for Excel where 0,5 is a number.",
)
preset = click.option("--rules", type=click.Choice([*PRESETS]), default="standard")
players_backend = click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="engine",
    help="engine, where it can search so, or textbook, for players without @BACKEND.",
)
backend = click.option(
    "--backend",
    type=click.Choice([*BACKENDS]),
    default="textbook",
    help="What searches: the textbook, which is quick to start, or the compiled engine, some "
    "thousand times as fast once it has. The answer is the same.",
)

search = together(
    click.option(
        "--algorithm",
        type=by_name("algorithm"),
        default="alpha_beta",
        help=f"One of {', '.join(ALGORITHMS)}; or an import path, as for evaluator and order.",
    ),
    click.option(
        "--evaluator",
        type=by_name("evaluator"),
        show_default="the game's first",
        help="; ".join(f"{game}: {', '.join(known)}" for game, known in EVALUATORS.items()) + ".",
    ),
    click.option(
        "--leaf",
        default="sow",
        help=f"What the depth counts and where a search stops: {', '.join(LEAVES)}. In turns, "
        "extra turns are free; quiescence goes on, after that many sows, to a quiet position.",
    ),
    click.option(
        "--order",
        type=by_name("order"),
        default="pit",
        help=f"Which move is tried first: {', '.join(ORDERS)}.",
    ),
)


def on_position(command: Callable[..., Answer]) -> Any:
    """A BOARD, or the start of a game: the command is given its `kind`, `game` and `state`."""

    @click.argument("board", required=False)
    @number("--pits", 1, help="Of the start, without a BOARD.  [default: 6]")
    @number("--stones", 0, help="In each of its pits.  [default: 4]")
    @game
    @rules
    @wraps(command)
    def placed(kind: GameType, board: str | None, **given: Any) -> Answer:
        every = {name: given.pop(name, None) for name in ("pits", "stones", "rules", "size")}
        sizes = {name: value for name, value in every.items() if value is not None}
        for name in sizes:
            if name not in inspect.signature(kind.new).parameters:
                raise click.UsageError(f"--{name} says nothing about the game {kind.name}")
            if board is not None and name in ("pits", "stones"):
                raise click.UsageError(
                    f"a BOARD and --{name} both say where to begin; leave one out"
                )
        new = kind.new(**sizes)
        game, state = (new, new.start()) if board is None else kind.parse(board, new)
        if board and isinstance(state, Branch) and is_min_only(state):
            turns = board.translate(str.maketrans("[]", "()"))
            say(
                "note: each bracket is square, so MIN moves in every node; for MAX and MIN in turn "
                f"write {turns!r}"
            )
        return command(kind=kind, game=game, state=state, **given)

    return placed


@contextmanager
def cluster(address: str | None, kept: Path | None) -> Iterator[Executor | None]:
    """The executor of a cluster, None without one. kept: the folder of what is finished, if any."""
    if address is None:
        yield None
        return
    left, lost = Event(), ["closing", "closed"]
    with _connected(address) as client:

        def interrupt_if_lost() -> None:
            """Press Ctrl-C when the scheduler is given up: its futures might never be done."""
            while not left.wait(1):
                if client.status == "closed":
                    # which would show that a future of a closed client cannot be cancelled
                    logging.getLogger("concurrent.futures").setLevel(logging.CRITICAL)
                    if hasattr(signal, "pthread_kill"):
                        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
                    else:  # on Windows
                        interrupt_main()
                    return

        Thread(target=interrupt_if_lost, daemon=True).start()
        try:
            yield client.get_executor()
        except Exception:
            lost.append("connecting")  # again, after the connection broke
            raise
        finally:
            left.set()
            if client.status in lost:
                keeps = f"{kept} keeps what was finished" if kept else "nothing was kept"
                again = shlex.join(["kalahlab", *sys.argv[1:]])
                raise click.ClickException(
                    f"the scheduler at {address} is lost; {keeps}; go on with: {again}"
                )


def _connected(address: str) -> Any:
    """A client of a cluster; `ValueError` says why there is none."""
    try:
        import dask.config
        from distributed import Client
    except ImportError:
        raise ValueError("--scheduler needs: pip install 'kalahlab[cluster]'") from None
    missing = [name for name in TLS if not dask.config.get(f"distributed.comm.tls.{name}", None)]
    if address.startswith("tls:") and missing:
        variables = " ".join(f"DASK_DISTRIBUTED__COMM__TLS__{each}" for each in TLS.values())
        raise ValueError(
            f"--scheduler {address} needs three files, which are named by the variables "
            f"{variables}; {missing[0]} is not named"
        )
    # what is wrong with it is said below
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        return Client(address)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ValueError(f"--scheduler {address}: {error}") from None
