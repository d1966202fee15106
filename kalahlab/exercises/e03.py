"""Exercises of notebook 03: what alpha-beta leaves out, by hand."""

from math import inf

from kalahlab.evaluators.tree import written_value
from kalahlab.exercises.model import exercises
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.studies.s08_pruning import minimal_leaves
from kalahlab.trace import Trace, Visit, record


def _inner(name: str, player: int, *values: float) -> Branch:
    """A node above leaves, which are named after it."""
    leaves = (Branch(f"{name.lower()}{place}", 1 - player, v) for place, v in enumerate(values, 1))
    return Branch(name, player, 0, tuple(leaves))


TREE = HandTree(
    Branch(
        "A",
        MAX,
        0,
        (_inner("B", MIN, 4, 6, 9), _inner("C", MIN, 7, 4, 5), _inner("D", MIN, 3, 8, 6)),
    )
)
"""The tree of exercises 3.1 to 3.3. C is cut at a value equal to alpha."""

EXTRA_TURN = HandTree(Branch("A", MAX, 0, (_inner("B", MAX, 2, 6), _inner("C", MIN, 5, 8))))
"""The tree of exercise 3.5: the move to B earns MAX an extra turn."""
BY_LEVEL = HandTree(Branch("A", MAX, 0, (_inner("B", MIN, 2, 6), _inner("C", MIN, 5, 8))))
"""The same tree for a reader who lets the players alternate by level."""

ARITY, DEPTH = 3, 4
"""The branching factor and the depth of exercise 3.4."""


def pruned() -> Trace:
    """Alpha-beta on the tree."""
    return record(alpha_beta, TREE, TREE.start(), written_value, Depth(2))


def node(name: str) -> Visit:
    """The visit of a node of the tree."""
    return next(visit for visit in pruned().nodes if visit.name == name)


def unvisited(strict: bool = False, itself: bool = False) -> list[str]:
    """The leaves that alpha-beta does not visit, from left to right.

    strict: only those behind a value that is worse than the bound, not equal to it. itself: with
    the leaf that makes the cutoff.
    """
    trace = pruned()
    return [
        trace.nodes[id].name
        for cut in trace.cuts
        if not strict or cut.value != cut.bound
        for id in ((cut.by,) if itself else ()) + cut.untried
    ]


def counts(root: int = 0, seen: int = 0) -> tuple[int, int]:
    """The nodes that alpha-beta generates and visits, with so many too many of each."""
    found = pruned().result.counts
    return found.generated + root, found.visited + seen


def value(tree: HandTree) -> float:
    """The minimax value of a tree's root."""
    return record(minimax, tree, tree.start(), written_value, Depth(2)).result.value


EXERCISES = exercises(
    {
        "3.1": lambda: [unvisited(), unvisited(strict=True), unvisited(itself=True), []],
        "3.2": lambda: [
            node("D").alpha,
            node("D").beta,
            max(leaf.value for leaf in TREE.root.children[0].children),
            node("d1").value,
        ],
        "3.3": lambda: [counts(), counts(root=1), counts(seen=-1), counts(seen=len(unvisited()))],
        "3.4": lambda: [
            minimal_leaves(ARITY, DEPTH),
            ARITY**DEPTH,
            minimal_leaves(ARITY, DEPTH) + 1,
            ARITY ** (DEPTH // 2),
        ],
        "3.5": lambda: [value(EXTRA_TURN), value(BY_LEVEL), 8.0, inf],
    }
)
