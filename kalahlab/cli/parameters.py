"""Parameters that commands share, read by functions that explain what is wrong."""

from collections.abc import Callable
from typing import Any

import click

from kalahlab import backends
from kalahlab.backends import BACKENDS, LEAVES
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.registry import evaluator
from kalahlab.games.kalah import PRESETS, Kalah, Rules, State
from kalahlab.games.notation import parse_board
from kalahlab.names import named, parse_int
from kalahlab.search import ALGORITHMS, ORDERS


class Read(click.ParamType[Any]):
    """A parameter read by a function that explains what is wrong in a `ValueError`."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def known(name: str, look_up: Callable[[str], Any]) -> Read:
    """A name that can be looked up, kept as it was written."""

    def read(text: str) -> str:
        look_up(text)
        return text

    return Read(name, read)


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
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"seconds is {text!r}; use a number") from None
    if not 0 < number <= 86400:
        raise ValueError(f"seconds is {text}; use more than 0 and no more than 86400")
    return number


BOARD = Read("board", parse_board)
SECONDS = Read("seconds", seconds)
RULES = Read("rules", lambda name: named("rules", name, PRESETS))
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
rules_option = click.option(
    "--rules", type=RULES, default="standard", show_default=True, help=" or ".join(PRESETS) + "."
)
backend_option = click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="textbook",
    show_default=True,
    help="What searches: the textbook, which is quick to start, or the compiled engine, some "
    "thousand times as fast once it has. The answer is the same.",
)

_SEARCH = (
    click.option(
        "--algorithm",
        type=known("algorithm", backends.algorithm),
        default="alpha_beta",
        show_default=True,
        help=f"One of {', '.join(ALGORITHMS)}.",
    ),
    click.option(
        "--evaluator",
        type=known("evaluator", evaluator),
        default="store_difference",
        show_default=True,
        help=f"One of {', '.join(EVALUATORS)}.",
    ),
    click.option(
        "--leaf",
        type=known("leaf", backends.leaf_policy),
        default="sow",
        show_default=True,
        help=f"What the depth counts and where a search stops: {', '.join(LEAVES)}. In turns, "
        "extra turns are free; quiescence goes on, after so many sows, to a quiet position.",
    ),
    click.option(
        "--order",
        type=known("order", backends.order),
        default="pit",
        show_default=True,
        help=f"Which move is tried first: {', '.join(ORDERS)}.",
    ),
)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how to search; each command says itself how deep."""
    for option in reversed(_SEARCH):
        command = option(command)
    return command


def game_of(board: State, rules: Rules) -> Kalah:
    """The game that a board belongs to; its own start plays no part."""
    return Kalah(len(board.board) // 2 - 1, 0, rules)
