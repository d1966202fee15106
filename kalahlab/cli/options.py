"""Options and arguments that commands share, and the printing of their answers."""

import inspect
import logging
import shlex
import signal
import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from threading import Event, Thread, main_thread
from typing import Any

import click

from kalahlab.cli.output import print_note
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.formatting import to_json
from kalahlab.games import pie
from kalahlab.games.hand_tree import Branch, is_min_only
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES, GameType, game_type
from kalahlab.games.rules import parse_rules
from kalahlab.names import import_named, parse_int
from kalahlab.players.parse import import_player_parts
from kalahlab.players.search_spec import BACKENDS, LEAVES
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.growing import GROWING
from kalahlab.untrusted import escape_control_characters
from kalahlab.user_code import refusing_exits


class ParsedParam(click.ParamType[Any]):
    """The type of a parameter that is parsed by a function.

    The function raises `ValueError` with a message for the user.
    """

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self.parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):  # it is parsed already
            return value
        try:
            with redirect_stdout(sys.stderr):  # a user's module may print when it is imported
                return self.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


# The settings of dask that name the files for `tls://`, each with the end of the name of its
# environment variable.
TLS_FILES = {"ca-file": "CA_FILE", "client.cert": "CLIENT__CERT", "client.key": "CLIENT__KEY"}
RANDOM = "random:"  # begins a BOARD with the stones in random pits; a seed follows
MOST = 10**12  # the largest number that any option accepts; most have a lower limit elsewhere


def at_least(
    least: float, what: str, most: float = MOST, parse: Callable[[str, str], float] = parse_int
) -> ParsedParam:
    """Return the type of a number from `least` to `most`; `what` names it in errors."""

    def parse_in_range(text: str) -> float:
        number = parse(text, what)
        if number > most:
            raise ValueError(f"{what} is {text}; use {most} or less")
        if not number >= least:  # `not >=`, because comparisons with nan are false
            raise ValueError(f"{what} is {text}; use {least} or more")
        return number

    return ParsedParam("number", parse_in_range)


def number(name: str, least: int, most: int = MOST, **more: Any) -> Callable[[Any], Any]:
    """Return an option for a whole number; errors use the option's name without the dashes."""
    words = name.removeprefix("--").replace("-", " ")
    return click.option(name, type=at_least(least, words, most), **more)


def check_workers(context: click.Context, option: click.Parameter, value: int | None) -> int | None:
    """Return the number of workers; raise `click.BadParameter` if it is larger than useful.

    The limit depends on the cores of this machine, except with `--scheduler`.
    """
    from kalahlab.parallel import count_cores

    most = 10_000 if context.params.get("scheduler") else max(64, 4 * count_cores())
    if value is not None and value > most:
        raise click.BadParameter(
            f"the number of workers is {value}; use {most} or less, because this machine has "
            f"{count_cores()} cores"
        )
    return value


def check_remote_players(players: Iterable[str], workers: int) -> None:
    """Raise `click.UsageError` if several processes would wait at the address of a player."""
    for player in players:
        if workers > 1 and player.startswith("kgp:"):
            raise click.UsageError(
                f"player {player!r} waits at one address, where {workers} processes cannot wait; "
                "use --workers 1"
            )


def parse_board_size(text: str) -> tuple[int, int]:
    """Return the pits and the stones of `PITS,STONES`."""
    pits, comma, stones = text.strip("()").partition(",")
    if not comma:
        raise ValueError(f"size {text!r} is not PITS,STONES, such as 6,6")
    game = Kalah(parse_int(pits.strip(), "pits"), parse_int(stones.strip(), "stones"))
    if game.is_over(game.start()):
        raise ValueError(f"size {text!r} has no stones to play with; use 1 stone a pit or more")
    return game.pits, game.stones


def name_param(kind: str) -> ParsedParam:
    """Return the type of a name or an import path. The module of an import path is imported."""
    return ParsedParam(kind, partial(import_named, kind))


def compose_options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Combine options to one decorator; help lists them in this order."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):  # the decorator that is applied last is listed first
            command = option(command)
        return command

    return decorate


