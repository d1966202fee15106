"""Limits of a search: a depth, nodes or milliseconds."""

import re
from collections.abc import Callable
from math import inf
from typing import NamedTuple

Clock = Callable[[], float]
MAX_NUMBER = 10**9  # the largest number of a limit


class Limit(NamedTuple):
    """The limit of a search: a depth (unit ""), nodes (unit `n`) or milliseconds (unit `ms`)."""

    number: int
    unit: str = ""

    @property
    def seconds(self) -> float:
        """The seconds for a move; infinite if the limit is not a time."""
        if self.unit == "ms":
            return self.number / 1000
        return inf

    @property
    def nodes(self) -> float:
        """The nodes for a move; infinite if the limit is not a number of nodes."""
        if self.unit == "n":
            return self.number
        return inf

    def __str__(self) -> str:
        return f"{self.number}{self.unit}"


def parse_limit(text: str) -> Limit:
    """Parse a limit such as `6`, `5000n` or `1000ms`; raise `ValueError` for any other text."""
    match = re.fullmatch(r"(\d+)(n|ms)?", text, re.ASCII)
    if match is None:
        raise ValueError(
            f"limit {text!r} cannot be read; use a depth, nodes as 5000n or milliseconds as 1000ms"
        )
    number, unit = int(match[1]), match[2] or ""
    if number == 0:
        raise ValueError(f"limit {text} finds no move; use 1 or more")
    if number > MAX_NUMBER:
        raise ValueError(f"limit {text} is too large; use {MAX_NUMBER} or less")
    return Limit(number, unit)
