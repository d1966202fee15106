"""What an iteration of a search that grows a tree has done, as a trace keeps it."""

from typing import Any, Literal, NamedTuple

How = Literal["playout", "evaluator", "rules", "unknown"]
"""How a node got its value."""


class Iteration(NamedTuple):
    """What happened in an iteration.

    Attributes:
        path: The ids of the nodes from the root to the leaf.
        expanded: The id of the node whose children were made; None if there was none.
        values: For each node that got a value: its id, how it got the value, and the value for MAX.
    """

    path: tuple[int, ...]
    expanded: int | None
    values: tuple[tuple[int, How, Any], ...]
