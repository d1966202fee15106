"""The contract of the searches that grow a tree, and the types that it is stated in.

iteration  select a leaf of the tree, expand it perhaps, give a value to the new leaf or leaves,
           and back the values up along the path; `loop.grow` repeats this until a limit is reached
policy     how a search selects, expands, evaluates and backs up: all that makes two searches differ
numbers    what the search knows of a node, such as visits and their mean; a named tuple, which is
           replaced and never changed; every number is MAX's
turns      `TreeNode.maximizing` says who chooses at a node; after an extra turn the same player
           chooses again, so a search never counts levels; only `appeal` looks from the side of the
           player to move
ties       the first child with the greatest appeal is selected; children are in the game's order
result     a `Growth`; its `claim` says what is known of its value
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.formatting import StableRepr
from kalahlab.search.limits import Limit, Playouts, Seconds
from kalahlab.search.model import Claim, Counts, Result

if TYPE_CHECKING:
    from kalahlab.search.growing.loop import GrowingTree


@dataclass(slots=True, eq=False)
class TreeNode:
    """A position in a tree that grows.

    Attributes:
        id: The place in the order of creation; 0 is the root.
        parent: The node above; None at the root.
        move: The move that led here; None at the root.
        state: The state of the game.
        maximizing: True if MAX moves.
        is_over: True if the game is over.
        sows: The number of moves from the root to here.
        numbers: What the search knows of the node; the policy defines it.
        children: All children, which are made at once; empty until then.
    """

    id: int
    parent: "TreeNode | None"
    move: Any
    state: Any
    maximizing: bool
    is_over: bool
    sows: int
    numbers: Any = None
    children: "Sequence[TreeNode]" = ()


@dataclass(frozen=True, slots=True)
class GrowthCounts(Counts):
    """The cost of a search that grows a tree.

    In an iteration every node of the path is visited, so a node is counted as often as it is on a
    path. `evaluated` counts the values given to leaves, by playouts, evaluators and rules.

    Attributes:
        playouts: Games that were played to their end from a leaf.
        sows: The moves of all playouts.
        looked: Static values that only decide which move to try first.
    """

    playouts: int = 0
    sows: int = 0
    looked: int = 0


@dataclass(frozen=True, slots=True)
class Growth(Result):
    """The result of a search that grows a tree.

    Attributes:
        tree: The `GrowingTree`; of a search by the engine, its `PackedTree`.
    """

    tree: Any = field(kw_only=True, repr=False, compare=False)


class GrowthObserver(StableRepr):
    """Base class of observers of a tree that grows; its methods do nothing."""

    def start(self, tree: "GrowingTree", policy: "Policy") -> None:
        """Called when the root has been made and has its numbers."""

    def iterate(
        self, path: Sequence[TreeNode], expanded: TreeNode | None, values: Mapping[TreeNode, Any]
    ) -> None:
        """Called after each iteration.

        Args:
            path: The nodes from the root to the leaf.
            expanded: The node whose children were made; None if no node was expanded.
            values: The value that each node got in this iteration.
        """


class Policy(StableRepr):
    """Base class of policies. A search is a class that derives from this one; see `uct.UCT`.

    Attributes:
        limits: The types of limits that are certain to end the search.
        evaluates_children: True if an expansion gives each new child a value. Otherwise an
            iteration gives a value to the leaf at the end of its path.
    """

    limits: ClassVar[tuple[type[Limit], ...]] = (Playouts, Seconds)
    evaluates_children: ClassVar[bool] = False

    def start(self, tree: "GrowingTree") -> None:
        """Prepare for a search of the tree, whose root has no numbers yet."""

    def make_numbers(self, tree: "GrowingTree", nodes: Sequence[TreeNode]) -> Sequence[Any]:
        """Return the numbers of new nodes: the root alone, or all children of a node.

        If the policy `evaluates_children`, the nodes' values are in `tree.values`.
        """
        raise NotImplementedError

    def appeal(self, maximizing: bool, parent: Any, child: Any) -> tuple[float, ...]:
        """Return the terms of a child's appeal to the player who moves at its parent.

        The child with the greatest sum is selected.

        Args:
            maximizing: True if MAX moves at the parent.
            parent: The numbers of the parent.
            child: The numbers of the child.
        """
        raise NotImplementedError

    def should_expand(self, leaf: TreeNode) -> bool:
        """Return whether to make the children of the leaf at the end of a path."""
        return not leaf.is_over

    def should_evaluate(self, leaf: TreeNode) -> bool:
        """Return whether to give the leaf at the end of a path a value.

        A policy that `evaluates_children` is not asked.
        """
        return True

    def evaluate(self, tree: "GrowingTree", node: TreeNode) -> Any:
        """Return the value of a new leaf."""
        raise NotImplementedError

    def back_up(self, path: Sequence[TreeNode], values: Mapping[TreeNode, Any]) -> None:
        """Replace the numbers of the nodes on the path."""
        raise NotImplementedError

    def is_finished(self, path: Sequence[TreeNode]) -> bool:
        """Return whether the search has its answer before the limit is reached."""
        return path[0].is_over

    def conclude(self, tree: "GrowingTree") -> tuple[float, Claim, Sequence[Any]]:
        """Return the value of the root for MAX, what it claims, and the line of moves."""
        raise NotImplementedError
