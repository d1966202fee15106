"""How long a search runs: a `Depth`, nodes, seconds or playouts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from kalahlab.names import check_whole
from kalahlab.search.deep_enough import Depth

Clock = Callable[[], float]  # returns the time in seconds
MAX_NUMBER = 10**9  # the largest number in the text of a limit


@dataclass(frozen=True, slots=True)
class Nodes:
    """At most `n` nodes: those visited, or in a search that grows a tree those in the tree.

    Raises:
        ValueError: `n` is not a whole number of at least 1.
    """

    n: int

    def __post_init__(self) -> None:
        _check_positive("nodes", self.n)

    def __str__(self) -> str:
        return f"{self.n}n"


@dataclass(frozen=True, slots=True)
class Playouts:
    """At most `n` iterations of a search that grows a tree; each values one leaf.

    Raises:
        ValueError: `n` is not a whole number of at least 1.
    """

    n: int

    def __post_init__(self) -> None:
        _check_positive("playouts", self.n)

    def __str__(self) -> str:
        return f"{self.n}p"


@dataclass(frozen=True, slots=True)
class Seconds:
    """At most `s` seconds. What a search has found when time is up is its result.

    Raises:
        ValueError: `s` is not a positive, finite number.
    """

    s: float

    def __post_init__(self) -> None:
        if not (isinstance(self.s, int | float) and isfinite(self.s) and self.s > 0):
            raise ValueError(f"seconds is {self.s!r}; use a number greater than 0")

    def __str__(self) -> str:
        return f"{self.s * 1000:.15g}ms"


Limit = Depth | Nodes | Seconds | Playouts


def parse_limit(text: str) -> Limit:
    """Parse a limit such as `6`, `5000n`, `1000ms` or `800p`: whole numbers, and depths in sows.

    Raises:
        ValueError: The text has another form, or the number is 0 or too large.
    """
    match = re.fullmatch(r"(\d+)(n|ms|p)?", text, re.ASCII)
    if match is None:
        raise ValueError(
            f"limit {text!r} cannot be read; use a depth, nodes as 5000n, milliseconds as 1000ms "
            "or playouts as 800p"
        )
    number, unit = int(match[1]), match[2]
    if number == 0:
        raise ValueError(f"limit {text} finds no move; use 1 or more")
    if number > MAX_NUMBER:
        raise ValueError(f"limit {text} is too large; use {MAX_NUMBER} or less")
    if unit == "ms":
        return Seconds(number / 1000)
    if unit == "n":
        return Nodes(number)
    return Playouts(number) if unit == "p" else Depth(number)


_WORDS = {Depth: "a depth", Nodes: "nodes", Seconds: "seconds", Playouts: "playouts"}


def check_kind(name: str, limit: Limit, kinds: Sequence[type[Limit]]) -> None:
    """Raise ValueError if a search does not take this kind of limit.

    Args:
        name: The name of the search.
        limit: The limit.
        kinds: The kinds of limits that the search takes.
    """
    if not isinstance(limit, tuple(kinds)):
        *words, last = [_WORDS[kind] for kind in kinds]
        takes = f"{', '.join(words)} or {last}" if words else last
        raise ValueError(f"{name} cannot keep the limit {limit}; it takes {takes}")


def _check_positive(what: str, number: int) -> None:
    check_whole(what, number)
    if number < 1:
        raise ValueError(f"{what} is {number}; use 1 or more")
