"""How long a search runs, besides a `Depth`: nodes, seconds or playouts."""

from dataclasses import dataclass
from math import isfinite

from kalahlab.names import check_whole
from kalahlab.search.deep_enough import Depth


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
        return f"{self.s * 1000:g}ms"


Limit = Depth | Nodes | Seconds | Playouts


def _check_positive(what: str, number: int) -> None:
    check_whole(what, number)
    if number < 1:
        raise ValueError(f"{what} is {number}; use 1 or more")
