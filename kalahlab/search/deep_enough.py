"""DEEP-ENOUGH as values: functions of a node that say whether to stop there.

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
    """Stop at a fixed depth, counted in sows or in turns.

    In sows, every move is a ply. In turns, a node is `limit` turns deep when the turn has
    passed that often: a player's extra turns belong to the same turn, so a node that was
    reached by an extra turn is searched on (the Mancala homework's depth).
    Raises `ValueError` for a negative limit or another unit.
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
        return (node.sows if self.unit == "sow" else node.turns) >= self.limit


@dataclass(frozen=True, slots=True)
class Quiescence:
    """Stop at a depth where the position is quiet, elsewhere search on, to a limit beyond it.

    Rich & Knight, section 12.4.1: a value is not to be trusted where the next move changes it.
    quiet: says of a state whether it is quiet, as `Kalah.quiet`. max_extension: how much deeper
    than `limit`, in its unit. Raises `ValueError` as `Depth` does, and if that is negative.
    """

    quiet: Callable[[Any], bool] = field(repr=False)
    limit: int
    unit: Unit = "sow"
    max_extension: int = 4

    def __post_init__(self) -> None:
        Depth(self.limit, self.unit)
        if self.max_extension < 0:
            raise ValueError(f"max_extension is {self.max_extension}; use 0 or more")

    def __call__(self, node: Node) -> bool:
        beyond = (node.sows if self.unit == "sow" else node.turns) - self.limit
        return beyond >= self.max_extension or (beyond >= 0 and self.quiet(node.state))
