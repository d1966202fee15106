"""Parameters that commands share, read by functions that explain what is wrong."""

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial, reduce
from pathlib import Path
from typing import Any

import click

from kalahlab.backends import BACKENDS, LEAVES
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games.kalah import PRESETS
from kalahlab.games.registry import GAMES, GameType, game_type
from kalahlab.names import import_path, named, parse_float, parse_int
from kalahlab.play import import_player
from kalahlab.search import ALGORITHMS, ORDERS


class Read(click.ParamType[Any]):
    """A parameter read by a function that explains what is wrong in a `ValueError`."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value that a text stands for; a text that stands for none is a usage error."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def at_least(least: int, what: str) -> Read:
    """A whole number with a lower bound."""

    def read(text: str) -> int:
        number = parse_int(text, what)
        if number < least:
            raise ValueError(f"{what} is {number}; use {least} or more")
        return number

    return Read("number", read)


def seconds(text: str) -> float:
    """A time to think, up to a day."""
    number = parse_float(text, "seconds")
    if not 0 < number <= 86400:
        raise ValueError(f"seconds is {text}; use more than 0 and no more than 86400")
    return number


def by_name(what: str) -> Read:
    """A name, or an import path, which may only be typed: see `import_path`."""
    return Read(what, partial(import_path, what))


def game_by_name(text: str) -> GameType:
    """A game by its name or import path."""
    return game_type(import_path("game", text))


def options(*each: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator; help lists them in this order."""
    return partial(reduce, lambda command, option: option(command), each[::-1])


SECONDS = Read("seconds", seconds)
PLAYER = Read("player", import_player)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
INPUT = click.Path(path_type=Path, dir_okay=False, exists=True)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
game_option = click.option(
    "--game",
    "kind",
    type=Read("game", game_by_name),
    default="kalah",
    help=f"{', '.join(GAMES)}, or the import path of a GameType.",
)
rules_option = click.option(
    "--rules",
    type=Read("rules", partial(named, "rules", known=PRESETS)),
    show_default="standard",
    help=f"Of Kalah: {' or '.join(PRESETS)}.",
)
backend_option = click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="textbook",
    help="What searches: the textbook, which is quick to start, or the compiled engine, some "
    "thousand times as fast once it has. The answer is the same.",
)

search_options = options(
    game_option,
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
        "extra turns are free; quiescence goes on, after so many sows, to a quiet position.",
    ),
    click.option(
        "--order",
        type=by_name("order"),
        default="pit",
        help=f"Which move is tried first: {', '.join(ORDERS)}.",
    ),
    rules_option,
)
"""What to search and how; each command says itself how deep."""


def new_game(kind: GameType, **options: Any) -> Any:
    """A game with those of the options that were given; `UsageError` for one that it has not."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in inspect.signature(kind.new).parameters:
            raise click.UsageError(f"--{name} says nothing about the game {kind.name}")
    return kind.new(**given)


def position(kind: GameType, text: str, **options: Any) -> tuple[Any, Any]:
    """The game with the options that were given, and the state that a text stands for."""
    return kind.parse(text, new_game(kind, **options))


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
