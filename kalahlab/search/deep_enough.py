"""DEEP-ENOUGH: objects that decide whether the search stops at a node.

Rich & Knight, *Artificial Intelligence*, section 12.2.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from kalahlab.names import check_whole
from kalahlab.search.model import Node

Unit = Literal["sow", "turn"]


@dataclass(frozen=True, slots=True)
class Depth:
    """A fixed depth, counted in sows or in turns.

    In sows, every move is a ply. In turns, a node is `limit` turns deep when the turn has
    passed `limit` times: a player's extra turns belong to the same turn, so the search goes on
    below a node that was reached by an extra turn (the Mancala homework's depth).

    Raises:
        ValueError: The limit is negative, or the unit is neither `sow` nor `turn`.
    """

    limit: int
    unit: Unit = "sow"

    def __post_init__(self) -> None:
        check_whole("depth", self.limit)
        if self.limit < 0:
            raise ValueError(f"depth is {self.limit}; use 0 or more")
        if self.unit not in ("sow", "turn"):
            raise ValueError(f"unit is {self.unit!r}; use 'sow' or 'turn'")

    def __call__(self, node: Node) -> bool:
        depth = node.sows if self.unit == "sow" else node.turns
        return depth >= self.limit

    def __str__(self) -> str:
        return f"{self.limit}"


@dataclass(frozen=True, slots=True)
class Quiescence:
    """A depth that is extended where the position is not quiet.

    Rich & Knight, section 12.4.1: do not trust a value that the next move changes.

    Attributes:
        quiet: Predicate of a state, such as the method `is_quiet` of a `Kalah`.
        limit: The depth from which on the search stops at quiet positions.
        unit: The unit of `limit` and `max_extension`.
        max_extension: The search stops at every position that is this much deeper than `limit`.

    Raises:
        ValueError: `limit` or `max_extension` is negative, or the unit is unknown.
    """

    quiet: Callable[[Any], bool] = field(repr=False)
    limit: int
    unit: Unit = "sow"
    max_extension: int = 4

    def __post_init__(self) -> None:
        Depth(self.limit, self.unit)  # for its checks
        if self.max_extension < 0:
            raise ValueError(f"max_extension is {self.max_extension}; use 0 or more")

    def __call__(self, node: Node) -> bool:
        depth = node.sows if self.unit == "sow" else node.turns
        excess = depth - self.limit
        if excess >= self.max_extension:
            return True
        return excess >= 0 and self.quiet(node.state)