@dataclass(frozen=True)
class Answer:
    """The answer of a command.

    Attributes:
        data: The object that `--json` prints, or the JSON of this object.
        text: The text for a person; None if the command has printed it already.
        status: The exit status.
    """

    data: dict[str, Any] | str
    text: str | None = None
    status: int = 0

    def to_json(self) -> str:
        return self.data if isinstance(self.data, str) else to_json(self.data)


def json_command(**settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a function a command with an option `--json`.

    The command prints the `Answer` that the function returns, for a person or as JSON. With
    `--json`, everything that user code prints goes to stderr.
    """

    def decorate(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def print_answer(as_json: bool, **arguments: Any) -> int:
            output = redirect_stdout(sys.stderr) if as_json else nullcontext()
            with output, refusing_exits(click.exceptions.Exit, click.Abort, EOFError):
                answer = function(**arguments)
            as_text = answer.to_json()  # also without --json, to find errors in the data
            if as_json:
                click.echo(as_text)
            elif answer.text is not None:
                click.echo(escape_control_characters(answer.text))
            return int(answer.status)

        command: click.Command = click.command(**settings)(print_answer)
        # The whole first paragraph of the docstring, which click would cut at a width.
        command.short_help = " ".join((function.__doc__ or "").partition("\n\n")[0].split())
        command.params.append(JSON)
        return command

    return decorate


def is_json_requested() -> bool:
    """Return whether the running command has the option `--json`."""
    return bool(click.get_current_context().params["as_json"])


JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON instead of text.")
GAME = ParsedParam("game", lambda text: game_type(import_named("game", text)))
PLAYER = ParsedParam("player", import_player_parts)
RULES = ParsedParam("rules", parse_rules)
workers = partial(number, "--workers", 1, callback=check_workers)
# Eager options are parsed first: `check_workers` reads the value of this one.
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
rules = partial(
    click.option,
    "--rules",
    type=RULES,
    help='The rules of Kalah: a name, such as empty-capture, or fields, such as "end=mover"; '
    "kalahlab rules lists both.",
)
only = click.option(
    "--only", multiple=True, metavar="NOTEBOOK", help="Only this notebook; 03 means 03_pruning."
)
# The commands do not take the value: `output.write_gradebook` finds it in click's context.
semicolons = click.option(
    "--semicolons",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update(semicolons=value),
    help="Separate the columns of --csv by semicolons, for an Excel that writes 0,5 for 1/2.",
)
players_backend = click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="engine",
    help="The backend of players without @BACKEND. A search that engine does not support uses "
    "textbook.",
)
backend = click.option(
    "--backend",
    type=click.Choice([*BACKENDS]),
    default="textbook",
    help="textbook starts quickly. engine is compiled: it starts slowly and is then about a "
    "thousand times as fast. Both give the same answer.",
)

search = compose_options(
    click.option(
        "--algorithm",
        type=name_param("algorithm"),
        default="alpha_beta",
        help=f"One of {', '.join(ALGORITHMS)}; one that backs values up otherwise than minimax: "
        f"{', '.join(BACKUPS)}; a search that grows a tree: {', '.join(GROWING)}; "
        "or the import path of your own. --evaluator and --order take import paths, too.",
    ),
    click.option(
        "--evaluator",
        type=name_param("evaluator"),
        show_default="the game's first",
        help="; ".join(f"{game}: {', '.join(names)}" for game, names in EVALUATORS.items()) + ".",
    ),
    click.option(
        "--leaf",
        default="sow",
        help=f"How the depth is counted: {', '.join(LEAVES)}. sow: each sow counts. turn: an extra "
        "turn does not count. quiescence: as sow, but the search goes on to a quiet position.",
    ),
    click.option(
        "--order",
        type=name_param("order"),
        default="pit",
        help=f"The move order: {', '.join(ORDERS)}.",
    ),
)


def on_position(command: Callable[..., Answer]) -> Any:
    """Decorate a command that works on a position.

    Add an argument BOARD and the options of a start. Pass `kind`, `game` and `state` to the
    command.
    """

    @click.argument("board", required=False)
    @number("--pits", 1, help="Pits a side, if there is no BOARD.  [default: 6]")
    @number("--stones", 0, help="Stones in each pit.  [default: 4]")
    @game
    @rules(show_default="standard")  # without a default: other games have no such option
    @wraps(command)
    def call_on_position(kind: GameType, board: str | None, **arguments: Any) -> Answer:
        sizes = {}
        for name in ("pits", "stones", "rules", "size"):
            value = arguments.pop(name, None)
            if value is not None:
                sizes[name] = value
        _check_sizes(sizes, kind, board)
        game = kind.new(**sizes)
        if board is None:
            state = game.start()
        elif names_start(board, kind):
            from kalahlab.matches.openings import find_start

            state = find_start(board, getattr(game, "kalah", game))
            if kind.name == "pie":
                state = pie.State(*state, "first")
        else:
            game, state = kind.parse(board, game)
        if board and isinstance(state, Branch) and is_min_only(state):
            alternating = board.translate(str.maketrans("[]", "()"))
            print_note(
                "note: all brackets are square, so MIN moves at every node; to let MAX and MIN "
                f"alternate, write {alternating!r}"
            )
        return command(kind=kind, game=game, state=state, **arguments)

    return call_on_position


def names_start(board: str, kind: GameType) -> bool:
    """Return whether a BOARD is the name of a start of Kalah, such as `random:7`."""
    return kind.name in ("kalah", "pie") and board.startswith((RANDOM, "fairkalah:"))


def _check_sizes(sizes: Mapping[str, Any], kind: GameType, board: str | None) -> None:
    """Raise `click.UsageError` for an option that the game does not have or a BOARD forbids."""
    for name in sizes:
        if name not in inspect.signature(kind.new).parameters:
            raise click.UsageError(f"the game {kind.name} has no --{name}; leave it out")
        has_size = board is not None and not board.startswith(RANDOM)
        if has_size and "=" in f"{board}":
            hint = f'put rules in quotes: --rules "NAME, {board}"'
            raise click.UsageError(f"{board!r} is no BOARD; {hint}")
        if has_size and name in ("pits", "stones"):
            raise click.UsageError(f"a BOARD and --{name} both set the start; leave one out")


@contextmanager
def cluster(address: str | None, folder: Path | None) -> Iterator[Executor | None]:
    """Yield the executor of a dask cluster, or None without an address.

    Args:
        address: The address of the scheduler.
        folder: The folder that keeps finished work, for the message when the scheduler is lost.
    """
    if address is None:
        yield None
        return
    has_ended = Event()
    lost_states = ["closing", "closed"]
    with _connect(address) as client:

        def interrupt_when_lost() -> None:
            """Send SIGINT to this process when the scheduler is lost.

            The main thread may wait for futures of the scheduler that never end.
            """
            while not has_ended.wait(1):
                if client.status == "closed":
                    # This logger would report that a future of a closed client cannot be cancelled.
                    logging.getLogger("concurrent.futures").setLevel(logging.CRITICAL)
                    if hasattr(signal, "pthread_kill"):
                        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
                    else:  # on Windows
                        interrupt_main()
                    return

        Thread(target=interrupt_when_lost, daemon=True).start()
        try:
            yield client.get_executor()
        except Exception:
            # A client that has lost its scheduler may be trying to connect again.
            lost_states.append("connecting")
            raise
        finally:
            has_ended.set()
            if client.status in lost_states:
                keeps = f"{folder} has the finished results" if folder else "nothing was kept"
                command_line = shlex.join(["kalahlab", *sys.argv[1:]])
                raise click.ClickException(
                    f"lost the scheduler at {address}; {keeps}; resume with: {command_line}"
                )


def _connect(address: str) -> Any:
    """Return a client of a cluster; raise `ValueError` if it cannot be connected."""
    import dask.config
    from distributed import Client

    missing = [
        name for name in TLS_FILES if not dask.config.get(f"distributed.comm.tls.{name}", None)
    ]
    if address.startswith("tls:") and missing:
        variables = " ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in TLS_FILES.values())
        raise ValueError(
            f"--scheduler {address} needs three files, named by the environment variables "
            f"{variables}; {missing[0]} is not set"
        )
    # The log of the client would only repeat the error below.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        return Client(address)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ValueError(f"--scheduler {address}: {error}") from None
